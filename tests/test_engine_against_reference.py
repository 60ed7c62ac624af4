"""The engine against the reference model: legal actions, whole state and scores after every action.

`--long` plays 20,000 random games per preset and number of players instead of 300, and more of all else.
Random games come in batches, so that the workers of `pytest -n 2` share them.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.reference.board import Options, read_presets
from tests.reference.compare import compare_game, compare_late_game, compare_scores
from tests.reference.policies import POLICIES
from tests.reference.variants import random_options, write_random_board

BATCH = 50
GAMES, LONG_GAMES = 300, 20_000
GAMES_PER_POLICY, LONG_GAMES_PER_POLICY = 3, 250
LATE_GAMES, LONG_LATE_GAMES = 4, 250
SCORES, LONG_SCORES = 15, 1000
VARIANTS, LONG_VARIANTS = 150, 20_000

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
            test_scores_of_dense_networks: LONG_VARIANTS if long else VARIANTS,
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


def test_scores_of_built_networks(table: tuple[str, int], long: bool) -> None:
    """Longest paths with many loops, and stations with much to borrow."""
    preset, players = table
    for seed in range(LONG_SCORES if long else SCORES):
        compare_scores(PRESETS[preset]["board"], preset, players, seed)


def test_random_variants(batch: range, tmp_path: Path) -> None:
    """Random small boards under random options: what no preset has, and decks that run dry."""
    for seed in batch:
        board, players, options = random_variant(seed, tmp_path)
        policy = Random(seed).choice(list(POLICIES))
        compare_game(board, "europe", players, seed, policy, options)
        compare_late_game(board, "europe", players, seed, policy, options)


def test_scores_of_dense_networks(batch: range, tmp_path: Path) -> None:
    for seed in batch:
        board, players, options = random_variant(seed, tmp_path, dense=True)
        compare_scores(board, "europe", players, seed, {**options, "trains_per_player": 45})


def random_variant(seed: int, folder: Path, dense: bool = False) -> tuple[Path, int, Options]:
    """A random board (written to its own folder), a number of players and rule options for it."""
    rng = Random(seed)
    players = rng.randint(2, 3 if dense else 5)
    board = folder / str(seed)
    long_tickets, regular = write_random_board(rng, board, dense)
    return board, players, random_options(rng, players, long_tickets, regular)
