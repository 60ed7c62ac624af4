"""`ttr-sim bots`: list and show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ttr_sim import paths
from ttr_sim.cli.main import main

OWN = '''"""own: takes the first action.

Idea: none.
"""
from typing import Annotated

from ttr_sim.bot import Bot, Param

class Own(Bot):
    def __init__(self, *, bold: bool = True, depth: Annotated[int, Param(1, 1, 9, "turns it looks ahead")] = 3):
        self.bold = bold

    def choose(self, view):
        return view.legal[0]
'''


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "own.py").write_text(OWN)
    (tmp_path / "bots" / "broken.py").write_text("def f(:\n")
    (tmp_path / "bots" / "_helper.py").write_text("")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.usefixtures("own_bots")
def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.split(maxsplit=2) for line in run(capsys, "bots").splitlines()]
    built_in = [file.stem for file in (paths.shipped_root() / "bots").glob("[!._]*.py")]
    assert [line[0] for line in lines] == ["bot", *sorted(["broken", "own", *built_in])]
    by_name = {line[0]: line for line in lines}
    assert by_name["own"] == ["own", "interpreted", "takes the first action."]
    assert by_name["random"][1] == "compiled"
    assert "broken: bots/broken.py: line 1: SyntaxError" in " ".join(by_name["broken"])
    listed = {bot["name"]: bot for bot in json.loads(run(capsys, "bots", "--json"))["bots"]}
    assert listed["own"]["kind"] == "interpreted"
    assert listed["own"]["defines"] == ["Own"]
    assert "SyntaxError" in listed["broken"]["error"]


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "bots", "show", "mcts")
    for text in (
        "mcts: information-set",
        "compiled, mcts in ",
        "Idea: ",
        "Source: Cowling",
        "iterations",
        "mcts:iterations=",
    ):
        assert text in out
    content = json.loads(run(capsys, "bots", "show", "mcts", "--json"))
    assert content["schema_version"] == 1
    assert content["kind"] == "compiled"
    parameters = {parameter["name"]: parameter for parameter in content["parameters"]}
    assert parameters["iterations"]["type"] == "int"
    assert parameters["iterations"]["low"] == 1
    assert parameters["playout"]["choices"] == ["auto", "plan", "planner", "random"]


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize("name", ["own", "bots/own.py", "./bots/own.py:Own"])
def test_show_an_own_bot(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "bots", "show", name)
    assert "interpreted, Own in bots/own.py" in out
    assert "true or false" in out
    assert out.splitlines()[0] == f"{name}: takes the first action."
    assert f"{name}:bold=true" in out
    row = next(line for line in out.splitlines() if line.split()[:1] == ["depth"])
    assert row.split(maxsplit=7)[1:] == [
        "a",
        "whole",
        "number",
        "from",
        "1",
        "to",
        "9  3        turns it looks ahead",
    ]
    assert main(["bots", "show", f"{name}:depth=10"]) == 2
    assert "10 is not a whole number from 1 to 9" in capsys.readouterr().err


def test_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "show", "gredy"]) == 2
    assert "did you mean 'greedy'?" in capsys.readouterr().err


def test_listing_loads_nothing_heavy() -> None:
    code = (
        "import sys; from ttr_sim.cli.main import main; main(['bots']); "
        "print(*{'numba', 'numpy', 'polars'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""
