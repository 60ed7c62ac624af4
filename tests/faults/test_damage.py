"""Damaged results: every command names the file in one line, and a part that is missing is played again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.faults.runs import play, tables
from ttr_sim.cli.main import main

PART = "part-00000.parquet"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("good") / "run", "random,greedy", "--games", 12)


def rewrite(file: Path, column: str, change: Callable[[list[Any]], None]) -> None:
    rows = pq.read_table(file)
    values = rows.column(column).to_pylist()
    change(values)
    place, field = rows.schema.get_field_index(column), rows.schema.field(column)
    pq.write_table(rows.set_column(place, field, pa.array(values, field.type)), file)


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)


DAMAGE: dict[str, tuple[str, Callable[[Path], None]]] = {
    "truncated": (f"games/{PART}", lambda file: file.write_bytes(file.read_bytes()[:-50])),
    "flipped": (f"seats/{PART}", flip),
    "score": (f"seats/{PART}", lambda file: rewrite(file, "score", lambda v: v.__setitem__(3, v[3] + 1))),
    "bot": (f"seats/{PART}", lambda file: rewrite(file, "bot", lambda v: v.__setitem__(0, v[1]))),
    "time": (f"timing/{PART}", lambda file: rewrite(file, "think_ns", lambda v: v.__setitem__(0, 1))),
    "seat row": (f"seats/{PART}", lambda file: pq.write_table(pq.read_table(file).slice(1), file)),
    "games": (f"games/{PART}", Path.unlink),
    "seats": (f"seats/{PART}", Path.unlink),
    "timing": (f"timing/{PART}", Path.unlink),
    "config": (
        "run.json",
        lambda file: file.write_text(file.read_text().replace('"config": {', '"config": {}, "c": {')),
    ),
}
COMMANDS = (["leaderboard"], ["replay", "--game", "3"], ["report", "--format", "md"], ["verify"])


@pytest.mark.parametrize(("name", "damage"), DAMAGE.values(), ids=DAMAGE)
def test_every_command_names_the_file(
    name: str, damage: Callable[[Path], None], good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    shutil.copytree(good, out)
    damage(out / name)
    for command, *words in COMMANDS:
        capsys.readouterr()
        code = main([command, str(out), *words])
        printed, err = capsys.readouterr()
        assert code == (1 if command == "verify" and not err else 2), command
        assert name in (printed + err), command
        assert len(err.splitlines()) <= 1
        assert "Traceback" not in err
    missing = not (out / name).exists()
    code = main(["run", "--resume", "--out", str(out), "--quiet"])
    printed, err = capsys.readouterr()
    if missing:
        assert code == 0
        assert f"{name} is missing: the games of its part are played again" in (out / "run.log").read_text()
        assert tables(out) == tables(good)
    else:
        assert (code, len(err.splitlines())) == (2, 1)
        assert name in err


@pytest.mark.parametrize(
    ("column", "value"),
    [("seed", 5), ("bot_seed", 5), ("block", 3), ("rotation", 1), ("board", "usa"), ("rules", "usa")],
)
def test_verify_knows_what_was_planned(
    column: str, value: object, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    shutil.copytree(good, out)
    rewrite(out / "games" / PART, column, lambda values: values.__setitem__(2, value))
    assert main(["verify", str(out)]) == 1
    assert f"game 2, {column}: logged {value}" in capsys.readouterr().out
