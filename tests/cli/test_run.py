"""`ttr-sim run`: what it prints where, and every kind of bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournament import fake
from ttr_sim.cli.main import main
from ttr_sim.results.reader import open_run
from ttr_sim.tournament import run as running

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def fake_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)


def write_bot(name: str, text: str) -> None:
    Path(name).write_text(text)


GOOD = ["run", "--bots", "random,random", "--games", "10"]
BOT = (
    "from ttr_sim.bot import Bot\nclass {}(Bot):\n    def choose(self, view):\n        return view.legal[0]\n"
)

BAD: dict[str, tuple[list[str], str]] = {
    "no bots": (["run"], "--bots must name the bots"),
    "empty bot": (["run", "--bots", "random,"], "--bots must name the bots"),
    "one bot": (["run", "--bots", "random"], "--bots names 1 of the 2 players"),
    "unknown bot": (["run", "--bots", "random,randon"], "unknown bot 'randon' (did you mean 'random'?)"),
    "unknown parameter": (["run", "--bots", "random,random:depth=3"], "unknown parameter 'depth'"),
    "unknown board": ([*GOOD, "--board", "europa"], "unknown board 'europa' (did you mean 'europe'?)"),
    "unknown preset": ([*GOOD, "--rules", "europe-xx"], "unknown rules preset 'europe-xx'"),
    "unknown option of rules": ([*GOOD, "--option", "trains=3"], "unknown option 'trains'"),
    "unknown option": ([*GOOD, "--gmaes", "3"], "No such option"),
    "wrong value": ([*GOOD, "--option", "turn_limit=many"], "turn_limit"),
    "board and rules do not fit": ([*GOOD, "--board", "usa", "--rules", "europe"], "do not fit"),
    "too many players": ([*GOOD, "--players", "6"], "are for 2 to 5 players, not 6"),
    "too few players": ([*GOOD, "--players", "1"], "are for 2 to 5 players, not 1"),
    "no games": ([*GOOD[:3], "--games", "0"], "--games must be at least 1, not 0"),
    "negative games": ([*GOOD[:3], "--games", "-5"], "--games must be at least 1, not -5"),
    "games not a number": ([*GOOD[:3], "--games", "ten"], "'ten' is not a valid integer"),
    "no workers": ([*GOOD, "--workers", "0"], "--workers must be at least 1, not 0"),
    "games beyond measure": ([*GOOD[:3], "--games", "9" * 30], "--games must be at most 1000000000"),
    "workers beyond measure": ([*GOOD, "--workers", "9" * 12], "--workers must be at most 1024"),
    "no choose": (["run", "--bots", "random,./idle.py"], "idle.py: bot Idle: has no choose"),
    "no instance": (["run", "--bots", "random,./fails.py"], "cannot be made: ValueError: no way at all"),
    "leaves": (["run", "--bots", "random,./leaves.py"], "cannot be made: SystemExit: 7"),
    "policy of two": (["run", "--bots", "random,./short.py"], "must take (T, V, W, params, memory)"),
    "links in a circle": ([*GOOD, "--out", "circle"], "circle: is not a folder"),
    "seed": ([*GOOD, "--seed", "-1"], "--seed must be from 0"),
    "format": ([*GOOD, "--format", "swiss"], "'swiss' is not one of"),
    "bot does not import": (
        ["run", "--bots", "random,./broken.py"],
        "does not import: line 2: ZeroDivisionError",
    ),
    "file without bot": (["run", "--bots", "random,./empty.py"], "has no bot"),
    "file with several": (["run", "--bots", "random,./two.py"], "has several bots (One, Two)"),
    "name": ([*GOOD, "--name", "a/b"], "--name must be a name for a folder"),
    "folder in use": ([*GOOD, "--out", "used"], "used: is not empty"),
    "run in folder": ([*GOOD, "--out", "old"], "old: holds a run already"),
    "not a folder": ([*GOOD, "--out", "empty.py"], "empty.py: is not a folder"),
    "resume nothing": (["run", "--resume"], "--resume needs --out"),
    "resume no run": (["run", "--resume", "--out", "used"], "used: is not a run folder"),
    "resume with options": (
        ["run", "--resume", "--out", "old", "--games", "5"],
        "--games cannot be given with --resume",
    ),
}


@pytest.mark.parametrize(("args", "message"), BAD.values(), ids=BAD)
def test_bad_input(args: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bot("broken.py", "x = 1\ny = 1 / 0\n")
    write_bot("empty.py", "x = 1\n")
    write_bot("two.py", BOT.format("One") + BOT.format("Two"))
    write_bot("idle.py", "from ttr_sim.bot import Bot\nclass Idle(Bot):\n    pass\n")
    init = "    def __init__(self):\n        raise ValueError('no way\\nat all')\n"
    write_bot("fails.py", BOT.format("Fails") + init)
    write_bot("leaves.py", BOT.format("Leaves") + "    def __init__(self):\n        raise SystemExit(7)\n")
    write_bot("short.py", "from ttr_sim.bot import policy\n@policy()\ndef short(T, V):\n    return 0\n")
    Path("circle").symlink_to("circle")
    for folder, file in (("used", "file"), ("old", "run.json")):
        Path(folder).mkdir()
        (Path(folder) / file).write_text("{}")
    before = sorted(tmp_path.rglob("*"))
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1
    assert sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in str(path)) == before


@pytest.mark.usefixtures("fake_tables")
def test_what_is_printed_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GOOD[:-1], "11", "--out", "a/run", "--workers", "2"]) == 0
    out, err = capsys.readouterr()
    assert "11 games are rounded up to 12: 6 whole blocks" in err
    assert "round-robin: 1 line-up of 2 out of 2 bots, 12 games, seed 1" in err
    assert "2 workers, into a/run" in err
    assert out.splitlines()[0].split()[:3] == ["bot", "Elo", "95"]
    assert {line.split()[1] for line in out.splitlines()[1:3]} == {"random", "random#2"}
    assert "12 games in 6 blocks" in out
    assert out.splitlines()[-1] == "run folder: a/run"
    assert main([*GOOD, "--quiet", "--json", "--name", "mine"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    content = json.loads(out)
    assert content["schema_version"] == 1
    assert content["run"] == "results/mine"
    assert [bot["games"] for bot in content["leaderboard"]] == [10, 10]
    asked = open_run("results/mine").info["asked"]
    assert (asked["games"], asked["name"]) == (10, "mine")


@pytest.mark.usefixtures("fake_tables")
def test_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--bots", "random", "--bots", "random,random", "--games", "6", "--quiet"]) == 0
    capsys.readouterr()
    (folder,) = Path("results").iterdir()
    config = open_run(folder).config
    assert folder.name.endswith("-random-random-random")
    assert [match["bots"] for match in config["matches"]] == [[0, 1], [0, 2], [1, 2]]
    assert (config["seed"], config["settings"][0]["board"], config["settings"][0]["rules"]) == (
        1,
        "europe",
        "europe",
    )


@pytest.mark.usefixtures("fake_tables")
@pytest.mark.parametrize(
    ("args", "board", "rules", "matches"),
    [
        (["--board", "usa"], "usa", "usa", [[0, 1], [0, 2], [1, 2]]),
        (["--rules", "nordic-zh"], "nordic", "nordic-zh", [[0, 1], [0, 2], [1, 2]]),
        (["--board", "nordic", "--rules", "nordic-zh"], "nordic", "nordic-zh", [[0, 1], [0, 2], [1, 2]]),
        (["--players", "3"], "europe", "europe", [[0, 1, 2]]),
        (["--format", "table"], "europe", "europe", [[0, 1, 2]]),
        (["--format", "gauntlet"], "europe", "europe", [[0, 1], [0, 2]]),
        (["--option", "turn_limit=9"], "europe", "europe+turn_limit=9", [[0, 1], [0, 2], [1, 2]]),
    ],
)
def test_what_is_played(
    args: list[str], board: str, rules: str, matches: list[list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    bots = "random,random,random"
    line = ["run", "--bots", bots, "--games", "1", "--workers", "1", "--quiet", "--out", "r"]
    assert main([*line, *args]) == 0
    capsys.readouterr()
    config = open_run("r").config
    assert (config["settings"][0]["board"], config["settings"][0]["rules"]) == (board, rules)
    assert [match["bots"] for match in config["matches"]] == matches


@pytest.mark.usefixtures("fake_tables")
def test_a_finished_run_resumes_to_its_leaderboard(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GOOD, "--out", "r", "--quiet"]) == 0
    first = capsys.readouterr().out
    assert main(["run", "--resume", "--out", "r", "--quiet"]) == 0
    assert capsys.readouterr().out == first


def test_real_games_from_another_folder(tmp_path: Path) -> None:
    """The command as a user types it: real bots, real workers, results on stdout only."""
    write_bot("first.py", BOT.format("First"))
    line = ["run", "--bots", "random,./first.py", "--games", "20", "--workers", "2", "--json", "--out", "r"]
    code = f"import sys\nfrom ttr_sim.cli.main import main\nif __name__ == '__main__':\n    sys.exit(main({line!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert {bot["bot"]: bot["forfeits"] for bot in content["leaderboard"]} == {"random": 0, "./first.py": 0}
    games = open_run("r").games().collect()
    assert games.height == 20
    assert games["actions"].list.len().to_list() == games["decisions"].to_list()


@pytest.mark.usefixtures("fake_tables")
def test_what_bots_print_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    loud = "    def __init__(self):\n        print('made')\n"
    write_bot("loud.py", "print('imported')\n" + BOT.format("Loud") + loud)
    assert main(["run", "--bots", "random,./loud.py", "--games", "2", "--out", "loud", "--json"]) == 0
    out, _ = capsys.readouterr()
    assert json.loads(out)["schema_version"] == 1
