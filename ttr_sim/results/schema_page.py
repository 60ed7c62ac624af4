"""The reference of the result tables, made from their schema, as a page and as plain data."""

from typing import Any

from ttr_sim.results.schema import EXPLAIN, GAMES, SCHEMA_VERSION, SEATS, TIMING, reference

_ALL = (GAMES, SEATS, TIMING, EXPLAIN)

# The mean score of each bot, by library; RUN stands for a run folder.
ONE_LINERS = {
    "polars": (
        'import polars as pl\n\npl.scan_parquet("RUN/seats/*.parquet").group_by("bot").agg(pl.mean("score")).collect()'
    ),
    "DuckDB": (
        "import duckdb\n\n"
        """duckdb.sql("SELECT bot, avg(score) AS score FROM 'RUN/seats/*.parquet' GROUP BY bot").fetchall()"""
    ),
    "pandas": 'import pandas as pd\n\npd.read_parquet("RUN/seats").groupby("bot")["score"].mean()',
}

_HEAD = """\
# The tables of a run

Made from the code: `ttr-sim schema --markdown > TABLES.md`.

A run folder has one folder of Parquet files for each table; all rows of a game are in files of the same name. The mean score
of each bot:
"""


def as_markdown() -> str:
    """Return the page."""
    examples = "\n".join(f"```python\n# {name}\n{code}\n```\n" for name, code in ONE_LINERS.items())
    return f"{_HEAD}\n{examples}\n{reference(_ALL)}"


def as_plain() -> dict[str, Any]:
    """Return the tables with their columns as JSON can hold them."""
    return {
        "tables_schema_version": SCHEMA_VERSION,
        "tables": [
            {
                "name": table.name,
                "about": table.doc,
                "key": list(table.key),
                "columns": [
                    {
                        "name": c.name,
                        "type": str(c.type),
                        "unit": c.unit,
                        "about": c.doc,
                        "missing": c.missing,
                    }
                    for c in table.columns
                ],
            }
            for table in _ALL
        ],
    }


def as_rows() -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Return the head of each table and the cells of its columns: name, type, unit, meaning."""
    return [
        (
            f"{table.name}: {table.doc}",
            [
                (c.name, str(c.type), c.unit, f"{c.doc} Missing {c.missing}." if c.missing else c.doc)
                for c in table.columns
            ],
        )
        for table in _ALL
    ]
