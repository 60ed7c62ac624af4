"""The reference of the tables is that of the code, and its examples work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.results.made import make_run
from ttr_sim.cli.main import main
from ttr_sim.results.reader import open_run
from ttr_sim.results.schema import EXPLAIN, TABLES
from ttr_sim.results.schema_page import ONE_LINERS, as_markdown

PAGE = Path(__file__).parents[2] / "TABLES.md"


def test_the_committed_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--markdown"]) == 0
    printed = capsys.readouterr().out
    assert printed == as_markdown()
    assert PAGE.read_text(encoding="utf-8") == printed, "run: ttr-sim schema --markdown > TABLES.md"


def test_every_column_is_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--json"]) == 0
    tables = {table["name"]: table for table in json.loads(capsys.readouterr().out)["tables"]}
    assert main(["schema"]) == 0
    text = capsys.readouterr().out
    for table in (*TABLES, EXPLAIN):
        assert [column["name"] for column in tables[table.name]["columns"]] == [c.name for c in table.columns]
        for column in table.columns:
            assert f"  {column.name} " in text and f"| `{column.name}` |" in as_markdown()
    assert main(["schema", "--json", "--markdown"]) == 2


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("page") / "run")


@pytest.mark.parametrize("library", ONE_LINERS)
def test_one_liners(library: str, run: Path) -> None:
    pytest.importorskip(library.lower())
    imports, _, expression = ONE_LINERS[library].replace("RUN", str(run)).rpartition("\n\n")
    names: dict[str, Any] = {}
    exec(imports, names)
    found = eval(expression, names)
    rows = {"polars": lambda: found.rows(), "DuckDB": lambda: found, "pandas": lambda: found.items()}[
        library
    ]()
    seats = open_run(run).seats().collect()
    expected = {bot: part["score"].mean() for (bot,), part in seats.group_by("bot")}
    assert dict(rows) == pytest.approx(expected)
