"""What Discord does to bots: restarts, cuts, limits, doubles, deletions, lost permissions."""

import asyncio
import gc
import os
import signal
import threading
from contextlib import suppress

import pytest
from tests.asked import as_command
from tests.discord.playing import Club, boards, connecting_bot, eventually, public, run, running_bot
from tests.discord.standin import Standin
from tests.discord.standin.gateway import INVALID, RECONNECT
from tests.discord.standin.world import SEND_MESSAGES_IN_THREADS, VIEW_CHANNEL, Role
from tests.discord.test_challenges import scene
from tests.patience import PATIENCE

from holmgang.discord.helper_process import PICTURE, HelperProcess, Helpers, NoAnswer
from holmgang.errors import UsageError
from holmgang.live.service import Service, Viewer
from holmgang.store import Store


async def begin(club, game="bagh", **given):
    await club.join(club.ann, club.bob)
    thread = await club.duel(game, **given)
    return thread, await club.board(thread)


async def play_on(club, thread, board):
    """Both choose; the next board."""
    for user in (club.ann, club.bob):
        asked = await club.open_menu(user, board)
        await club.choose(user, asked)
    return await club.next_board(thread, board)


def test_old_buttons_work_after_a_restart_and_nothing_is_posted_twice(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path):
                thread, board = await begin(club)
                asked = await club.choose(club.ann, await club.open_menu(club.ann, board))
                chosen = asked.text
                dan = standin.new_user(club.guild, "dan")
                await club.join(club.eve, dan)
                pending = await club.challenge_of(club.eve, dan)
            async with running_bot(standin, tmp_path):
                again = await club.open_menu(club.ann, board)
                assert again.text == chosen, "her choice was kept"
                changed = await club.standin.press(club.ann, asked.message, "Boost")
                assert "chosen **Boost**" in changed.text, "the ephemeral message works too"
                await club.choose(club.bob, await club.open_menu(club.bob, board))
                after = await club.next_board(thread, board)
                assert "**Round 1**" in after.content
                assert len([m for m in public(thread) if "Round 1**" in m.content]) == 1
                told = await club.standin.press(dan, pending, "Decline")
                assert told.text == "The challenge was declined."
            assert not standin.rest.errors

    run(scenario())


def test_what_happened_while_the_bot_was_away_is_posted(tmp_path):
    """Here the other player chooses on another process, such as the web server."""

    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path) as bot:
                thread, board = await begin(club, first_to=1)
                match = bot.store.discord.unfinished_duels()[0].match
            with Store.open(f"sqlite:///{tmp_path}/holmgang.sqlite3") as store:
                service = Service(store)
                await service.start()
                for number in range(2):
                    for seat in ("red", "blue"):
                        command = {"type": "choose", "game": 1, "choice": "boost"}
                        await service.command(
                            match,
                            seat,
                            as_command({"id": f"{seat}{number}", "round": number + 1, **command}),
                        )
                await service.close()
            async with running_bot(standin, tmp_path):
                after = await club.next_board(thread, board)
                assert "**Round 2**" in after.content
                assert "**Round 1**" in after.content
                assert len(after.files) == 1
                assert public(thread) == [board, after], "as it does not know who is here"

    run(scenario())


