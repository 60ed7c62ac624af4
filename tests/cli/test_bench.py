"""`ttr-sim bench`: its figures by name, its JSON, and how a rate is taken."""

from __future__ import annotations

import json
from time import process_time

import pytest

from ttr_sim.bench import entries, measure
from ttr_sim.bench.games import built_in, calibration
from ttr_sim.bench.measure import Absent, Entry, rate
from ttr_sim.cli.main import main

NAMES = {
    "random_usa_2p", "random_europe_2p", "random_europe_4p", "random_nordic_2p", "playout_europe_2p",
    "mcts_europe_2p", "mcts_default_europe_2p", "greedy_europe_2p", "interpreted_overhead", "two_workers",
    "run_overhead", "cold_compile", "warm_start", "help", "calibration",
}  # fmt: skip


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> float:
        raise Absent("there is no built-in bot genius")

    table = (
        Entry("fast", "games/s", 100, lambda: 12_345.678),
        Entry("slow", "s", 2, lambda: 2.34567, at_most=True),
        Entry("gone", "games/s", 10, absent),
        Entry("free", "rounds/s", None, lambda: 1.0),
    )
    monkeypatch.setattr(entries, "ENTRIES", table)


def test_all_figures_are_there() -> None:
    names = [entry.name for entry in entries.ENTRIES]
    assert set(names) >= NAMES
    assert len(names) == len(set(names))


@pytest.mark.usefixtures("figures")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "schema_version": 1,
        "results": [
            {"name": "fast", "value": 12346, "unit": "games/s"},
            {"name": "slow", "value": 2.346, "unit": "s"},
            {"name": "free", "value": 1.0, "unit": "rounds/s"},
        ],
    }
    assert "gone is left out: there is no built-in bot genius" in err


@pytest.mark.usefixtures("figures")
def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "slow, fast"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["slow", "2.346", "s", "at", "most", "2", "missed"],
        ["fast", "12,346", "games/s", "at", "least", "100"],
    ]


@pytest.mark.usefixtures("figures")
def test_unknown_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "fats"]) == 2
    assert "--only: unknown benchmark 'fats' (did you mean 'fast'?)" in capsys.readouterr().err


def test_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "ROUND_SECONDS", 0.02)

    def work(n: int) -> None:
        until = process_time() + n * 1e-4
        while process_time() < until:
            pass

    assert 8_000 < rate(work) < 10_100


def test_calibration_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "ROUND_SECONDS", 0.01)
    assert calibration() > 10


def test_a_bot_that_does_not_exist() -> None:
    with pytest.raises(Absent, match="no built-in bot genius"):
        built_in("genius")
    with pytest.raises(Absent, match="unknown parameter"):
        built_in("random:depth=3")
