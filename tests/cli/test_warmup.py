"""`ttr-sim warmup`, and what the first command that needs the engine says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.bot import warm
from ttr_sim.cli.main import main
from ttr_sim.engine import jit
from ttr_sim.tournament.prepare import ensure_warm


def test_warmup(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup"]) == 0
    capsys.readouterr()
    assert main(["warmup"]) == 0
    out, err = capsys.readouterr()
    assert out == f"all kernels are compiled; kept in {jit.cache_root()}\n"
    assert err == ""
    assert main(["warmup", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["kernels_compiled"] == 0
    assert content["folder"] == str(jit.cache_root())


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> list[list[Path]]:
    """Nothing is compiled, and compiling takes no time; returns the bots asked for."""
    asked: list[list[Path]] = []

    def compile_all(count: Callable[[int], None] | None, bots: list[Path], also: object) -> int:
        asked.append(bots)
        if count:
            count(7)
        return 7

    monkeypatch.setattr(warm, "is_warm", lambda bots=(): bool(asked) and not bots)
    monkeypatch.setattr(warm, "warm_up", compile_all)
    return asked


def test_first_use_says_so(cold: list[list[Path]], capsys: pytest.CaptureFixture[str]) -> None:
    kernels, seconds = ensure_warm()
    assert kernels == 7
    assert seconds >= 0
    assert capsys.readouterr() == ("", "compiling the engine for this processor, once ...\n")
    assert ensure_warm() == (0, 0.0)
    assert capsys.readouterr() == ("", "")
    assert cold == [[]]


def test_only_bots_are_new(cold: list[list[Path]], capsys: pytest.CaptureFixture[str]) -> None:
    ensure_warm(quiet=True)
    assert capsys.readouterr() == ("", "")
    own = Path("own.py")
    ensure_warm(bots=[own, own])
    assert capsys.readouterr().err == "compiling the bots for this processor, once ...\n"
    assert cold == [[], [own]]


def test_a_counter_on_a_terminal(
    cold: list[list[Path]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ensure_warm()
    out, err = capsys.readouterr()
    assert out == ""
    assert "7 kernels in 00:00" in err
