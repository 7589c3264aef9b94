"""Handlers for pressed buttons, selects and forms, which have already been acknowledged."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import discord

from holmgang.discord.answers import Interaction, data_of, sentence, tell
from holmgang.discord.challenges import make_terms, setup
from holmgang.discord.controls import (
    Pick,
    Style,
    ask,
    button,
    plain_view,
    typed_number,
    who_is_who,
)
from holmgang.discord.custom_ids import Press
from holmgang.discord.permissions import THREAD_HELP, TOO_MANY_THREADS_HELP
from holmgang.discord.places import fetch_member
from holmgang.discord.posts import draw_offer, draw_words
from holmgang.discord.rounds import last_round
from holmgang.discord.rules_pages import rules_pages
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import other_seat
from holmgang.live.refusal import Refused
from holmgang.live.service import Viewer
from holmgang.wire.match import Command, CommandType, MatchView

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

WATCHING = "You are watching this duel; only its players can do that."

Handler = Callable[["DuelClient", Interaction, Press], Awaitable[None]]


def picked_value(interaction: Interaction) -> str:
    """The value picked in a select."""
    values = data_of(interaction).get("values") or [""]
    return str(values[0])


# Choosing


async def show_menu(
    client: "DuelClient",
    interaction: Interaction,
    match: str,
    *,
    note: str = "",
    pick: Pick | None = None,
) -> None:
    """Asks the user for their choice in the open round."""
    seat = await client.seat(interaction.user, match)
    if seat is None:
        raise Refused("not yours", WATCHING)
    view = await client.service.view(match, Viewer(seat))
    text, components = menu_of(view, pick)
    notes = [note] if note else []
    shown = await client.find_thread(match)
    if shown is not None:
        if help_text := THREAD_HELP.get(shown.duel.thread_state):
            notes.append(help_text)
        await shown.try_again()
    client.menus.remember(match, interaction, seat, (view.game, view.round))
    await tell(interaction, "\n".join([text, *notes]), components)


def menu_of(view: MatchView, pick: Pick | None = None) -> tuple[str, discord.ui.View | None]:
    """What a seat can do now, as text, with its menu if it has one."""
    if view.status != "playing":
        outcome = view.outcome
        return (outcome.sentence if outcome else "The duel has not started yet."), None
    if view.menu is None:
        waiting = "You have nothing to choose in this round; your opponent does."
        return "\n".join([waiting, *who_is_who(view), *last_round(view)]), None
    return ask(view, view.menu, pick or Pick())


async def menu(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await show_menu(client, interaction, press.match)


async def give_command(
    client: "DuelClient",
    interaction: Interaction,
    press: Press,
    type: CommandType,  # noqa: A002 - the protocol's word
    choice: str | None = None,
) -> None:
    """Sends a player's command to the match. Its id is that of the interaction, so that one which
    arrives twice has no further effect. Raises `Refused`.
    """
    seat = await client.seat(interaction.user, press.match)
    if seat is None:
        raise Refused("not yours", WATCHING)
    command = Command(
        id=str(interaction.id),
        type=type,
        game=press.game or None,
        round=press.round or None,
        choice=choice,
    )
    await client.service.command(press.match, seat, command)


async def decide(client: "DuelClient", interaction: Interaction, press: Press, word: str) -> None:
    """Makes a choice, and asks for the next one if it completed the round."""
    note = ""
    try:
        await give_command(client, interaction, press, "choose", choice=word)
    except Refused as refused:
        if refused.code == "not yours":
            raise
        note = late_note(press) if refused.code == "late" else sentence(refused)
    await show_menu(client, interaction, press.match, note=note)


def late_note(press: Press) -> str:
    return f"-# Round {press.round} of game {press.game} is over; your press was not counted."


async def choose(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await decide(client, interaction, press, press.rest[0])


async def card(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await decide(client, interaction, press, picked_value(interaction))


async def typed(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Handles the form with a number."""
    number = typed_number(data_of(interaction).get("components", ()))
    if not number.isdecimal():
        note = "That is not a whole number; choose again."
        await show_menu(client, interaction, press.match, note=note)
        return
    await decide(client, interaction, press, f"{press.rest[0]} {int(number)}")


