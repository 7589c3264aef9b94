"""Writes the golden playthroughs and pictures anew: `make golden`."""

from tests.golden import SEEDS, golden_path, playthrough
from tests.golden.pictures import document_curve, document_pictures, golden_picture, picture_path

kept = {
    **{golden_path(name): playthrough(name, seed) for name, seed in SEEDS.items()},
    **{picture_path(name): golden_picture(name) for name in SEEDS},
    **dict(document_pictures()),
    **dict([document_curve()]),
}
for path, text in kept.items():
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{'changed' if changed else 'as before'}: {path.name}")
