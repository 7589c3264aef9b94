"""A menu as buttons and selects: made from the menu that every shell gets, for any game.

Cards become buttons, dials become two selects, and verbs become buttons with a select for each of
their parts. A free number is typed into a form. The custom ids contain what has been picked so far,
so nothing has to be stored.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import discord

from holmgang.discord.custom_ids import Press, format_press
from holmgang.wire.match import MatchView, Menu, Verb

MOST_BUTTONS = 20
"""Four rows of five; the fifth row is for taking a choice back."""
MOST_OPTIONS = 25
LONGEST_LABEL = 80
LONGEST_OPTION = 100
LONGEST_NOTE = 160
FATAL = "⚠ "
"""Before the note of a choice that loses at once."""
SPARSE = 8
"""Maximum number of choices that are described in the text above the buttons."""

Style = discord.ButtonStyle


class Pick(NamedTuple):
    """The parts that have been picked of a choice with several parts."""

    verb: int = -1
    """Index among the verbs of the menu."""
    values: tuple[str, ...] = ()
    """Values of its parts, or row and column of dials; empty where nothing has been picked."""


class Asked(NamedTuple):
    """A question to a seat: a text and its components."""

    text: str
    view: discord.ui.View


def plain_view(items: Sequence[discord.ui.Item[Any]]) -> discord.ui.View:
    """Components that discord.py does not track: presses are routed by their custom ids, even after
    a restart.
    """
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def button(
    label: str, press: Press, style: Style = Style.secondary, row: int | None = None
) -> discord.ui.Button[Any]:
    shown = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
    return discord.ui.Button(label=shown, style=style, custom_id=format_press(press), row=row)


def select(
    placeholder: str,
    press: Press,
    options: Sequence[tuple[str, str, str]],
    picked: str = "",
    row: int | None = None,
) -> discord.ui.Select[Any]:
    """A select of (value, label, description)."""
    return discord.ui.Select(
        custom_id=format_press(press),
        placeholder=placeholder[:150],
        row=row,
        options=[
            discord.SelectOption(
                value=value,
                label=label[:LONGEST_OPTION],
                description=description[:LONGEST_OPTION] or None,
                default=value == picked,
            )
            for value, label, description in options
        ],
    )


def ask(view: MatchView, menu: Menu, pick: Pick = Pick()) -> Asked:  # noqa: B008 - immutable
    """The question to a seat that has this menu in its view, with its picks so far."""
    chosen = view.chosen

    def press(action: str, *rest: str) -> Press:
        return Press(action, view.match, view.game, view.round, rest)

    if not pick.values and pick.verb < 0 and chosen is not None:
        pick = pick_of(menu, chosen)
    if menu.controls == "dials":
        items = dials(menu, pick, press)
    elif menu.controls == "parts":
        items = verbs(menu, pick, chosen, press)
    else:
        items = cards(menu, chosen, press)
    found = list(items)
    if chosen is not None:
        found.append(button("Take back", press("withdraw"), row=4))
    lines = [f"**{view.title}**, {place(view)}: {status(view, menu, chosen)}"]
    if menu.controls == "cards" and len(menu.options) <= SPARSE:
        lines += [
            f"- **{option.label}**: {FATAL * option.fatal}{option.note[:LONGEST_NOTE]}"
            for option in menu.options
            if option.note
        ]
    return Asked("\n".join(lines), plain_view(found))


def place(view: MatchView) -> str:
    """Which round is open: `game 2, round 5`."""
    game = f"game {view.game}, " if view.wins_needed > 1 else ""
    return f"{game}round {view.round}"


def status(view: MatchView, menu: Menu, chosen: str | None) -> str:
    if chosen is not None:
        return f"you have chosen **{label_of(menu, chosen)}**. You can change it until the reveal."
    if len(view.asked) < len(view.players):
        return "make your choice. It is your turn alone, so it is played at once."
    return "make your choice. Nobody else sees it before the reveal."


def label_of(menu: Menu, word: str) -> str:
    """The label of a choice; its word if the menu does not list it."""
    labels = (option.label for option in menu.options if option.word == word)
    return next(labels, word)


def cards(
    menu: Menu, chosen: str | None, press: Callable[..., Press]
) -> Iterator[discord.ui.Item[Any]]:
    options = menu.options
    if len(options) <= MOST_BUTTONS:
        for place, option in enumerate(options):
            style = Style.danger if option.fatal else Style.secondary
            style = Style.success if option.word == chosen else style
            yield button(option.label, press("choose", option.word), style, row=place // 5)
        return
    for row in range(min(4, -(-len(options) // MOST_OPTIONS))):
        part = options[row * MOST_OPTIONS : (row + 1) * MOST_OPTIONS]
        yield select(
            f"{part[0].label} to {part[-1].label}",
            press("card", str(row)),
            [(option.word, option.label, FATAL * option.fatal + option.note) for option in part],
            chosen or "",
            row=row,
        )


def dials(menu: Menu, pick: Pick, press: Callable[..., Press]) -> Iterator[discord.ui.Item[Any]]:
    """Two selects. Once one is set, the other offers what goes with it, with its note."""
    notes = {option.word: option.note for option in menu.options}
    values = pick.values or ("", "")
    for axis, all_values in enumerate((menu.rows, menu.columns)):
        other = values[1 - axis]

        def pair(value: str, other: str = other, axis: int = axis) -> str:
            return f"{value}/{other}" if axis == 0 else f"{other}/{value}"

        name = menu.axes[axis]
        options = [
            (value, f"{name} {value}", notes.get(pair(value), "") if other else "")
            for value in all_values
            if not other or pair(value) in notes
        ]
        picked = values[axis] if any(value == values[axis] for value, _, _ in options) else ""
        yield select(
            f"Choose {name}",
            press("dial", str(axis), *values),
            options[:MOST_OPTIONS],
            picked,
            row=axis,
        )


def verbs(
    menu: Menu, pick: Pick, chosen: str | None, press: Callable[..., Press]
) -> Iterator[discord.ui.Item[Any]]:
    """A button for each verb, and selects for the parts of the one that is picked."""
    for place, verb in enumerate(menu.verbs[:10]):
        is_picked = place == pick.verb
        style = Style.secondary
        if is_picked:
            style = Style.success if chosen is not None else Style.primary
        yield button(verb.label, verb_press(place, verb, press), style, row=place // 5)
    if pick.verb < 0:
        return
    verb = menu.verbs[pick.verb]
    rows = -(-min(10, len(menu.verbs)) // 5)
    for place, part in enumerate(verb.parts):
        if part.values:
            yield select(
                f"{verb.label}: {part.label.lower()}",
                press("part", str(pick.verb), str(place), *pick.values),
                [(each.value, each.label, "") for each in part.values[:MOST_OPTIONS]],
                pick.values[place],
                row=min(rows + place, 3),
            )


def verb_press(place: int, verb: Verb, press: Callable[..., Press]) -> Press:
    """What the button of a verb does: choose at once, ask for a number, or ask for its parts."""
    parts = verb.parts
    if not parts:
        return press("choose", verb.word)
    if not parts[0].values:
        bounds = str(parts[0].least), str(parts[0].most)
        return press("number", verb.word, *bounds, parts[0].label)
    return press("verb", str(place))


def first_pick(menu: Menu, place: int) -> Pick:
    """The initial pick of a verb; parts with a single possible value are filled in."""
    parts = menu.verbs[place].parts
    values = (part.values[0].value if len(part.values) == 1 else "" for part in parts)
    return Pick(place, tuple(values))


def word_of(menu: Menu, pick: Pick) -> str | None:
    """The word of a complete pick."""
    if not pick.values or not all(pick.values):
        return None
    if menu.controls == "dials":
        return "/".join(pick.values)
    return " ".join((menu.verbs[pick.verb].word, *pick.values))


def pick_of(menu: Menu, word: str) -> Pick:
    """The pick of a choice that has been made."""
    if menu.controls == "dials":
        return Pick(values=tuple(word.split("/")))
    if menu.controls != "parts":
        return Pick()
    for place, verb in enumerate(menu.verbs):
        values = word.removeprefix(verb.word).split()
        if f"{word} ".startswith(f"{verb.word} ") and len(values) == len(verb.parts):
            return Pick(place, tuple(values))
    return Pick()


def number_form(press: Press) -> discord.ui.Modal:
    """The form that asks for the number of a verb such as `heal`, made from its button."""
    word, least, most, label = press.rest
    range_text = f"{least} to {int(most):,}"
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="number", placeholder=range_text, max_length=len(most), required=True
    )
    form = discord.ui.Modal(
        title=word.capitalize()[:45],
        custom_id=format_press(press._replace(action="typed", rest=(word,))),
        timeout=None,
    )
    form.add_item(discord.ui.Label(text=f"{label}: {range_text}"[:45], component=field))
    form.stop()
    return form


def typed_number(components: Any) -> str:
    """The text typed into the form."""
    for outer in components:
        inner = outer.get("component") or (outer.get("components") or [{}])[0]
        if inner.get("custom_id") == "number":
            return str(inner.get("value", "")).strip()
    return ""
