"""`--until-error`: a run ends when its intervals are narrow, at the same game whatever happens meanwhile."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.tournament import fake
from tests.tournament.test_run import tables
from ttr_sim.errors import TtrError
from ttr_sim.results.leaderboard import make_leaderboard
from ttr_sim.results.reader import open_run
from ttr_sim.tournament.session import Session, new_session, resumed_session

PLAN = fake.plan("a,b,raiser", games=1200)


def play(session: Session, workers: int, **options: Any) -> bool:
    return session.play(workers=workers, quiet=True, opener=fake.open_fake, **options)


def start(folder: Path, elo: float = 40.0) -> Session:
    return new_session(folder, PLAN, part_games=150, until_error=elo)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by one worker that ended early."""
    folder = tmp_path_factory.mktemp("ended") / "run"
    assert play(start(folder), 1)
    return folder


def widest(folder: Path) -> float:
    standings = make_leaderboard([open_run(folder)]).standings
    return max((s.elo_high - s.elo_low) / 2 for s in standings)


def test_it_ends_when_the_leaderboard_is_sure_enough(ended: Path) -> None:
    info = open_run(ended).info
    assert info["status"] == "finished"
    assert 120 < info["games"] < 1200 and info["games"] % 6 == 0
    assert info["games"] == info["games_played"] == open_run(ended).games().collect().height
    assert info["stopped"] == {
        "by": "until_error",
        "error": pytest.approx(widest(ended), abs=0.01),
        "limit": 1200,
    }
    assert info["stopped"]["error"] <= 40


def test_the_tables_are_those_of_a_run_of_so_many_games(ended: Path, tmp_path: Path) -> None:
    plan = fake.plan("a,b,raiser", games=open_run(ended).info["games"])
    assert play(new_session(tmp_path / "run", plan, part_games=150), 1)
    assert tables(tmp_path / "run") == tables(ended)


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers(ended: Path, tmp_path: Path, workers: int) -> None:
    assert play(start(tmp_path / "run"), workers)
    assert tables(tmp_path / "run") == tables(ended)


def test_stopped_and_gone_on_with(ended: Path, tmp_path: Path) -> None:
    folder, parts = tmp_path / "run", 0
    session = start(folder)
    while True:
        seen = 0

        def stop(first: int, played: Any) -> None:
            nonlocal seen
            if seen < 30 <= seen + len(played):
                os.kill(os.getpid(), signal.SIGINT)
            seen += len(played)

        parts += 1
        if play(session, 2, progress=stop):
            break
        kept = open_run(folder).games().collect()["game"].to_list()
        assert kept == list(range(len(kept)))
        session = resumed_session(folder)
    assert parts > 1
    assert tables(folder) == tables(ended)


def test_killed_between_the_last_game_and_the_end(ended: Path, tmp_path: Path) -> None:
    """The games are all there, but run.json does not say yet that the run is over."""
    import shutil

    folder = tmp_path / "run"
    shutil.copytree(ended, folder)
    info = (folder / "run.json").read_text()
    games = open_run(ended).info["games"]
    info = info.replace(f'"games": {games},\n  "games_played"', '"games": 1200,\n  "games_played"')
    (folder / "run.json").write_text(info.replace('"finished"', '"running"'))
    session = resumed_session(folder)
    assert play(session, 1)
    assert tables(folder) == tables(ended)
    assert open_run(folder).info["games"] == games


def test_the_limit_comes_first(tmp_path: Path) -> None:
    session = start(tmp_path / "run", 0.5)
    assert play(session, 2)
    assert session.rule is not None and not session.rule.reached
    assert session.rule.error == pytest.approx(widest(tmp_path / "run"), abs=0.01)
    info = open_run(tmp_path / "run").info
    assert (info["games"], info["status"], "stopped" in info) == (1200, "finished", False)


@pytest.mark.parametrize("elo", [0.0, -3.0, float("nan"), float("inf")])
def test_impossible_errors(tmp_path: Path, elo: float) -> None:
    with pytest.raises(TtrError, match="--until-error must be a number of Elo above 0"):
        start(tmp_path / "run", elo)
