"""The note beside a choice says what the choice does, by the rules' own functions."""

import pytest

from holmgang.engine.menu import options
from holmgang.games.ruleset import load

MAGIC = {
    "M7 burn is added with the first hp lost": {
        "r2/25.0.0.0/25.0.0.2": {"normal 2 player": "1 damage (2 on the shield), burn +2"},
        "r2/25.0.0.0/25.0.0.0": {
            "normal 0 player": "3 damage",
            "normal 2 player": "3 damage, burn +2",
        },
    },
    "M7 no burn where the shield takes it all": {
        "r2/25.4.0.0/25.0.0.9": {
            "normal 0 player": "0 damage (7 on the shield), spends 4 magic",
            "normal 2 player": "0 damage (7 on the shield), no burn, spends 4 magic",
        },
        "r0s0/25.0.0.0+s10x1@0/25.0.0.9": {"player": "0 damage (1 on the shield)"},
    },
    "M11 a specter burns for 1": {
        "r0s0/25.0.0.0+s10x4@0/25.0.0.1": {"player": "3 damage (1 on the shield), burn +1"},
    },
    "M8 a minion does not burn": {
        "r2/25.0.0.0/25.0.0.0+s10x1@0": {"normal 2 1": "specter 10 → 7 hp, no burn"},
        "r2/25.0.0.0/25.0.0.0+b3@0": {"normal 0 1": "bubble dies", "pierce 1": "bubble dies"},
    },
    "M9 piercing leaves the shield": {
        "r2/25.8.0.0/25.0.0.9": {"pierce player": "5 damage"},
    },
    "M10 casting": {
        "r2/25.6.0.0/25.0.0.0": {
            "bubble": "6 hp, +1 magic a turn, bursts on turn 4, magic 6 → 4",
            "specter": "10 hp, attacks every turn for 1, magic 6 → 1",
        },
    },
    "M13 healing": {
        "r2/22.0.3.1/25.0.0.0": {
            "heal 0": "hp 22 → 25, no shield, burn gone",
            "heal 5": "hp 22 → 25, shield 1 → 6, burn gone; any N works: heal 7",
        },
    },
}

FENCING = {
    "F4 drugs say what the action comes to": {
        "0/200/300": {
            "lunge_drug": "lunge reach 40 → 45, energy 20 → 15, 7 more allowed",
            "parry_drug": "reach against your parry 0 → -5, energy 20 → 15, 7 more allowed",
            "energy_max_drug": "energy maximum 20 → 25, energy 20 → 15, 7 more allowed",
            "walk_drug": "walk 20 forward → 25 forward, energy 20 → 15, 7 more allowed",
            "retreat_drug": "retreat 20 back → 15 back, energy 20 → 15, 7 more allowed",
            "double_walk_drug": "double walk 40 forward → 50 forward, energy 20 → 15, "
            "7 more allowed",
            "double_retreat_drug": "double retreat 30 back → 20 back, energy 20 → 15, "
            "7 more allowed",
            "break_drug": "energy of a break +2 → +12, energy 20 → 15, 7 more allowed",
        },
    },
    "F4 retreat drugs turn a retreat into an advance": {
        "0/200.20.0.5.20.0.0.0.25/300": {"retreat": "5 forward, energy 20 → 19"},
    },
    "F4 a parry that nothing gets through": {
        "0/200.20.0.1.20.0.0.0.0.0.0.-5/300": {"parry": "safe at any distance, energy 20 → 18"},
        "0/200/300.20.0.1.20.0.0.0.0.0.0.-5": {
            "lunge": "touch within 40, if parried never, energy 20 → 15"
        },
    },
    "F13 one drug too many": {
        "0/200.20.0.7/300": {"walk_drug": "no effect, energy 20 → 15, one too many!"},
    },
    "F8 a drug that cannot be paid": {
        "0/200.4/300": {"walk_drug": "no effect, energy 4 → -1: out!, 7 more allowed"},
    },
    "F15 a break stops at the maximum": {
        "0/200.19/300": {"break": "energy 19 → 20"},
    },
}

CODINGAME = {
    "F4 a parry drug that does not work": {
        "0/200/300": {"parry_drug": "no effect, energy 20 → 15, 7 more allowed"},
    },
}

BAGH = {
    "B9 a heal is stopped by an attack, unless its priority is higher": {
        "3.0.0.0/3.0.0.0": {"heal": "hp 3 → 4; an attack stops it"},
        "3.2.1.0/3.0.0.0": {"heal": "hp 3 → 6; an attack does not stop it"},
    },
    "P1, B10 up to its limit, and never down": {
        "9.4.0.0/3.0.0.0": {"heal": "hp 9 → 10; an attack stops it"},
        "12.4.0.0/3.0.0.0": {"heal": "hp 12 → 12; an attack stops it"},
    },
}

CITY = {
    "D6 what a pair costs": {"30/30/0": {"3/4": "costs 7, leaves 23"}},
    "D2 it may cost more than there is": {"2/30/0": {"3/4": "costs 7, leaves -5"}},
    "D1 a forfeited offense costs nothing": {
        "30.2.4/30.5.0/0": {
            "keep": "keep 2/4: stamina 30 → 24",
            "forfeit": "fall to 0/4: stamina 30 → 26",
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
