"""Bots that forfeit too often are withdrawn, at the same game whatever the workers and interruptions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from tests.faults.runs import FAULTY, games, play, seats, tables
from tests.tournament import fake
from tests.tournament.test_run import stop_after
from ttr_sim.cli.main import main
from ttr_sim.tournament.limits import Limits
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.session import new_session, resumed_session


def plan(labels: str, most: int, number: int = 120) -> Plan:
    return replace(fake.plan(labels, games=number), limits=Limits(max_forfeits=most))


def played(folder: Path, what: Plan, workers: int) -> dict[str, bytes]:
    assert new_session(folder, what, part_games=30).play(workers=workers, quiet=True, opener=fake.open_fake)
    return tables(folder)


def test_the_same_tables_with_any_number_of_workers(tmp_path: Path) -> None:
    what = plan("a,raiser,c", 2)
    first = played(tmp_path / "1", what, 1)
    assert played(tmp_path / "2", what, 2) == first
    assert played(tmp_path / "3", what, 3) == first
    table, by_seat = games(tmp_path / "1"), seats(tmp_path / "1")
    lost = table.rename({"forfeit_seat": "seat"}).drop_nulls("seat").join(by_seat, on=("game", "seat"))
    for bot, own in lost.group_by("bot"):
        mine = by_seat.filter(pl.col("bot") == bot[0])["game"]
        after = table.filter(pl.col("game").is_in(mine.implode())).filter(pl.col("game") > own["game"].max())
        if len(own) == 3:
            assert set(after["end"]) <= {"not_played"}
            assert after["decisions"].null_count() == len(after)
            assert after["winners"].list.len().sum() == 0
    assert len(lost) and (table["end"] == "not_played").any()
    log = (tmp_path / "1" / "run.log").read_text()
    assert "is withdrawn after game" in log and "3 forfeits, --max-forfeits allows 2" in log


def test_after_an_interruption(tmp_path: Path) -> None:
    what = plan("a,raiser,sleeper", 3)
    whole = played(tmp_path / "whole", what, 2)
    stop_after(20, new_session(tmp_path / "stopped", what, part_games=30))
    session = resumed_session(tmp_path / "stopped")
    assert 0 < session.kept < what.schedule.games
    assert session.play(workers=3, quiet=True, opener=fake.open_fake)
    assert tables(tmp_path / "stopped") == whole


def test_on_the_command_line(tmp_path: Path, capsys: object) -> None:
    bots = f"random,{FAULTY}:Faulty:how=raise:rate=0.2,greedy"
    out = play(tmp_path / "run", bots, "--games", 60, "--max-forfeits", 4)
    ends = games(out)["end"].to_list()
    assert (ends.count("forfeit"), ends.count("not_played")) == (5, 60 - 20 - 5)
    text = capsys.readouterr().out  # type: ignore[attr-defined]
    assert "note: 35 games were not played: a bot had been withdrawn for its forfeits" in text
    assert main(["verify", str(out)]) == 0
    assert main(["report", str(out), "--format", "md"]) == 0
    assert "nan" not in capsys.readouterr().out.lower()  # type: ignore[attr-defined]
