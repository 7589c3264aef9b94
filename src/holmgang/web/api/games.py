"""The catalogue: games with their rules, levels, hosted bots."""

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from holmgang.engine.lesson import lesson_ruleset
from holmgang.engine.overview import overview_of
from holmgang.errors import RulesetError
from holmgang.games.catalogue import CATALOGUE, Entry, main_entry
from holmgang.games.describe import describe_game, rules_markdown
from holmgang.games.ruleset import load, preset_text
from holmgang.games.settings import rule_ranges
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.live.samples import read_samples
from holmgang.players.ladder import LADDER, is_luck, ratings
from holmgang.players.levels import KINDS
from holmgang.players.naming import Bot, has_codingame
from holmgang.web.api import openapi
from holmgang.web.pages import StaticFile, answer, compressed_json, make_file
from holmgang.web.parts import ServerParts, answer_json
from holmgang.web.rules_page import rules_html
from holmgang.wire.lists import (
    BotLine,
    Catalogue,
    CatalogueGame,
    GameForm,
    LevelLine,
    PresetLine,
    RuleGroup,
    RulesOverview,
)

MEANING = re.compile(r"^\| `(\w+)` +\|.*\| ([^|]+) \|$", re.MULTILINE)


GameName = Annotated[str, Path(description="A game.", max_length=100)]


def router(parts: ServerParts) -> APIRouter:
    """The requests about games."""
    routes = APIRouter(prefix="/api/games", tags=["games"])
    whole = describe_all(parts.service.bots)
    brief = msgspec.structs.replace(
        whole, games=[msgspec.structs.replace(game, rules={}) for game in whole.games]
    )
    catalogues = [make_file("games.json", encode(each)) for each in (brief, whole)]

    @routes.get("", **openapi.games)
    async def list_games(
        request: Request,
        rules: Annotated[int, Query(description="0: without the rules of games.", ge=0, le=1)] = 1,
    ) -> Response:
        """Games with the ranges of their rules, levels, and hosted bots."""
        return answer(catalogues[rules], request.headers)

    @cache
    def samples() -> StaticFile:
        return make_file("samples.json", encode(read_samples()))

    @routes.get("/samples", **openapi.samples)
    async def see_samples(request: Request) -> Response:
        """The last rounds of a sample game, and a board of each game."""
        return answer(await asyncio.to_thread(samples), request.headers)

    @routes.get("/{name}/rules", **openapi.rules)
    async def read_rules(request: Request, name: GameName) -> Response:
        """The rules for people, as an HTML fragment with anchors: `rule-4.1`, `rule-B7`."""
        check_game(name)
        return answer(rules_file(name), request.headers)

    @routes.get("/{name}/form", **openapi.form)
    async def see_form(request: Request, name: GameName) -> Response:
        """The presets of a game, and its rules in groups, to set up a match."""
        check_game(name)
        return answer_json(describe_form(name))

    @routes.get("/{name}/preview", **openapi.rules_preview)
    async def preview_rules(
        request: Request,
        name: GameName,
        rules: Annotated[
            str,
            Query(
                description="Those that differ from the standard: `max_boost=4,start_hp=2`.",
                max_length=1_000,
            ),
        ] = "",
    ) -> Response:
        """What rules do, where they can be solved in seconds: how perfect players fare, how long
        games are, and which choices are useless.
        """
        check_game(name)
        parts.check("preview of rules", request)
        try:
            ruleset = load(f"{name}:{rules}" if rules else name)
        except RulesetError as error:
            raise Refused("bad", str(error)) from None
        return answer_json(await parts.service.previews.preview(ruleset))

    @routes.get("/{name}/overview", **openapi.overview)
    async def see_overview(request: Request, name: GameName) -> Response:
        """The rules of a game on one screen: aim, choices, who beats what, and how it ends."""
        check_game(name)
        parts.check("position", request)
        view = await parts.service.slow_work.run("position", describe_overview, name)
        return compressed_json(encode(view), request.headers)

    return routes


def check_game(name: str) -> None:
    """Raises `Refused` if there is no such game."""
    if name not in CATALOGUE:
        raise Refused("not found", f"there is no such game; the games are {', '.join(CATALOGUE)}")


def describe_overview(name: str) -> RulesOverview:
    return overview_of(lesson_ruleset(load(name)))


def describe_all(bots: Mapping[str, Bot]) -> Catalogue:
    return Catalogue(
        games=[describe(name) for name in CATALOGUE],
        levels=[
            LevelLine(name=name, line=kind.summary, for_people=name in LADDER)
            for name, kind in KINDS.items()
        ],
        bots=[BotLine(name=name, games=games_of(bot)) for name, bot in sorted(bots.items())],
    )


def games_of(bot: Bot) -> list[str]:
    """The games that a bot can play."""
    return [name for name in CATALOGUE if bot.protocol != "codingame" or has_codingame(load(name))]


def describe(name: str) -> CatalogueGame:
    """A game as `holmgang games --json` has it, with its variant, the meaning of each rule, the
    level suggested to a beginner, what best play scores against levels, and the ratings of levels.
    """
    entry = CATALOGUE[name]
    meanings = rule_meanings(rules_markdown(load(name)))
    first = lesson_ruleset(load(name)).text
    described = describe_game(entry)
    described["rules"] = {
        rule: {**values, "meaning": meanings.get(rule, "")}
        for rule, values in described["rules"].items()
    }
    described |= {
        "main": main_entry(entry).name,
        "variant": entry.variant,
        "opponent": entry.opponent,
        "prospects": {
            level: {"red": red, "blue": blue} for level, (red, blue) in entry.prospects.items()
        },
        "ratings": ratings(first) or ratings(name),
        "luck": is_luck(name),
        "first": first,
    }
    return msgspec.convert(described, CatalogueGame)


def describe_form(name: str) -> GameForm:
    entry = CATALOGUE[name]
    return GameForm(
        presets=[
            PresetLine(
                name=preset.name,
                line=preset.line,
                ruleset=preset_text(entry, preset),
                rules=dict(preset.rules),
                wins_needed=preset.wins or entry.wins_needed,
            )
            for preset in entry.game.presets
        ],
        groups=rule_groups(entry),
        rules=describe(name).rules,
    )


def rule_groups(entry: Entry) -> list[RuleGroup]:
    """The rules of a game in its own groups, and the others in a last one."""
    rules = list(rule_ranges(entry))
    groups = [(title, [rule for rule in rules if rule in own]) for title, own in entry.game.groups]
    rest = [rule for rule in rules if not any(rule in own for _, own in groups)]
    last = ("Other rules" if groups else "Rules", rest)
    return [RuleGroup(title=title, rules=own) for title, own in (*groups, last) if own]


def rule_meanings(markdown: str) -> dict[str, str]:
    """The last column of the tables that list rules by name.

    >>> rule_meanings("| `start_hp` |    3 | 1–99    | hp at the start          |")
    {'start_hp': 'hp at the start'}
    """
    return {rule: meaning.strip() for rule, meaning in MEANING.findall(markdown)}


@cache
def rules_file(name: str) -> StaticFile:
    return make_file("rules.html", rules_html(load(name)).encode())
