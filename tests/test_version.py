"""The version stands in one place, and the list of changes knows it."""

from __future__ import annotations

from pathlib import Path

import ttr_sim

ROOT = Path(__file__).parents[1]


def test_the_newest_changes_are_those_of_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(line for line in text.splitlines() if line.startswith("## "))
    assert newest.split()[1] == ttr_sim.__version__