def test_a_cut_connection_is_resumed_and_no_press_is_lost(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        gateway = club.standin.gateway
        for disturb in (
            gateway.cut,
            lambda: gateway.tell(RECONNECT),
            lambda: gateway.tell(INVALID, True),
        ):
            resumes = gateway.resumes
            await disturb()
            pressed = asyncio.create_task(club.open_menu(club.ann, board))
            assert "make your choice" in (await pressed).text
            assert gateway.resumes == resumes + 1
        assert len(gateway.identifies) == 1
        await play_on(club, thread, board)

    scene(tmp_path, act)


def test_an_invalid_session_is_replaced(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        gateway = club.standin.gateway
        await gateway.tell(INVALID, False)
        await eventually(lambda: len(gateway.identifies) == 2 and gateway.current)
        await play_on(club, thread, board)

    scene(tmp_path, act)


def test_a_client_that_ends_is_replaced(tmp_path):
    """Some bugs end discord.py's client; the bot makes another."""

    async def act(club, _bot):
        thread, board = await begin(club)
        gateway = club.standin.gateway
        await gateway.send(gateway.current, "RESUMED", None)
        await eventually(lambda: len(gateway.identifies) == 2 and gateway.current)
        await play_on(club, thread, board)

    scene(tmp_path, act)


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
def test_close_codes_for_mistakes_of_the_bot_end_it(tmp_path, code):
    standin = Standin()

    async def connect_until(code):
        async with running_bot(standin, tmp_path) as bot:
            await standin.gateway.close(standin.gateway.current.socket, code)
            await asyncio.wait_for(asyncio.shield(bot.task), PATIENCE)

    async def scenario():
        Club.new(standin)
        async with standin.running():
            with pytest.raises(UsageError, match=f"for good \\({code}\\)"):
                await connect_until(code)
            assert len(standin.gateway.identifies) == 1

    run(scenario())


def heartbeats():
    """Threads of discord.py's that keep connections alive."""
    return [each for each in threading.enumerate() if each.name.startswith("keep-alive")]


def test_identifies_are_spared_when_half_of_them_are_used(tmp_path, caplog):
    async def scenario():
        standin = Standin()
        Club.new(standin)
        gateway = standin.gateway
        gateway.used, gateway.heartbeat_ms = 499, 500
        limited = "few Identifies are left today"
        async with standin.running(), connecting_bot(standin, tmp_path):
            await eventually(lambda: gateway.current)
            await gateway.tell(INVALID, False)  # which asks for another Identify
            await eventually(lambda: [r for r in caplog.records if r.getMessage() == limited])
            assert len(gateway.identifies) == 1
            (told,) = [r for r in caplog.records if r.getMessage() == limited]
            assert told.event == {"seconds": 173}
            await eventually(lambda: not heartbeats())

    run(scenario())


def test_shards_share_the_servers(tmp_path):
    async def scenario():
        standin = Standin()
        clubs = [Club.new(standin)]
        while len({(club.guild.id >> 22) % 2 for club in clubs}) < 2:
            await asyncio.sleep(0.001)  # ids are times
            clubs.append(Club.new(standin))
        standin.gateway.shards = 2
        async with standin.running(), running_bot(standin, tmp_path):
            await eventually(lambda: len(standin.gateway.identifies) == 2)
            for club in (clubs[0], clubs[-1]):
                thread, board = await begin(club)
                await play_on(club, thread, board)

    run(scenario())


def test_rate_limits_delay_posts_and_lose_none(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        club.standin.limits.posts = (1, 0.2)
        for _ in range(2):
            board = await play_on(club, thread, board)
        assert "**Round 2**" in board.content
        club.standin.limits.has_via = False  # then discord.py does not try again by itself
        club.standin.limits.posts = (0, 0.2)
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))
        await eventually(lambda: club.standin.limits.refusals)
        club.standin.limits.posts = None
        board = await club.next_board(thread, board)
        assert "**Round 3**" in board.content

    scene(tmp_path, act)


def test_everything_is_acknowledged_before_its_work_begins(tmp_path, monkeypatch):
    """So the three seconds that Discord allows do not depend on the store."""

    async def act(club, bot):
        begun = club.standin.interactions.by_id
        works = []

        def checked(usual):
            def work(*given):
                assert list(begun.values())[-1].answered
                works.append(usual.__name__)
                return usual(*given)

            return work

        await club.join(club.ann)
        for name in ("guild", "challenge"):
            usual = getattr(bot.store.discord, name)
            monkeypatch.setattr(bot.store.discord, name, checked(usual))
        await club.join(club.bob)
        message = await club.challenge("bagh")
        await club.standin.press(club.bob, message, "Accept")
        assert set(works) == {"guild", "challenge"}

    scene(tmp_path, act)


def test_a_double_click_and_a_doubled_event_count_once(tmp_path):
    async def act(club, bot):
        thread, board = await begin(club)
        standin = club.standin
        standin.gateway.copies = 2  # Discord may send an event several times
        asked = await club.open_menu(club.ann, board)
        clicks = [standin.press(club.ann, asked.message, "Attack") for _ in range(2)]
        for told in await asyncio.gather(*clicks):
            assert "chosen **Attack**" in told.text
        await standin.press(club.bob, (await club.open_menu(club.bob, board)).message, "Boost")
        await club.next_board(thread, board)
        match = bot.store.discord.unfinished_duels()[0].match
        chosen = [e for e in bot.store.read(match) if e.body["event"] == "chosen"]
        assert len({event.body["command"] for event in chosen}) == len(chosen)
        assert not [e for e in standin.rest.errors if e.code in (40060, 10062)]

    scene(tmp_path, act)


def test_two_clicks_on_accept_open_one_duel(tmp_path):
    async def act(club, bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        clicks = [club.standin.press(club.bob, message, "Accept") for _ in range(2)]
        told = sorted(each.text for each in await asyncio.gather(*clicks))
        assert told[0].startswith("The duel is starting")
        assert told[1].startswith(("This challenge was accepted", "You have an unfinished duel"))
        assert len(bot.store.discord.unfinished_duels()) == 1

    scene(tmp_path, act)


def test_two_clicks_on_play_open_one_duel(tmp_path):
    async def act(club, bot):
        await club.join(club.ann)
        own = club.standin.bot
        asked = await club.standin.pick_menu(club.ann, club.general, "challenge", own)
        clicks = [club.standin.press(club.ann, asked.message, "Play") for _ in range(2)]
        await asyncio.gather(*clicks)
        assert len(bot.store.discord.unfinished_duels()) == 1

    scene(tmp_path, act)


def test_a_lost_event_leaves_a_button_that_works_the_next_time(tmp_path):
    async def act(club, _bot):
        _, board = await begin(club)
        club.standin.gateway.copies = 0
        await club.standin.press(club.ann, board, "Choose", waits=None)
        club.standin.gateway.copies = 1
        assert "make your choice" in (await club.open_menu(club.ann, board)).text

    scene(tmp_path, act)


def test_an_open_menu_goes_on_to_the_next_round_and_to_the_end(tmp_path):
    async def act(club, _bot):
        _, board = await begin(club, first_to=1)
        asked = await club.choose(club.ann, await club.open_menu(club.ann, board))
        await club.choose(club.bob, await club.open_menu(club.bob, board))
        await club.standin.until(lambda: "round 2: make your choice" in asked.text)
        assert asked.message.only_for is club.ann
        told = await club.standin.press(club.ann, asked.message, "Attack")
        assert "chosen **Attack**" in told.text
        sure = await club.standin.press(club.bob, (await club.board(board.channel)), "Forfeit")
        await club.standin.press(club.bob, sure.message, "Yes, forfeit")
        await club.standin.until(lambda: "forfeit" in asked.text)
        assert not asked.message.components

    scene(tmp_path, act)


def test_a_button_of_an_earlier_round_is_refused_and_shows_the_open_one(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        asked = await club.choose(club.ann, await club.open_menu(club.ann, board))
        stale = asked.message.find("Attack")  # her Discord may not have heard of the next round
        await club.choose(club.bob, await club.open_menu(club.bob, board))
        await club.next_board(thread, board)
        late = await club.standin.press(club.ann, asked.message, "", component=stale)
        assert "Round 1 of game 1 is over; your press was not counted." in late.text
        assert "round 2: make your choice" in late.text

    scene(tmp_path, act)


def test_an_answer_after_fifteen_minutes_needs_a_new_press(tmp_path):
    async def act(club, _bot):
        _, board = await begin(club)
        asked = await club.open_menu(club.ann, board)
        club.standin.interactions.offset += 901
        told = await club.standin.press(club.ann, asked.message, "Attack")
        assert "chosen **Attack**" in told.text, "a press brings a new token"

    scene(tmp_path, act)


def test_a_board_is_drawn_as_text_only_if_there_is_no_picture(tmp_path, monkeypatch):
    async def act(club, _bot):
        thread, board = await begin(club)
        assert board.files
        assert "```" not in board.content

        async def no_answer(*_given):
            raise NoAnswer("broken")

        monkeypatch.setattr(Helpers, "png", no_answer)
        board = await play_on(club, thread, board)
        assert not board.files
        assert "```" in board.content
        before = board.content
        await club.choose(club.ann, await club.open_menu(club.ann, board))
        await club.standin.until(lambda: board.content != before)
        assert "```" in board.content

    scene(tmp_path, act)


def test_a_closed_helper_leaves_no_process():
    async def act():
        helper = HelperProcess(90)
        waiting = [asyncio.create_task(helper.ask(PICTURE, b"<svg/>", 30)) for _ in range(2)]
        await asyncio.sleep(0)
        await helper.close()
        for each in (*waiting, helper.ask(PICTURE, b"<svg/>", 30)):
            with pytest.raises(NoAnswer):
                await each
        assert helper._process is None

    asyncio.run(act())


@pytest.mark.parametrize("turns", range(8))
def test_a_cancelled_request_leaves_no_process(turns):
    """Cancelled while the process starts or works, and again while that is being cleaned up."""

    async def act():
        helper = HelperProcess(90)
        asking = [asyncio.create_task(helper.ask(PICTURE, b"<svg/>", 30)) for _ in range(2)]
        for _ in range(turns):
            await asyncio.sleep(0)
        for _ in range(2):
            for each in asking:
                each.cancel()
            await asyncio.sleep(0)
        await helper.close()

    asyncio.run(act())
    gc.collect()  # a process that nobody waited for would warn now


def test_a_cancelled_request_does_not_mix_up_answers():
    async def act():
        helper = HelperProcess(90)
        try:
            asking = asyncio.create_task(helper.ask(PICTURE, drawn("red"), PATIENCE))
            await eventually(lambda: helper._process is not None)
            asking.cancel()
            blue = await helper.ask(PICTURE, drawn("blue"), PATIENCE)
            assert blue == await helper.ask(PICTURE, drawn("blue"), PATIENCE)
            assert blue != await helper.ask(PICTURE, drawn("red"), PATIENCE)
        finally:
            await helper.close()

    asyncio.run(act())


def test_a_helper_that_crashed_is_replaced():
    async def act():
        helper = HelperProcess(90)
        try:
            before = await helper.ask(PICTURE, drawn("red"), PATIENCE)
            os.kill(helper._process.pid, signal.SIGKILL)
            with suppress(NoAnswer):  # its end may be noticed before or after
                await helper.ask(PICTURE, drawn("blue"), PATIENCE)
            assert await helper.ask(PICTURE, drawn("red"), PATIENCE) == before
        finally:
            await helper.close()

    asyncio.run(act())
    gc.collect()


def drawn(colour):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        f'<rect width="9" height="9" fill="{colour}"/></svg>'
    ).encode()


def test_a_deleted_board_is_posted_again(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        await club.standin.delete_message(board)
        again = await club.board(thread)
        assert again.id != board.id
        await play_on(club, thread, again)

    scene(tmp_path, act)


async def check_posted_again(club, thread, board, deleted):
    """Both choose; the next board, which is a new message, is deleted meanwhile."""
    await club.bury(thread)
    for user in (club.ann, club.bob):
        await club.choose(user, await club.open_menu(user, board))
    again = await club.standin.until(
        lambda: [each for each in boards(thread) if deleted and each.id > deleted[0].id]
    )
    assert deleted[0].id > board.id
    assert "**Round 1**" in again[0].content
    await play_on(club, thread, again[0])


def test_a_board_that_is_deleted_before_the_bot_knows_its_id_is_posted_again(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        deleted = []

        async def delete(method, path):
            if (method, path) == ("POST", f"/channels/{thread.id}/messages") and not deleted:
                deleted.append(boards(thread)[-1])
                await club.standin.delete_message(deleted[0])
                await club.standin.press(club.eve, board, "Choose")  # handled after the deletion

        club.standin.rest.before_answer = delete
        await check_posted_again(club, thread, board, deleted)

    scene(tmp_path, act)


def test_a_board_that_is_deleted_while_its_id_is_stored_is_posted_again(tmp_path, monkeypatch):
    async def act(club, bot):
        thread, board = await begin(club)
        loop, deleted = asyncio.get_running_loop(), []
        store = bot.store.discord
        usual = store.update_duel
        await eventually(lambda: store.unfinished_duels()[0].message == board.id)

        async def delete():
            await club.standin.delete_message(deleted[0])
            await club.standin.press(club.eve, board, "Choose")  # handled after the deletion

        def update_duel(match, **changed):
            usual(match, **changed)
            if changed.get("message") and not deleted:
                deleted.append(thread.messages[changed["message"]])
                asyncio.run_coroutine_threadsafe(delete(), loop).result()

        monkeypatch.setattr(store, "update_duel", update_duel)
        await check_posted_again(club, thread, board, deleted)

    scene(tmp_path, act)


def test_a_deleted_thread_is_restored_by_an_admin(tmp_path):
    async def act(club, _bot):
        thread, _ = await begin(club)
        await club.standin.delete_channel(thread)
        async with asyncio.timeout(PATIENCE):
            while (
                "was deleted"
                not in (told := await club.standin.slash(club.ann, club.general, "duel")).text
            ):
                pass
        assert "make your choice" in told.text, "the duel can be played without a thread"
        await club.choose(club.ann, told)
        owner = club.guild.owner
        told = await club.standin.slash(owner, club.general, "restore")
        assert "A new thread is opening here" in told.text
        new = await club.standin.until(
            lambda: [c for c in club.guild.channels.values() if c.is_thread]
        )
        board = await club.board(new[0])
        assert new[0].members >= {club.ann.id, club.bob.id}
        await club.choose(club.bob, await club.open_menu(club.bob, board))
        await club.next_board(new[0], board)

    scene(tmp_path, act)


def test_a_duel_without_room_for_its_thread_is_played_by_command(tmp_path):
    async def act(club, bot):
        await club.join(club.ann, club.bob)
        club.guild.most_threads = 0
        message = await club.challenge("bagh")
        await club.standin.press(club.bob, message, "Accept")
        async with asyncio.timeout(PATIENCE):
            while (
                "too many open threads"
                not in (told := await club.standin.slash(club.ann, club.general, "duel")).text
            ):
                pass
        await club.choose(club.ann, told)
        club.guild.most_threads = 1
        thread = await club.standin.until(lambda: club.guild.channels.get(message.id))
        board = await club.board(thread)
        assert f"✅ <@{club.ann.id}>" in board.content
        await eventually(lambda: bot.store.discord.unfinished_duels()[0].message == board.id)
        told = await club.standin.slash(club.ann, club.general, "duel")
        assert f"Your duel is in <#{thread.id}>" in told.text

    scene(tmp_path, act)


def test_restore_is_for_admins_even_if_the_command_was_opened_to_all(tmp_path):
    async def act(club, _bot):
        club.standin.find_command("restore", 1)["default_member_permissions"] = None
        told = await club.standin.slash(club.eve, club.general, "restore")
        assert "Only members who manage this server can do that" in told.text

    scene(tmp_path, act)


def test_a_deleted_role_is_made_again(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann)
        role = next(role for role in club.guild.roles.values() if role.name == "bagher")
        await club.standin.delete_role(club.guild, role)
        async with asyncio.timeout(PATIENCE):
            while role.name not in {each.name for each in club.guild.roles.values()}:
                await club.standin.slash(club.ann, club.general, "join")
        await club.join(club.bob)

    scene(tmp_path, act)


def test_a_deleted_challenge_still_leads_to_a_thread(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        message = await club.challenge("bagh")
        accepted = await club.standin.press(club.bob, message, "Accept", waits=None)
        await club.standin.delete_message(message)
        await accepted.finished.wait()
        thread = await club.standin.until(
            lambda: [c for c in club.guild.channels.values() if c.is_thread]
        )
        await club.board(thread[0])

    scene(tmp_path, act)


def test_missing_permissions_are_named(tmp_path):
    async def act(club, _bot):
        await club.join(club.ann, club.bob)
        bot = club.standin.bot
        club.general.overwrites[bot.id] = (0, SEND_MESSAGES_IN_THREADS)
        told = await club.standin.slash(
            club.ann, club.general, "challenge", opponent=club.bob, game="bagh"
        )
        assert f"grant me, in <#{club.general.id}>: **Send Messages in Threads**" in told.text

    scene(tmp_path, act)


def test_a_permission_lost_in_mid_duel_stops_the_posts_but_not_the_duel(tmp_path):
    async def act(club, bot):
        thread, board = await begin(club)
        own = club.standin.bot
        club.general.overwrites[own.id] = (0, VIEW_CHANNEL)
        for user in (club.ann, club.bob):
            await club.choose(user, await club.open_menu(user, board))
        match = bot.store.discord.unfinished_duels()[0].match
        await eventually(lambda: state_of(bot, match) == "forbidden")
        refused = len(club.standin.rest.errors)
        told = await club.open_menu(club.ann, board)
        assert "**Send Messages in Threads**" in told.text
        assert (await bot.service.view(match, Viewer())).round == 2
        assert len(club.standin.rest.errors) <= refused + 1, "it does not try again and again"
        club.general.overwrites.clear()
        await club.open_menu(club.ann, board)
        after = await club.next_board(thread, board)
        assert "**Round 1**" in after.content

    scene(tmp_path, act)


def state_of(bot, match):
    return bot.store.discord.duel(match).thread_state


def test_a_permission_that_is_regained_counts_after_a_restart_too(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        own = standin.bot.id
        async with standin.running():
            async with running_bot(standin, tmp_path) as bot:
                thread, board = await begin(club)
                match = bot.store.discord.unfinished_duels()[0].match
                club.general.overwrites[own] = (0, VIEW_CHANNEL)
                for user in (club.ann, club.bob):
                    await club.choose(user, await club.open_menu(user, board))
                await eventually(lambda: state_of(bot, match) == "forbidden")
                await club.standin.set_overwrites(club.general, {})
                board = await club.next_board(thread, board)
                assert "**Round 1**" in board.content, "without a press"
                await eventually(lambda: state_of(bot, match) == "open")
                await eventually(lambda: bot.store.discord.duel(match).round == 1)
            async with running_bot(standin, tmp_path) as bot:
                told = await standin.slash(club.ann, club.general, "duel")
                assert f"Your duel is in <#{thread.id}>" in told.text
                board = await play_on(club, thread, board)
                assert "**Round 2**" in board.content
                club.general.overwrites[own] = (0, VIEW_CHANNEL)
                for user in (club.ann, club.bob):
                    await club.choose(user, await club.open_menu(user, board))
                await eventually(lambda: state_of(bot, match) == "forbidden")
            club.general.overwrites.clear()  # while the bot is away
            async with running_bot(standin, tmp_path):
                board = await club.next_board(thread, board)
                assert "**Round 3**" in board.content

    run(scenario())


def test_an_archived_thread_is_opened_again(tmp_path):
    async def act(club, bot):
        thread, board = await begin(club)
        match = bot.store.discord.unfinished_duels()[0].match
        asked = await club.open_menu(club.ann, board)
        for is_told in (False, True):  # the event may get lost
            thread.archived = True
            if is_told:
                await club.standin.change_thread(thread, archived=True)
                await eventually(lambda: state_of(bot, match) == "archived")
            told = await club.standin.slash(club.ann, club.general, "duel")
            assert f"Your duel is in <#{thread.id}>" in told.text
            assert "deleted" not in told.text
            asked = await club.choose(club.ann, told)
            await club.standin.until(lambda: not thread.archived)
            await club.standin.until(lambda: f"✅ <@{club.ann.id}>" in board.content)
            await eventually(lambda: state_of(bot, match) == "open")
            await club.standin.press(club.ann, asked.message, "withdraw")
            await club.standin.until(lambda: f"⏳ <@{club.ann.id}>" in board.content)
        await play_on(club, thread, board)

    scene(tmp_path, act)


def test_a_locked_thread_is_left_alone_until_it_is_unlocked(tmp_path):
    async def act(club, bot):
        thread, board = await begin(club)
        match = bot.store.discord.unfinished_duels()[0].match
        await club.standin.change_thread(thread, archived=True, locked=True)
        await eventually(lambda: state_of(bot, match) == "locked")
        for user in (club.ann, club.bob):
            told = await club.standin.slash(user, club.general, "duel")
            assert "is locked" in told.text
            await club.choose(user, told)
        assert (await bot.service.view(match, Viewer())).round == 2
        assert thread.archived
        assert boards(thread) == [board]
        await club.standin.change_thread(thread, archived=False, locked=False)
        after = await club.next_board(thread, board)
        assert "**Round 1**" in after.content

    scene(tmp_path, act)


@pytest.mark.parametrize("is_archived", [True, False])
def test_a_thread_that_was_unlocked_while_the_bot_was_away_is_used_again(tmp_path, is_archived):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            async with running_bot(standin, tmp_path) as bot:
                thread, board = await begin(club)
                match = bot.store.discord.unfinished_duels()[0].match
                await standin.change_thread(thread, archived=True, locked=True)
                await eventually(lambda: state_of(bot, match) == "locked")
                for user in (club.ann, club.bob):
                    told = await standin.slash(user, club.general, "duel")
                    assert "is locked" in told.text
                    await club.choose(user, told)
            thread.archived, thread.locked = is_archived, False
            async with running_bot(standin, tmp_path):
                after = await club.next_board(thread, board)
                assert "**Round 1**" in after.content
                assert not thread.archived

    run(scenario())


def test_a_duel_that_ends_where_nothing_can_be_posted_leaves_its_players_free(tmp_path):
    async def act(club, bot):
        _, board = await begin(club)
        club.general.overwrites[club.standin.bot.id] = (0, SEND_MESSAGES_IN_THREADS)
        sure = await club.standin.press(club.bob, board, "Forfeit")
        await club.standin.press(club.bob, sure.message, "Yes, forfeit")
        await eventually(lambda: not bot.store.discord.unfinished_duels())

    scene(tmp_path, act)


def test_a_role_above_the_bots_cannot_be_given_and_that_is_said(tmp_path):
    async def act(club, _bot):
        role = Role("bagher", position=9)
        club.guild.roles[role.id] = role
        told = await club.standin.slash(club.ann, club.general, "join")
        assert "**Manage Roles**, and move my own role above **bagher**" in told.text

    run_with_role(tmp_path, act)


def run_with_role(folder, act):
    """Like `scene`, but what exists is changed before the bot connects."""

    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        role = Role("bagher", position=9)
        club.guild.roles[role.id] = role
        async with standin.running(), running_bot(standin, folder) as bot:
            await act(club, bot)

    run(scenario())


def test_a_player_who_leaves_the_server_loses_on_request(tmp_path):
    async def act(club, _bot):
        thread, board = await begin(club)
        await club.choose(club.ann, await club.open_menu(club.ann, board))
        club.guild.members.pop(club.bob.id)
        told = await club.standin.slash(club.ann, club.general, "duel")
        assert f"<@{club.bob.id}> has left this server" in told.text
        await club.standin.press(club.ann, told.message, "End the duel")
        result = await club.next_board(thread, board)
        assert f"Well played, <@{club.ann.id}>" in result.content

    scene(tmp_path, act)


def test_several_servers_at_once(tmp_path):
    async def scenario():
        standin = Standin()
        clubs = [Club.new(standin), Club.new(standin)]
        clubs[1].standin = standin
        async with standin.running(), running_bot(standin, tmp_path) as bot:
            begun = await asyncio.gather(*(begin(club) for club in clubs))
            for club, (thread, board) in zip(clubs, begun, strict=True):
                await play_on(club, thread, board)
            guilds = {duel.guild for duel in bot.store.discord.unfinished_duels()}
            assert guilds == {club.guild.id for club in clubs}

    run(scenario())
