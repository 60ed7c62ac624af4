"""The sequential match: which numbers it rests on, and that it is right as often as it promises."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.results.made import rows_of
from tests.tournament import fake
from ttr_sim.bot.specs import BotSpec
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.stats import Sprt
from ttr_sim.tournament import run as running
from ttr_sim.tournament.duel import Duel, DuelTest, make_duel, play_duel
from ttr_sim.tournament.rows import TableRows


def bot(label: str) -> BotSpec:
    return BotSpec(label, fake.BOT_FILE, "random", ())


def duel(opponents: str = "", games: int = 4000, players: int = 2, **options: Any) -> Duel:
    others = [bot(label) for label in opponents.split(",") if label]
    names = bot(options.pop("candidate", "new")), bot(options.pop("baseline", "old"))
    return make_duel(*names, others, [fake.europe()], games=games, players=players, seed=1, **options)


def rows(
    first: int, ranks: list[tuple[int, ...]], bots: list[tuple[int, ...]], forfeits: dict[int, int]
) -> TableRows:
    """Rows of games with these ranks by seat; game i is forfeited by seat forfeits[i], rank 0 is no result."""
    players = len(ranks[0])
    rank = np.array(ranks).reshape(-1)
    games = np.arange(first, first + len(ranks))
    seats = {
        "game": np.repeat(games, players),
        "rank": np.ma.MaskedArray(rank, mask=rank == 0),
        "bot": (np.array(bots).reshape(-1), []),
    }
    seat = np.array([forfeits.get(i, -1) for i in range(len(ranks))])
    table = {
        "players": np.full(len(ranks), players),
        "forfeit_seat": np.ma.MaskedArray(seat, mask=seat < 0),
        "forfeit_reason": (np.where(seat < 0, -1, 0), ["fell over"]),
    }
    return TableRows(first, len(ranks), {"seats": seats, "games": table})


def test_two_bots_that_meet() -> None:
    test = DuelTest(duel(), Sprt())
    assert test.duel.plan.schedule.cycle_games == 2
    #       win as seat 0, win as seat 1   tie, loss              a game without result
    ranks = [(1, 2), (2, 1), (1, 1), (1, 2), (0, 0), (2, 1)]
    test.add(rows(0, ranks, [(0, 1), (1, 0)] * 3, {3: 1}))
    assert not test.enough(6)
    assert test.scores.values == (0, 0.25, 0.5, 0.75, 1)
    assert test.scores.counts == (0, 1, 0, 0, 1)
    assert test.uncounted == 1
    assert test.forfeits == (Counter({"fell over": 1}), Counter())


def test_two_bots_against_others() -> None:
    """The difference of what both make of the same chairs against the same opponents."""
    test = DuelTest(duel("x,y", players=2), Sprt())
    plan = test.duel.plan
    assert [match.bots for match in plan.schedule.matches] == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert (test.duel.paired, test.duel.games_per_block, plan.schedule.cycle_games) == (True, 4, 8)
    bots = [
        bots[rotation:] + bots[:rotation] for bots in [(0, 2), (1, 2), (0, 3), (1, 3)] for rotation in (0, 1)
    ]
    #        new wins both   old wins one       new ties one      old loses both
    ranks = [(1, 2), (2, 1), (1, 2), (1, 2), (1, 1), (1, 2), (2, 1), (1, 2)]
    test.add(rows(0, ranks, bots, {2: 1, 4: 0}))
    test.enough(8)
    new, old = (1 + 1 + 0.5 + 0) / 4, (1 + 0 + 0 + 0) / 4
    assert dict(zip(test.scores.values, test.scores.counts, strict=True))[0.5 + new - old] == 1
    assert test.forfeits == (Counter({"fell over": 1}), Counter())  # one was an opponent's


def test_a_candidate_among_several_of_the_baseline() -> None:
    test = DuelTest(duel(players=3), Sprt())
    assert test.duel.plan.labels == ("new", "old", "old#2")
    test.add(rows(0, [(1, 2, 3), (2, 3, 1), (2, 2, 1)], [(0, 1, 2), (1, 2, 0), (2, 0, 1)], {}))
    test.enough(3)
    (score,) = (x for x, n in zip(test.scores.values, test.scores.counts, strict=True) if n)
    assert score == pytest.approx((1 + 1 + 0.25) / 3)


def synthetic(p: list[float], elo0: float, elo1: float, seed: int, model: Any) -> DuelTest:
    """Play pairs of known chances LL, LD, WL + DD, WD, WW until a decision."""
    test = DuelTest(duel(games=20_000), Sprt(elo0, elo1, model=model))
    outcomes = np.array(
        [[(2, 1), (1, 2)], [(1, 1), (1, 2)], [(1, 2), (1, 2)], [(1, 1), (2, 1)], [(1, 2), (2, 1)]]
    )
    rng, at = np.random.default_rng(seed), 0
    for look in test.looks:
        ranks = outcomes[rng.choice(5, size=(look - at) // 2, p=p)].reshape(-1, 2)
        test.add(rows(at, [tuple(r) for r in ranks.tolist()], [(0, 1), (1, 0)] * ((look - at) // 2), {}))
        at = look
        if test.enough(look):
            break
    return test


@pytest.mark.parametrize("model", ["normalised", "logistic"])
def test_error_rates(model: str) -> None:
    """Two equal bots: Elo 0 is accepted against -150 and against 150, in about 95 of 100 each."""
    equal = [0.1, 0.2, 0.4, 0.2, 0.1]
    found = [
        synthetic(equal, *bounds, seed, model).state.decision == expected
        for seed in range(16)
        for bounds, expected in (((-150.0, 0.0), "H1"), ((0.0, 150.0), "H0"))
    ]
    assert sum(found) >= 27  # of 32
    strong, weak = [0.02, 0.12, 0.38, 0.3, 0.18], [0.18, 0.3, 0.38, 0.12, 0.02]
    assert synthetic(strong, -150, 0, 1, model).state.decision == "H1"
    assert synthetic(weak, -150, 0, 1, model).state.decision == "H0"


@pytest.mark.parametrize("opponents", ["", "x"])
def test_the_decision_does_not_depend_on_the_workers(opponents: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)
    ends = []
    for workers in (1, 3):
        test = DuelTest(duel(opponents, games=3000), Sprt(-60, 60))
        assert play_duel(test, workers, quiet=True)
        ends.append((test.state, test.scores))
        assert test.state.decision != "continue"
    assert ends[0] == ends[1]


def test_the_last_look_is_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)
    test, told = DuelTest(duel(games=41), Sprt(-1, 1)), []
    assert play_duel(test, 1, quiet=True, told=lambda: told.append(test.games))
    assert told == list(range(2, 41, 2))
    assert (test.state.decision, test.scores.blocks) == ("continue", 20)


def test_no_result_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)
    monkeypatch.setattr(DuelTest, "add", lambda self, rows: _without_results(self, rows))
    with pytest.raises(RunFailed, match="no block has a result"):
        play_duel(DuelTest(duel(games=4), Sprt()), 1, quiet=True)


_add = DuelTest.add


def _without_results(test: DuelTest, rows: TableRows) -> None:
    rank = rows.tables["seats"]["rank"]
    rows.tables["seats"]["rank"] = np.ma.MaskedArray(rank, mask=np.ones(len(rank), bool))
    _add(test, rows)


def test_real_rows_count_as_made_ones() -> None:
    test = DuelTest(duel("raiser", games=80), Sprt())
    for first in range(0, 80, 10):
        test.add(rows_of(test.duel.plan, first, 10))
    test.enough(80)
    assert test.scores.blocks == 20
    assert 0 < sum(forfeits.total() for forfeits in test.forfeits) < 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "--max-games must be at least 1, not 0"),
        ({"games": 1}, "--max-games must be at least the 2 games of a block, not 1"),
        ({"players": 6}, "are for 2 to 5 players, not 6"),
        ({"players": 1}, "are for 2 to 5 players, not 1"),
        ({"players": 4, "opponents": "x,y"}, "--opponents names 2 of the 3 others of a game"),
    ],
)
def test_what_cannot_be_played(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TtrError, match=message):
        duel(**options)
