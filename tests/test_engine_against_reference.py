"""The engine against the reference model: legal actions, whole state and scores after every action.

`--long` plays 20,000 random games per preset and number of players; so many, in batches, that
`pytest -n 2` shares them between its workers.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.reference.board import read_presets
from tests.reference.compare import compare_game, compare_late_game
from tests.reference.policies import POLICIES
from tests.reference.variants import random_options, write_random_board

BATCH = 50
GAMES, LONG_GAMES = 300, 20_000
GAMES_PER_POLICY, LONG_GAMES_PER_POLICY = 4, 250
LATE_GAMES, LONG_LATE_GAMES = 8, 500
VARIANTS, LONG_VARIANTS = 500, 20_000

PRESETS = read_presets()
TABLES = [
    (preset, players)
    for preset, options in PRESETS.items()
    for players in range(options["players"][0], options["players"][1] + 1)
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    long = metafunc.config.getoption("--long")
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}p")
    if "batch" in metafunc.fixturenames:
        games = {
            test_random_games: LONG_GAMES if long else GAMES,
            test_random_variants: LONG_VARIANTS if long else VARIANTS,
        }[metafunc.function]
        metafunc.parametrize("batch", [range(first, first + BATCH) for first in range(0, games, BATCH)])
    if "policy" in metafunc.fixturenames:
        metafunc.parametrize("policy", [policy for policy in POLICIES if policy != "uniform"])


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--long"))


def test_random_games(table: tuple[str, int], batch: range) -> None:
    preset, players = table
    for seed in batch:
        compare_game(PRESETS[preset]["board"], preset, players, seed, "uniform")


def test_games_driven_into_rare_cases(table: tuple[str, int], policy: str, long: bool) -> None:
    preset, players = table
    for seed in range(LONG_GAMES_PER_POLICY if long else GAMES_PER_POLICY):
        compare_game(PRESETS[preset]["board"], preset, players, 2**64 - 1 - seed, policy)


def test_late_games(table: tuple[str, int], long: bool) -> None:
    """From built positions near the end of cards, tickets and trains."""
    preset, players = table
    for seed in range(LONG_LATE_GAMES if long else LATE_GAMES):
        for policy in POLICIES:
            compare_late_game(PRESETS[preset]["board"], preset, players, seed, policy)


def test_random_variants(batch: range, tmp_path: Path) -> None:
    """Random small boards under random options: what no preset has, and decks that run dry."""
    for seed in batch:
        rng = Random(seed)
        players = rng.randint(2, 5)
        folder = tmp_path / str(seed)
        long, regular = write_random_board(rng, folder)
        options = random_options(rng, players, long, regular)
        compare_game(folder, "europe", players, seed, rng.choice(list(POLICIES)), options)
