"""Damaged run folders: the leaderboard names the file, and nothing crashes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.results.made import make_run, sign
from tests.tournament import fake
from ttr_sim.cli.main import main
from ttr_sim.errors import TtrError
from ttr_sim.results.folder import Folder
from ttr_sim.results.info import read_info

Change = Callable[[Any], Any]


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of a run; copy it."""
    return make_run(tmp_path_factory.mktemp("half") / "run", fake.plan(games=60), stop=30)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two parts; copy it."""
    return make_run(tmp_path_factory.mktemp("whole") / "run", fake.plan("a,raiser", games=60))


def change_table(run: Path, table: str, change: Change) -> None:
    file = run / table / "part-00001.parquet"
    pq.write_table(change(pq.read_table(file)), file)
    sign(run)


def with_column(name: str, change: Change) -> Change:
    def changed(rows: Any) -> Any:
        index = rows.schema.get_field_index(name)
        values = pa.array(change(rows.column(name).to_pylist()), rows.schema.field(name).type)
        return rows.set_column(index, rows.schema.field(name), values)

    return changed


def first(value: Any) -> Change:
    return lambda values: [value, *values[1:]]


TABLES: dict[str, tuple[str, Change, str]] = {
    "seat row missing": ("seats", lambda rows: rows.slice(1), "seats/part-00001.parquet: is damaged: does not have"),
    "seat row twice": ("seats", lambda rows: pa.concat_tables([rows, rows.slice(0, 1)]), "does not have a row for every"),
    "time missing": ("timing", lambda rows: rows.slice(1), "timing/part-00001.parquet: is damaged: does not have"),
    "unknown bot": ("seats", with_column("bot", first("stranger")), "has games of 'stranger', which is no bot of"),
    "another seat": ("seats", with_column("seat", first(4)), "seats/part-00001.parquet: is damaged: does not have"),
    "one rank missing": ("seats", with_column("rank", first(None)), "has ranks that cannot be"),
    "rank out of range": ("seats", with_column("rank", first(7)), "has ranks that cannot be"),
    "unknown match": ("games", with_column("match", first(3)), "games/part-00001.parquet: is damaged: has games of a match"),
    "games in disorder": ("games", lambda rows: rows.take(pc.sort_indices(rows["game"], [("", "descending")])),
                          "games/part-00001.parquet: is damaged: has games that are not in order"),
}  # fmt: skip


@pytest.mark.parametrize(("table", "change", "message"), TABLES.values(), ids=TABLES)
def test_tables(
    table: str,
    change: Change,
    message: str,
    whole: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    change_table(run, table, change)
    capsys.readouterr()
    for details in ([], ["--details"]):
        assert main(["leaderboard", str(run), *details]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert message in err


def without(*path: Any) -> Change:
    def changed(info: Any) -> Any:
        inner = info
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        return info

    return changed


def with_value(value: Any, *path: Any) -> Change:
    def changed(info: Any) -> Any:
        inner = info
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return info

    return changed


INFOS: dict[str, tuple[Change, str]] = {
    "empty config": (with_value({}, "config"), "config.seed is missing"),
    "no label": (without("config", "bots", 1, "label"), "config.bots[1].label is missing"),
    "bots no list": (with_value({}, "config", "bots"), "config.bots must be a list that is not empty"),
    "no bots": (with_value([], "config", "bots"), "config.bots must be a list that is not empty"),
    "bot a text": (with_value("a", "config", "bots", 0), "config.bots[0] must be a table"),
    "label a number": (with_value(3, "config", "bots", 0, "label"), "config.bots[0].label must be a text"),
    "labels alike": (with_value("a", "config", "bots", 1, "label"), "config.bots: two bots have the same label"),
    "match of nobody": (with_value([0, 7], "config", "matches", 0, "bots"), "config.matches[0]: names bots or settings"),
    "match nowhere": (with_value(1, "config", "matches", 0, "setting"), "config.matches[0]: names bots or settings"),
    "seed true": (with_value(True, "config", "seed"), "config.seed must be a whole number"),
    "asked a text": (with_value("x", "asked"), "asked must be a table"),
    "no number to stop at": (with_value({"until_error": "x"}, "asked"), "asked.until_error must be a number"),
    "merge of what": (with_value([{}], "merged"), "merged[0].seed is missing"),
    "limits no table": (with_value([], "config", "limits"), "config.limits must be a table"),
    "too many games": (with_value(10**30, "games"), "games and part_games must be at least 1 and below"),
    "games a text": (with_value("x", "games"), "games is missing or has the wrong type"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), INFOS.values(), ids=INFOS)
def test_run_json(
    change: Change, message: str, half: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(half, run)
    info = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(change(info)))
    with pytest.raises(TtrError, match="is damaged"):
        read_info(Folder(run))
    for line in (
        ["leaderboard", str(run)],
        ["run", "--resume", "--out", str(run)],
        ["run", "--config", str(run), "--out", str(tmp_path / "again")],
    ):
        assert main(line) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert f"{run}/run.json: is damaged: {message}" in err
