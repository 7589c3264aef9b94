"""A menu as buttons and selects: made from the menu that every shell gets, for any game.

Each choice is a button, and the text above says what it does. Choices whose notes end alike are
folded into a select. Pairs have a row of buttons for each half, and where there are many choices,
their verbs come first. A free number is typed into a form. The custom ids contain what has been
picked so far, so nothing has to be stored.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import discord
from discord.utils import escape_markdown

from holmgang.discord.custom_ids import Press, format_press
from holmgang.discord.rounds import SEAT_MARKS, last_round, player_name
from holmgang.games.contract import other_seat
from holmgang.games.shape import JsonObject
from holmgang.wire.match import MatchView, Menu, MenuOption, MenuVerb

ROWS = 4
"""Rows of buttons or selects; the fifth is for taking a choice back."""
ROW = 5
"""Buttons of a row."""
MOST_CARDS = 10
"""Choices with parts that are shown at once; of more, the verbs are shown first."""
MOST_OPTIONS = 25
LONGEST_LABEL = 80
LONGEST_OPTION = 100
LONGEST_NOTE = 160
LONGEST_NOTES = 1300
"""Characters of all notes above the buttons; longer ones are shown in a select."""
FATAL = "⚠ "
"""Before the note of a choice that loses at once."""

Style = discord.ButtonStyle
Control = discord.ui.Item[discord.ui.View]
Button = discord.ui.Button[discord.ui.View]
Select = discord.ui.Select[discord.ui.View]


class Pick(NamedTuple):
    """What has been picked so far of a choice that takes two presses."""

    verb: int = -1
    """Index among the verbs of the menu."""
    values: tuple[str, ...] = ()
    """Row and column of dials; empty where nothing has been picked."""


class Controls(NamedTuple):
    """The components of a menu by row, and what the choices do, as lines of text."""

    rows: list[list[Control]]
    notes: list[str]


class ChoicePrompt(NamedTuple):
    """A question to a seat: a text and its components."""

    text: str
    view: discord.ui.View


def plain_view(items: Sequence[Control]) -> discord.ui.View:
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
) -> Button:
    shown = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
    return discord.ui.Button(label=shown, style=style, custom_id=format_press(press), row=row)


def select(
    placeholder: str,
    press: Press,
    options: Sequence[tuple[str, str, str]],
    picked: str = "",
    row: int | None = None,
) -> Select:
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


def ask(view: MatchView, menu: Menu, pick: Pick = Pick()) -> ChoicePrompt:  # noqa: B008 - immutable
    """The question to a seat that has this menu in its view, with its picks so far."""
    chosen = view.chosen

    def press(action: str, *rest: str) -> Press:
        return Press(action, view.match, view.game, view.round, rest)

    if pick == Pick() and chosen is not None:
        pick = pick_of(menu, chosen)
    if menu.controls == "dials":
        made = dials(menu, pick, press)
    elif has_verbs(menu):
        made = verbs(menu, pick, chosen, press)
    else:
        made = cards(menu.options, chosen, press, numbers(menu.verbs, press), menu.shared)
    if chosen is not None:
        made.rows.append([button("Take back", press("withdraw"))])
    for number, row in enumerate(made.rows):
        for item in row:
            item.row = number
    lines = [f"**{view.title}**, {place(view)}: {status(view, menu, chosen)}"]
    lines += [*who_is_who(view), *last_round(view), *made.notes]
    return ChoicePrompt("\n".join(lines), plain_view([item for row in made.rows for item in row]))


def who_is_who(view: MatchView) -> list[str]:
    """Which side the viewer is on, and who the other is; empty for a spectator."""
    if view.you is None:
        return []
    other = other_seat(view.you)
    against = escape_markdown(player_name(view, other))
    mine = f"{SEAT_MARKS[view.you]} **{view.you.capitalize()}**"
    return [f"You are {mine}, {against} is {SEAT_MARKS[other]}."]


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


def has_verbs(menu: Menu) -> bool:
    """Whether the verbs of a menu are shown before their choices."""
    return menu.controls == "parts" and len(menu.options) > MOST_CARDS


def cards(
    options: Sequence[MenuOption],
    chosen: str | None,
    press: Callable[..., Press],
    more: Sequence[Control] = (),
    shared: str = "",
) -> Controls:
    """A button for each choice and one select for those that share the end of their notes; only
    selects if that is too much for a message. `more` are further buttons.
    """
    single = [option for option in options if not option.own]
    alike = [option for option in options if option.own]
    notes = [
        f"- **{option.label}**: {noted(option, LONGEST_NOTE)}" for option in single if option.note
    ]
    buttons: list[Control] = [
        button(option.label, press("choose", option.word), style_of(option, chosen))
        for option in single
    ]
    rows = in_rows([*buttons, *more])
    if alike:
        rows.append([folded(alike, chosen, press, shared)])
    if len(rows) <= ROWS and sum(map(len, notes)) <= LONGEST_NOTES and len(alike) <= MOST_OPTIONS:
        return Controls(rows, notes)
    rows = in_rows(more)
    for start in range(0, len(options), MOST_OPTIONS):
        part = options[start : start + MOST_OPTIONS]
        rows.append([folded(part, chosen, press, f"{part[0].label} to {part[-1].label}")])
    return Controls(rows[:ROWS], [])


def style_of(option: MenuOption, chosen: str | None) -> Style:
    if option.word == chosen:
        return Style.success
    return Style.danger if option.fatal else Style.secondary


def noted(option: MenuOption, longest: int) -> str:
    """What a choice does, without what its group shares."""
    note = option.note[: option.own] if option.own else option.note
    return (FATAL * option.fatal + note)[:longest]


def folded(
    options: Sequence[MenuOption], chosen: str | None, press: Callable[..., Press], name: str
) -> Select:
    """A select of choices. If all are of one group, it begins with that group's name."""
    groups = {option.group for option in options}
    kind = f"{group.capitalize()}: " if len(groups) == 1 and (group := groups.pop()) else ""
    return select(
        f"{kind}{name}",
        press("card", options[0].word),
        [(option.word, option.label, noted(option, LONGEST_OPTION)) for option in options],
        chosen or "",
    )


