"""Writes the golden playthroughs and pictures anew: `make golden`."""

from tests.golden import SEEDS, golden_path, playthrough
from tests.golden.pictures import golden_picture, picture_path

for name, seed in SEEDS.items():
    kept = {golden_path(name): playthrough(name, seed), picture_path(name): golden_picture(name)}
    for path, text in kept.items():
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{'changed' if changed else 'as before'}: {path.name}")
