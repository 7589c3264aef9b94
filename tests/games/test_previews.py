# ruff: noqa: E501 - a note is easier to read on one line
"""The note beside a choice says what the choice does, by the rules' own functions."""

import pytest

from holmgang.engine.menu import options
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load

MAGIC = {
    "M7 burn is added with the first hp lost": {
        "r2/25.0.0.0/25.0.0.2": {
            "normal 2 player": "Blue 25 → 24 hp, the shield takes 2. Burn 0 → 2: Blue loses that much each turn.",
        },
        "r2/25.0.0.0/25.0.0.0": {
            "normal 0 player": "Blue 25 → 22 hp.",
            "normal 2 player": "Blue 25 → 22 hp. Burn 0 → 2: Blue loses that much each turn.",
        },
    },
    "M7 no burn where the shield takes it all": {
        "r2/25.4.0.0/25.0.0.9": {
            "normal 0 player": "Blue loses nothing: the shield takes all 7. Spends all 4 magic.",
            "normal 2 player": "Blue loses nothing: the shield takes all 7, and nothing burns. Spends all 4 magic.",
        },
        "r0s0/25.0.0.0+s10x1@0/25.0.0.9": {
            "player": "Blue loses nothing: the shield takes all 1.",
        },
    },
    "M11 a specter burns for 1": {
        "r0s0/25.0.0.0+s10x4@0/25.0.0.1": {
            "player": "Blue 25 → 22 hp, the shield takes 1. Burn 0 → 1: Blue loses that much each turn.",
        },
    },
    "M8 a minion does not burn": {
        "r2/25.0.0.0/25.0.0.0+s10x1@0": {
            "normal 2 1": "Blue's specter 10 → 7 hp. Minions do not burn.",
        },
        "r2/25.0.0.0/25.0.0.0+b3@0": {
            "normal 0 1": "Blue's bubble dies.",
            "pierce 1": "Blue's bubble dies.",
        },
    },
    "M9 piercing leaves the shield": {
        "r2/25.8.0.0/25.0.0.9": {
            "pierce player": "Blue 25 → 20 hp.",
        },
    },
    "M10 casting": {
        "r2/25.6.0.0/25.0.0.0": {
            "bubble": "A bubble with 6 hp gives 1 magic a turn. On turn 4 it bursts and gives its hp as magic. Magic 6 → 4.",
            "specter": "A specter with 10 hp attacks every turn for 1. Magic 6 → 1.",
        },
    },
    "M13 healing": {
        "r2/22.0.3.1/25.0.0.0": {
            "heal 0": "Hp 22 → 25. Stops your burn of 3.",
            "heal 5": "Hp 22 → 25. Shield 1 → 6, which takes damage first. Stops your burn of 3. Any N works: heal 7.",
        },
    },
    "M13 a heal without effect": {
        "r2/25.0.0.0/25.0.0.0": {
            "heal 0": "No effect: you have 25 hp, the most.",
            "magic": "Magic 0 → 4: a normal attack then does 7.",
        },
    },
    "M12 the last blow": {
        "r2/25.0.0.0/3.0.0.0": {
            "normal 0 player": "Blue 3 → 0 hp: you win.",
        },
    },
}

