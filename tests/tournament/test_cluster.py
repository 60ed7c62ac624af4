"""A run on a Dask cluster gives the tables of a local run, whatever happens to its workers."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.tournament import fake
from tests.tournament.test_luggage import write_bot
from tests.tournament.test_run import tables
from ttr_sim.bot.forfeit import took_longer
from ttr_sim.bot.specs import parse_spec
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results.reader import open_run
from ttr_sim.tournament import pool
from ttr_sim.tournament.ask import ask_executor
from ttr_sim.tournament.limits import Limits
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.session import Session, new_session, resumed_session

distributed = pytest.importorskip("distributed")

ROOT = Path(__file__).parents[2]


@dataclass
class Processes:
    """A scheduler and its workers, each a process as a user starts them."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def hire(self) -> None:
        self.workers.append(dask("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"))

    def end(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def dask(what: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler with two workers that have no nanny: what is killed stays away."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    words = ("--scheduler-file", str(file), "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    scheduler = dask("scheduler", *words)
    until = time.monotonic() + 60
    while not file.is_file() or not file.stat().st_size:
        assert time.monotonic() < until and scheduler.poll() is None
        time.sleep(0.05)
    import json

    processes = Processes(json.loads(file.read_text())["address"], scheduler, [])
    processes.hire()
    processes.hire()
    try:
        with distributed.Client(processes.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield processes
    finally:
        processes.end()


def session_of(folder: Path, plan: Plan) -> Session:
    return new_session(folder, plan, part_games=30)


def played_here(folder: Path, plan: Plan) -> dict[str, bytes]:
    assert session_of(folder, plan).play(workers=2, quiet=True, opener=fake.open_fake)
    return tables(folder)


def test_a_worker_killed_in_the_middle(cluster: Processes, tmp_path: Path) -> None:
    plan = fake.plan("a,sleeper", games=50)
    there: list[int] = []

    def kill_one(first: int, games: Any) -> None:
        there.append(len(games))
        if len(there) == 2:
            cluster.workers[0].kill()

    with ask_executor(None, cluster.address) as (hire, workers):
        assert workers == 2
        session = session_of(tmp_path / "there", plan)
        assert session.play(workers=2, quiet=True, opener=fake.open_fake, hire=hire, progress=kill_one)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert sum(there) == 50
    assert tables(tmp_path / "there") == played_here(tmp_path / "here", plan)
    cluster.workers.pop(0)
    cluster.hire()


def test_a_game_that_kills_its_process_is_recorded_as_in_a_local_run(
    cluster: Processes, tmp_path: Path
) -> None:
    plan = fake.plan("a,killer,raiser", games=24)
    with ask_executor(None, cluster.address) as (hire, workers):
        session = session_of(tmp_path / "there", plan)
        assert session.play(workers=workers, quiet=True, opener=fake.open_fake, hire=hire)
    assert tables(tmp_path / "there") == played_here(tmp_path / "here", plan)
    log = (tmp_path / "there" / "run.log").read_text()
    assert "was killed (signal 9) while playing" in log
    assert re.search(r"tcp://\S+ worker-\d+ ttr_sim.printed: a bot prints", log)
    assert cluster.workers[0].poll() is None  # it was the process of the bot that died


def test_stop_and_go_on_elsewhere(cluster: Processes, tmp_path: Path) -> None:
    plan = fake.plan("a,sleeper", games=60)
    folder = tmp_path / "there"

    def stop(first: int, games: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with ask_executor(None, cluster.address) as (hire, workers):
        session = session_of(folder, plan)
        begun = time.monotonic()
        with contextlib.suppress(KeyboardInterrupt):  # of a second batch in the same moment
            assert not session.play(
                workers=workers, quiet=True, opener=fake.open_fake, hire=hire, progress=stop
            )
        assert time.monotonic() - begun < 20
    session = resumed_session(folder)
    assert 0 < session.kept < 60
    assert session.play(workers=2, quiet=True, opener=fake.open_fake)
    assert tables(folder) == played_here(tmp_path / "here", plan)


def test_bots_given_as_files_travel(cluster: Processes, tmp_path: Path) -> None:
    bots = (parse_spec(str(write_bot(tmp_path / "home"))), parse_spec("random"))
    plan = replace(fake.plan("a,b", games=4), bots=bots, labels=("packed", "random"))
    assert session_of(tmp_path / "here", plan).play(workers=1, quiet=True)

    with ask_executor(None, cluster.address) as (hire, workers):
        assert hire is not None

        @contextlib.contextmanager
        def hire_and_hide(*args: Any) -> Iterator[Any]:
            with hire(*args) as crew:
                shutil.move(tmp_path / "home", tmp_path / "away")
                yield crew

        session = session_of(tmp_path / "there", plan)
        assert session.play(workers=workers, quiet=True, hire=hire_and_hide)
    assert tables(tmp_path / "there") == tables(tmp_path / "here")


HANGS = """
from ttr_sim.bot import Bot

class Hangs(Bot):
    def choose(self, view):
        while self.rng.random() < 0.02:
            self.rng.seed(3)  # and so on for ever
            while True:
                pass
        return view.legal[0]
"""


def test_a_bot_that_hangs_forfeits_as_in_a_local_run(cluster: Processes, tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    bots = (parse_spec(str(tmp_path / "hangs.py")), parse_spec("random"))
    plan = replace(fake.plan("a,b", games=6), bots=bots, labels=("hangs", "random"))
    plan = replace(plan, limits=Limits(time_per_decision=0.2))
    with ask_executor(None, cluster.address) as (hire, workers):
        assert session_of(tmp_path / "there", plan).play(workers=workers, quiet=True, hire=hire)
    assert session_of(tmp_path / "here", plan).play(workers=2, quiet=True)
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    reasons = set(open_run(tmp_path / "there").games().collect()["forfeit_reason"].drop_nulls())
    assert reasons == {took_longer(0.2)}


def test_another_version_on_a_worker_is_named(
    cluster: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ttr_sim.tournament import describe

    session = session_of(tmp_path / "run", fake.plan(games=4))
    monkeypatch.setattr(describe, "engine_digest", lambda: "ttr-sim 9.9, sources abc")
    with (
        ask_executor(None, cluster.address) as (hire, workers),
        pytest.raises(RunFailed, match=r"cannot play: .*must have the same as here: ttr-sim 9.9"),
    ):
        session.play(workers=workers, quiet=True, opener=fake.open_fake, hire=hire)


def test_a_cluster_of_this_machine(tmp_path: Path) -> None:
    """Its nannies start a killed worker again."""
    plan = fake.plan("a,sleeper", games=20)
    killed: list[int] = []

    def kill_all(first: int, games: Any) -> None:
        if not killed:
            for process in pool.multiprocessing.active_children():
                killed.append(process.pid or 0)
                process.kill()

    with ask_executor(None, "local:1") as (hire, workers):
        assert workers == 1
        session = session_of(tmp_path / "there", plan)
        assert session.play(workers=1, quiet=True, opener=fake.open_fake, hire=hire, progress=kill_all)
    assert killed
    assert tables(tmp_path / "there") == played_here(tmp_path / "here", plan)


def test_the_scheduler_ends(tmp_path: Path, cluster: Processes) -> None:
    def end(first: int, games: Any) -> None:
        cluster.end()

    session = session_of(tmp_path / "run", fake.plan("a,sleeper", games=60))
    with ask_executor(None, cluster.address) as (hire, workers), pytest.raises(RunFailed, match="is gone"):
        session.play(workers=workers, quiet=True, opener=fake.open_fake, hire=hire, progress=end)
    assert 0 < resumed_session(tmp_path / "run").kept < 60


@pytest.mark.parametrize(
    ("scheduler", "kind", "message"),
    [
        ("local:0", TtrError, "N must be from 1 to 1024, not '0'"),
        ("local:many", TtrError, "N must be from 1 to 1024, not 'many'"),
        ("somewhere", TtrError, "must be tcp://HOST:PORT or local:N, not 'somewhere'"),
        ("tcp://127.0.0.1:1", RunFailed, "no scheduler answers there"),
    ],
)
def test_bad_schedulers(
    scheduler: str, kind: type[TtrError], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ttr_sim.tournament import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(kind, match=message) as caught, ask_executor(None, scheduler):
        pass
    assert "\n" not in str(caught.value)
    with (
        pytest.raises(TtrError, match="--workers cannot be given with --scheduler"),
        ask_executor(2, scheduler),
    ):
        pass


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TtrError, match=r"pip install 'ttr-sim\[cluster\]'"), ask_executor(None, "local:1"):
        pass
