"""Challenges: from issuing one to the start of its match.

A challenge is stored before anyone is told about it, with the id of its future match. So every step
can be repeated after a crash: the message is posted again with the same nonce, the match is opened
under the same id, and its thread is attached to the same message.
"""

import asyncio
import logging
import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import aiohttp
import discord

from holmgang.discord.answers import Interaction, tell
from holmgang.discord.controls import Control, Style, button, plain_view, select
from holmgang.discord.custom_ids import Press
from holmgang.discord.permissions import missing
from holmgang.discord.places import Place, can_see, fetch_member, find_place
from holmgang.discord.roles import has_joined
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS, other_seat
from holmgang.games.shape import JsonObject
from holmgang.live.refusal import Refused
from holmgang.live.terms import MatchRequest, new_id, parse_opening
from holmgang.players.levels import KINDS
from holmgang.store import Challenge, ShownDuel
from holmgang.wire.match import ComputerOpponent, Opening
from holmgang.wire.words import TIMES

if TYPE_CHECKING:
    from holmgang.discord.client import DuelClient

TIME_NAMES = {None: "no limit", 15: "15 seconds", 60: "1 minute", 86_400: "1 day"}
"""Time for a choice."""
USUAL_TIME = 86_400
ANSWERS = {"accept": "accepted", "refuse": "refused", "rescind": "rescinded"}
FATES = {
    "open": "is waiting for an answer",
    "accepted": "was accepted",
    "refused": "was declined",
    "rescinded": "was withdrawn",
    "expired": "has expired",
}
"""The statuses of a challenge in words."""
MOST_SHOWN_WINS = 5
AGAIN = 600.0
"""Seconds after which someone who has declined can be challenged again by the same member, and is
pinged again by a challenge after one that was withdrawn.
"""
UNDER_WAY = 5.0
"""Seconds in which a new challenge is left to the task that issues it."""

AnyUser = discord.User | discord.Member

log = logging.getLogger(__name__)


def time_value(seconds: int | None) -> str:
    return str(seconds or 0)


def request_of(terms: JsonObject) -> MatchRequest:
    """The match request for the terms of a challenge. Raises `Refused`."""
    level = terms["level"]
    return parse_opening(
        Opening(
            ruleset=terms["ruleset"],
            opponent=ComputerOpponent(level=level) if level else "link",
            seconds=terms["seconds"],
            wins_needed=terms["wins_needed"],
        )
    )


def make_terms(
    game: str, rules: str = "", level: str = "", seconds: int | None = None, wins: int | None = None
) -> JsonObject:
    """The terms of a challenge, with a random seat for the challenger. Raises `Refused` if they
    cannot be played.
    """
    terms = {
        "ruleset": f"{game}:{rules}" if rules else game,
        "level": level,
        "seconds": seconds or None,
        "wins_needed": wins or None,
        "seat": random.choice(SEATS),
    }
    request_of(terms)
    return terms


def terms_text(terms: JsonObject) -> str:
    """The terms in words: `BAGH, first to 3, 1 day for each choice`."""
    request = request_of(terms)
    entry = request.ruleset.entry
    wins = entry.wins_needed if request.wins_needed is None else request.wins_needed
    parts = [f"**{entry.title}**"]
    if request.ruleset.text != entry.name:
        parts[0] += f" (`{request.ruleset.text}`)"
    if wins > 1:
        parts.append(f"first to {wins}")
    if request.seconds is not None:
        parts.append(f"{TIME_NAMES[request.seconds]} for each choice")
    return ", ".join(parts)


