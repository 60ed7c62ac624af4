"""The streams of seeds are those of the contract, computed on arrays."""

import numpy as np

from tests.reference.rng import Stream
from ttr_sim.tournament.seeds import bot_seeds, deal_seeds, mix, stream


def test_streams_are_splitmix64() -> None:
    for seed in (0, 1, 2**63, 2**64 - 1):
        ours = stream(seed, np.arange(300, dtype=np.uint64))
        assert [int(state) for state in ours] == [Stream(seed, k).state for k in range(300)]


def test_known_output() -> None:
    # The first output of SplitMix64 from state 0 (S. Vigna's reference implementation).
    assert int(mix(np.array([0x9E3779B97F4A7C15], np.uint64))[0]) == 0xE220A8397B1DCDAF


def test_deals_and_bots_do_not_share_seeds() -> None:
    numbers = np.arange(10_000)
    seeds = np.concatenate([f(s, numbers) for f in (deal_seeds, bot_seeds) for s in (1, 2)])
    assert len(np.unique(seeds)) == len(seeds)
