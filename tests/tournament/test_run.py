"""A run gives the same tables whatever happens while it is played."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.tournament import fake
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results.reader import open_run
from ttr_sim.tournament import pool
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.session import Session, new_session, resumed_session

ROOT = Path(__file__).parents[2]


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of everything that must be equal from run to run."""
    files = [*folder.glob("games/*"), *folder.glob("seats/*")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(files)}


def play(folder: Path, plan: Plan, workers: int = 2, **options: Any) -> dict[str, bytes]:
    session = new_session(folder, plan, part_games=30)
    assert session.play(workers=workers, quiet=True, opener=fake.open_fake, **options)
    return tables(folder)


@contextmanager
def killing(every: float) -> Iterator[list[int]]:
    """Kill workers of this process at random until left."""
    done, killed, rng = threading.Event(), [], random.Random(3)

    def hunt() -> None:
        while not done.wait(every):
            children = [int(pid) for pid in _children_of_forkserver()]
            for pid in rng.sample(children, min(len(children), rng.randint(1, 2))):
                with_signal(pid)
                killed.append(pid)

    hunter = threading.Thread(target=hunt)
    hunter.start()
    try:
        yield killed
    finally:
        done.set()
        hunter.join()


def with_signal(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _children_of_forkserver() -> list[str]:
    from multiprocessing import forkserver

    server = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    listed = Path(f"/proc/{server}/task/{server}/children")
    return listed.read_text().split() if server and listed.exists() else []


def test_any_number_of_workers(tmp_path: Path) -> None:
    plan = fake.plan("a,raiser,c", games=100)
    first = play(tmp_path / "1", plan, 1)
    assert sorted(first) == [f"{t}/part-0000{n}.parquet" for t in ("games", "seats") for n in range(4)]
    assert play(tmp_path / "2", plan, 2) == first
    assert play(tmp_path / "3", plan, 3) == first


def test_workers_where_there_is_no_fork_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: every worker starts fresh."""
    forked = play(tmp_path / "forked", fake.plan("a,raiser,c", games=100))
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert pool.process_context().get_start_method() == "spawn"
    assert play(tmp_path / "spawned", fake.plan("a,raiser,c", games=100)) == forked


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the workers in /proc")
def test_workers_killed_at_any_moment(tmp_path: Path) -> None:
    plan = fake.plan("a,sleeper", games=60)
    first = play(tmp_path / "calm", plan)
    with killing(every=0.4) as killed:
        assert play(tmp_path / "killed", plan) == first
    assert killed
    assert "was killed (signal 9) while playing" in (tmp_path / "killed" / "run.log").read_text()


def test_a_game_that_kills_its_worker_is_recorded(tmp_path: Path) -> None:
    plan = fake.plan("a,killer", games=30)
    first = play(tmp_path / "1", plan, 1)
    assert play(tmp_path / "2", plan, 2) == first
    games = open_run(tmp_path / "1").games().collect()
    deadly = [game.number for game in plan.schedule if game.seed % 7 == 0]
    assert deadly
    assert games.filter(games["end"] == "worker_died")["game"].to_list() == deadly
    assert set(games["forfeit_reason"].drop_nulls()) == {
        "the worker process was killed (signal 9) every time"
    }


def test_run_log_and_info(tmp_path: Path) -> None:
    plan = fake.plan("a,raiser", games=40)
    play(tmp_path / "run", plan)
    log = (tmp_path / "run" / "run.log").read_text()
    assert "INFO worker-" in log
    assert "ttr_sim.printed: a bot prints" in log
    games = open_run(tmp_path / "run").games().collect().filter(pl.col("end") == "forfeit")
    assert log.count(" forfeits: ValueError: as planned") == games.height > 0
    info = open_run(tmp_path / "run").info
    assert (info["status"], info["games"], info["games_played"]) == ("finished", 40, 40)
    assert info["timings"][0]["games"] == 40
    assert [bot["label"] for bot in info["config"]["bots"]] == ["a", "raiser"]
    assert not list((tmp_path / "run").rglob("*.tmp"))


def stop_after(games: int, session: Session) -> None:
    """Play until so many games are there, then stop as Ctrl-C does."""
    seen = 0

    def count(first: int, played: Any) -> None:
        nonlocal seen
        if seen < games <= seen + len(played):
            os.kill(os.getpid(), signal.SIGINT)
        seen += len(played)

    assert not session.play(workers=2, quiet=True, opener=fake.open_fake, progress=count)


def test_stop_and_resume(tmp_path: Path) -> None:
    plan = fake.plan("a,sleeper", games=80)
    undisturbed = play(tmp_path / "whole", plan)
    folder = tmp_path / "stopped"
    stop_after(10, new_session(folder, plan, part_games=30))
    run = open_run(folder)
    kept = run.games().collect().height
    assert 10 <= kept < 80
    assert run.seats().collect().height == 2 * kept
    assert (run.info["status"], run.info["games_played"]) == ("interrupted", kept)
    stop_after(20, resumed_session(folder))
    session = resumed_session(folder)
    played: list[int] = []
    assert session.kept >= kept + 20
    before = session.kept
    assert session.play(
        workers=1, quiet=True, opener=fake.open_fake, progress=lambda first, games: played.append(len(games))
    )
    assert sum(played) == 80 - before
    assert tables(folder) == undisturbed
    assert len(open_run(folder).info["timings"]) == 3


def test_resume_refuses_another_configuration(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    play(folder, fake.plan(games=10))
    info = (folder / "run.json").read_text()
    (folder / "run.json").write_text(info.replace('"trains_per_player": 45', '"trains_per_player": 44'))
    with pytest.raises(TtrError, match=r"rules_sha256 is .* now and was .*; start another run"):
        resumed_session(folder)
    (folder / "run.json").write_text(info.replace("sources ", "sources 0"))
    with pytest.raises(TtrError, match=r"engine is ttr-sim .* now and was"):
        resumed_session(folder)


PARENT = """
import sys
from pathlib import Path
from tests.tournament import fake
from ttr_sim.tournament.session import new_session
session = new_session(Path(sys.argv[1]), fake.plan("a,sleeper", games=160), part_games=30)
session._writer._flush_seconds = 0.1
print("begun", flush=True)
done = session.play(workers=2, quiet=True, opener=fake.open_fake)
print("done" if done else "stopped", flush=True)
"""


def start_parent(folder: Path) -> subprocess.Popen[str]:
    """Start a run in another process and wait until some games are kept."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while not list(folder.glob("games/part-00001.parquet")):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.05)
    return process


def test_ctrl_c_stops_within_two_seconds(tmp_path: Path) -> None:
    process = start_parent(tmp_path / "run")
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert time.monotonic() - begun < 4  # two on a quiet machine; tests share theirs
    assert output.split() == ["begun", "stopped"]
    run = open_run(tmp_path / "run")
    assert run.info["games_played"] == run.games().collect().height > 30


def test_a_killed_parent_leaves_a_readable_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start_parent(folder)
    process.kill()
    process.communicate()
    run = open_run(folder)
    kept = run.games().collect().height
    assert run.info["status"] == "running"
    assert run.seats().collect().height == 2 * kept
    session = resumed_session(folder)
    assert session.kept == kept > 0
    assert session.play(workers=2, quiet=True, opener=fake.open_fake)
    assert tables(folder) == play(tmp_path / "whole", fake.plan("a,sleeper", games=160))


def test_a_full_disk_is_one_line_and_keeps_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ttr_sim.results import folder as folders

    real, written = os.fsync, 0

    def full(descriptor: int) -> None:
        nonlocal written
        written += 1
        if 10 < written < 16:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(folders.os, "fsync", full)
    plan, folder = fake.plan(games=100), tmp_path / "run"
    with pytest.raises(RunFailed, match="cannot be written: No space left on device"):
        play(folder, plan)
    written = 100
    assert open_run(folder).games().collect().height == 30
    assert not list(folder.rglob("*.tmp"))
    session = resumed_session(folder)
    assert session.play(workers=2, quiet=True, opener=fake.open_fake)
    assert tables(folder) == play(tmp_path / "whole", plan)


def test_workers_of_a_failed_run_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crews: list[pool.Crew] = []
    real = pool.Crew.__enter__

    def remember(crew: pool.Crew) -> pool.Crew:
        crews.append(crew)
        return real(crew)

    monkeypatch.setattr(pool.Crew, "__enter__", remember)

    def fail(first: int, games: Any) -> None:
        raise RunFailed("as planned")

    with pytest.raises(RunFailed, match="as planned"):
        play(tmp_path / "run", fake.plan(games=100), progress=fail)
    assert crews[0].pids == []
