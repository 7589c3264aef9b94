"""Rules as a service: one JSON request, one JSON answer (`holmgang step`).

A request is one of
    {"game": "bagh", "state": {…}, "red": "attack", "blue": "guard", "chance": {…}}
    {"game": "bagh", "ask": "start"}
    {"game": "bagh", "state": {…}, "ask": "choices"}        with "red" and "blue": also the chance
and every refusal is {"error": "…"}. Unknown keys are ignored.
"""

import orjson

from holmgang.errors import HolmgangError, StateError, UsageError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import JsonObject, brief

LONGEST_LINE = 1_000_000
MOST_FACES = 100_000


def answer_line(line: str) -> str:
    """The answer to one line of input, without the newline."""
    try:
        answered = answer(parse_request(line))
    except HolmgangError as error:
        answered = {"error": str(error)}
    return orjson.dumps(answered).decode()


def parse_request(line: str) -> JsonObject:
    if len(line) > LONGEST_LINE:
        raise UsageError(f"a line must have at most {LONGEST_LINE} characters")
    try:
        request = orjson.loads(line)
    except orjson.JSONDecodeError as error:  # or nested too deeply
        raise UsageError(f"not JSON: {error}") from None
    if not isinstance(request, dict):
        raise UsageError(f"a request must be a JSON object; not {brief(request)}")
    return request


def answer(request: JsonObject) -> JsonObject:
    if "game" not in request:
        raise UsageError('a request needs a "game", such as "bagh"')
    ruleset = load(request["game"])
    ask = request.get("ask")
    if ask is None:
        return answer_step(ruleset, request)
    if ask == "start":
        return {"state": ruleset.format_state(ruleset.initial())}
    if ask == "choices":
        return answer_choices(ruleset, request)
    raise UsageError(f'"ask" must be "start" or "choices"; not {brief(ask)}')


def parse_state(ruleset: Ruleset, request: JsonObject) -> State:
    if "state" not in request:
        raise StateError('a request needs a "state"; {"ask": "start"} gives the first one')
    return ruleset.parse_json(request["state"])


def parse_given(ruleset: Ruleset, state: State, seat: int, word: object) -> int:
    """The seat's choice. It must be missing if the seat has nothing to choose, and only then."""
    if word is None:
        options = ruleset.words(state, seat)
        if options:
            raise UsageError(f"{SEATS[seat]} must choose one of {', '.join(options)}")
        return NO_CHOICE
    return ruleset.parse_choice(state, seat, word)


def answer_step(ruleset: Ruleset, request: JsonObject) -> JsonObject:
    state = parse_state(ruleset, request)
    ruleset.check_undecided(state)
    red = parse_given(ruleset, state, RED, request.get("red"))
    blue = parse_given(ruleset, state, BLUE, request.get("blue"))
    face = ruleset.parse_chance(state, red, blue, request.get("chance"))
    after = ruleset.resolve_unchecked(state, red, blue, face)
    ended = ruleset.outcome(after)
    outcome = None if ended is None else ended.as_json()
    return {"state": ruleset.format_state(after), "outcome": outcome}


def answer_choices(ruleset: Ruleset, request: JsonObject) -> JsonObject:
    """The choices of each seat; if they are given, also the exact weights of chance outcomes."""
    state = parse_state(ruleset, request)
    ended = ruleset.outcome(state)
    if ended is not None:
        return {"choices": {"red": [], "blue": []}, "outcome": ended.as_json()}
    answered: JsonObject = {
        "choices": {name: ruleset.words(state, seat) for seat, name in enumerate(SEATS)},
        "outcome": None,
    }
    needed = [name for name in SEATS if answered["choices"][name]]
    given = [name for name in SEATS if request.get(name) is not None]
    if not needed or given:
        red = parse_given(ruleset, state, RED, request.get("red"))
        blue = parse_given(ruleset, state, BLUE, request.get("blue"))
        answered["chance"] = weigh(ruleset, state, red, blue)
    return answered


def weigh(ruleset: Ruleset, state: State, red: int, blue: int) -> JsonObject:
    faces = ruleset.chance(state, red, blue)
    if faces > MOST_FACES:
        raise StateError(f"too many chance outcomes to list: {faces}")
    weights = ruleset.chance_weights(state, red, blue)
    return {
        "total": faces,
        "outcomes": [{"chance": chance, "weight": weight} for chance, weight in weights],
    }
