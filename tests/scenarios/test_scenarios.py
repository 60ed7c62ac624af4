"""Every scenario of the rules, written as data in `data/`, under every preset it mentions."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ttr_sim.rules import load_rules

from .runner import Case, presets_of, run

DATA = Path(__file__).with_name("data")
FILES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.toml"))}
SCENARIOS = {number: text for file in FILES.values() for number, text in file["scenario"].items()}


def games() -> list[Any]:
    """Every case with its boards, a preset and a number of players."""
    found = []
    for file in FILES.values():
        for case in file["case"]:
            for preset in presets_of(case["presets"]):
                low, high = load_rules(preset).players
                for players in case.get("players", [2]):
                    if low <= players <= high:
                        name = "-".join([case["scenario"], *case.get("name", "").split()])
                        values = (case, file.get("boards", {}), preset, players)
                        found.append(pytest.param(*values, id=f"{name}-{preset}-{players}p"))
    return found


@pytest.mark.parametrize(("case", "boards", "preset", "players"), games())
def test_scenario(case: Case, boards: dict[str, Any], preset: str, players: int) -> None:
    run(case, boards, preset, players)


def test_no_scenario_is_missing() -> None:
    assert sorted(n for n in SCENARIOS if n.startswith("S")) == [f"S{n:02}" for n in range(1, 42)]


@pytest.mark.parametrize("number", SCENARIOS)
def test_every_preset_mentioned_is_played(number: str) -> None:
    cases = [case for file in FILES.values() for case in file["case"] if case["scenario"] == number]
    played = {preset for case in cases for preset in presets_of(case["presets"])}
    assert set(presets_of(SCENARIOS[number]["presets"])) <= played
