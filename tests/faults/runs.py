"""Runs on the command line, and what their tables say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl

from ttr_sim.cli.main import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FAULTY, COMPILED = HERE / "faulty.py", HERE / "faulty_compiled.py"


def play(out: Path, bots: str, *options: object, code: int = 0) -> Path:
    """Play a run in this process and its workers."""
    assert main(["run", "--bots", bots, "--quiet", "--out", str(out), *map(str, options)]) == code
    return out


def command(*words: object) -> list[str]:
    """The command line of ttr-sim in another process."""
    code = "import sys; from ttr_sim.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", code, *map(str, words)]


def start(*words: object, **options: Any) -> subprocess.Popen[str]:
    """Start ttr-sim as a process group of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command(*words), env=environment, start_new_session=True, **pipes, **options)


def run(*words: object, **options: Any) -> tuple[int, str, str]:
    """Run ttr-sim to its end; returns exit code, stdout and stderr."""
    process = start(*words, **options)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def tables(out: Path) -> dict[str, bytes]:
    """The bytes of everything that must be equal from run to run."""
    files = [*out.glob("games/*.parquet"), *out.glob("seats/*.parquet")]
    return {str(file.relative_to(out)): file.read_bytes() for file in sorted(files)}


def games(out: Path) -> pl.DataFrame:
    """The table games."""
    return pl.read_parquet(out / "games" / "*.parquet")


def seats(out: Path) -> pl.DataFrame:
    """The table seats."""
    return pl.read_parquet(out / "seats" / "*.parquet")


def forfeits(out: Path) -> dict[str, set[str]]:
    """The reasons of the forfeits of each bot."""
    lost = (
        games(out)
        .rename({"forfeit_seat": "seat"})
        .drop_nulls("seat")
        .select("game", "seat", "forfeit_reason")
    )
    found: dict[str, set[str]] = {}
    for bot, reason in lost.join(seats(out), on=("game", "seat")).select("bot", "forfeit_reason").iter_rows():
        found.setdefault(bot, set()).add(reason)
    return found
