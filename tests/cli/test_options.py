"""Options that several commands have: the same everywhere, and settings made of them."""

import typer
from typer.testing import CliRunner

from holmgang.arena.task import JudgeSettings
from holmgang.cli.main import app
from holmgang.cli.options import make_settings, with_settings

COMMANDS = typer.main.get_command(app).commands
LIMITS = {"turn_ms", "first_ms", "hard_ms", "game_ms", "memory_mb", "trust", "ponder"}


def options_of(command):
    return {option.name: option for option in command.params}


def test_without_options_the_settings_are_the_defaults():
    assert make_settings() == JudgeSettings()


def test_every_command_with_bots_has_the_same_options():
    league = COMMANDS["league"].commands
    commands = [COMMANDS[name] for name in ("check", "match", "tournament", "better")]
    expected = [(command, LIMITS) for command in commands]
    expected += [(league["init"], LIMITS - {"trust"}), (league["run"], {"trust"})]
    for command, names in expected:
        options = options_of(command)
        assert options.keys() >= names
        for name in names:
            assert options[name].help == options_of(COMMANDS["match"])[name].help
            assert options[name].default == options_of(COMMANDS["match"])[name].default
        assert "settings" not in options


def test_a_command_can_leave_options_out():
    assert "strikes" not in options_of(COMMANDS["check"])
    assert not {"records", "log", "trust"} & options_of(COMMANDS["league"].commands["init"]).keys()


def test_what_is_given_becomes_settings(tmp_path):
    given = []
    alone = typer.Typer()

    @alone.command()
    @with_settings(without=("strikes",))
    def play(bot: str, *, settings: JudgeSettings, swap: bool = True) -> None:
        given.append((bot, settings, swap))

    options = ["--turn-ms", "7", "--trust", "--records", str(tmp_path), "--no-swap"]
    assert CliRunner().invoke(alone, ["egil", *options]).exit_code == 0
    assert given == [("egil", JudgeSettings(turn_ms=7, trust=True, records=str(tmp_path)), False)]
    assert CliRunner().invoke(alone, ["egil", "--strikes", "1"]).exit_code == 2
