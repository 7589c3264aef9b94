"""A full disk: what was not written is told, and everything else is kept."""

import json

from tests.arena.stage import holmgang
from tests.tiny_disk import needs_mounts, on_tiny_disk

from holmgang.engine import record

pytestmark = needs_mounts


def test_simulate_keeps_its_statistics_and_every_whole_record(tmp_path):
    kept = tmp_path / "kept"
    command = "simulate bagh --games 200 --seed 1 --keep 20 --records {disk}/r"
    run = on_tiny_disk("16k", kept, *command.split(" "))
    saved = [path for path in sorted((kept / "r").iterdir()) if record.read(path).is_complete]
    assert run.returncode == 1
    assert "200 games" in run.stdout
    assert 0 < len(saved) < 20
    assert f"{len(saved)} records saved" in run.stdout
    assert run.stderr.startswith("holmgang: cannot write the record ")
    assert run.stderr.endswith(f"No space left on device (and {20 - len(saved) - 1} more)\n")
    assert all(record.replay(path).is_over for path in saved)


def test_play_goes_on_and_the_record_ends_with_a_whole_line(tmp_path):
    kept = tmp_path / "kept"
    command = "play bagh:start_hp=99 --vs random --wins 1 --plain --seed 3 --records {disk}/p"
    run = on_tiny_disk("8k", kept, *command.split(" "), stdin="b\nh\n" * 60)
    (path,) = (kept / "p").iterdir()
    assert run.returncode == 0
    assert run.stdout.count("This match is not recorded any further: cannot write the record") == 1
    assert "Round 100 " in run.stdout
    assert path.read_text().endswith("}\n")
    assert 20 < len(record.replay(path).rounds) < 100


def test_no_empty_record_is_left_and_json_is_whole(tmp_path):
    kept = tmp_path / "kept"
    command = "simulate bagh --games 30 --keep 30 --records {disk} --json"
    run = on_tiny_disk("12k", kept, *command.split(" "))
    assert run.returncode == 1
    assert json.loads(run.stdout)["games"] == 30
    assert "cannot write the record" in run.stderr
    assert all(record.replay(path).rounds for path in kept.iterdir())


def test_a_tournament_keeps_its_results_and_goes_on_when_there_is_room(tmp_path):
    kept = tmp_path / "kept"
    command = "tournament bagh random greedy --games 10 --workers 1 --trust --out"
    run = on_tiny_disk("24k", kept, *command.split(" "), "{disk}/t")
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1].startswith("holmgang: cannot write ")
    assert run.stderr.endswith("No space left on device\n")
    before = (kept / "t" / "results.jsonl").read_text()
    assert before.endswith("}\n")
    assert all(record.replay(path).is_over for path in (kept / "t" / "records").glob("*.jsonl"))
    holmgang(*command.split(" "), kept / "t")
    after = (kept / "t" / "results.jsonl").read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == 10
