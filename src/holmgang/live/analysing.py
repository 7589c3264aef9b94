"""Analyses of finished games and matches: computed once, in a thread, and cached."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec
import orjson

from holmgang.analysis.analyse import analyse
from holmgang.analysis.tendencies import tendencies_in
from holmgang.engine.duel import Duel
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.live.refusal import Refused
from holmgang.live.slow_work import SlowWork
from holmgang.solver.evaluation import in_words
from holmgang.wire.study import MatchTendencies

MOST_KEPT = 64
MOST_ROUNDS = 500
PATIENCE = 1.5
"""Seconds to wait for an analysis before its progress is returned instead."""

MOST_PREPARING = 60.0
"""Seconds that an analysis waits for its search to be compiled."""

Key = tuple[str, int, bool]
Prepare = Callable[[Ruleset, float], Awaitable[bool]]
Note = Callable[[int], None]
"""Is told how many rounds are done."""
Describe = Callable[[Sequence[Duel], dict[str, str], Note], bytes]
"""Analyses games between players of these names, as JSON."""


@dataclass
class AnalysisJob:
    """A requested analysis."""

    rounds: int
    done: int = 0
    is_stopped: bool = False
    result: "asyncio.Task[bytes] | None" = field(default=None, repr=False)


class Analyses:
    """The analyses of one process."""

    def __init__(self, slow_work: SlowWork, prepare: Prepare) -> None:
        self._slow_work, self._prepare = slow_work, prepare
        self._jobs: OrderedDict[Key, AnalysisJob] = OrderedDict()

    def has(self, key: Key) -> bool:
        return key in self._jobs

    async def get(
        self, key: Key, duels: Sequence[Duel], names: dict[str, str], describe: Describe
    ) -> bytes | AnalysisJob:
        """The analysis of finished games of one ruleset as JSON, or its progress if it takes long.
        `key` identifies it.
        """
        job = self._jobs.get(key)
        if job is None:
            rounds = sum(len(duel.rounds) for duel in duels)
            if rounds > MOST_ROUNDS:
                raise Refused(
                    "closed",
                    f"more than {MOST_ROUNDS} rounds are not analysed here; "
                    "holmgang analyse takes any record",
                )
            job = self._jobs[key] = AnalysisJob(rounds)
            job.result = asyncio.create_task(self._work(job, duels, names, describe))
            job.result.add_done_callback(lambda task: self._forget_failed(key, task))
            while len(self._jobs) > MOST_KEPT:
                self._jobs.popitem(last=False)
        self._jobs.move_to_end(key)
        if job.result is None:
            return job
        done, _ = await asyncio.wait([job.result], timeout=PATIENCE)
        return job.result.result() if done else job

    def close(self) -> None:
        """Cancels all work in progress."""
        for job in self._jobs.values():
            job.is_stopped = True
            if job.result is not None:
                job.result.cancel()

    async def _work(
        self, job: AnalysisJob, duels: Sequence[Duel], names: dict[str, str], describe: Describe
    ) -> bytes:
        def note(done: int) -> None:
            if job.is_stopped:
                raise Refused("stopping", "the server is shutting down")
            job.done = done

        if not await self._prepare(duels[0].ruleset, MOST_PREPARING):
            raise Refused("stopping", "the search is still being compiled; try again")
        return await self._slow_work.run("analysis", describe, duels, names, note)

    def _forget_failed(self, key: Key, task: "asyncio.Task[bytes]") -> None:
        if task.cancelled() or task.exception() is not None:
            self._jobs.pop(key, None)


def describe_analysis(duels: Sequence[Duel], names: dict[str, str], note: Note) -> bytes:
    """The analysis of one game as JSON; each round also with its state as text, the chances before
    it, what every choice costs, and the choices for people.
    """
    [duel] = duels
    ruleset = duel.ruleset
    found = analyse(duel, players=names, progress=note)
    body = found.as_json()
    for line, graded in zip(body["rounds"], found.rounds, strict=True):
        before = graded.before
        line["text"] = ruleset.format_text(before.state)
        line["chances"] = {
            name: getattr(before.evaluation, name) for name in ("win", "draw", "loss")
        }
        line["cost"] = {
            seat: in_words(ruleset, before.solution.costs(number))
            for number, seat in enumerate(SEATS)
        }
        line["labels"] = {
            seat: {
                ruleset.word(choice): ruleset.label(before.state, number, choice).words
                for choice in before.solution.worths[number]
            }
            for number, seat in enumerate(SEATS)
        }
    return orjson.dumps(body)


def describe_tendencies(duels: Sequence[Duel], names: dict[str, str], note: Note) -> bytes:
    """The tendencies of both players over the games of a match, as JSON."""
    analyses, done = [], 0
    for duel in duels:
        analyses.append(analyse(duel, players=names, progress=partial(note_after, note, done)))
        done += len(duel.rounds)
    players = {
        seat: tendencies_in(names[seat], [(number, each) for each in analyses])
        for number, seat in enumerate(SEATS)
    }
    return msgspec.json.encode(MatchTendencies(players=players))


def note_after(note: Note, before: int, done: int) -> None:
    note(before + done)