class Challenges:
    """The challenges of all servers."""

    def __init__(self, client: "DuelClient") -> None:
        self.client = client
        self._store = client.store.discord
        self._issuing = asyncio.Lock()

    # Issuing

    async def issue(self, interaction: Interaction, opponent: AnyUser, terms: JsonObject) -> None:
        """Challenges a member, or starts a match against a level if the opponent is the bot."""
        place = await find_place(self.client, interaction)
        guild, challenger = place.guild, interaction.user
        if terms["level"] and opponent.id != self.client.own_id:
            raise Refused(
                "bad", "a level is only for a challenge to me; leave it out to challenge a member"
            )
        async with self._issuing:  # a double click is one challenge
            await self.check(place, challenger, opponent)
            now = time.time()
            hours = (await asyncio.to_thread(self._store.guild, guild.id)).challenge_hours
            lasts = hours * 3600 if hours else self.client.settings.challenge_seconds
            for user in (challenger, opponent):
                if user.id != self.client.own_id:
                    await self.client.person(user)
            challenge = Challenge(
                new_id(),
                guild.id,
                place.id,
                None,
                challenger.id,
                opponent.id,
                terms | {"parent": place.channel.id if place.thread else None},
                "accepted" if terms["level"] else "open",
                now,
                now + lasts,
            )
            await asyncio.to_thread(self._store.add_challenge, challenge)
        try:
            challenge = await self._post(challenge)
        except discord.HTTPException:
            was = challenge.status
            await asyncio.to_thread(self._store.settle, challenge.match, "rescinded", now, was)
            raise
        if terms["level"]:
            await self.begin(challenge)
            await tell(interaction, "Your duel is starting. Its thread opens in a moment.")
            return
        await tell(interaction, f"Challenge sent to <@{opponent.id}>: {link_to(challenge)}")

    async def check(
        self, place: Place, challenger: AnyUser, opponent: AnyUser, *, is_sent: bool = True
    ) -> None:
        """Raises `Refused` unless the two can begin a duel there now. `is_sent`: whether the
        challenge is about to be sent, not only to be written.
        """
        if place.thread is None:
            private = (await asyncio.to_thread(self._store.guild, place.guild.id)).private_threads
            if lacking := missing(place.own, place.mention, is_private=private):
                raise Refused("not yours", lacking)
        await self.check_player(place.guild, challenger)
        if is_sent:
            for begun in await asyncio.to_thread(self._store.unopened_challenges):
                if (begun.guild, begun.challenger) == (place.guild.id, challenger.id):
                    raise Refused("closed", "your duel is about to start")
        if opponent.id == self.client.own_id:
            return
        if opponent.id == challenger.id:
            raise Refused("bad", "you cannot challenge yourself; challenge me instead")
        if opponent.bot:
            raise Refused("bad", "that is another bot and cannot play; challenge me instead")
        await self.check_player(place.guild, opponent, is_self=False)
        if not await can_see(place, opponent):
            raise Refused(
                "closed", f"<@{opponent.id}> cannot see {place.mention}; challenge them elsewhere"
            )
        await self._check_repeated(place.guild, challenger, opponent)

    async def _check_repeated(
        self, guild: discord.Guild, challenger: AnyUser, opponent: AnyUser
    ) -> None:
        """Raises `Refused` if the challenger has another open challenge, or if the opponent has
        just declined one. An open one to a member who has left is withdrawn.
        """
        for known in await asyncio.to_thread(self._store.open_challenges, guild.id):
            if known.challenger != challenger.id:
                continue
            if await fetch_member(guild, known.opponent) is None:
                await self._settle(known, "rescinded")
                continue
            raise Refused(
                "closed",
                f"you have already challenged <@{known.opponent}>; withdraw that one first: "
                + link_to(known),
            )
        pair = guild.id, challenger.id, opponent.id
        at = await asyncio.to_thread(self._store.settled_at, *pair, "refused")
        if at is not None and time.time() < at + AGAIN:
            raise Refused(
                "closed",
                f"<@{opponent.id}> has declined your challenge; you can challenge them again "
                f"<t:{int(at + AGAIN)}:R>",
            )

    async def check_player(
        self,
        guild: discord.Guild,
        user: AnyUser,
        finished: str = "",
        *,
        is_self: bool = True,
    ) -> None:
        """Raises `Refused` unless a user has joined and plays no duel but the finished one."""
        you = "you have" if is_self else f"<@{user.id}> has"
        if not isinstance(user, discord.Member):
            raise Refused("closed", f"<@{user.id}> is no longer a member of this server")
        if not await has_joined(self.client, user):
            hint = "type `/join`" if is_self else "they have to type `/join`"
            raise Refused("closed", f"{you} not joined the players yet: {hint} first")
        playing = await asyncio.to_thread(self._store.duels_of, guild.id, user.id)
        playing = [duel for duel in playing if duel.match != finished]
        if playing:
            where = f" in <#{playing[0].thread}>" if playing[0].thread else ""
            raise Refused("closed", f"{you} an unfinished duel{where}")

    async def _post(self, challenge: Challenge) -> Challenge:
        """Shows a challenge in its channel, once."""
        channel = self.client.get_partial_messageable(challenge.channel, guild_id=challenge.guild)
        pinged = [discord.Object(challenge.opponent)] if await self._pings(challenge) else []
        message = await channel.send(
            self._text(challenge),
            view=self._view(challenge) if challenge.status == "open" else discord.utils.MISSING,
            nonce=f"{challenge.match}.c",
            allowed_mentions=discord.AllowedMentions(users=pinged),
        )
        await asyncio.to_thread(self._store.set_challenge_message, challenge.match, message.id)
        return challenge._replace(message=message.id)

    async def _pings(self, challenge: Challenge) -> bool:
        """Whether a challenge notifies the opponent: not if the server has switched that off, nor
        if the challenger has just withdrawn another, which did.
        """
        if not (await asyncio.to_thread(self._store.guild, challenge.guild)).pings:
            return False
        pair = challenge.guild, challenge.challenger, challenge.opponent
        at = await asyncio.to_thread(self._store.settled_at, *pair, "rescinded")
        return at is None or time.time() >= at + AGAIN

    def _text(self, challenge: Challenge) -> str:
        terms = terms_text(challenge.terms)
        challenger, opponent = f"<@{challenge.challenger}>", f"<@{challenge.opponent}>"
        if challenge.terms["level"]:
            return f"{challenger} plays {terms}, against the level {challenge.terms['level']}."
        text = f"{opponent}, {challenger} challenges you to {terms}."
        if challenge.status == "open":
            return f"{text} The challenge expires <t:{int(challenge.expires_at)}:R>."
        return f"{text} The challenge {FATES[challenge.status]}."

    def _view(self, challenge: Challenge) -> discord.ui.View:
        return plain_view(
            [
                button("Accept", Press("accept", challenge.match), Style.success),
                button("Decline", Press("refuse", challenge.match), Style.danger),
                button("Withdraw", Press("rescind", challenge.match)),
            ]
        )

    # Answering

    async def answer(self, interaction: Interaction, press: Press) -> None:
        """Handles a button of a challenge."""
        challenge = await asyncio.to_thread(self._store.challenge, press.match)
        if challenge is None:
            raise Refused("not found", "this challenge no longer exists")
        user = interaction.user.id
        if user not in (challenge.challenger, challenge.opponent):
            raise Refused("not yours", "this challenge is between other players")
        if press.action == "rescind" and user != challenge.challenger:
            raise Refused("not yours", "only the challenger can withdraw; you can decline")
        if press.action != "rescind" and user != challenge.opponent:
            raise Refused("not yours", f"<@{challenge.opponent}> has to answer; you can withdraw")
        if challenge.message is None and interaction.message is not None:
            # The process ended after posting it, before storing that.
            message = interaction.message.id
            await asyncio.to_thread(self._store.set_challenge_message, challenge.match, message)
            challenge = challenge._replace(message=message)
        if challenge.status == "open":
            await self._check_presence(interaction, challenge)
        if press.action == "accept" and challenge.status == "open":
            await self._check_acceptance(interaction, challenge)
        status = ANSWERS[press.action]
        if not await self._settle(challenge, status):
            known = await asyncio.to_thread(self._store.challenge, press.match)
            raise Refused("late", f"this challenge {FATES[(known or challenge).status]}")
        if status == "accepted":
            await self.begin(challenge._replace(status=status))
            await tell(interaction, "The duel is starting. Its thread opens in a moment.")
        else:
            await tell(interaction, f"The challenge {FATES[status]}.")

    async def _check_presence(self, interaction: Interaction, challenge: Challenge) -> None:
        """Withdraws the challenge if the one who did not press has left the server, which the bot
        may not have noticed yet. Raises `Refused`.
        """
        for user, who in (
            (challenge.challenger, "the challenger"),
            (challenge.opponent, f"<@{challenge.opponent}>"),
        ):
            if user == interaction.user.id or interaction.guild is None:
                continue
            if await fetch_member(interaction.guild, user) is None:
                await self._settle(challenge, "rescinded")
                raise Refused("closed", f"{who} has left this server; the challenge was withdrawn")

    async def _check_acceptance(self, interaction: Interaction, challenge: Challenge) -> None:
        guild = interaction.guild
        challenger = await fetch_member(guild, challenge.challenger) if guild else None
        if guild is None or challenger is None:
            raise Refused("closed", "the challenger has left this server")
        if not challenge.terms.get("parent"):
            private = (await asyncio.to_thread(self._store.guild, guild.id)).private_threads
            if lacking := missing(interaction.app_permissions, is_private=private):
                raise Refused("not yours", lacking)
        await self.check_player(guild, interaction.user)
        await self.check_player(guild, challenger, is_self=False)

    async def _settle(self, challenge: Challenge, status: str) -> bool:
        """Ends an open challenge, in the store and in its message. Says whether it was open."""
        now = time.time()
        if challenge.expires_at <= now:
            status = "expired"
        is_settled = await asyncio.to_thread(self._store.settle, challenge.match, status, now)
        if is_settled:  # nobody has to wait for the message
            self.client.keep(self._retell(challenge._replace(status=status)))
        return is_settled and status != "expired"

    async def _retell(self, challenge: Challenge) -> None:
        """Updates the message of a challenge, if it still exists and can be reached."""
        if challenge.message is not None:
            place = self.client.get_partial_messageable(challenge.channel, guild_id=challenge.guild)
            message = place.get_partial_message(challenge.message)
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                await message.edit(content=self._text(challenge), view=None)

    async def begin(self, challenge: Challenge) -> None:
        """Opens the match of an accepted challenge and shows it. Can be repeated."""
        people = {}
        seat = challenge.terms["seat"]
        other = other_seat(seat)
        users = {seat: challenge.challenger}
        if not challenge.terms["level"]:
            users[other] = challenge.opponent
        for each, user in users.items():
            person = await asyncio.to_thread(self._store.known_person, user)
            if person is None:
                raise AssertionError("a person is made with the challenge")
            people[each] = person
        request = request_of(challenge.terms)
        parent = challenge.terms.get("parent")  # of the private thread it was typed in
        await self.client.service.open_between(challenge.match, request, people)
        await self.client.show_duel(
            ShownDuel(
                challenge.match,
                challenge.guild,
                parent or challenge.channel,
                None if parent else challenge.message,
                challenge.channel if parent else None,
                None,
                users.get("red"),
                users.get("blue"),
                0,
                0,
                "playing",
                thread_state="open",
            )
        )

    # Periodic work

    async def look_after(self) -> None:
        """Ends expired challenges, and continues those that a stopped process or a failure of
        Discord has left unfinished.
        """
        now = time.time()
        for challenge in await asyncio.to_thread(self._store.open_challenges):
            if challenge.expires_at <= now:
                await self._settle(challenge, "expired")
            elif challenge.message is None and now - challenge.created_at > UNDER_WAY:
                await self._post_late(challenge)
        for challenge in await asyncio.to_thread(self._store.unopened_challenges):
            try:
                if challenge.message is not None:
                    await self.begin(challenge)
                elif now - challenge.created_at > UNDER_WAY:
                    await self.begin(await self._post_late(challenge))
            except (HolmgangError, discord.DiscordException) as error:
                log.warning("challenge %s: %s", challenge.match, error)

    async def look_for_members(self) -> None:
        """Withdraws open challenges if a member has left: without the privileged intent for
        members, the bot has to ask. One whose message is not known yet has to wait, because the
        message could not be edited.
        """
        for challenge in await asyncio.to_thread(self._store.open_challenges):
            guild = self.client.get_guild(challenge.guild)
            if challenge.message is None or guild is None or guild.unavailable:
                continue
            for user in (challenge.challenger, challenge.opponent):
                if await fetch_member(guild, user) is None:
                    await self._settle(challenge, "rescinded")
                    break

    async def _post_late(self, challenge: Challenge) -> Challenge:
        """Posts a challenge that was not posted in time; withdraws it if that is impossible."""
        try:
            return await self._post(challenge)
        except discord.HTTPException:
            await self._settle(challenge, "rescinded")
            return challenge


