"""Writes the golden playthroughs anew: `make golden`."""

from tests.golden import SEEDS, golden_path, playthrough

for name, seed in SEEDS.items():
    path, text = golden_path(name), playthrough(name, seed)
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    path.write_text(text, encoding="utf-8")
    print(f"{'changed' if changed else 'as before'}: {path.name}")
