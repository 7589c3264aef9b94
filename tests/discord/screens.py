"""Renders what the bot posts in every game, to be looked at: text, pictures, buttons and selects.

    python -m tests.discord.screens FOLDER [GAME…]

Two users play a few rounds against the stand-in. Each message becomes a web page that resembles
Discord, and a picture if Chromium and Playwright are there.
"""

import argparse
import asyncio
import base64
import html
import re
import sys
from pathlib import Path

from tests.discord.playing import Club, boards, public, running_bot
from tests.discord.standin import Standin
from tests.discord.standin.world import Message

from holmgang.discord.posts import CHOSEN, OFFER, WAITING
from holmgang.discord.rounds import SEAT_MARKS
from holmgang.games import finding
from holmgang.games.catalogue import CATALOGUE

COLOURS = {1: "#5865f2", 2: "#4e5058", 3: "#248046", 4: "#da373c", 5: "#4e5058"}
SIGNS = {
    SEAT_MARKS["red"]: ("●", "#f55"),
    SEAT_MARKS["blue"]: ("◆", "#6af"),
    WAITING: ("○", "#fc6"),
    CHOSEN: ("✔", "#5c5"),
    OFFER: ("⇄", "#fc6"),
    "🏁": ("⚑", "#fff"),
    "⏰": ("◷", "#fc6"),
}
"""What is shown for emojis, for which not every machine has a font."""
STYLE = """
body { background: #313338; color: #dbdee1; font: 16px/1.375 sans-serif; width: 560px }
h4 { color: #949ba4; font-weight: normal; margin: 18px 0 4px; border-top: 1px solid #3f4147 }
blockquote { border-left: 4px solid #4e5058; margin: 2px 0; padding-left: 10px }
img { max-width: 400px; border-radius: 8px; margin: 4px 4px 0 0; display: inline-block }
.row { margin-top: 8px } small { color: #949ba4 } pre { background: #2b2d31; padding: 6px }
.button { display: inline-block; padding: 5px 14px; border-radius: 8px; margin: 0 8px 6px 0;
  color: #fff; font-size: 14px }
.select { background: #1e1f22; border-radius: 4px; padding: 8px 12px; width: 400px }
.option { font-size: 13px; padding: 2px 12px; color: #949ba4 }
.mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px }
"""


def page_of(title: str, message: Message) -> str:
    """A message as a part of a web page."""
    names = {user.id: user.name for user, _ in message.channel.guild.members.values()}
    parts = [f"<h4>{html.escape(title)}</h4>", marked_up(message.content, names)]
    for each in message.body.get("attachments") or []:
        name, content = each["filename"], message.files[each["filename"]]
        if name.endswith(".png"):
            data = base64.b64encode(content).decode()
            parts.append(f'<img src="data:image/png;base64,{data}">')
        else:
            parts.append(f"<p>{html.escape(name)} ({len(content):,} bytes)</p>")
    rows = message.body.get("components") or []
    parts += [
        '<div class="row">' + "".join(map(component, r["components"])) + "</div>" for r in rows
    ]
    return "\n".join(parts)


def component(each) -> str:
    if each["type"] == 2:
        style = f"background: {COLOURS[each['style']]}"
        return f'<span class="button" style="{style}">{html.escape(each["label"])}</span>'
    options = "".join(
        f'<div class="option"><b>{html.escape(option["label"])}</b> '
        f"{html.escape(option.get('description') or '')}</div>"
        for option in each["options"]
    )
    return f'<div class="select">{html.escape(each.get("placeholder") or "")} ▾</div>{options}'


def marked_up(text: str, names: dict[int, str]) -> str:
    """The Markdown that the bot uses, as HTML."""
    lines = []
    for line in html.escape(text, quote=False).split("\n"):
        shown = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", line)
        shown = re.sub(r"\\([_*~`|>])", r"\1", shown)
        shown = re.sub(
            r"&lt;@(\d+)&gt;",
            lambda found: f'<span class="mention">@{names.get(int(found[1]), "?")}</span>',
            shown,
        )
        shown = re.sub(r"&lt;t:\d+:R&gt;", "in a day", shown)
        shown = re.sub(r"&lt;#\d+&gt;", '<span class="mention"># channel</span>', shown)
        for emoji, (sign, colour) in SIGNS.items():
            shown = shown.replace(emoji, f'<span style="color: {colour}">{sign}</span>')
        if shown.startswith("&gt; "):
            shown = f"<blockquote>{shown[5:]}</blockquote>"
        elif shown.startswith("-# "):
            shown = f"<small>{shown[3:]}</small><br>"
        elif shown.startswith("- "):
            shown = f"• {shown[2:]}<br>"
        elif shown.startswith("# "):
            shown = f"<h2>{shown[2:]}</h2>"
        else:
            shown += "<br>"
        lines.append(shown)
    return "\n".join(lines)


async def screens(game: str, folder: Path) -> str:
    """The messages of a duel, from the challenge to the analysis, as a web page."""
    standin = Standin()
    club = Club.new(standin)
    parts = []
    async with standin.running(), running_bot(standin, folder, width=900) as bot:
        await club.join(club.ann, club.bob)
        told = await standin.slash(club.ann, club.general, "rules", game=game)
        parts.append(page_of("/rules", told.message))
        form = await standin.pick_menu(club.ann, club.general, "challenge", club.bob)
        parts.append(page_of("Apps → challenge (only for Ann)", form.message))
        message = await club.challenge(game)
        parts.append(page_of("challenge", message))
        await standin.press(club.bob, message, "Accept")
        thread = await standin.until(lambda: club.guild.channels.get(message.id))
        board = await club.board(thread)
        parts.append(page_of("board, round 1", board))
        for number in range(5):
            if board not in boards(thread):
                break
            for user in (club.ann, club.bob):
                asked = await club.open_menu(user, board)
                if number in (0, 4) and "make your choice" in asked.text:
                    parts.append(page_of(f"menu of {user.name} (only for them)", asked.message))
                if "make your choice" in asked.text:
                    asked = await club.pick(user, asked.message)
                    if number == 0:
                        parts.append(page_of("after one press", asked.message))
                    await club.choose(user, asked)
            board = await club.next_board(thread, board)
        parts.append(page_of("board after some rounds", board))
        if boards(thread):
            sure = await standin.press(club.ann, boards(thread)[-1], "Forfeit")
            await standin.press(club.ann, sure.message, "Yes, forfeit")
        match = bot.store.matches.find()[0].id
        await standin.until(lambda: "analysis.png" in public(thread)[-1].files, 120)
        parts.append(page_of(f"result of {match}", public(thread)[-1]))
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>" + "\n".join(parts)


def photograph(page: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        tab = browser.new_page(viewport={"width": 600, "height": 900})
        tab.goto(page.resolve().as_uri())
        tab.screenshot(path=str(page.with_suffix(".png")), full_page=True)
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.discord.screens")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", help="names or paths (default: all)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for game in [finding.load(text).text for text in options.games] or CATALOGUE:
        database = options.folder / f"{game}.db"
        database.mkdir(exist_ok=True)
        page = options.folder / f"{game}.html"
        page.write_text(asyncio.run(screens(game, database)), encoding="utf-8")
        photograph(page)
        sys.stdout.write(f"{page.with_suffix('.png')}\n")


if __name__ == "__main__":
    main()
