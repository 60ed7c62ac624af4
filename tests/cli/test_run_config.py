"""`ttr-sim run --config`: tournaments from files, and runs played again from their run.json."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tournament import fake
from tests.tournament.test_run import tables
from ttr_sim.cli.main import main
from ttr_sim.results.reader import open_run
from ttr_sim.tournament import run as running

BOT = (
    "from ttr_sim.bot import Bot\nclass {}(Bot):\n    def __init__(self, *, level: int = 1):\n        pass\n"
    "    def choose(self, view):\n        return view.legal[{}]\n"
)
CUP = """
bots = ["../bots/own.py", { bot = "random", label = "dice" }, "random"]
rules = ["usa", "nordic-zh"]
games = 24
seed = 9
format = "gauntlet"
[options]
turn_limit = 30
"""


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)
    Path("mine/bots").mkdir(parents=True)
    Path("mine/bots/own.py").write_text(BOT.format("Own", 0))
    Path("mine/cups").mkdir()
    Path("mine/cups/cup.toml").write_text(CUP)


def run(*args: str) -> int:
    return main(["run", "--quiet", "--workers", "1", *args])


def config(folder: str) -> dict[str, Any]:
    return open_run(folder).config


def played_on(folder: str) -> list[str]:
    return [setting["rules"] for setting in config(folder)["settings"]]


def test_a_tournament_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--config", "mine/cups/cup.toml", "--out", "r") == 0
    found = config("r")
    assert [bot["label"] for bot in found["bots"]] == ["../bots/own.py", "dice", "random"]
    assert played_on("r") == ["usa+turn_limit=30", "nordic-zh+turn_limit=30"]
    assert [match["bots"] for match in found["matches"]] == [[0, 1], [0, 2]] * 2
    assert (found["seed"], open_run("r").info["games"]) == (9, 24)
    assert "dice" in capsys.readouterr().out


def test_the_command_line_wins(capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--games", "8", "--seed", "1", "--format", "round-robin"]
    more += ["--option", "turn_limit=20", "--option", "draw_tickets.keep_min=2"]
    assert run("--config", "mine/cups/cup.toml", "--out", "r", *more) == 0
    changed = "+draw_tickets.keep_min=2+turn_limit=20"
    assert played_on("r") == [f"usa{changed}", f"nordic-zh{changed}"]
    assert len(config("r")["matches"]) == 6
    assert (config("r")["seed"], open_run("r").info["games"]) == (1, 12)
    more = ["--bots", "random,random", "--board", "europe"]
    assert run("--config", "mine/cups/cup.toml", "--out", "s", *more) == 0
    assert [bot["label"] for bot in config("s")["bots"]] == ["random", "random#2"]
    assert played_on("s") == ["europe+turn_limit=30"]
    capsys.readouterr()


def test_tournaments_are_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("configs/tournaments").mkdir(parents=True)
    shutil.copy("mine/cups/cup.toml", "configs/tournaments/club.toml")
    assert run("--config", "clup", "--out", "r") == 2
    assert "unknown tournament 'clup' (did you mean 'club'?)" in capsys.readouterr().err
    Path("configs/bots").mkdir()
    shutil.copy("mine/bots/own.py", "configs/bots/own.py")
    assert run("--config", "club") == 0
    (folder,) = Path("results").iterdir()
    assert folder.name.endswith("-club")
    capsys.readouterr()


@pytest.mark.parametrize("how", ["r/run.json", "r", "copy.json"])
def test_a_run_again(how: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--config", "mine/cups/cup.toml", "--out", "r") == 0
    shutil.copy("r/run.json", "copy.json")
    assert run("--config", how, "--out", "again") == 0
    assert tables(Path("again")) == tables(Path("r"))
    assert config("again") == config("r")
    assert run("--config", how, "--out", "longer", "--games", "40") == 0
    assert open_run("longer").info["games"] == 40
    capsys.readouterr()


def test_a_run_again_after_its_bot_moved(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bots").mkdir()
    shutil.move("mine/bots/own.py", "bots/own.py")
    assert run("--bots", "own,random", "--games", "6", "--out", "r") == 0
    info = json.loads(Path("r/run.json").read_text())
    info["config"]["bots"][0]["file"] = "/another/machine/own.py"
    info["config"]["settings"][0]["board_folder"] = "/another/machine/europe"
    Path("r/run.json").write_text(json.dumps(info))
    assert run("--config", "r", "--out", "again") == 0
    assert tables(Path("again")) == tables(Path("r"))
    capsys.readouterr()


def test_a_run_whose_bot_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--config", "mine/cups/cup.toml", "--out", "r") == 0
    Path("mine/bots/own.py").write_text(BOT.format("Own", -1))
    capsys.readouterr()
    assert run("--config", "r", "--out", "again") == 2
    err = capsys.readouterr().err
    assert "r/run.json: the file mine/bots/own.py of bot '../bots/own.py' has changed since" in err
    Path("mine/bots/own.py").unlink()
    assert run("--config", "r", "--out", "again") == 2
    assert "of bot '../bots/own.py' is not there any more" in capsys.readouterr().err
    assert not Path("again").exists()
    assert run("--config", "r", "--bots", "random,random", "--out", "again") == 0
    assert [match["setting"] for match in config("again")["matches"]] == [0, 1]
    assert open_run("again").info["asked"]["format"] == "gauntlet"


def test_a_run_by_another_program_is_played_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--bots", "random,random", "--games", "4", "--out", "r") == 0
    info = json.loads(Path("r/run.json").read_text())
    info["config"]["engine"] = "ttr-sim 0.0.1, sources x"
    Path("r/run.json").write_text(json.dumps(info))
    capsys.readouterr()
    assert main(["run", "--config", "r", "--out", "again", "--workers", "1"]) == 0
    assert "note: r/run.json was played with ttr-sim 0.0.1, sources x" in capsys.readouterr().err


def test_until_error_is_told_and_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--bots", "random,random", "--games", "3000", "--until-error", "60", "--seed", "3"]
    assert run(*line, "--out", "r") == 0
    games = open_run("r").info["games"]
    out = capsys.readouterr().out
    assert f"ended after {games} of at most 3000 games: every 95 % interval is within ±" in out
    assert games < 3000
    # Played again, it is a run of so many games.
    assert run("--config", "r", "--out", "again", "--json") == 0
    assert json.loads(capsys.readouterr().out)["stopped"] is None
    assert tables(Path("again")) == tables(Path("r"))
    assert run(*line[:2], "--until-error", "1", "--games", "100", "--out", "short") == 0
    assert "the intervals are not as narrow as asked (±1 Elo): the widest is ±" in capsys.readouterr().out


def test_dry_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main(["run", "--dry-run", "--workers", "1", "--config", "mine/cups/cup.toml"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[:4] == [
        "gauntlet: 2 line-ups of 2 out of 3 bots, 24 games, seed 9",
        "bots: ../bots/own.py (24), dice (12), random (12) games",
        "played on: usa with rules usa+turn_limit=30, nordic with rules nordic-zh+turn_limit=30",
        "each line-up: 6 games in 3 blocks (one deal in all 2 rotations of the seats)",
    ]
    assert out.splitlines()[4].startswith("expected time: ")
    assert err == ""
    bots = "--bots", "random,random,random,random"
    assert (
        main(["run", "--dry-run", "--workers", "1", "--json", *bots, "--players", "3", "--format", "table"])
        == 0
    )
    content = json.loads(capsys.readouterr().out)
    assert content["expected_seconds"] >= 0 and content["measured_games"] > 0
    assert [bot["games"] for bot in content["plan"]["bots"]] == [756] * 4
    assert sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in str(path)) == before


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--config", "mine/cups/none.toml"], "no tournament file 'mine/cups/none.toml'"),
        (["--config", ""], "the name of a tournament is missing"),
        (["--config", "mine/cups/cup.toml", "--players", "7"], "are for 2 to 5 players, not 7"),
        (["--config", "bad.toml"], "bad.toml: unknown key 'bot' (did you mean 'bots'?)"),
        (["--config", "bad.json"], "bad.json: is not the run.json of a run"),
        (["--bots", "random,random", "--board", "usa,,europe"], "--board must name"),
        (["--bots", "random,random", "--until-error", "0"], "--until-error must be a number of Elo above 0"),
        (["--bots", "random,random", "--out", ""], "a folder must be named"),
        (["--dry-run", "--resume", "--out", "x"], "--dry-run cannot be given with --resume"),
        (["--config", "bad.toml", "--resume", "--out", "x"], "--config cannot be given with --resume"),
    ],
)
def test_bad_input(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.toml").write_text('bot = "random"')
    Path("bad.json").write_text("[]")
    assert main(["run", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1
