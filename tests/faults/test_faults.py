"""Everything a bot can do wrong, done for real: it loses that game, all others are as they would have been."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.faults.runs import COMPILED, FAULTY, forfeits, games, play, run, seats, tables
from ttr_sim.cli.main import main

MEMORY = 600  # MiB
LIMITS = ("--time-per-decision", 0.25, "--memory-per-worker", f"{MEMORY}M")
LATE = "took longer than 0.25 s for a decision"
REASONS = {
    "raise": "ValueError: no idea (line ",
    "interrupt": "KeyboardInterrupt:",
    "leave": "SystemExit: enough",
    "illegal": "illegal action 387 (keep tickets ",
    "text": "the answer 'draw' is no whole number",
    "sleep": LATE,
    "loop": LATE,
    "memory": f"used more than {MEMORY} MiB of memory",
    "exit": "the worker process ended (exit code 5)",
    "kill": "the worker process was killed (signal 9)",
    "crash": "the worker process was killed (signal 11)",
    "print": "printed more than 1,000,000 characters",
    "thread": "left a thread running when it answered",
    "modify": "ValueError: assignment destination is read-only",
}
COMPILED_REASONS = {
    "loop": LATE,
    "late": LATE,
    "raise": "ValueError: no idea",
    "illegal": "illegal action 387",
}


def spec(how: str, rate: float = 0.02) -> str:
    return f"{FAULTY}:Faulty:how={how}:rate={rate}"


def compiled_spec(how: str, rate: float = 0.02) -> str:
    return f"{COMPILED}:how={how}:rate={rate}"


BOTS = {
    **{spec(how): reason for how, reason in REASONS.items()},
    **{compiled_spec(how): reason for how, reason in COMPILED_REASONS.items()},
}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every faulty bot against random, four games each, by three workers."""
    folder = tmp_path_factory.mktemp("faulty")
    bots = ",".join(["random", *BOTS])
    games = 4 * len(BOTS)
    return play(folder / "run", bots, "--format", "gauntlet", "--games", games, "--workers", 3, *LIMITS)


def test_each_reason_is_in_the_tables(faulty: Path) -> None:
    found = forfeits(faulty)
    assert set(found) == set(BOTS)
    for bot, reasons in found.items():
        assert len(reasons) == 1
        assert reasons.pop().startswith(BOTS[bot]), bot


def test_the_forfeiter_is_last_and_the_log_goes_as_far_as_the_game(faulty: Path) -> None:
    lost = games(faulty).filter(pl.col("end") == "forfeit")
    assert lost["decisions"].null_count() == 0
    assert lost["actions"].list.len().to_list() == lost["decisions"].to_list()
    own = seats(faulty).join(lost.select("game", seat="forfeit_seat"), on=("game", "seat"))
    assert own["rank"].to_list() == [2] * len(lost)
    assert main(["verify", str(faulty)]) == 0


def test_everything_else_is_as_if_nothing_had_happened(faulty: Path, tmp_path: Path) -> None:
    """A game goes as it does with a bot that does nothing wrong, up to the forfeit if there is one."""
    good = {spec(how): spec("") for how in REASONS} | {
        compiled_spec(how): compiled_spec("") for how in COMPILED_REASONS
    }
    bots = ",".join(["random", *(good[bot] for bot in BOTS)])
    calm = games(play(tmp_path / "calm", bots, "--format", "gauntlet", "--games", 4 * len(BOTS)))
    for was, now in zip(calm.iter_rows(named=True), games(faulty).iter_rows(named=True), strict=True):
        assert now["actions"] == was["actions"][: len(now["actions"])], now["game"]
        assert now["end"] == "forfeit" or len(now["actions"]) == len(was["actions"])


