"""Bots in other languages: how they are started, the examples of the README, and all that can go wrong with a program."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.faults.runs import HERE, ROOT, forfeits, games, play, seats, tables
from ttr_sim.bot.command import read_command, split_specs
from ttr_sim.bot.specs import parse_spec
from ttr_sim.cli.main import main
from ttr_sim.errors import TtrError

TALKER = f"cmd:{sys.executable} {HERE / 'talker.py'}"
LATE = "took longer than 0.3 s for a decision"
REASONS = {
    "early": "ended (exit code 7)",
    "version": "speaks protocol 2, must speak 1",
    "crash": "ended (exit code 1)",
    "kill": "was killed (signal 9)",
    "garbage": "the answer is not JSON: 'take red, please'",
    "noise": "the answer is not JSON: ",
    "silence": LATE,
    "close": "closed its output",
    "illegal": "illegal action 387 (keep tickets 1, 2, 3, 4, 5, 6)",
    "text": "the answer 'claim' is no whole number",
    "nothing": 'the answer has no "action": [',
    "twice": "answers with more than one line",
    "endless": "answers with a line of more than 1 MiB",
}


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of program against random; the first and the last do nothing wrong."""
    bots = ",".join(["random", TALKER, *(f"{TALKER} {how}" for how in REASONS), f"{TALKER} shout"])
    out = tmp_path_factory.mktemp("talks") / "run"
    games = 2 * (len(REASONS) + 2)
    limit = ("--time-per-decision", 0.3)
    return play(out, bots, "--format", "gauntlet", "--games", games, "--workers", 2, *limit)


def test_what_goes_wrong_loses_the_game(talks: Path) -> None:
    found = forfeits(talks)
    assert set(found) == {f"{TALKER} {how}" for how in REASONS}
    for how, reason in REASONS.items():
        assert all(text.startswith(reason) for text in found[f"{TALKER} {how}"]), how
    assert games(talks)["end"].to_list().count("forfeit") == 2 * len(REASONS)
    assert main(["verify", str(talks)]) == 0


def test_stderr_is_in_the_log(talks: Path) -> None:
    log = (talks / "run.log").read_text()
    assert "ttr_sim.external: " in log
    assert "ValueError: no idea" in log
    assert max(map(len, log.splitlines())) < 21_000


def test_no_program_is_left() -> None:
    """Also those that were asleep when their worker ended."""
    until = time.monotonic() + 3
    while left := _children_named("talker.py"):
        assert time.monotonic() < until, left
        time.sleep(0.1)


def _children_named(name: str) -> list[str]:
    processes = Path("/proc").glob("[0-9]*/cmdline")
    lines = [path.read_bytes().decode(errors="replace") for path in processes if path.is_file()]
    return [line for line in lines if name in line and str(os.getpid()) not in line]


def test_one_process_plays_many_games(tmp_path: Path) -> None:
    out = play(tmp_path / "run", f"{TALKER},random", "--games", 8, "--workers", 1)
    said = re.findall(r"game (\d+) of process (\d+)", (out / "run.log").read_text())
    assert [int(number) for number, _ in said] == list(range(1, 9))
    assert len({process for _, process in said}) == 1


def test_the_same_tables_with_any_number_of_workers(tmp_path: Path) -> None:
    bots = f"{TALKER},{TALKER},greedy"
    first, second = (tables(play(tmp_path / str(n), bots, "--games", 12, "--workers", n)) for n in (1, 2))
    assert first == second
    assert set(seats(tmp_path / "1")["bot"]) == {TALKER, f"{TALKER}#2", "greedy"}


def example(language: str, name: str) -> str:
    blocks = re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    return next(text for text in blocks if name in text.splitlines()[0])


