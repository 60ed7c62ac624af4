"""A run that is killed while it writes, stopped by Ctrl-C, or out of disk: what was finished is kept, and it can go on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.runs import ROOT, games, run, start, tables
from tests.tournament import fake
from ttr_sim.bot.specs import parse_spec
from ttr_sim.cli.main import main
from ttr_sim.errors import TtrError
from ttr_sim.results.reader import open_run
from ttr_sim.tournament.plan import make_plan
from ttr_sim.tournament.session import new_session, resumed_session

PLAN = fake.plan("a,raiser", games=90)
KILLED = """
import os, signal, sys
from pathlib import Path
from tests.faults.test_interruptions import PLAN
from tests.tournament import fake
from ttr_sim.results import folder
from ttr_sim.tournament.session import new_session
real, count, at = os.replace, 0, int(sys.argv[2])

def replace(source, target):
    global count
    count += 1
    if count == at:  # the new file is there whole, under its other name
        os.kill(os.getpid(), signal.SIGKILL)
    real(source, target)

folder.os.replace = replace
new_session(Path(sys.argv[1]), PLAN, part_games=30).play(workers=1, quiet=True, opener=fake.open_fake)
"""


def whole(folder: Path) -> dict[str, bytes]:
    assert new_session(folder, PLAN, part_games=30).play(workers=1, quiet=True, opener=fake.open_fake)
    return tables(folder)


@pytest.mark.parametrize("at", [3, 5, 9])
def test_killed_while_a_part_is_written(at: int, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", KILLED, str(out), str(at)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    kept = open_run(out).games().collect().height  # readable as it stands
    session = resumed_session(out)
    assert session.kept == kept
    assert session.play(workers=2, quiet=True, opener=fake.open_fake)
    assert tables(out) == whole(tmp_path / "whole")
    assert not list(out.rglob("*.tmp"))
    assert open_run(out).finished


def small_files() -> None:
    """Let no file of this process grow beyond 60 kB, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    line = (
        "run",
        "--bots",
        "random,random",
        "--games",
        2000,
        "--workers",
        1,
        "--quiet",
        "--out",
        tmp_path / "run",
    )
    code, out, err = run(*line, preexec_fn=small_files)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "games/part-00000.parquet: cannot be written: File too large" in err
    assert open_run(tmp_path / "run").games().collect().height == 0
    assert main(["run", "--resume", "--quiet", "--out", str(tmp_path / "run")]) == 0
    assert len(games(tmp_path / "run")) == 2000


def mount(disk: Path, size: int) -> bool:
    """Mount a file system of so many bytes, or give it this size; returns whether that is allowed."""
    how = ["-o", f"remount,size={size}"] if disk.is_mount() else ["-t", "tmpfs", "-o", f"size={size}", "none"]
    return not subprocess.run(["mount", *how, disk], capture_output=True).returncode


def test_a_disk_that_gets_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has room for the first part and not for all."""
    disk, whole = tmp_path / "disk", tmp_path / "undisturbed"
    plan = make_plan([parse_spec("random")] * 2, [fake.europe()], games=1400)
    assert new_session(whole, plan, part_games=500).play(workers=2, quiet=True)
    pages = {file: -(-file.stat().st_size // 4096) for file in whole.rglob("*") if file.is_file()}
    last = sum(count for file, count in pages.items() if file.stem == "part-00002")
    disk.mkdir()
    if not mount(disk, 4096 * (sum(pages.values()) - 2 * last)):
        pytest.skip("may not mount a file system")
    try:
        capsys.readouterr()
        assert main(["run", "--config", str(whole), "--quiet", "--out", str(disk / "run")]) == 3
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "cannot be written: No space left on device" in err
        assert 500 <= open_run(disk / "run").games().collect().height < 1400
        assert mount(disk, 100_000_000)
        assert main(["run", "--resume", "--quiet", "--out", str(disk / "run")]) == 0
        assert tables(disk / "run") == tables(whole)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_ctrl_c(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start("run", "--bots", "random,greedy", "--games", 1_000_000, "--workers", 2, "--out", out)
    until = time.monotonic() + 60
    while not (out / "run.log").is_file() or time.monotonic() < until - 57:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed, err = process.communicate(timeout=30)
    assert time.monotonic() - begun < 10  # two on a quiet machine; tests share theirs
    assert (process.returncode, printed) == (130, "")
    assert f"go on with: ttr-sim run --resume --out {out}" in err
    assert "Traceback" not in err
    stopped = open_run(out)
    kept = stopped.games().collect().height  # on a slow machine perhaps none
    assert (stopped.info["status"], stopped.info["games_played"]) == ("interrupted", kept)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    import fcntl

    whole(tmp_path / "run")
    (tmp_path / "run" / "games" / "part-00001.parquet").unlink()
    held = os.open(tmp_path / "run", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with pytest.raises(TtrError, match="another process is playing this run"):
        resumed_session(tmp_path / "run").play(workers=1, quiet=True, opener=fake.open_fake)
    os.close(held)
    assert resumed_session(tmp_path / "run").play(workers=1, quiet=True, opener=fake.open_fake)
