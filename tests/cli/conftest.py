"""A small run on disk for the commands that read runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttr_sim.cli.main import main

SHAKY = """
from ttr_sim.bot import Bot

class Shaky(Bot):
    def choose(self, view):
        if self.rng.random() < 0.01:
            raise RuntimeError("lost the thread")
        return view.legal[0]
"""


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty games between random and a bot that sometimes forfeits; do not change it, copy it."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "shaky.py").write_text(SHAKY)
    out = folder / "out"
    bots = f"random,{folder / 'shaky.py'}"
    assert main(["run", "--bots", bots, "--games", "20", "--workers", "1", "--quiet", "--out", str(out)]) == 0
    return out
