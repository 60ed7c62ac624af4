"""Part files are whole or absent, and their bytes depend on the rows alone."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.results.made import make_run, make_writer, rows_of, sign
from tests.tournament import fake
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results.folder import Folder, check_new, unused, write_whole
from ttr_sim.results.resume import load_kept
from ttr_sim.results.writer import RunWriter

PLAN = fake.plan("a,raiser", games=100)


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*.parquet"))}


def write(path: Path, pieces: list[tuple[int, int]], flush_seconds: float = 1e9) -> RunWriter:
    writer = make_writer(path, PLAN, flush_seconds=flush_seconds)
    for first, games in pieces:
        writer.add(rows_of(PLAN, first, games))
        writer.tick()
    return writer


def test_order_size_and_flushes_do_not_matter(tmp_path: Path) -> None:
    make_run(tmp_path / "a", PLAN)
    pieces = [(first, 5) for first in range(0, 100, 5)]
    random.Random(1).shuffle(pieces)
    write(tmp_path / "b", pieces, flush_seconds=0).flush()
    write(tmp_path / "c", [(0, 30), (30, 1), (31, 29), (60, 30), (90, 10)]).flush()
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == contents(tmp_path / "c")
    assert len(contents(tmp_path / "a")) == 12


def test_what_is_missing(tmp_path: Path) -> None:
    writer = write(tmp_path, [(10, 5), (20, 10), (0, 5), (90, 10)])
    assert writer.missing == [range(5, 10), range(15, 20), range(30, 60), range(60, 90)]
    assert writer.kept == 30


def test_an_incomplete_part_can_be_taken_over(tmp_path: Path) -> None:
    pieces = [(10, 5), (20, 10), (0, 5), (90, 10), (30, 30)]
    write(tmp_path / "a", pieces).flush()
    again = make_writer(tmp_path / "a", PLAN)
    load_kept(again, Folder(tmp_path / "a"))
    assert again.missing == [range(5, 10), range(15, 20), range(60, 90)]
    for gap in again.missing:
        again.add(rows_of(PLAN, gap.start, len(gap)))
    again.flush()
    assert again.missing == []
    make_run(tmp_path / "b", PLAN)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_rows_that_only_some_tables_have_are_not_kept(tmp_path: Path) -> None:
    write(tmp_path / "a", [(0, 10)]).flush()
    behind = (tmp_path / "a" / "games" / "part-00000.parquet").read_bytes()
    write(tmp_path / "a", [(0, 20)]).flush()
    (tmp_path / "a" / "games" / "part-00000.parquet").write_bytes(behind)
    sign(tmp_path / "a")
    writer = make_writer(tmp_path / "a", PLAN)
    load_kept(writer, Folder(tmp_path / "a"))
    assert writer.missing[0].start == 10
    writer.add(rows_of(PLAN, 10, 20))
    writer.flush()
    write(tmp_path / "b", [(0, 30)]).flush()
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_complete_part_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    writer = write(tmp_path, [(0, 20)])
    (tmp_path / "seats").rmdir()
    (tmp_path / "seats").write_text("in the way")
    writer.add(rows_of(PLAN, 20, 10))
    with pytest.raises(RunFailed, match="cannot be written"):
        writer.flush()
    assert (writer.kept, writer.stored) == (30, 0)
    (tmp_path / "seats").unlink()
    (tmp_path / "seats").mkdir()
    writer.flush()
    assert (writer.kept, writer.stored) == (30, 30)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")

    def breaks(file: BinaryIO) -> None:
        file.write(b"ne")
        raise OSError(28, "No space left on device")

    with pytest.raises(RunFailed, match="file: cannot be written: No space left on device"):
        write_whole(path, breaks)
    assert path.read_bytes() == b"old"
    monkeypatch.setattr(os, "replace", lambda a, b: (_ for _ in ()).throw(OSError(5, "broken disk")))
    with pytest.raises(RunFailed, match="broken disk"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_new_folders(tmp_path: Path) -> None:
    check_new(tmp_path / "new" / "deep")
    check_new(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    with pytest.raises(TtrError, match="holds a run already"):
        check_new(tmp_path / "run")
    with pytest.raises(TtrError, match="is not empty"):
        check_new(tmp_path)
    with pytest.raises(TtrError, match="is not a folder"):
        check_new(tmp_path / "run" / "run.json")
    with pytest.raises(TtrError, match="cannot be written"):
        check_new(tmp_path / "run" / "run.json" / "below")
    assert unused(tmp_path, "run") == tmp_path / "run-2"
