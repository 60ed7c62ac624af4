"""The same sources compiled, interpreted and with checked indices; a record without gaps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ttr_sim.engine.layout import STATE, TABLES, WORK

from .walks import play_all

ROOT = Path(__file__).parents[2]


def run(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project's folder with other settings of Numba."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_interpreted_games_are_the_same() -> None:
    """Small integers wrap around in NumPy and not in Numba; unsigned and signed mix differently."""
    done = run("-m", "tests.engine.walks", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == play_all()


def test_a_part_of_the_suite_passes_interpreted() -> None:
    wanted = "S01 or S05 or S08 or S16 or S18 or S25 or S29 or S31 or S34 or O02"
    options = ("-q", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning", "-k", wanted)
    done = run("-m", "pytest", "tests/scenarios/test_scenarios.py", *options, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout[-3000:]


OVERRUN = """
from ttr_sim.engine.jit import entry, kernel
from ttr_sim.engine.layout import STATE, new_record

@kernel
def inner(S, i):
    return S.trains[i]

@entry
def outer(states, i):
    return inner(states[0], i)

outer(new_record(STATE), 10**6)
"""


def test_bounds_are_checked_when_asked_for(tmp_path: Path) -> None:
    """Kernels within kernels too, and from a cache of their own."""
    script = tmp_path / "overrun.py"
    script.write_text(OVERRUN)
    cache = str(tmp_path / "cache")
    done = run(str(script), NUMBA_BOUNDSCHECK="1", TTR_SIM_CACHE=cache, PYTHONPATH=str(ROOT))
    assert "IndexError: index is out of bounds" in done.stderr, done.stderr


@pytest.mark.parametrize("dtype", [STATE, TABLES, WORK])
def test_no_byte_of_a_record_is_unnamed(dtype: object) -> None:
    """NumPy does not copy such bytes, and games are compared as bytes."""
    assert dtype.itemsize == sum(dtype.fields[name][0].itemsize for name in dtype.names)  # type: ignore[attr-defined]