FENCING = {
    "F4 drugs say what the action comes to": {
        "0/200/300": {
            "lunge_drug": "Your lunge then reaches 45, not 40. Energy 20 → 15. 7 more drugs allowed.",
            "parry_drug": "Your parry then shortens lunges by 45, not 40. Energy 20 → 15. 7 more drugs allowed.",
            "energy_max_drug": "Your energy can then rise to 25, not 20. Energy 20 → 15. 7 more drugs allowed.",
            "walk_drug": "Your walk then goes 25 forward, not 20. Energy 20 → 15. 7 more drugs allowed.",
            "retreat_drug": "Careful: you then retreat only 15, not 20. Energy 20 → 15. 7 more drugs allowed.",
            "double_walk_drug": "Your double walk then goes 50 forward, not 40. Energy 20 → 15. 7 more drugs allowed.",
            "double_retreat_drug": "Careful: you then double-retreat only 20, not 30. Energy 20 → 15. 7 more drugs allowed.",
            "break_drug": "From now on, a break gives you 12 energy, not 2. Energy 20 → 15. 7 more drugs allowed.",
        },
    },
    "F4 retreat drugs turn a retreat into an advance": {
        "0/200.20.0.5.20.0.0.0.25/300": {
            "retreat": "5 forward: 95 apart if Blue stays. Energy 20 → 19.",
        },
    },
    "F4 a parry that nothing gets through": {
        "0/200.20.0.1.20.0.0.0.0.0.0.-5/300": {
            "parry": "Stops a lunge and takes 2 energy from Blue. Energy 20 → 18.",
        },
        "0/200/300.20.0.1.20.0.0.0.0.0.0.-5": {
            "lunge": "Cannot touch: Blue is 100 away, and you reach 40. Energy 20 → 15.",
        },
    },
    "F13 one drug too many": {
        "0/200.20.0.7/300": {
            "walk_drug": "You take one drug too many and lose: 7 are allowed.",
        },
    },
    "F8 a drug that cannot be paid": {
        "0/200.4/300": {
            "walk_drug": "You run out of energy and lose.",
        },
    },
    "F15 a break stops at the maximum": {
        "0/200.19/300": {
            "break": "Energy 19 → 20.",
        },
    },
    "F1 a lunge, and a parry against it": {
        "0/240.13/290": {
            "lunge": "Touches only if Blue comes closer: 50 apart, you reach 40. A parry stops it. Energy 13 → 8.",
            "parry": "Stops a lunge and takes 2 energy from Blue. Energy 13 → 11.",
        },
        "0/250/290": {
            "lunge": "Touches up to 40 away, and Blue is 40 away. A parry stops it. Energy 20 → 15.",
        },
    },
    "F9 a parry takes the energy that is left": {
        "0/250.6/290": {
            "lunge": "If Blue parries, you run out of energy and lose. Touches up to 40 away, and Blue is 40 away. A parry stops it. Energy 6 → 1.",
        },
        "0/250.7/290": {
            "lunge": "Touches up to 40 away, and Blue is 40 away. A parry stops it. Energy 7 → 2.",
        },
        "0/250.6/250": {
            "lunge": "Touches up to 40 away, and Blue is 0 away. A parry does not stop it. Energy 6 → 1.",
        },
    },
    "F7 off the piste": {
        "0/5/290": {
            "retreat": "You leave the piste: a point for Blue. Energy 20 → 19.",
        },
    },
    "F3 past the other fencer": {
        "0/250/260": {
            "walk": "20 forward, past Blue: both go back to their lines if Blue stays. Energy 20 → 19.",
            "retreat": "20 back: 30 apart if Blue stays. Energy 20 → 19.",
        },
    },
    "F8 out of energy": {
        "0/240.4/290": {
            "lunge": "You run out of energy and lose.",
        },
    },
    "F15 a break at the maximum": {
        "0/200/300": {
            "break": "No effect: your energy is 20, the most.",
        },
    },
}

CODINGAME = {
    "F4 a parry drug that does not work": {
        "0/200/300": {
            "parry_drug": "No effect: this drug does nothing. Energy 20 → 15. 7 more drugs allowed.",
        },
    },
}

BAGH = {
    "B9 a heal is stopped by an attack, unless its priority is higher": {
        "3.0.0.0/3.0.0.0": {
            "heal": "Hp 3 → 4, lost if Blue attacks.",
        },
        "3.2.1.0/3.0.0.0": {
            "heal": "Hp 3 → 6. An attack does not stop it: your priority is higher (1 against 0).",
        },
    },
    "P1, B10 up to its limit, and never down": {
        "9.4.0.0/3.0.0.0": {
            "heal": "Hp 9 → 10, lost if Blue attacks.",
        },
        "12.4.0.0/3.0.0.0": {
            "heal": "No effect: you already have 12 hp, and heals go up to 10.",
        },
    },
    "B7 boost 6 stays 6": {
        "3.6.0.0/3.0.0.0": {
            "boost": "No effect: your boost is 6, the most.",
        },
        "3.1.0.0/3.0.0.0": {
            "boost": "Boost 1 → 2: your next attack does 3.",
        },
    },
    "B8 attack against attack": {
        "3.0.0.0/3.0.1.0": {
            "attack": "1 damage unless Blue guards. If both attack, only Blue hits: Blue has priority.",
        },
        "3.0.2.0/3.0.1.0": {
            "attack": "1 damage unless Blue guards. If both attack, only you hit: you have the higher priority.",
        },
        "3.0.0.0/3.0.0.0": {
            "attack": "1 damage unless Blue guards.",
        },
        "3.0.0.0/3.0.0.1": {
            "attack": "1 damage. Blue's shield is broken and mends 1 in 2.",
        },
    },
    "P2 what a guard earns": {
        "3.0.0.0/3.0.0.0": {
            "guard": "Stops an attack and earns priority 1.",
        },
        "3.0.0.0/3.0.1.0": {
            "guard": "Stops an attack but earns no priority: Blue has priority.",
        },
        "3.2.1.0/3.0.0.0": {
            "guard": "Stops an attack and raises priority to 3.",
        },
        "3.0.2.0/3.0.1.0": {
            "guard": "Stops an attack and keeps priority 2.",
        },
    },
    "B4, B5 shields that break or are broken": {
        "3.0.0.0/3.2.0.0": {
            "guard": "Stops an attack, but your shield breaks: Blue's boost is higher (2 against 0).",
        },
        "3.0.0.2/3.0.0.0": {
            "guard": "Stops an attack only if your shield mends: 1 in 3.",
        },
    },
    "P1 no effect at the limit": {
        "10.0.0.0/3.0.0.0": {
            "heal": "No effect: you already have 10 hp, the most.",
        },
    },
    "an attack that would be the end": {
        "1.0.0.2/3.1.0.0": {
            "boost": "Boost 0 → 1: your next attack does 2. If Blue attacks, you lose.",
            "guard": "Stops an attack only if your shield mends: 1 in 3. If Blue attacks, you may lose.",
            "heal": "Hp 1 → 2. If Blue attacks, you lose.",
        },
    },
}

