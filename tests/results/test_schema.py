"""Every column is documented, in code and in the files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.results.made import make_run, rows_of
from tests.tournament import fake
from ttr_sim.results.schema import (
    GAMES,
    SCHEMA_VERSION,
    SEATS,
    TABLES,
    TIMING,
    reference,
    to_arrow,
    version_of,
)


def test_documentation_is_in_the_files(tmp_path: Path) -> None:
    make_run(tmp_path / "run")
    for table in TABLES:
        schema = pq.read_schema(tmp_path / "run" / table.name / "part-00000.parquet")
        assert version_of(schema) == SCHEMA_VERSION
        for column in table.columns:
            about = schema.field(column.name).metadata
            assert about[b"doc"].decode() == column.doc
            assert about.get(b"unit", b"").decode() == column.unit
            assert schema.field(column.name).nullable == bool(column.missing)


def test_reference_names_every_column() -> None:
    text = reference()
    for table in TABLES:
        assert f"## {table.name}" in text
        for column in table.columns:
            assert f"| `{column.name}` |" in text


def test_keys_order_the_tables() -> None:
    for table in (GAMES, SEATS, TIMING):
        assert set(table.key) <= {column.name for column in table.columns}


def test_columns_must_be_those_of_the_table() -> None:
    columns = dict(rows_of(fake.plan(), 0, 4).tables["timing"])
    del columns["worker"]
    with pytest.raises(ValueError, match="worker"):
        to_arrow(TIMING, columns)


def test_missing_values() -> None:
    columns = dict(rows_of(fake.plan("a,raiser"), 0, 20).tables["games"])
    columns["forfeit_seat"] = np.ma.MaskedArray(np.arange(20), mask=np.arange(20) % 2 == 0)
    column = to_arrow(GAMES, columns).column("forfeit_seat").to_pylist()
    assert column == [None if n % 2 == 0 else n for n in range(20)]
