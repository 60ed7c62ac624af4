"""The leaderboard's numbers, computed again in the plainest way."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.results.made import make_run
from tests.tournament import fake
from ttr_sim.errors import TtrError
from ttr_sim.results.leaderboard import make_leaderboard
from ttr_sim.results.reader import open_run


def by_game(run: Path) -> list[list[dict[str, Any]]]:
    seats = open_run(run).seats().collect().to_dicts()
    games: dict[int, list[dict[str, Any]]] = {}
    for seat in seats:
        games.setdefault(seat["game"], []).append(seat)
    return list(games.values())


@pytest.mark.parametrize(("bots", "players"), [("a,raiser,c", 2), ("a,b,raiser", 3)])
def test_numbers(tmp_path: Path, bots: str, players: int) -> None:
    path = make_run(tmp_path / "run", fake.plan(bots, games=120, players=players))
    board = make_leaderboard([open_run(path)])
    assert (board.games, board.blocks, board.connected) == (120, 120 // players, True)
    for standing in board.standings:
        firsts, scores, margins, wins, ties = [], [], [], 0, 0
        for game in by_game(path):
            own = [seat for seat in game if seat["bot"] == standing.bot]
            if not own:
                continue
            leaders = [seat for seat in game if seat["rank"] == 1]
            firsts.append(1 / len(leaders) if own[0]["rank"] == 1 else 0)
            wins += own[0]["rank"] == 1 and len(leaders) == 1
            ties += own[0]["rank"] == 1 and len(leaders) > 1
            if own[0]["score"] is not None:
                scores.append(own[0]["score"])
                margins.append(own[0]["score"] - max(s["score"] for s in game if s is not own[0]))
        assert standing.games == len(firsts)
        assert (standing.wins, standing.ties) == (wins, ties)
        assert standing.win_rate.mean == pytest.approx(mean(firsts))
        assert standing.score is not None and standing.score.mean == pytest.approx(mean(scores))
        assert standing.margin is not None and standing.margin.mean == pytest.approx(mean(margins))
        assert standing.elo_low < standing.elo < standing.elo_high
        assert standing.decision_ms is not None and standing.decision_ms > 0
    assert [s.elo for s in board.standings] == sorted((s.elo for s in board.standings), reverse=True)
    assert sum(s.forfeits for s in board.standings) == sum(n for *_, n in board.forfeits) > 0
    assert {reason for _, reason, _ in board.forfeits} == {"ValueError: as planned"}


def test_runs_together(tmp_path: Path) -> None:
    first = make_run(tmp_path / "1", fake.plan("a,b", games=60))
    second = make_run(tmp_path / "2", fake.plan("b,c", games=40, seed=2))
    both = make_leaderboard([open_run(first), open_run(second)], anchor="b")
    games = {s.bot: s.games for s in both.standings}
    assert games == {"a": 60, "b": 100, "c": 40}
    assert next(s.elo for s in both.standings if s.bot == "b") == 0
    apart = make_leaderboard(
        [open_run(first), open_run(make_run(tmp_path / "3", fake.plan("c,d", games=20)))]
    )
    assert not apart.connected
    with pytest.raises(TtrError, match="--anchor: unknown bot 'z'"):
        make_leaderboard([open_run(first)], anchor="z")


def test_one_label_for_different_bots(tmp_path: Path) -> None:
    first = make_run(tmp_path / "1", fake.plan("a,b", games=20))
    second = make_run(tmp_path / "2", fake.plan("a,b", games=20))
    info = (second / "run.json").read_text()
    start = info.index('"sha256": "', info.index('"label": "b"')) + len('"sha256": "')
    (second / "run.json").write_text(info[:start] + "0123456" + info[start + 7 :])
    bots = {s.bot for s in make_leaderboard([open_run(first), open_run(second)]).standings}
    assert len(bots) == 3 and "a" in bots and "b@0123456" in bots


def test_games_without_a_result_are_left_out(tmp_path: Path) -> None:
    path = make_run(tmp_path / "run", fake.plan(games=20))
    board = make_leaderboard([open_run(path)])
    assert board.uncounted == 0
