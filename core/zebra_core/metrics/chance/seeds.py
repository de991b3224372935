"""Seeds: one number from the user, and streams of random numbers that do not depend on each other."""

from __future__ import annotations

from enum import Enum

import numpy as np


class Purpose(Enum):
    """What random numbers are for; its key parts the streams of one seed."""

    def __init__(self, _name: str, *key: int) -> None:
        self.key = key

    # These six share the stream of the bare seed: no two of them meet in one figure.
    SPEAKERS_DRAWN = ("speakers-drawn",)
    NO_DISCLOSURE = ("no-disclosure",)
    MATRICES = ("matrices",)
    FOLDS = ("folds",)
    POOLS = ("pools",)
    ANIMALS = ("animals",)
    # What comes later takes the next number; 3 is free.
    POOLS_BY_CHANCE = ("pools-by-chance", 1)
    EXPOSURE = ("exposure", 2)
    LINKAGE = ("linkage", 4)
    LISTENERS = ("listeners", 5)
    ATTACKERS = ("attackers", 6)
    SETS = ("sets", 7)
    SETS_BY_CHANCE = ("sets-by-chance", 8)
    PEOPLE_DRAWN = ("people-drawn", 9)
    ATTRIBUTES = ("attributes", 10)
    ATTRIBUTES_BY_CHANCE = ("attributes-by-chance", 11)
    COEFFICIENTS = ("coefficients", 12)
    UTILITY = ("utility", 13)
    LISTENING_TEST = ("listening-test", 14)
    LISTENERS_DRAWN = ("listeners-drawn", 15)
    MADE_UP = ("made-up", 16)
    STANDING_OUT = ("standing-out", 17)
    DESIGN = ("design", 18)
    NAMED_BY_CHANCE = ("named-by-chance", 19)
    MODELS = ("models", 20)
    CALIBRATIONS = ("calibrations", 21)


def generator(seed: int, purpose: Purpose, *part: int) -> np.random.Generator:
    """Random numbers for this purpose, the same for the same seed.

    Parts (the number of a fold or of a figure, at least 0) have streams of their own. Streams of different
    purposes or parts do not depend on each other. Ref: O'Neill 2014 and NumPy's SeedSequence, spawn keys.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*purpose.key, *part)))
