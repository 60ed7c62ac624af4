"""`ttr-sim boards`: list the boards, show one, check a folder, start a new one."""

import shutil
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import click

from ttr_sim import board_facts, paths
from ttr_sim.board import KINDS, MAX_LENGTH, Board, Ticket, load_board
from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json, print_table, refuse_early_json
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, as_text, check_fit, load_rules

MOST_LISTED = 10


@click.group(invoke_without_command=True, epilog="Example: ttr-sim boards --json")
@json_option
@click.pass_context
def boards(ctx: click.Context, as_json: bool) -> None:
    """List the boards: those of ./configs/boards, then the shipped ones."""
    refuse_early_json(ctx, as_json)
    if ctx.invoked_subcommand:
        return
    found = [(name, path, _try_load(path)) for name, path in paths.available(paths.BOARD).items()]
    if as_json:
        listed = [
            {"name": name, "path": str(path), "error": loaded}
            if isinstance(loaded, str)
            else {"name": name, "path": str(path), "title": loaded.title, "year": loaded.year}
            for name, path, loaded in found
        ]
        print_json({"boards": listed})
        return
    rows = [
        (name, f"broken: {loaded}", "", "", "", "")
        if isinstance(loaded, str)
        else (name, loaded.title, loaded.year or "", *_sizes(loaded))
        for name, _, loaded in found
    ]
    print_table(("board", "title", "year", "cities", "tracks", "tickets"), rows)


@boards.command(epilog="Example: ttr-sim boards show europe")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a board (a name or a folder): its cities, tracks and tickets."""
    board = load_board(name)
    if as_json:
        print_json(_content(board))
        return
    _print_summary(board)
    click.echo("\nDouble routes")
    for index, track in enumerate(board.tracks):
        if (other := board.partner(index)) > index:
            texts = [_track_text(board, i) for i in (index, other)]
            click.echo(f"  {_between(board, track.a, track.b)}: {' and '.join(texts)}")
    click.echo("\nTickets")
    rows = [(t.points, "long" if t.long else "", _between(board, t.a, t.b)) for t in board.tickets]
    print_table(("points", "", "cities"), rows, indent="  ")


@boards.command(epilog="Example: ttr-sim boards check ./my-board")
@click.argument("folder")
@json_option
def check(folder: str, as_json: bool) -> None:
    """Validate a board (a folder or a name) and print what its designer wants to know."""
    board = load_board(folder)
    tickets = board_facts.ticket_paths(board)
    lost = board_facts.bottlenecks(board)
    degrees = board_facts.degrees(board)
    fits = _fits(board)
    if as_json:
        print_json(_facts(board, tickets, lost, degrees, fits))
        return
    _print_summary(board)
    _print_tickets(board, tickets)
    _print_degrees(board, degrees)
    _print_bottlenecks(board, lost)
    click.echo("\nRules it can be played under")
    rows = [(name, f"no: {a}" if isinstance(a, str) else as_text(a)) for name, a in fits.items()]
    print_table(("rules", "players"), rows, indent="  ")


@boards.command(epilog="Example: ttr-sim boards new ./my-board")
@click.argument("folder", type=FOLDER)
def new(folder: Path) -> None:
    """Write a small valid board to start from into a new FOLDER."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise TtrError(f"{paths.shown(folder)}: exists already; give a new or empty folder")
    try:
        shutil.copytree(paths.shipped_root() / "configs/templates/board", folder, dirs_exist_ok=True)
    except OSError as error:
        raise TtrError(f"{paths.shown(folder)}: cannot be written: {error}") from None
    click.echo(f"wrote {folder}; edit its files, then: ttr-sim boards check {folder}")


def _try_load(path: Path) -> Board | str:
    try:
        return load_board(path)
    except TtrError as error:
        return str(error)


def _sizes(board: Board) -> tuple[int, int, int]:
    return len(board.cities), len(board.tracks), len(board.tickets)


def _between(board: Board, a: int, b: int) -> str:
    return f"{board.cities[a].name}–{board.cities[b].name}"


def _track_text(board: Board, index: int) -> str:
    track = board.tracks[index]
    kind = "" if track.kind == "normal" else f" {track.kind}"
    symbols = (
        f" with {track.locomotives} locomotive{'s' * (track.locomotives > 1)}" if track.locomotives else ""
    )
    return f"{track.length} {track.color}{kind}{symbols}"


def _content(board: Board) -> dict[str, Any]:
    ids = [city.id for city in board.cities]
    return {
        "name": board.name,
        "title": board.title,
        "year": board.year,
        "source": board.source,
        "path": str(board.folder),
        "sha256": board.sha256,
        "cities": [{"id": c.id, "name": c.name, "x": c.x, "y": c.y} for c in board.cities],
        "tracks": [
            {
                "id": t.id,
                "city_a": ids[t.a],
                "city_b": ids[t.b],
                "length": t.length,
                "color": t.color,
                "kind": t.kind,
                "locomotives": t.locomotives,
                "parallel": t.parallel,
                "substitute": index in board.substitute_tracks,
            }
            for index, t in enumerate(board.tracks)
        ],
        "tickets": [
            {"id": t.id, "city_a": ids[t.a], "city_b": ids[t.b], "points": t.points, "long": t.long}
            for t in board.tickets
        ],
    }