def link_to(challenge: Challenge) -> str:
    where = (challenge.guild, challenge.channel, challenge.message)
    return "https://discord.com/channels/{}/{}/{}".format(*where)


# The form of the context menu, which has no options


def setup(
    target: int, *, is_bot: bool, picks: tuple[str, str, str, str] | None = None
) -> tuple[str, discord.ui.View]:
    """The form that asks what to play. `picks` are game, level, seconds and wins."""
    usual_level = CATALOGUE["bagh"].opponent if is_bot else ""
    game, level, seconds, wins = picks or ("bagh", usual_level, "86400", "0")
    entry = CATALOGUE[game]

    def press(field: str) -> Press:
        return Press("setup", "", 0, 0, (field, str(target), game, level, seconds, wins))

    usual = f"first to {entry.wins_needed}" if entry.wins_needed > 1 else "a single game"
    items: list[Control] = [
        select(
            "Game",
            press("game"),
            [(each.name, each.title, each.line) for each in CATALOGUE.values()],
            game,
            row=0,
        ),
        select(
            "Time for each choice",
            press("seconds"),
            [(time_value(each), f"Time for each choice: {TIME_NAMES[each]}", "") for each in TIMES],
            seconds,
            row=1,
        ),
        select(
            "Wins needed",
            press("wins"),
            [
                ("0", f"Usual length: {usual}", ""),
                *((str(n), f"First to {n}", "") for n in range(1, MOST_SHOWN_WINS + 1)),
            ],
            wins,
            row=2,
        ),
    ]
    if is_bot:
        levels = [(name, f"Level {name}", kind.line) for name, kind in KINDS.items()]
        items.append(select("Level", press("level"), levels, level, row=3))
    items.append(button("Play" if is_bot else "Challenge", press("send"), Style.success, row=4))
    whom = "me" if is_bot else f"<@{target}>"
    return f"What do you want to play against {whom}?", plain_view(items)