CITY = {
    "D6 what a pair costs": {
        "30/30/0": {
            "3/4": "Stamina 30 → 23. You hit if offense 3 beats Blue's defense: 3 in 5 against 0. Blue needs offense 5 or more to hit you.",
        },
    },
    "D2 it may cost more than there is": {
        "2/30/0": {
            "3/4": "Stamina 2 → -5: you are then spent and cannot defend. You hit if offense 3 beats Blue's defense: 3 in 5 against 0. Blue needs offense 5 or more to hit you.",
        },
    },
    "D1 a forfeited offense costs nothing": {
        "30.2.4/30.5.0/0": {
            "keep": "Stamina 30 → 24. Blue attacks first: 1 in 5. If Blue misses, you hit: 2 in 5.",
            "forfeit": "Stamina 30 → 26. Blue attacks first: 1 in 5. You do not attack.",
        },
    },
    "D3 a spent soldier": {
        "30/0/0": {
            "3/4": "Stamina 30 → 23. Blue is spent. You hit: 3 in 5.",
        },
    },
    "D7 0/0 is free": {
        "30/30/0": {
            "0/0": "Stamina 30 → 30. You cannot hit. Blue needs offense 1 or more to hit you.",
            "5/5": "Stamina 30 → 20. You hit if offense 5 beats Blue's defense: 5 in 5 against 0. Blue cannot hit you.",
        },
    },
}


def previews(ruleset, table):
    return [
        pytest.param(ruleset, text, notes, id=f"{title} [{ruleset}, {text}]")
        for title, states in table.items()
        for text, notes in states.items()
    ]


@pytest.mark.parametrize(
    ("ruleset", "text", "notes"),
    [
        *previews("magic-duel", MAGIC),
        *previews("fencing", FENCING),
        *previews("fencing-codingame", CODINGAME),
        *previews("bagh", BAGH),
        *previews("defend-the-city", CITY),
    ],
)
def test_preview(ruleset, text, notes):
    loaded = load(ruleset)
    state = loaded.game.notation.parse_text(loaded.rules, text)
    shown = {option.word: option.note for option in options(loaded, state, "red")}
    assert {word: shown[word] for word in notes} == notes


FATAL = {
    "F8 out of energy": ("fencing", "0/240.4/290", "lunge", True),
    "F8 out of energy, even if the other fencer can be, too": (
        "fencing",
        "0/240.4/290.4",
        "lunge",
        True,
    ),
    "F8 exactly 0 is fine": ("fencing", "0/240.5/290", "lunge", False),
    "F13 one drug too many": ("fencing", "0/200.20.0.7/300", "walk_drug", True),
    "F7 a point is not the game": ("fencing", "0/5/290.20.3", "retreat", False),
    "F7 unless it is the last one": ("fencing", "0/5.20.0/290.20.19", "retreat", True),
    "B9 a heal is lost only if the other seat attacks": ("bagh", "1.0.0.0/3.0.0.0", "heal", False),
}


@pytest.mark.parametrize(("ruleset", "text", "word", "is_fatal"), FATAL.values(), ids=FATAL)
def test_a_choice_is_fatal_if_it_loses_whatever_the_other_seat_does(ruleset, text, word, is_fatal):
    loaded = load(ruleset)
    for seat, state in enumerate(
        (loaded.parse_state(text), loaded.mirror(loaded.parse_state(text)))
    ):
        shown = {option.word: option.is_fatal for option in options(loaded, state, SEATS[seat])}
        assert shown[word] is is_fatal
