"""A bot that tries to predict its opponent's random draws: `python predictor.py HOW [perfect]`.

It plays BAGH, and the games of a match in which seats are exchanged after every game. HOW is

`counter`  it computes the draws of seed 0 as holmgang 0.1 made them, with an invertible stream;
`keys`     it computes those of seed 0 as they are made now;
`seen`     in the first game of a pair it leaves its choices to the judge, as a uniform mix, and
           takes what it saw drawn there for its opponent's draws in the second game.

Where it predicts nothing, it guesses. To each predicted choice of `random` or of a uniform mix it
has a different reply. So if the predictions are worth nothing, it plays uniformly at random itself,
and scores exactly one half in expectation. With `perfect` the opponent is that level, and the reply
is the best one; in expectation it scores at most one half, if the predictions are worth nothing.
"""

import json
import random
import sys

from holmgang.engine import keys, stream
from holmgang.engine.mix import sample
from holmgang.games.ruleset import load
from holmgang.solver.oracle import Oracle

HOW, *OPPONENT = sys.argv[1:]
REPLIES = {"boost": "attack", "attack": "guard", "guard": "boost", "heal": "heal"}
SEATS = ("red", "blue")
GUESS = random.Random(1)


class Predictor:
    def __init__(self):
        self.games = 0
        self.seen = {}
        self.oracle = None

    def begin(self):
        self.games += 1
        if self.is_first:
            self.seen = {}

    @property
    def is_first(self):
        """Whether this is the first game of a pair."""
        return self.games % 2 == 1

    def note(self, request):
        """Notes what was drawn for this bot in the round before, as a share of the whole range."""
        if self.is_first and request["last"] is not None:
            drawn = request["choices"].index(request["last"][request["seat"]])
            self.seen[request["round"] - 1] = (drawn + 0.5) / len(request["choices"])

    def fixture(self, lane):
        """The id of the game, if the seat of the opponent is this one."""
        names = ("predictor", "opponent") if lane else ("opponent", "predictor")
        return f"{'--'.join(names)}--{(self.games - 1) // 2}"

    def bits(self, round_number, lane):
        """The 64 bits that the opponent's choice is expected to be drawn with."""
        if HOW == "counter":
            key = stream.game_key(0, (self.games + 1) // 2)
            return stream.draw(key, round_number - 1, lane)
        if HOW == "keys":
            seed = keys.game_seed(0, self.fixture(lane))
            return keys.draw(keys.derive(seed, SEATS[lane]), round_number)
        if not self.is_first and round_number in self.seen:
            return int(self.seen[round_number] * 2**64)
        return GUESS.getrandbits(64)

    def answer(self, request):
        self.note(request)
        choices, lane = request["choices"], 1 - SEATS.index(request["seat"])
        if HOW == "seen" and self.is_first:
            return {"mix": dict.fromkeys(choices, 1)}
        bits = self.bits(request["round"], lane)
        if OPPONENT == ["perfect"]:
            return {"choice": self.best_reply(request, lane, bits)}
        return {"choice": REPLIES[choices[stream.below(bits, len(choices))]]}

    def best_reply(self, request, lane, bits):
        if self.oracle is None:
            self.oracle = Oracle(load(request["ruleset"]), budget_ms=100)
        ruleset = self.oracle.ruleset
        notation, rules = ruleset.game.notation, ruleset.rules
        state = notation.parse_state(rules, request["state"])
        evaluation = self.oracle.evaluate(state)
        theirs = sample((evaluation.red, evaluation.blue)[lane], bits)

        def worth(word):
            pair = [notation.parse_choice(rules, word), theirs][:: 1 if lane else -1]
            return self.oracle.pair_value(state, *pair) * (1 if lane else -1)

        return max(request["choices"], key=worth)


predictor = Predictor()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        said = {"name": "predictor", "author": "tests", "protocol": 1}
    elif message["type"] == "choose":
        said = {"id": message["id"], **predictor.answer(message)}
    else:
        if message["type"] == "new game":
            predictor.begin()
        continue
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
