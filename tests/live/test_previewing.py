"""What changed rules do, measured in another process, and within limits."""

import asyncio

import pytest

from holmgang.games.ruleset import load
from holmgang.lab.balance import balance
from holmgang.live import previewing
from holmgang.live.previewing import MOST_OF_ONE_CLIENT, MOST_WAITING, Previews
from holmgang.live.refusal import Refused

SMALL = "bagh:max_boost=2,heal_limit=3"


def test_a_preview_has_the_numbers_of_the_report():
    found = asyncio.run(Previews().preview(load(SMALL))).measures
    report = balance(SMALL)
    assert found.states == report.states
    assert found.red == pytest.approx(report.endings.red, abs=1e-6)
    assert found.draws == pytest.approx(report.endings.draw, abs=1e-6)
    assert found.length == pytest.approx(report.length.mean, abs=1e-4)
    assert found.long == report.length.most
    assert {(each.seat, each.choice, each.condition) for each in found.useless} == {
        (None, each.choice, each.condition_text(symmetric=True)) for each in report.red.useless
    }
    assert any(each.condition == "your hp is 3" for each in found.useless)


@pytest.mark.parametrize("game", ["magic-duel", "fencing"])
def test_a_game_without_a_table_has_no_measures_and_starts_no_process(game, monkeypatch):
    monkeypatch.delattr(asyncio, "create_subprocess_exec")
    assert asyncio.run(Previews().preview(load(game))).measures is None


def test_rules_with_too_many_states_have_no_measures(monkeypatch):
    monkeypatch.setattr(previewing, "MOST_STATES", 100)
    assert asyncio.run(Previews().preview(load(SMALL))).measures is None


def test_memory_is_limited(monkeypatch):
    monkeypatch.setattr(previewing, "MOST_MIB", 100)
    assert asyncio.run(Previews().preview(load(SMALL))).measures is None


def test_work_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(previewing, "MOST_SECONDS", 0)
    previews = Previews()
    assert asyncio.run(previews.preview(load(SMALL))).measures is None
    assert previews._process is None


def many(count):
    return [load(f"bagh:start_hp={hp}") for hp in range(1, count + 1)]


class Held(Previews):
    """Never comes to an end."""

    async def _measured(self, ruleset):
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("clients", "most"),
    [(["one"], MOST_OF_ONE_CLIENT), ([f"{n}" for n in range(30)], MOST_WAITING)],
)
def test_few_may_wait(clients, most):
    """The requests above the limit are refused; the others wait."""

    async def ask(previews, name, ruleset):
        previewing.client.set(name)
        await previews.preview(ruleset)

    async def run():
        previews = Held()
        asked = [
            asyncio.create_task(ask(previews, clients[place % len(clients)], ruleset))
            for place, ruleset in enumerate(many(most + 2))
        ]
        done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_EXCEPTION)
        while len(done) < 2:
            more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_EXCEPTION)
            done |= more
        codes = [task.exception().code for task in done]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return codes, len(waiting), previews

    codes, waiting, previews = asyncio.run(run())
    assert codes == ["too many"] * 2
    assert waiting == most
    assert not previews._waiting


def test_clients_take_turns(monkeypatch):
    """Whoever asks for one ruleset waits for one of each other client, not for all of them."""
    asked = []

    class Noted(Previews):
        async def _measured(self, ruleset):
            asked.append(previewing.client.get())
            await asyncio.sleep(0)

    async def ask(previews, name, ruleset):
        previewing.client.set(name)
        await previews.preview(ruleset)

    async def run():
        previews = Noted()
        names = ["many", "many", "many", "more", "more", "one"]
        await asyncio.gather(
            *(ask(previews, *each) for each in zip(names, many(len(names)), strict=True))
        )
        assert not previews._turns._queue
        assert not previews._turns._last

    asyncio.run(run())
    assert asked == ["many", "more", "one", "many", "more", "many"]


def test_rules_are_solved_once_however_many_ask(monkeypatch):
    asked = []
    known = Previews._measured

    async def counted(self, ruleset):
        asked.append(ruleset)
        return await known(self, ruleset)

    monkeypatch.setattr(Previews, "_measured", counted)

    async def run():
        previews = Previews()
        return await asyncio.gather(*(previews.preview(load(SMALL)) for _ in range(3)))

    first, *others = asyncio.run(run())
    assert others == [first, first]
    assert len(asked) == 1


@pytest.mark.parametrize("turns", [1, 4, 16])
def test_closing_leaves_no_process(turns):
    async def run():
        previews = Previews()
        asking = [asyncio.create_task(previews.preview(each)) for each in many(2)]
        for _ in range(turns):
            await asyncio.sleep(0)
        await previews.close()
        for each in asking:
            with pytest.raises(Refused, match="stopping"):
                await each
        assert previews._process is None

    asyncio.run(run())
