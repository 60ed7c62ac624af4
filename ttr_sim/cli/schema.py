"""`ttr-sim schema`: what the tables of a run hold."""

import click

from ttr_sim.cli.output import json_option, print_json, print_table
from ttr_sim.errors import TtrError


@click.command(epilog="Example: ttr-sim schema --json")
@click.option("--markdown", is_flag=True, help="Print a page with examples for polars, DuckDB and pandas.")
@json_option
def schema(markdown: bool, as_json: bool) -> None:
    """Show the tables of a run: every column with its type, unit and meaning."""
    from ttr_sim.results.schema_page import as_markdown, as_plain, as_rows

    if markdown and as_json:
        raise TtrError("--markdown and --json cannot be given together; give one of them")
    if as_json:
        print_json(as_plain())
    elif markdown:
        click.echo(as_markdown(), nl=False)
    else:
        for number, (head, rows) in enumerate(as_rows()):
            click.echo(f"{chr(10) if number else ''}{head}")
            print_table(("column", "type", "unit", "meaning"), rows, indent="  ")