async def dial(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Handles one half of a pair, picked in a select."""
    axis, *values = press.rest
    values[int(axis)] = picked_value(interaction)
    await pair(client, interaction, press._replace(rest=(axis, *values)))


async def pair(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Handles one half of a pair: asks for the other, or makes the choice if both are there."""
    _, *values = press.rest
    if all(values):
        await decide(client, interaction, press, "/".join(values))
    else:
        await ask_rest(client, interaction, press, Pick(values=tuple(values)))


async def verb(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await ask_rest(client, interaction, press, Pick(int(press.rest[0])))


async def ask_rest(
    client: "DuelClient", interaction: Interaction, press: Press, pick: Pick
) -> None:
    """Asks for the rest of a choice, unless its round is over."""
    view = await client.service.view(press.match, Viewer())
    if (view.game, view.round) == (press.game, press.round):
        await show_menu(client, interaction, press.match, pick=pick)
    else:
        await show_menu(client, interaction, press.match, note=late_note(press))


async def withdraw(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    note = ""
    try:
        await give_command(client, interaction, press, "withdraw")
    except Refused as refused:
        if refused.code == "not yours":
            raise
        note = late_note(press) if refused.code == "late" else sentence(refused)
    await show_menu(client, interaction, press.match, note=note)


# Ending a duel


async def draw(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await give_command(client, interaction, press, "offer draw")
    view = await client.service.view(press.match, Viewer())
    if view.status == "playing" and (view.game, view.round) == (press.game, press.round):
        again = plain_view([button("Take back", press._replace(action="nodraw"))])
        what = "The offer stands until the end of the round."
        if view.wins_needed > 1:
            what += f" A draw ends only game {view.game}; the match continues."
        await tell(interaction, f"You have offered {draw_words(view)}. {what}", again)
        seat = await client.seat(interaction.user, press.match)
        shown = await client.find_thread(press.match)
        if seat is not None and shown is not None:
            await shown.notify(
                other_seat(seat),
                draw_offer(view, shown.players, seat),
                f"{press.match}.{view.game:x}.{view.round:x}.d",
            )
    else:
        await tell(interaction, "You have agreed to a draw.")


async def no_draw(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await give_command(client, interaction, press, "decline draw")
    await tell(interaction, "There is no draw offer now.")


async def forfeit(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    if await client.seat(interaction.user, press.match) is None:
        raise Refused("not yours", WATCHING)
    sure = button("Yes, forfeit", press._replace(action="forfeit-now"), Style.danger)
    await tell(
        interaction, "Do you really want to forfeit? You will lose the match.", plain_view([sure])
    )


async def forfeit_now(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await give_command(client, interaction, press, "forfeit")
    await tell(interaction, "You have forfeited.")


async def claim(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Ends a duel whose other player has left the server: that player forfeits."""
    seat = await client.seat(interaction.user, press.match)
    shown = await client.find_thread(press.match)
    if seat is None or shown is None or interaction.guild is None:
        raise Refused("not yours", WATCHING)
    other = other_seat(seat)
    user = getattr(shown.duel, other)
    if user is None or await fetch_member(interaction.guild, user) is not None:
        raise Refused("closed", "your opponent is still a member of this server")
    if interaction.permissions.kick_members:
        raise Refused(
            "closed",
            "you can remove members from this server, so you cannot win because one has left",
        )
    command = Command(id=str(interaction.id), type="forfeit")
    await client.service.command(press.match, other, command)
    await tell(interaction, "The duel is over: your opponent has left.")


async def check_rematch(client: "DuelClient", interaction: Interaction, match: str) -> None:
    """Raises `Refused` unless the players may begin a duel, as for a challenge."""
    shown = await client.find_thread(match)
    if shown is None or interaction.guild is None:
        raise Refused("closed", "that duel is no longer shown here")
    for user in shown.players:
        if user == interaction.user.id:
            await client.challenges.check_player(interaction.guild, interaction.user, match)
        elif user is not None:
            member = await find_opponent(client, interaction.guild, user)
            await client.challenges.check_player(interaction.guild, member, match, is_self=False)


async def rematch(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await check_rematch(client, interaction, press.match)
    await give_command(client, interaction, press, "rematch")
    shown = await client.find_thread(press.match)  # which shows the rematch when both want it
    seat = await client.seat(interaction.user, press.match)
    view = await client.service.view(press.match, Viewer())
    other = "blue" if seat == "red" else "red"
    user = getattr(shown.duel, other) if shown is not None else None
    if user is None or view.rematch.match or other in view.rematch.offered_by:
        await tell(interaction, "The rematch is starting.")
        return
    await tell(interaction, f"You have offered <@{user}> a rematch.")
    if shown is not None:
        await shown.say(
            f"<@{user}>, <@{interaction.user.id}> offers you a rematch.",
            f"{press.match}.again",
            [other],
        )


# Challenges and rules


async def answer_challenge(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    await client.challenges.answer(interaction, press)


async def set_up(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Handles a select or the button of the form that asks what to play."""
    field, target, *picks = press.rest
    names = ("game", "level", "seconds", "wins")
    if field in names:
        picks[names.index(field)] = picked_value(interaction)
        given = (picks[0], picks[1], picks[2], picks[3])
        text, view = setup(int(target), is_bot=int(target) == client.own_id, picks=given)
        await tell(interaction, text, view)
        return
    game, level, seconds, wins = picks
    if interaction.guild is None:
        raise Refused("closed", "duels are played in the text channels of a server")
    terms = make_terms(game, "", level, int(seconds), int(wins))
    opponent = await find_opponent(client, interaction.guild, int(target))
    await client.challenges.issue(interaction, opponent, terms)


async def find_opponent(
    client: "DuelClient", guild: discord.Guild, user: int
) -> discord.Member | discord.User:
    if user == client.own_id:
        return guild.me
    member = await fetch_member(guild, user)
    if member is None:
        raise Refused("closed", f"<@{user}> is no longer a member of this server")
    return member


async def turn_page(client: "DuelClient", interaction: Interaction, press: Press) -> None:
    """Shows another page of the rules."""
    game, number = press.rest[0], int(press.rest[1])
    if game not in CATALOGUE:
        raise Refused("not found", f"the game {game} no longer exists")
    text, view = rules_page(game, number)
    await tell(interaction, text, view)


def rules_page(game: str, number: int) -> tuple[str, discord.ui.View]:
    """One page of the rules, with buttons to the ones before and after."""
    pages = rules_pages(game)
    place = max(0, min(number, len(pages) - 1))
    found = []
    for label, other in (("◀ Back", place - 1), ("Next ▶", place + 1)):
        one = button(label, Press("page", "", 0, 0, (game, str(max(other, 0)), label[0])))
        one.disabled = not 0 <= other < len(pages)
        found.append(one)
    return f"{pages[place]}\n-# Page {place + 1} of {len(pages)}", plain_view(found)


HANDLERS: Mapping[str, Handler] = {
    "menu": menu,
    "choose": choose,
    "card": card,
    "dial": dial,
    "set": pair,
    "verb": verb,
    "typed": typed,
    "withdraw": withdraw,
    "draw": draw,
    "nodraw": no_draw,
    "forfeit": forfeit,
    "forfeit-now": forfeit_now,
    "claim": claim,
    "rematch": rematch,
    "accept": answer_challenge,
    "refuse": answer_challenge,
    "rescind": answer_challenge,
    "setup": set_up,
    "page": turn_page,
}
"""Handlers by the action of a press. `number` is missing: a form has to be the first answer."""


async def show_own_duel(client: "DuelClient", interaction: Interaction) -> None:
    """`/duel`: the thread of the user's duel and their open choice, or help."""
    guild = interaction.guild
    playing = []
    if guild is not None:
        own = interaction.user.id
        playing = await asyncio.to_thread(client.store.discord.duels_of, guild.id, own)
    if not playing or guild is None:
        await tell(interaction, HELP.format(role=client.settings.role))
        return
    duel = playing[0]
    seat = await client.seat(interaction.user, duel.match)
    view = await client.service.view(duel.match, Viewer(seat))
    text, components = menu_of(view)
    if seat is not None and components is not None:
        client.menus.remember(duel.match, interaction, seat, (view.game, view.round))
    shown = client.follow(duel)
    where = f"Your duel is in <#{duel.thread}>." if duel.thread else "Its thread is opening."
    where = TOO_MANY_THREADS_HELP if shown.lacks_room else where
    where = THREAD_HELP.get(duel.thread_state, where)
    await shown.try_again()
    if address := client.address_of(duel.match):
        where += f" Its page: <{address}>"
    other = duel.blue if seat == "red" else duel.red
    waits = seat not in view.waiting_for and view.status == "playing"
    if waits and other is not None and await fetch_member(guild, other) is None:
        where += f" <@{other}> has left this server."
        press = Press("claim", duel.match, view.game, view.round)
        components = plain_view([button("End the duel", press, Style.danger)])
    await tell(interaction, f"{where}\n{text}", components)


HELP = """You have no duel here.
- `/join` gives you the role {role}: others with it can challenge you. `/leave` takes it back.
- Challenge someone with `/challenge`, or right-click a member, Apps → challenge. \
Challenge me to play against a level.
- A duel is played in a thread. **Choose** shows your choices to you alone; you can change yours \
until both have chosen.
- `/rules` has the rules, `/leaderboard` the best players, `/history` your last duels, `/watch` \
follows a match from the website, and `/duel` brings you back to yours."""
