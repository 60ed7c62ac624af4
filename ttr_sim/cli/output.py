"""What all commands print alike: tables, JSON, and the option that asks for JSON."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

SCHEMA_VERSION = 1

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object with its `schema_version`; ASCII only, so that it is the same on any terminal."""
    click.echo(json.dumps({"schema_version": SCHEMA_VERSION, **content}, indent=2))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], indent: str = "") -> None:
    """Print rows under a header; columns that hold only numbers are aligned to the right."""
    body = [tuple(row) for row in rows]
    texts = [tuple(header), *(tuple(str(cell) for cell in row) for row in body)]
    columns = range(len(header))
    widths = [max(len(row[c]) for row in texts) for c in columns]
    right = [bool(body) and all(isinstance(row[c], (int, float)) for row in body) for c in columns]
    for row in texts:
        cells = (row[c].rjust(widths[c]) if right[c] else row[c].ljust(widths[c]) for c in columns)
        click.echo((indent + "  ".join(cells)).rstrip())


def refuse_early_json(ctx: click.Context, as_json: bool) -> None:
    """Refuse `--json` in front of a subcommand, where it would have no effect."""
    if as_json and ctx.invoked_subcommand:
        raise click.UsageError(f"--json must stand behind {ctx.invoked_subcommand}")
