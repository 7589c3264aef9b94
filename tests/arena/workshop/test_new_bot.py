"""`holmgang new-bot`: in every language a bot that plays, and nothing that is overwritten."""

import compileall
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.arena.stage import needs_bubblewrap
from tests.patience import PATIENCE

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask
from holmgang.arena.workshop import new_bot as workshop
from holmgang.arena.workshop.build import build, build_command, can_build, unbuilt
from holmgang.arena.workshop.new_bot import LANGUAGES, new_bot
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.players.naming import PROTOCOLS, find_player

PAGE = Path(__file__).parents[3] / "docs" / "write-a-bot.md"
BIN = Path(sys.executable).parent


def run(command: str, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "XDG_DATA_HOME": str(folder / "data"),
            "COLUMNS": "80",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def starters(tmp_path_factory):
    """Gives the folder of a bot that is ready to play, or skips and says what is missing."""
    ready: dict[tuple[str, str], Path] = {}

    def made(language: str, protocol: str) -> Path:
        if (language, protocol) not in ready:
            folder = tmp_path_factory.mktemp(language) / "my-bot_1.0"
            new_bot(load("fencing"), language, folder, protocol=protocol)
            program = command_of(folder)[0]
            tools = [each[0] for each in (build_command(folder), [program]) if each]
            if not can_build(folder) or not all("/" in tool or works(tool) for tool in tools):
                pytest.skip(f"{LANGUAGES[language]} is not installed: needs {' and '.join(tools)}")
            build(folder)
            ready[language, protocol] = folder
        return ready[language, protocol]

    return made


def works(tool: str) -> bool:
    """Whether it is installed, and is more than a stand-in that would have to fetch it first."""
    asked = ([tool, "--version"], [tool, "version"])
    return shutil.which(tool) is not None and any(
        subprocess.run(words, capture_output=True, check=False).returncode == 0 for words in asked
    )


def command_of(folder: Path) -> list[str]:
    return tomllib.loads((folder / "bot.toml").read_text())["command"].split()


@needs_bubblewrap
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_plays_in_the_sandbox(language, protocol, starters):
    rulesets = ["fencing"] if protocol == "codingame" else ["bagh", "magic-duel", "fencing"]
    bot = str(starters(language, protocol))
    for ruleset in rulesets:
        seats = [(bot, "random"), ("random", bot)]
        for result in play_games(GameTask("game", ruleset, *each, seed=1) for each in seats):
            assert (result.red.status, result.blue.status) == ("ok", "ok"), result
            assert result.red.latencies_ms
            assert result.blue.latencies_ms


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_json_starter_survives_any_json(language, starters):
    """Blanks, escapes, brackets in texts, fields and messages of later versions."""
    folder = starters(language, "json")
    strange = {
        "a": ['"]}\\', {"choices": ["wrong"], "id": 0}, [], {}, None, True, -1.5e3],
        "é": "\\",
    }
    request = {
        "x": strange,
        "type": "choose",
        "id": 7,
        "state": strange,
        "choices": ['a"]\\b'],
        "y": 1,
    }
    lines = [
        json.dumps({"novelty": strange, "type": "hello", "protocol": 1}, indent=1),
        json.dumps({"type": "news", "of": strange}),
        json.dumps({"type": "new game", "seat": "red"}),
        json.dumps(request, separators=(",", ":"), ensure_ascii=False),
        json.dumps(request | {"id": 8, "choices": ["b", "b"]}, separators=(" , ", " : ")),
    ]
    done = subprocess.run(
        command_of(folder),
        cwd=folder,
        input="".join(line.replace("\n", " ") + "\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    hello, *answers = (json.loads(line) for line in done.stdout.splitlines())
    assert (hello["name"], hello["protocol"]) == ("my-bot_1.0", 1)
    assert [answer["id"] for answer in answers] == [7, 8]
    chosen = [answer.get("choice") or next(iter(answer["mix"])) for answer in answers]
    assert chosen == ['a"]\\b', "b"]


def test_the_folder_tells_how_to_go_on(tmp_path):
    told = run("holmgang new-bot bagh:start_hp=5 egil", tmp_path).stdout
    assert "holmgang check egil bagh:start_hp=5" in told
    text = (tmp_path / "egil" / "README.md").read_text()
    request = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL)[1])
    assert request["state"]["red"]["hp"] == 5
    assert "@" not in text
    bot = find_player(str(tmp_path / "egil"), load("bagh"))
    assert (bot.name, bot.protocol) == ("egil", "json")


def test_as_json(tmp_path):
    told = json.loads(run("holmgang new-bot magic-duel --lang python --json", tmp_path).stdout)
    assert told == {
        "folder": "magic-duel-python",
        "files": ["bot.py", "bot.toml", "README.md"],
        "build": None,
        "is_ready": True,
    }
    assert all((tmp_path / told["folder"] / name).is_file() for name in told["files"])


def test_a_starter_that_pip_has_compiled_is_still_one(tmp_path, monkeypatch):
    """An installer compiles every Python file that it installs, the starter among them."""
    shutil.copytree(Path(workshop.__file__).parent / "starters", tmp_path / "starters")
    assert compileall.compile_dir(tmp_path / "starters" / "json", quiet=2)
    monkeypatch.setattr(workshop, "files", lambda package: tmp_path)
    made = new_bot(load("bagh"), "python", tmp_path / "egil")
    assert made == ["bot.py", "bot.toml", "README.md"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("bahg egil", "did you mean bagh?"),
        ("bagh egil --lang cobol", "there are python, javascript, c, cpp, rust, java, go"),
        ("bagh egil --protocol codingame", "for fencing"),
        ("bagh egil --protocol yaml", "json or codingame"),
        ("bagh taken", "already exists"),
        ("bagh file/egil", "Not a directory"),
        ("bagh 'a\"b'", "cannot be the name of a bot"),
        ("bagh ...", "cannot be the name of a bot"),
    ],
)
def test_refusals(arguments, told, tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("mine")
    assert told in run(f"holmgang new-bot {arguments}", tmp_path, code=2).stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "taken"]


def compiled(folder: Path, time: float) -> Path:
    """A bot whose compiler is `cp`, with a source of that age."""
    folder.mkdir()
    (folder / "bot.toml").write_text('command = "./bot"\nbuild = "cp -p bot.sh bot"\n')
    (folder / "bot.sh").write_text("#!/bin/sh\n")
    (folder / "bot.sh").chmod(0o755)
    os.utime(folder / "bot.sh", (time, time))
    return folder


def test_what_has_not_been_built_is_told(tmp_path):
    folder = compiled(tmp_path / "bot", time=1000)
    assert "has not been built" in unbuilt(folder)
    with pytest.raises(UsageError, match="built first, in its folder: cp -p"):
        find_player(str(folder), load("bagh"))
    build(folder)
    assert unbuilt(folder) is None
    os.utime(folder / "bot.sh", (2000, 2000))
    assert "bot.sh has changed since it was built" in unbuilt(folder)


def test_a_build_that_fails_is_told(tmp_path):
    folder = compiled(tmp_path / "bot", time=1000)
    (folder / "bot.sh").unlink()
    with pytest.raises(UsageError, match="ended with exit code 1"):
        build(folder)


@needs_bubblewrap
def test_from_nothing_to_a_tournament(tmp_path):
    """Every line of the page, in the order that it shows."""
    script = re.search(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)[1]
    assert len(script.splitlines()) <= 10
    done = run(script, tmp_path)
    assert "sound" in done.stdout
    assert "attack" in (tmp_path / "grim" / "bot.py").read_text()
    assert (tmp_path / "cup" / "index.html").is_file()
