"""`ttr-sim bots new`, `check` and `ask`, and `replay --save`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ttr_sim.bot.about import read_about
from ttr_sim.cli.main import main

EXPLAINING = '''"""thinker: weighs the first four actions."""
from ttr_sim.bot import Bot

class Thinker(Bot):
    def choose(self, view):
        print("noise")
        self.seen = [(a, {"visits": 10.0 * a + 1, "value": 0.25}) for a in view.legal[:4]]
        return self.seen[-1][0]

    def explain(self):
        return self.seen
'''
FAILING = '''"""faulty: not fit for games."""
from ttr_sim.bot import Bot

class Faulty(Bot):
    def choose(self, view):
        raise ValueError("out of\\nideas")
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thinker.py").write_text(EXPLAINING)
    (tmp_path / "faulty.py").write_text(FAILING)
    (tmp_path / "p.json").write_text('{"position": 1, "board": "europe", "seats": [{"hand": "RRRL"}, {}]}')
    return tmp_path


def ok(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(list(args)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *args: str, code: int = 2) -> str:
    assert main(list(args)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("options", [[], ["--compiled"]])
def test_a_new_bot_passes_its_check(
    options: list[str], here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttr_sim.bot.conformance.report.QUICK_SECONDS", 0.1)
    assert "wrote my_bot.py; next:" in ok(capsys, "bots", "new", "my_bot.py", *options)
    about = read_about(here / "my_bot.py")
    assert about.title.startswith("joins its tickets")
    assert about.idea and about.source
    content = json.loads(ok(capsys, "bots", "check", "my_bot.py", "--json"))
    assert content["verdict"] == "pass"
    assert [check["name"] for check in content["checks"]] == [
        *("loads", "plays", "speed", "determinism", "copies", "odd positions", "random games"),
        *("hidden information", "own chance only"),
    ]
    assert all(check["ok"] and check["problems"] == [] for check in content["checks"])
    assert 0 < content["decision_ms"]["mean"] <= content["decision_ms"]["slowest"]
    assert content["schema_version"] == 1


def test_new_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(ok(capsys, "bots", "new", "bot.py", "--json"))["kind"] == "interpreted"
    assert "class BotBot(Bot)" in (here / "bot.py").read_text()
    ok(capsys, "bots", "new", "keep.py", "--compiled")
    assert "def keep_bot(T, V, W, params, memory)" in (here / "keep.py").read_text()
    before = (here / "bot.py").read_text()
    assert "bot.py: exists already" in refused(capsys, "bots", "new", "bot.py")
    assert (here / "bot.py").read_text() == before
    for name in ("my-bot.py", "bot", "class.py", "2bots.py", "_bot.py", "Bot.py", "été.py"):
        assert name in refused(capsys, "bots", "new", name)
        assert not (here / name).exists()
    assert "cannot be written" in refused(capsys, "bots", "new", "nowhere/a.py")


def test_check_says_what_is_wrong(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttr_sim.bot.conformance.report.QUICK_SECONDS", 0.1)
    assert main(["bots", "check", "faulty.py"]) == 1
    out = capsys.readouterr().out
    assert "FAIL  plays" in out
    assert "europe, 2 players, seed 1, seat 0: ValueError: out of ideas (line 6 of choose)" in out
    assert out.splitlines()[-1].startswith("faulty.py: FAIL: plays, ")
    (here / "broken.py").write_text("def f(:\n")
    assert main(["bots", "check", "broken.py", "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["verdict"] == "fail"
    assert "SyntaxError" in content["checks"][0]["problems"][0]


def test_check_refuses(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no bot file 'nope.py'" in refused(capsys, "bots", "check", "nope.py")
    assert "did you mean 'greedy'?" in refused(capsys, "bots", "check", "gredy")
    assert "is not a whole number from 1" in refused(capsys, "bots", "check", "mcts:iterations=0")
    assert "unknown bot 'Thought'" in refused(capsys, "bots", "check", "thinker.py:Thought")
    assert "--max-ms must be above 0" in refused(capsys, "bots", "check", "greedy", "--max-ms", "0")
    assert "--patience must be above 0" in refused(capsys, "bots", "check", "greedy", "--patience", "-1")


def test_ask(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ok(capsys, "bots", "ask", "thinker.py", "p.json", "--seeds", "3")
    assert "noise" not in out
    assert "hand: 3 red + 1 locomotive" in out
    assert "thinker.py chooses: take yellow of " in out
    rows = [line.split() for line in out.splitlines()]
    start = rows.index(["action", "visits", "value"])
    assert rows[start + 1 : start + 3] == [["take", "yellow", "31", "0.25"], ["take", "blue", "21", "0.25"]]
    assert out.splitlines()[-1].split() == ["3", "take", "yellow"]
    content = json.loads(ok(capsys, "bots", "ask", "thinker.py", "p.json", "--json"))
    assert content["text"] == "take yellow"
    assert content["weighed"][0] == {
        "action": 3,
        "text": "take yellow",
        "numbers": {"visits": 31.0, "value": 0.25},
    }
    assert content["choices"] == [{"action": 3, "text": "take yellow", "times": 8}]
    assert len(content["seeds"]) == 8
    assert content["action"] in [legal["action"] for legal in content["legal"]]


def test_ask_a_compiled_bot(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(ok(capsys, "bots", "ask", "random", "p.json", "--json", "--seeds", "20"))
    assert sum(choice["times"] for choice in content["choices"]) == 20
    assert len(content["choices"]) > 5
    again = json.loads(ok(capsys, "bots", "ask", "random", "p.json", "--json", "--seeds", "20"))
    assert again == content


def test_ask_what_is_forced(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seats = [{"hand": "RR"}, {}]
    taken = ["claim Danzig–Warszawa (2)"]
    (here / "p.json").write_text(
        json.dumps({"position": 1, "board": "europe", "seats": seats, "taken": taken})
    )
    out = ok(capsys, "bots", "ask", "faulty.py", "p.json")  # it is not even asked
    assert "faulty.py chooses: pay 2 red (nothing else is legal)" in out


def test_ask_refuses(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nope.json: file is missing" in refused(capsys, "bots", "ask", "greedy", "nope.json")
    (here / "bad.json").write_text('{"position": 1, "board": "europe", "seats": [{"hand": "Z"}, {}]}')
    assert "bad.json: seats[0].hand" in refused(capsys, "bots", "ask", "greedy", "bad.json")
    assert "--seeds must be from 1" in refused(capsys, "bots", "ask", "greedy", "p.json", "--seeds", "0")
    assert "--seed must be from 0" in refused(capsys, "bots", "ask", "greedy", "p.json", "--seed", "-1")
    assert "did you mean 'greedy'?" in refused(capsys, "bots", "ask", "gredy", "p.json")
    said = refused(capsys, "bots", "ask", "faulty.py", "p.json", code=3)
    assert "faulty.py fails here with seed 1: ValueError: out of ideas" in said


def test_save_a_moment_and_ask(small_run: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = os.path.relpath(small_run, here)
    steps = json.loads(ok(capsys, "replay", run, "--game", "0", "--json"))["decisions"]
    second = [i for i, step in enumerate(steps) if step["turn"] == 8 and step["phase"] != "KEEP_SETUP"][1]
    ok(capsys, "replay", run, "--game", "0", "--at", "9.2", "--save", "q.json")
    content = json.loads((here / "q.json").read_text())
    assert content["note"].startswith("before 9.2 of game 0 of ")
    assert content["taken"] == [steps[second - 1]["text"]]
    asked = json.loads(ok(capsys, "bots", "ask", "random", "q.json", "--json"))
    assert (asked["seat"], asked["phase"]) == (steps[second]["seat"], steps[second]["phase"])
    assert steps[second]["text"] in [legal["text"] for legal in asked["legal"]]
    saved = json.loads(ok(capsys, "replay", run, "--game", "0", "--at", "0", "--save", "r.json", "--json"))
    assert (saved["seat"], saved["phase"]) == (0, "KEEP_SETUP")


def test_moments_that_are_not_there(small_run: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*options: str) -> str:
        return refused(capsys, "replay", str(small_run), "--game", "0", *options)

    assert "--at TURN and --save FILE go together" in said("--at", "57")
    assert "--at TURN and --save FILE go together" in said("--save", "q.json")
    for text in ("x", "-1", "3.0", "3.x", ""):
        assert "--at must be a turn such as 57" in said("--at", text, "--save", "q.json")
    assert "the game has the turns 0 to " in said("--at", "900", "--save", "q.json")
    assert "--at 5.9: turn 5 has " in said("--at", "5.9", "--save", "q.json")
    assert "cannot be written" in said("--at", "5", "--save", "nowhere/q.json")
    both = said("--at", "5", "--save", "q.json", "--html", "q.html")
    assert "--save and --html cannot be given together" in both
    assert not (here / "q.json").exists()
