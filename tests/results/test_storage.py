"""Runs on other file systems than that of this machine, here fsspec's file system in memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ttr_sim as ttr
from tests.results.made import make_run
from tests.tournament import fake
from ttr_sim.cli.main import main
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results.reader import open_run
from ttr_sim.results.storage import is_here, place, put
from ttr_sim.tournament.session import new_session, resumed_session

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("upath")


@pytest.fixture
def memory() -> Iterator[Any]:
    """The file system in memory, empty."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    system.pseudo_dirs[:] = [""]
    yield system
    system.store.clear()


def tables_there(memory: Any, run: str) -> dict[str, bytes]:
    names = [*memory.glob(f"/{run}/games/*"), *memory.glob(f"/{run}/seats/*")]
    return {name.removeprefix(f"/{run}/"): memory.cat_file(name) for name in names}


def tables_here(folder: Path) -> dict[str, bytes]:
    files = [*folder.glob("games/*"), *folder.glob("seats/*")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


CLOCK = {"decision_ms", "seconds", "timing"}  # what depends on it
PLACES = {"run", "runs"}


def result(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    """What a command prints as JSON, without what depends on the clock or the place."""

    def stable(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: stable(part) for key, part in value.items() if key not in CLOCK | PLACES}
        return [stable(part) for part in value] if isinstance(value, list) else value

    assert main([*command, "--json"]) == 0
    return stable(json.loads(capsys.readouterr().out))


def test_commands_work_there_as_here(memory: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["run", "--bots", "random,random", "--games", "20", "--workers", "1", "--quiet", "--out"]
    here, there = str(tmp_path / "run"), "memory://bucket/run"
    assert result(capsys, *common, there) == result(capsys, *common, here)
    assert tables_there(memory, "bucket/run") == tables_here(tmp_path / "run")
    assert set(memory.ls("/bucket/run", detail=False)) == {
        f"/bucket/run/{name}" for name in ("run.json", "run.log", "games", "seats", "timing", "checksums")
    }
    for command, *words in (["leaderboard"], ["verify"], ["replay", "--game", "3"]):
        assert result(capsys, command, there, *words) == result(capsys, command, here, *words)
    assert main(["report", there, "--format", "md"]) == 0
    for shard in ("1/2", "2/2"):
        assert main([*common, f"memory://bucket/{shard[0]}", "--shard", shard]) == 0
    assert main(["merge", "memory://bucket/1", "memory://bucket/2", "--out", "memory://bucket/all"]) == 0
    assert tables_there(memory, "bucket/all") == tables_here(tmp_path / "run")
    assert main([*common, there]) == 2
    assert "memory://bucket/run: holds a run already" in capsys.readouterr().err
    assert main(["leaderboard", "memory://bucket/none"]) == 2
    assert "memory://bucket/none: there is no such run folder" in capsys.readouterr().err


def test_frames_there(memory: Any, tmp_path: Path) -> None:
    plan = fake.plan("a,raiser", games=100)
    here = open_run(make_run(tmp_path / "run", plan))
    there = open_run(make_run(place("memory://run"), plan))
    assert there.games().collect().equals(here.games().collect())
    assert (
        there.seats().select("bot", "score").collect().equals(here.seats().select("bot", "score").collect())
    )
    assert there.seats().collect_schema() == here.seats().collect_schema()
    assert ttr.load("memory://run").leaderboard().games == 100


def test_stop_and_resume_there(memory: Any, tmp_path: Path) -> None:
    plan = fake.plan("a,raiser", games=100)
    make_run(tmp_path / "run", plan)
    make_run(place("memory://run"), plan, stop=50)
    memory.pipe_file("/run/run.log", b"from before\n")
    session = resumed_session(place("memory://run"))
    assert session.kept == 50
    assert session.play(workers=1, quiet=True, opener=fake.open_fake)
    assert tables_there(memory, "run") == tables_here(tmp_path / "run")
    log = memory.cat_file("/run/run.log").decode()
    assert log.startswith("from before\n") and "forfeits: ValueError: as planned" in log


def test_a_part_is_always_whole(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A put that fails leaves what was there, and the run says so in one line."""
    session = new_session(place("memory://run"), fake.plan(games=100), part_games=30)
    real, puts = type(memory).pipe_file, 0

    def full(self: Any, path: str, value: bytes, **options: Any) -> None:
        nonlocal puts
        puts += 1
        if 6 < puts < 12:
            raise PermissionError("quota exceeded\nfor this bucket")
        real(self, path, value, **options)

    monkeypatch.setattr(type(memory), "pipe_file", full)
    with pytest.raises(RunFailed, match=r"cannot be written: PermissionError: quota exceeded$"):
        session.play(workers=1, quiet=True, opener=fake.open_fake)
    puts = 100
    kept = open_run("memory://run").games().collect().height
    assert kept == 30
    again = resumed_session(place("memory://run"))
    assert again.play(workers=1, quiet=True, opener=fake.open_fake)
    assert json.loads(memory.cat_file("/run/run.json"))["status"] == "finished"


def test_damaged_parts_there_are_named(memory: Any, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(place("memory://run"), fake.plan(games=100))
    whole = memory.cat_file("/run/seats/part-00001.parquet")
    memory.pipe_file("/run/seats/part-00001.parquet", whole[:-50])
    assert main(["leaderboard", "memory://run"]) == 2
    assert "memory://run/seats/part-00001.parquet: is truncated or damaged" in capsys.readouterr().err
    memory.rm("/run/seats/part-00001.parquet")
    assert main(["leaderboard", "memory://run"]) == 2
    assert "memory://run/seats/part-00001.parquet: is missing" in capsys.readouterr().err


def test_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert place("results/a") == Path("results/a")
    assert place(f"file://{tmp_path}") == tmp_path
    assert is_here(place(tmp_path)) and not is_here(place("memory://a"))
    for name, message in {
        "nosuch://a/b": "nosuch://a/b: cannot be reached: ValueError: Unsupported filesystem",
        "s3:// /a": "s3:// /a: cannot be reached: ",
    }.items():
        with pytest.raises(TtrError, match=message) as caught:
            put(place(name), b"")
        assert "\n" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(TtrError, match=r"s3://a/b: .*pip install 'ttr-sim\[cloud\]'"):
        place("s3://a/b")