def in_rows(items: Sequence[Control]) -> list[list[Control]]:
    return [list(items[start : start + ROW]) for start in range(0, len(items), ROW)]


def dials(menu: Menu, pick: Pick, press: Callable[..., Press]) -> Controls:
    """Buttons for both halves of a pair. Once one is set, only what goes with it is offered, with
    its note.
    """
    values = pick.values or ("", "")
    known = {option.word: option for option in menu.options}
    rows: list[list[Control]] = []
    notes = []
    offered = []
    for axis, all_values in enumerate((menu.rows, menu.columns)):
        pairs = {
            value: (value, values[1]) if axis == 0 else (values[0], value) for value in all_values
        }
        if values[1 - axis]:
            pairs = {value: pair for value, pair in pairs.items() if "/".join(pair) in known}
        offered.append(pairs)
    if sum(-(-len(pairs) // ROW) for pairs in offered) > ROWS:
        return dial_selects(menu, values, offered, press)
    for axis, pairs in enumerate(offered):
        name = menu.axes[axis]
        rows += in_rows(
            [
                button(
                    f"{name.capitalize()} {value}",
                    press("set", str(axis), *pair),
                    Style.success if value == values[axis] else Style.secondary,
                )
                for value, pair in pairs.items()
            ]
        )
    for axis, pairs in enumerate(offered):
        if values[1 - axis] and not values[axis]:
            notes = [
                f"- **{known['/'.join(pair)].label}**: {noted(known['/'.join(pair)], LONGEST_NOTE)}"
                for pair in pairs.values()
            ]
    if not any(values):
        first, second = menu.axes
        hint = f"-# Press one {first} and one {second}; the first press shows more."
        notes = [f"- {pair_example(menu)}", hint]
    return Controls(rows, notes)


def pair_example(menu: Menu) -> str:
    """What a pair in the middle does."""
    word = "/".join(values[len(values) // 2] for values in (menu.rows, menu.columns))
    found = next((option for option in menu.options if option.word == word), menu.options[0])
    return f"**{found.label}**, for example: {noted(found, LONGEST_NOTE)}"


def dial_selects(
    menu: Menu,
    values: tuple[str, ...],
    offered: Sequence[dict[str, tuple[str, str]]],
    press: Callable[..., Press],
) -> Controls:
    """Two selects, for halves with too many values for buttons."""
    notes = {option.word: option.note for option in menu.options}
    rows: list[list[Control]] = []
    for axis, pairs in enumerate(offered):
        name = menu.axes[axis]
        options = [
            (value, f"{name} {value}", notes.get("/".join(pair), ""))
            for value, pair in pairs.items()
        ]
        picked = values[axis] if values[axis] in pairs else ""
        placed = press("dial", str(axis), *values)
        rows.append([select(f"Choose {name}", placed, options[:MOST_OPTIONS], picked)])
    return Controls(rows, [])


def verbs(menu: Menu, pick: Pick, chosen: str | None, press: Callable[..., Press]) -> Controls:
    """A button for each verb, and the choices of the one that is picked."""
    found: list[Control] = []
    for number, verb in enumerate(menu.verbs[: 2 * ROW]):
        style = Style.primary if number == pick.verb else Style.secondary
        placed = press("verb", str(number)) if verb.parts else press("choose", verb.word)
        if not verb.parts and verb.word == chosen:
            style = Style.success
        found.append(button(verb.label, placed, style))
    simple = [option for option in menu.options if " " not in option.word]
    rows, notes = in_rows(found), cards(simple, chosen, press).notes
    if pick.verb >= 0:
        verb = menu.verbs[pick.verb]
        made = cards(options_of(menu, verb), chosen, press, numbers([verb], press))
        rows, notes = [*rows, *made.rows][:ROWS], made.notes
    return Controls(rows, notes)


def options_of(menu: Menu, verb: MenuVerb) -> list[MenuOption]:
    """The choices of a verb."""
    count = len(verb.word.split()) + len(verb.parts)
    return [
        option
        for option in menu.options
        if f"{option.word} ".startswith(f"{verb.word} ") and len(option.word.split()) == count
    ]


def numbers(verbs: Sequence[MenuVerb], press: Callable[..., Press]) -> list[Control]:
    """Buttons that ask for a free number."""
    return [
        button(
            f"{verb.label}: {part.label.lower()}…",
            press("number", verb.word, str(part.least), str(part.most), part.label),
        )
        for verb in verbs
        for part in verb.parts[:1]
        if not part.values
    ]


def pick_of(menu: Menu, word: str) -> Pick:
    """The pick of a choice that has been made."""
    if menu.controls == "dials":
        return Pick(values=tuple(word.split("/")))
    for number, verb in enumerate(menu.verbs):
        listed = any(option.word == word for option in options_of(menu, verb))
        if listed and verb.parts and has_verbs(menu):
            return Pick(number)
    return Pick()


def number_form(press: Press) -> discord.ui.Modal:
    """The form that asks for the number of a verb such as `heal`, made from its button."""
    word, least, most, label = press.rest
    range_text = f"{least} to {int(most):,}"
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
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


def typed_number(components: list[JsonObject]) -> str:
    """The text typed into the form."""
    for outer in components:
        inner = outer.get("component") or (outer.get("components") or [{}])[0]
        if inner.get("custom_id") == "number":
            return str(inner.get("value", "")).strip()
    return ""
