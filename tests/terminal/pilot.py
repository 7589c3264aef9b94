"""The full screen without a terminal: keys go in, pictures come out."""

import asyncio

from tests.terminal.shell import HEALS_TWICE
from textual.events import Key

from holmgang.games.ruleset import load
from holmgang.terminal.screen.play import PlayApp
from holmgang.terminal.setup import Setup

PASSES = 4  # from the key to the application, its screen, a page that comes up, its layout
CHARACTERS = {"question_mark": "?", "slash": "/", "space": " "}


class Screen:
    """An application under test."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    async def press(self, *keys):
        """Presses the keys one by one, and waits until all that comes of each is done."""
        for key in keys:
            await self.touch(key)
            await self.settle()

    async def touch(self, key):
        """Presses a key, and waits for no level to answer."""
        self.app.post_message(Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))
        await self.handle()

    async def calm(self):
        """Lets the moment pass in which keys do nothing after the end of a game."""
        self.app.screen.panel.deaf_until = 0.0

    async def settle(self):
        """Waits for the level, if one is thinking, and for all that comes of its choice."""
        await self.handle()
        session = getattr(self.app.screen, "session", None)
        thinker = getattr(session, "thinker", None)
        if thinker is not None:
            thinker.join()
        await self.handle()

    async def handle(self):
        """Lets messages be handled, and those that they send, without waiting for time to pass.

        (The pilot's own `press` waits until the processor is idle: slow, and no proof of anything.)
        An application that ends takes its widgets with it, and the pilot would wait for them.
        """
        for _ in range(PASSES):
            handling = asyncio.create_task(self.pilot.pause(0))
            while not handling.done() and self.app.return_code is None:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0)
            if self.app.return_code is not None:
                handling.cancel()
                break
            handling.result()

    @property
    def picture(self):
        """Everything that can be seen, with its colours; the same for the same screen."""
        strips = self.app.screen._compositor.render_strips()
        return tuple(tuple((piece.text, str(piece.style)) for piece in strip) for strip in strips)

    @property
    def lines(self):
        """The text on the screen, line by line."""
        return ["".join(text for text, _ in line).rstrip() for line in self.picture]

    @property
    def text(self):
        return "\n".join(self.lines)


def on_screen(app, script, size=(80, 24)):
    """Runs the script with the application on a screen of that size."""

    async def perform():
        async with app.run_test(size=size) as pilot:
            screen = Screen(app, pilot)
            await screen.handle()
            await script(screen)
        return screen

    try:
        return asyncio.run(perform())
    finally:
        for session in getattr(app, "sessions", ()):
            session.leave()


def play_app(tmp_path, game, red="human", blue="random", wins=None, seed=HEALS_TWICE):
    return PlayApp(
        Setup(
            None if game is None else load(game),
            red,
            blue,
            wins,
            seed,
            tmp_path / "records",
        )
    )
