"""`ttr-sim report`: what runs say about bots, board, tickets and rules, as a page, as text or as tables."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim import paths
from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.reports.document import Document
    from ttr_sim.results.reader import Run

_FORMATS = ("html", "md", "csv")
_PAGE = Path("report.html")


@click.command(epilog="Example: ttr-sim report results/first results/second --out report.html")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FOLDER)
@click.option("--out", type=click.Path(path_type=Path),
              help="The page to write, or the folder of the CSV files.  [default: report.html; md: stdout]")  # fmt: skip
@click.option("--format", "shape", type=click.Choice(_FORMATS), default=_FORMATS[0], show_default=True,
              help="One HTML page; the key tables as Markdown; every table as a CSV file.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
@json_option
def report(runs: tuple[Path, ...], out: Path | None, shape: str, quiet: bool, as_json: bool) -> None:
    """Write a balance report of one or several runs: field, seats, board, tickets, rules, tempo.

    The page needs nothing but itself. Runs under different rules or on different boards are compared. With --format
    csv the last argument may be the folder to write to. --json prints every table and writes nothing but --out.
    """
    from ttr_sim.reports.analysis import analyse
    from ttr_sim.reports.build import build
    from ttr_sim.results.reader import open_run

    if shape == "csv" and not as_json:
        runs, out = _folder_of_tables(runs, out)
    opened = [open_run(run) for run in runs]
    if shape == "html" and not as_json:
        out = out or _PAGE
    _check_out(out, shape)
    ensure_warm(quiet)
    with _progress(opened, quiet) as progress:
        document = build(analyse(opened, progress))
    if as_json:
        from ttr_sim.reports.text import as_plain

        print_json(as_plain(document))
    if out is not None or not as_json:
        click.echo(_write(document, shape, out), err=as_json)


def _folder_of_tables(runs: tuple[Path, ...], out: Path | None) -> tuple[tuple[Path, ...], Path]:
    """Return the runs and the folder to write to, which may be given as the last argument."""
    from ttr_sim.results.folder import INFO

    if out is not None:
        return runs, out
    if len(runs) > 1 and not (runs[-1] / INFO).exists():
        return runs[:-1], runs[-1]
    raise TtrError("--format csv: name the folder to write to, as the last argument or with --out")


def _check_out(out: Path | None, shape: str) -> None:
    """Raise TtrError where nothing can be written, before the work is done."""
    if out is None:
        return
    if shape == "csv":
        if out.exists() and not out.is_dir():
            raise TtrError(f"{paths.shown(out)}: is not a folder; give a folder for the CSV files")
    elif out.is_dir():
        raise TtrError(f"{paths.shown(out)}: is a folder; give the name of a file as --out")
    elif not out.absolute().parent.is_dir():
        raise TtrError(f"{paths.shown(out)}: there is no folder {paths.shown(out.absolute().parent)}")


def _write(document: "Document", shape: str, out: Path | None) -> str:
    """Write the report and return what to say of it; Markdown without a file is said itself."""
    from ttr_sim.reports.text import as_markdown, csv_files
    from ttr_sim.results.folder import write_whole

    if shape == "md" and out is None:
        return as_markdown(document).rstrip("\n")
    assert out is not None
    if shape == "csv":
        files = csv_files(document)
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TtrError(f"{paths.shown(out)}: cannot be made: {error.strerror}") from None
        for name, content in files.items():
            write_whole(out / f"{name}.csv", content.encode())
        return f"{len(files)} tables: {paths.shown(out)}"
    if shape == "md":
        write_whole(out, as_markdown(document).encode())
    else:
        from ttr_sim.reports.html import as_html

        write_whole(out, as_html(document).encode())
    return f"report: {paths.shown(out)}"


@contextmanager
def _progress(runs: Sequence["Run"], quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many games are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda games: None
        return
    from tqdm import tqdm

    games = sum(int(run.info["games_played"]) for run in runs)
    with tqdm(total=games, unit="game", file=sys.stderr, dynamic_ncols=True, leave=False) as bar:
        yield bar.update