@pytest.mark.parametrize(
    ("language", "name", "runs"), [("python", "line_bot.py", sys.executable), ("js", "line_bot.js", "node")]
)
def test_the_examples_of_the_readme(
    language: str,
    name: str,
    runs: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if shutil.which(runs) is None:
        pytest.skip(f"{runs} is not installed")
    (tmp_path / name).write_text(example(language, name))
    monkeypatch.chdir(tmp_path)
    play(Path("run"), f"cmd:{runs} {name},random", "--games", 10, "--json")
    result = {bot["bot"]: bot for bot in json.loads(capsys.readouterr().out)["leaderboard"]}
    own = result[f"cmd:{runs} {name}"]
    assert own["forfeits"] == 0
    assert own["wins"] >= 9


def test_what_a_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of a short game, written down by the program itself."""
    script = tmp_path / "clerk.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    open('lines', 'a').write(line)\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello': print('{\"protocol\": 1, \"name\": \"clerk\"}', flush=True)\n"
        "    if message['type'] == 'decide': print(json.dumps({'action': message['legal'][0]['action']}), flush=True)\n"
    )
    monkeypatch.chdir(tmp_path)
    play(
        Path("run"),
        f"cmd:{sys.executable} clerk.py,random",
        "--games",
        2,
        "--workers",
        1,
        "--option",
        "turn_limit=6",
    )
    lines = [json.loads(line) for line in Path("lines").read_text().splitlines()]
    assert [line["type"] for line in lines[:3]] == ["hello", "game", "decide"]
    assert lines[0]["protocol"] == 1
    game, first = lines[1], lines[2]
    assert (game["players"], game["seat"], game["board"]["name"]) == (2, 0, "europe")
    assert game["rules"]["turn_limit"] == 6
    assert len(game["board"]["tracks"]) == 101
    assert {line["seat"] for line in lines if line["type"] == "game"} == {0, 1}
    assert first["view"]["phase"] == "KEEP_SETUP"
    assert first["clock"] == {"limit": None, "used": 0.0}
    keep = first["legal"][0]
    assert keep["kind"] == "keep" and set(keep["tickets"]) <= set(first["view"]["offer"])
    assert keep["text"].startswith("keep ")
    later = [line for line in lines if line["type"] == "decide" and line["decision"] > 2]
    assert any(seen["seat"] != line["seat"] for line in later for seen in line["seen"])
    assert all("tickets" not in seen for line in later for seen in line["seen"])  # nobody saw which
    numbers = {line["decision"] for line in lines if line["type"] == "decide"}
    assert numbers == set(range(len(numbers)))


def test_a_run_can_be_resumed_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    shutil.copy(HERE / "talker.py", "talker.py")
    play(Path("run"), f"cmd:{sys.executable} talker.py,random", "--games", 4)
    before = tables(Path("run"))
    monkeypatch.chdir(tmp_path)
    (Path("here/run/games/part-00000.parquet")).unlink()
    assert main(["run", "--resume", "--quiet", "--out", "here/run"]) == 0
    assert tables(Path("here/run")) == before
    Path("here/talker.py").write_text("# another program\n")
    assert main(["run", "--resume", "--quiet", "--out", "here/run"]) == 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:", "a program is missing, as in cmd:./mybot"),
        ("cmd:./nothing", "no program './nothing' in "),
        ("cmd:nothing-like-this", "no program 'nothing-like-this' on the PATH; write ./nothing-like-this"),
        ("cmd:./plain", "./plain cannot be executed; make it so (chmod +x) or name what runs it"),
        ("cmd:python 'x", "No closing quotation"),
    ],
)
def test_commands_that_are_none(
    spec: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain").write_text("x")
    with pytest.raises(TtrError) as error:
        parse_spec(spec)
    assert message in str(error.value)


def test_commas_and_quotes() -> None:
    assert split_specs("a, b:c=1") == ["a", "b:c=1"]
    assert split_specs("cmd:./x 1, b") == ["cmd:./x 1", "b"]
    assert split_specs("""cmd:./x "1,2" '3,4' 5\\,6,b""") == ["""cmd:./x "1,2" '3,4' 5\\,6""", "b"]
    assert split_specs("it's,b") == ["it's", "b"]  # quotes mean something to a command only
    with pytest.raises(TtrError, match="a quote stays open"):
        split_specs("cmd:./x 'a,b")
    assert read_command(f"cmd:{sys.executable} -c 'a, b' --c=\"d e\"").words == (
        sys.executable,
        "-c",
        "a, b",
        "--c=d e",
    )
