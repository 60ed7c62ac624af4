"""`ttr-sim tune`."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

from ttr_sim.cli.main import main

OWN = '''"""own: something to tune."""
from ttr_sim.bot import Bot

class Own(Bot):
    def __init__(self, *, bold: float = 0.7, name: str = "a"):
        self.bold = bold

    def choose(self, view):
        return view.legal[0] if self.rng.random() < self.bold else view.legal[-1]
'''
ARGS = ["tune", "own.py:name=b", "--param", "bold=0.2:1.0", "--against", "random"]
SHORT = [*ARGS, "--games", "100", "--option", "turn_limit=3", "--quiet"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_tune(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHORT, "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "own.py:name=b against random: 72 games, 3 generations"
    assert lines[2].split() == ["parameter", "old", "new", "searched"]
    name, old, new, *searched = lines[3].split()
    assert (name, old, searched) == ("bold", "0.7", ["0.2", "to", "1.0"])
    assert lines[5] == f"own.py:name=b:bold={new} against the old values on new deals: 24 games"
    assert lines[6].startswith("score ") and lines[6].endswith(
        ("better", "worse, keep the old values", "differ")
    )
    assert lines[7] == "file: results/tune-own.json"
    # The file is complete: to go on with it plays nothing and says the same.
    assert main(["tune", "--resume", "--out", "results/tune-own.json", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["best"] == f"own.py:name=b:bold={new}"
    assert content["verification"]["games"] == 24
    assert content["verification"]["score"]["low"] <= content["verification"]["score"]["mean"]
    assert content["parameters"] == [
        {"name": "bold", "old": 0.7, "new": float(new), "low": 0.2, "high": 1.0, "log": False}
    ]
    assert content["schema_version"] == 1


def test_refuses(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "name the bot to tune" in refused(capsys, "tune", "--param", "bold=0:1", "--against", "random")
    assert "--param must name what to tune" in refused(capsys, "tune", "own.py", "--against", "random")
    assert "--against must name the opponents" in refused(capsys, *ARGS[:-2])
    assert "--against must name the opponents" in refused(capsys, *ARGS[:-1], "random,")
    assert "unknown parameter 'bald' (did you mean 'bold'?)" in refused(
        capsys, "tune", "own.py", "--param", "bald=0:1", "--against", "random"
    )
    assert "'x' is not a number" in refused(
        capsys, "tune", "own.py", "--param", "bold=x:1", "--against", "random"
    )
    assert "--games must be at least" in refused(capsys, *ARGS, "--games", "20")
    assert "unknown bot 'rndom'" in refused(capsys, *ARGS[:-1], "rndom")
    assert "--workers must be at least 1" in refused(capsys, *ARGS, "--workers", "0")
    assert "cannot be written; give another --out" in refused(capsys, *ARGS, "--out", "own.py/t.json")
    assert not (here / "results").exists()


def test_refuses_to_overwrite_and_to_mix(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "t.json").write_text("{}")
    assert "t.json: exists already" in refused(capsys, *ARGS, "--out", "t.json")
    assert "t.json: is no file of ttr-sim tune" in refused(capsys, "tune", "--resume", "--out", "t.json")
    assert "--resume needs --out" in refused(capsys, "tune", "--resume")
    assert "SPEC cannot be given with --resume" in refused(
        capsys, "tune", "own.py", "--resume", "--out", "t.json"
    )
    assert "--seed cannot be given with --resume" in refused(
        capsys, "tune", "--seed", "3", "--resume", "--out", "t.json"
    )
    assert "u.json: file is missing" in refused(capsys, "tune", "--resume", "--out", "u.json")


def test_without_the_extra(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "cmaes":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert "pip install 'ttr-sim[tune]'" in refused(capsys, *ARGS)
