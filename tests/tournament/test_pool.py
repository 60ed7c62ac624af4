"""A crew survives whatever its workers do."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time

import pytest

from tests.tournament.work import Job, cannot_start, dies_at_once, start
from ttr_sim.bot.printed import LOGGED
from ttr_sim.errors import RunFailed
from ttr_sim.tournament.pool import PRELOAD, Crew, Died, Done, Event, Said


def crew_of(size: int, *args: int) -> Crew:
    # The fork server is shared by all tests of a process: it preloads what the others need too.
    return Crew(size, start, args, PRELOAD)


def run_all(crew: Crew, jobs: list[Job]) -> list[Event]:
    events: list[Event] = []
    jobs = jobs[::-1]
    while jobs or crew.busy:
        while jobs and crew.room:
            crew.give(jobs.pop())
        for event in crew.events(5):
            events.append(event)
            jobs += event.jobs if isinstance(event, Died) and not event.began else ()
    return events


def test_results_belong_to_their_jobs() -> None:
    with crew_of(2, 100) as crew:
        events = run_all(crew, [("echo", n) for n in range(50)])
    done = [event for event in events if isinstance(event, Done)]
    assert sorted((event.job[1], event.result) for event in done) == [(n, n + 100) for n in range(50)]
    assert {event.worker for event in done} <= {0, 1}


@pytest.mark.parametrize(
    ("job", "code"), [(("kill", 5), -signal.SIGKILL), (("exit", 3), 3), (("exit", 0), 0)]
)
def test_a_dead_worker_gives_its_jobs_back(job: Job, code: int) -> None:
    with crew_of(1) as crew:
        crew.give(job)
        crew.give(("echo", 1))
        events: list[Event] = []
        while not events:
            events += crew.events(5)
        (death,) = events
        assert isinstance(death, Died)
        assert (death.jobs, death.began, death.exitcode, death.note[0]) == (
            (job, ("echo", 1)),
            True,
            code,
            job[1],
        )
        again = run_all(crew, [("echo", 1)])
    assert [event.result for event in again if isinstance(event, Done)] == [1]


def test_workers_killed_at_any_moment() -> None:
    rng, done, jobs, deaths = random.Random(1), [], [("large", 200_000 + n) for n in range(300)], 0
    killed = time.monotonic()
    with crew_of(2) as crew:
        while len(done) < 300:
            while jobs and crew.room:
                crew.give(jobs.pop())
            for event in crew.events(5):
                if isinstance(event, Done):
                    done.append(len(event.result))
                elif isinstance(event, Died):
                    jobs += event.jobs
                    deaths += 1
            if time.monotonic() - killed > 0.05:
                for pid in rng.sample(crew.pids, rng.randint(1, 2)):
                    with contextlib.suppress(ProcessLookupError):  # it may be dead and not buried yet
                        os.kill(pid, signal.SIGKILL)
                killed = time.monotonic()
    assert sorted(done) == [200_000 + n for n in range(300)]


def test_log_records_and_prints_reach_the_parent(capfd: pytest.CaptureFixture[str]) -> None:
    with crew_of(1) as crew:
        events = run_all(crew, [("log", 7), ("print", 5), ("print", 3 * LOGGED), ("print", 2)])
    said = [event.record for event in events if isinstance(event, Said)]
    assert [(r.name, r.getMessage()) for r in said[:2]] == [
        ("a.bot", "number 7"),
        ("ttr_sim.printed", "xxxxx"),
    ]
    assert said[0].processName == "worker-1"
    assert [len(r.getMessage()) for r in said[2:]] == [LOGGED + len(" [...]"), 2]
    assert capfd.readouterr() == ("", "")


def test_workers_are_light() -> None:
    with crew_of(1) as crew:
        (done,) = run_all(crew, [("modules", 0)])
    assert isinstance(done, Done)
    assert "numba" in done.result
    assert not {"polars", "pyarrow", "click", "tqdm", "pytest"} & set(done.result)


def test_an_error_of_the_work_itself_ends_the_run() -> None:
    with (
        pytest.raises(RunFailed, match="a worker process failed: ValueError: as planned"),
        crew_of(1) as crew,
    ):
        run_all(crew, [("raise", 1)])


def test_workers_that_cannot_start() -> None:
    with pytest.raises(RunFailed, match="no engine here"), Crew(1, cannot_start) as crew:
        run_all(crew, [("echo", 1)])
    with (
        pytest.raises(RunFailed, match=r"end before they can work \(exit code 7\)"),
        Crew(2, dies_at_once) as crew,
    ):
        run_all(crew, [("echo", 1)])


def test_threads_and_hangs_do_not_hold_up_the_end() -> None:
    with crew_of(2) as crew:
        run_all(crew, [("thread", 1), ("thread", 2)])
        pids, begun = crew.pids, time.monotonic()
    assert time.monotonic() - begun < 3
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