def test_counts_are_shown_and_logged(faulty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaderboard", str(faulty), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["forfeits"]
    lost = games(faulty).filter(pl.col("end") == "forfeit")
    assert sum(entry["games"] for entry in shown) == len(lost)
    assert {(entry["bot"], entry["reason"]) for entry in shown} == {
        (bot, reason) for bot, reasons in forfeits(faulty).items() for reason in reasons
    }
    assert main(["leaderboard", str(faulty)]) == 0
    assert (
        f"forfeits: {shown[0]['bot']}: {shown[0]['games']} x {shown[0]['reason']}" in capsys.readouterr().out
    )
    log = (faulty / "run.log").read_text()
    assert log.count(" forfeits: ") == len(lost)
    assert 'faulty.py", line 28, in _raise\n    raise ValueError("no idea")' in log
    assert max(map(len, log.splitlines())) < 21_000  # what was printed is cut


def test_the_workers_have_no_influence(faulty: Path, tmp_path: Path) -> None:
    """Faults that end or spoil a process, by another number of workers."""
    bots = ["random", *(spec(how) for how in ("exit", "memory", "thread")), compiled_spec("loop")]
    line = (",".join(bots), "--format", "gauntlet", "--games", 16, *LIMITS)
    first, second = (tables(play(tmp_path / str(n), *line, "--workers", n)) for n in (1, 2))
    assert first == second


def test_a_bot_that_is_a_little_late_by_hand(tmp_path: Path) -> None:
    """Compiled and interpreted bots that come back by themselves are judged too."""
    bots = f"{compiled_spec('late', 0.02)},random"
    late = play(tmp_path / "late", bots, "--games", 4, "--workers", 1, "--time-per-decision", 0.3)
    assert forfeits(late) == {compiled_spec("late", 0.02): {"took longer than 0.3 s for a decision"}}


def test_shared_random_numbers_repeat(tmp_path: Path) -> None:
    """What bots do to the generators of the process reaches no other game, and no bot that uses its own."""
    bots = f"{FAULTY}:Chancy,{spec('random', 0.2)},{FAULTY}:Chancy"
    first, second = (tables(play(tmp_path / str(n), bots, "--games", 12, "--workers", n)) for n in (1, 2))
    assert first == second


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--time-per-decision", 0), "--time-per-decision must be a number of seconds above 0, not 0.0"),
        (("--time-per-decision", "nan"), "--time-per-decision must be a number of seconds above 0, not nan"),
        (("--memory-per-worker", "10M"), "--memory-per-worker must be at least 400M"),
        (
            ("--memory-per-worker", "much"),
            "--memory-per-worker must be a size such as 800M or 2G, not 'much'",
        ),
        (("--max-forfeits", -1), "--max-forfeits must be a whole number of at least 0, not -1"),
    ],
)
def test_limits_that_are_none(
    options: tuple[object, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path / "none", "random,random", *options, code=2)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert not (tmp_path / "none").exists()


def test_limits_belong_to_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = play(tmp_path / "run", "random,random", "--games", 2, "--max-forfeits", 3, *LIMITS)
    info = json.loads((out / "run.json").read_text())
    assert info["config"]["limits"] == {
        "time_per_decision": 0.25,
        "memory_per_worker": MEMORY << 20,
        "max_forfeits": 3,
    }
    assert main(["run", "--config", str(out), "--quiet", "--out", str(tmp_path / "again")]) == 0
    assert json.loads((tmp_path / "again" / "run.json").read_text())["config"] == info["config"]
    info["config"]["limits"]["time_per_decision"] = "long"
    (out / "run.json").write_text(json.dumps(info))
    capsys.readouterr()
    assert main(["run", "--resume", "--out", str(out)]) == 2
    assert (
        "run.json: is damaged: config.limits.time_per_decision must be a number of seconds"
        in capsys.readouterr().err
    )


def test_nothing_a_bot_prints_reaches_the_terminal(tmp_path: Path) -> None:
    bots = f"random,{spec('print', 0.2)}"
    code, out, err = run("run", "--bots", bots, "--games", 2, "--quiet", "--json", "--out", tmp_path / "run")
    assert (code, err) == (0, "")
    assert json.loads(out)["games"] == 2
