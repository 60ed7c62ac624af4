"""SplitMix64 streams on arrays: every seed of a tournament comes from the seed of the run."""

import numpy as np
from numpy.typing import NDArray

Seeds = NDArray[np.uint64]

GOLD = np.uint64(0x9E3779B97F4A7C15)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)

MAX_SEED = 2**64 - 1
_DEALS, _BOTS = 1, 2


def mix(z: Seeds) -> Seeds:
    """Return SplitMix64's output function of an array of 64-bit words."""
    z = (z ^ (z >> _S30)) * _A
    z = (z ^ (z >> _S27)) * _B
    return z ^ (z >> _S31)


def stream(seed: int, k: Seeds) -> Seeds:
    """Return the initial states mix(mix(seed + GOLD) + k * GOLD) of the streams k of a seed."""
    root = mix(np.array([seed], np.uint64) + GOLD)
    return mix(root + k * GOLD)


def deal_seeds(run_seed: int, cycle: NDArray[np.int64]) -> Seeds:
    """Return the seed of the deal of each cycle; every line-up and every rotation of a cycle plays it."""
    return stream(_root(run_seed, _DEALS), cycle.astype(np.uint64))


def bot_seeds(run_seed: int, number: NDArray[np.int64]) -> Seeds:
    """Return the seed of the bots of each game, independent of the deals."""
    return stream(_root(run_seed, _BOTS), number.astype(np.uint64))


def _root(run_seed: int, k: int) -> int:
    return int(stream(run_seed, np.array([k], np.uint64))[0])