def _print_summary(board: Board) -> None:
    year = f" ({board.year})" if board.year else ""
    cities, tracks, tickets = _sizes(board)
    doubles = sum(bool(track.parallel) for track in board.tracks) // 2
    long = sum(ticket.long for ticket in board.tickets)
    spaces = sum(track.length for track in board.tracks)
    click.echo(f"{board.name}: {board.title}{year}")
    click.echo(f"{cities} cities, {tracks} tracks ({doubles} double routes), {spaces} spaces, ", nl=False)
    click.echo(f"{tickets} tickets ({long} long)\n")
    names = ", ".join(city.name for city in board.cities)
    click.echo(textwrap.fill(names, 100, initial_indent="  ", subsequent_indent="  "))
    click.echo("\nTracks by length and kind")
    count = Counter((track.length, track.kind) for track in board.tracks)
    lengths = [n for n in range(1, MAX_LENGTH + 1) if any(count[n, kind] for kind in KINDS)]
    print_table(("length", *KINDS), [(n, *(count[n, kind] for kind in KINDS)) for n in lengths], indent="  ")
    click.echo("\nTracks by colour")
    colors = [(name, *counted) for name, counted in board_facts.spaces_by_color(board).items()]
    print_table(("colour", "tracks", "spaces"), colors, indent="  ")


def _print_tickets(board: Board, tickets: list[tuple[Ticket, int]]) -> None:
    odd = [(ticket, path) for ticket, path in tickets if ticket.points != path]
    odd.sort(key=lambda pair: -abs(pair[0].points - pair[1]))
    click.echo(
        f"\nTickets: {len(tickets) - len(odd)} are worth the spaces of their shortest path, ", nl=False
    )
    click.echo(f"{len(odd)} are not")
    if odd:
        rows = [
            (_between(board, ticket.a, ticket.b), ticket.points, path, f"{ticket.points - path:+}")
            for ticket, path in odd[:MOST_LISTED]
        ]
        print_table(("ticket", "points", "path", "difference"), rows, indent="  ")


def _print_degrees(board: Board, degrees: list[tuple[int, int]]) -> None:
    click.echo("\nCities by number of neighbours")
    for number in sorted({neighbours for neighbours, _ in degrees}):
        names = [board.cities[i].name for i, (neighbours, _) in enumerate(degrees) if neighbours == number]
        click.echo(
            textwrap.fill(", ".join(names), 100, initial_indent=f"  {number}  ", subsequent_indent="     ")
        )


def _print_bottlenecks(board: Board, lost: list[board_facts.Bottleneck]) -> None:
    bridges = sum(n.bridge for n in lost)
    click.echo(
        f"\nBottlenecks: connections whose loss lengthens most tickets ({bridges} would cut the map in two)"
    )
    rows = [
        (_between(board, *n.cities), n.tracks, n.tickets_longer, n.extra_spaces, n.tickets_cut)
        for n in lost[: max(MOST_LISTED, bridges)]
    ]
    print_table(("connection", "tracks", "tickets longer", "by spaces", "tickets cut"), rows, indent="  ")


def _fits(board: Board) -> dict[str, list[int] | str]:
    """Return for every preset the player counts with which it fits the board, or why it does not."""
    answers: dict[str, list[int] | str] = {}
    for name, path in paths.available(paths.RULES).items():
        try:
            rules = load_rules(path)
            check_fit(board, rules)
            answers[name] = [
                n for n in range(rules.players[0], rules.players[1] + 1) if _fit(board, rules, n)
            ]
        except TtrError as error:
            answers[name] = str(error).rpartition(" do not fit: ")[2]
    return answers


def _fit(board: Board, rules: Rules, players: int) -> bool:
    try:
        check_fit(board, rules, players)
    except TtrError:
        return False
    return True


def _facts(
    board: Board,
    tickets: list[tuple[Ticket, int]],
    lost: list[board_facts.Bottleneck],
    degrees: list[tuple[int, int]],
    fits: dict[str, list[int] | str],
) -> dict[str, Any]:
    ids = [city.id for city in board.cities]
    return {
        "name": board.name,
        "colors": {
            color: {"tracks": tracks, "spaces": spaces}
            for color, (tracks, spaces) in board_facts.spaces_by_color(board).items()
        },
        "tickets": [{"id": t.id, "points": t.points, "shortest_path": path} for t, path in tickets],
        "cities": [
            {"id": city, "neighbours": neighbours, "tracks": tracks}
            for city, (neighbours, tracks) in zip(ids, degrees, strict=True)
        ],
        "bottlenecks": [
            {
                "city_a": ids[n.cities[0]],
                "city_b": ids[n.cities[1]],
                "tracks": n.tracks,
                "bridge": n.bridge,
                "tickets_longer": n.tickets_longer,
                "extra_spaces": n.extra_spaces,
                "tickets_cut": n.tickets_cut,
            }
            for n in lost
        ],
        "rules": [
            {"name": name, "error": answer} if isinstance(answer, str) else {"name": name, "players": answer}
            for name, answer in fits.items()
        ],
    }
