"""Bots that travel find on another machine all they had at home."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournament import fake
from ttr_sim import paths
from ttr_sim.bot.specs import load_bot, parse_spec
from ttr_sim.tournament import luggage
from ttr_sim.tournament.plan import Plan

BOT = """
from pathlib import Path
from helper import pick
from weights.table import SCALE
from ttr_sim.bot import Bot

NUMBERS = Path(__file__).with_name("numbers.txt").read_text().split()

class Packed(Bot):
    numbers = NUMBERS
    scale = SCALE

    def choose(self, view):
        return pick(view.legal)
"""


def write_bot(folder: Path) -> Path:
    (folder / "weights").mkdir(parents=True)
    (folder / "packed.py").write_text(BOT)
    (folder / "helper.py").write_text("def pick(legal):\n    return legal[-1]\n")
    (folder / "weights" / "__init__.py").write_text("")
    (folder / "weights" / "table.py").write_text("SCALE = 3\n")
    (folder / "numbers.txt").write_text("4 8 15")
    (folder / "secret.txt").write_text("named by nobody")
    return folder / "packed.py"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setattr(luggage, "_travelled", lambda: tmp_path / "travelled")
    bots = [parse_spec(str(write_bot(tmp_path / "home"))), parse_spec("random")]
    return replace(fake.plan("a,b"), bots=tuple(bots))


def test_all_that_a_bot_needs_travels(plan: Plan, tmp_path: Path) -> None:
    packed = luggage.pack(plan)
    before = plan.bots[0].digest
    shutil.rmtree(tmp_path / "home")
    bot, random = luggage.unpack(packed).bots
    assert bot.file.is_relative_to(tmp_path / "travelled")
    assert bot.digest == before and bot.label == plan.bots[0].label
    made = load_bot(bot).made
    assert (made.numbers, made.scale) == (["4", "8", "15"], 3)  # type: ignore[attr-defined]
    assert not list((tmp_path / "travelled").rglob("secret.txt"))
    assert random.file == paths.shipped_root() / "bots" / "random.py"
    assert luggage.unpack(packed).bots[0] == bot  # once is enough
    assert len(list((tmp_path / "travelled").iterdir())) == 1


def test_what_is_here_already_is_used(plan: Plan, tmp_path: Path) -> None:
    assert luggage.unpack(luggage.pack(plan)) == plan
    packed = luggage.pack(plan)
    (tmp_path / "home" / "helper.py").write_text("another version\n")
    assert luggage.unpack(packed).bots[0].file.is_relative_to(tmp_path / "travelled")


def test_nothing_outside_the_folder_travels(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("not yours")
    file = tmp_path / "home" / "packed.py"
    file.write_text(f"{BOT}\nA, B = '../outside.txt', '{tmp_path}/outside.txt'\n")
    names = luggage.pack(plan).files[file]
    assert set(names) == {"packed.py", "helper.py", "weights/__init__.py", "weights/table.py", "numbers.txt"}
