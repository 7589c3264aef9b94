"""The catalogue: games with their rules, levels, hosted bots."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.describe import describe_game, rules_markdown
from holmgang.games.ruleset import load
from holmgang.live.refusal import Refused
from holmgang.live.round_log import encode
from holmgang.players.ladder import LADDER, is_luck, ratings
from holmgang.players.levels import KINDS
from holmgang.players.naming import Bot, has_codingame
from holmgang.web.api import openapi
from holmgang.web.pages import StaticFile, answer, make_file
from holmgang.web.parts import Parts
from holmgang.web.rules_page import rules_html
from holmgang.wire.lists import BotLine, Catalogue, CatalogueGame, LevelLine

MEANING = re.compile(r"^\| `(\w+)` +\|.*\| ([^|]+) \|$", re.MULTILINE)


def router(parts: Parts) -> APIRouter:
    """The requests about games."""
    routes = APIRouter(prefix="/api/games", tags=["games"])
    catalogue = make_file("games.json", encode(describe_all(parts.service.bots)))

    @routes.get("", **openapi.games)
    async def list_games(request: Request) -> Response:
        """Games with the ranges of their rules, levels, and hosted bots."""
        return answer(catalogue, request.headers)

    @routes.get("/{name}/rules", **openapi.rules)
    async def read_rules(
        request: Request, name: Annotated[str, Path(description="A game.", max_length=100)]
    ) -> Response:
        """The rules for people, as an HTML fragment with anchors: `rule-4.1`, `rule-B7`."""
        if name not in CATALOGUE:
            raise Refused(
                "not found", f"there is no such game; the games are {', '.join(CATALOGUE)}"
            )
        return answer(rules_file(name), request.headers)

    return routes


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
    described = describe_game(entry)
    described["rules"] = {
        rule: {**values, "meaning": meanings.get(rule, "")}
        for rule, values in described["rules"].items()
    }
    described |= {
        "main": next(each.name for each in CATALOGUE.values() if each.game is entry.game),
        "variant": entry.variant,
        "opponent": entry.opponent,
        "prospects": {
            level: {"red": red, "blue": blue} for level, (red, blue) in entry.prospects.items()
        },
        "ratings": ratings(name),
        "luck": is_luck(name),
    }
    return msgspec.convert(described, CatalogueGame)


def rule_meanings(markdown: str) -> dict[str, str]:
    """The last column of the tables that list rules by name.

    >>> rule_meanings("| `start_hp` |    3 | 1–99    | hp at the start          |")
    {'start_hp': 'hp at the start'}
    """
    return {rule: meaning.strip() for rule, meaning in MEANING.findall(markdown)}


@cache
def rules_file(name: str) -> StaticFile:
    return make_file("rules.html", rules_html(load(name)).encode())
