"""The same with real games: compiled and interpreted bots, and some that misbehave."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tests.tournament import fake
from ttr_sim.bot.specs import parse_spec
from ttr_sim.results.reader import open_run
from ttr_sim.tournament.plan import make_plan
from ttr_sim.tournament.session import new_session

BOTS = """
from ttr_sim.bot import Bot

class First(Bot):
    def choose(self, view):
        return self.rng.choice(view.legal)

class Raises(Bot):
    def choose(self, view):
        if self.rng.random() < 0.01:
            raise RuntimeError("no idea")
        return view.legal[0]

class Cheats(Bot):
    def choose(self, view):
        return 140 if self.rng.random() < 0.01 else view.legal[-1]
"""


def test_tables_do_not_depend_on_workers(tmp_path: Path) -> None:
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    texts = ["random", "greedy", *(f"{file}:{name}" for name in ("First", "Raises", "Cheats"))]
    plan = make_plan([parse_spec(text) for text in texts], [fake.europe()], games=80)
    contents = []
    for workers in (1, 2, 3):
        folder = tmp_path / str(workers)
        assert new_session(folder, plan, part_games=30).play(workers=workers, quiet=True)
        files = sorted([*folder.glob("games/*"), *folder.glob("seats/*")])
        contents.append([file.read_bytes() for file in files])
    assert contents[0] == contents[1] == contents[2]
    games = open_run(tmp_path / "1").games().collect()
    forfeits = games.filter(pl.col("end") == "forfeit")["forfeit_reason"]
    assert any("RuntimeError: no idea" in reason for reason in forfeits)
    assert any("illegal action 140" in reason for reason in forfeits)
    assert games.filter(pl.col("end") != "forfeit").height > 0
