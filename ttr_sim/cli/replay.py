"""`ttr-sim replay`: a logged game as readable text, turn by turn, or as a page to step through."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.color import Paint
from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.moment import check_moment, save_moment
from ttr_sim.cli.output import json_option, print_json, print_table
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.engine import Game, Result
    from ttr_sim.results.logged import Part
    from ttr_sim.results.reader import Run
    from ttr_sim.results.replay import Step

_BREAKDOWN = {
    "routes": "routes",
    "tickets_won": "tickets won",
    "tickets_lost": "tickets lost",
    "longest_bonus": "longest path",
    "globetrotter": "globetrotter",
    "all_trains": "all trains",
    "stations_points": "stations",
    "score": "score",
    "rank": "rank",
    "completed": "completed",
    "failed": "failed",
    "longest": "path length",
    "trains_left": "trains left",
}


@click.command(epilog="Example: ttr-sim replay results/first --game 17 --html game.html")
@click.argument("run", type=FOLDER)
@click.option("--game", "number", type=int, required=True, help="Number of the game in the run, from 0.")
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write a page to step through the game, in one file."
)
@click.option(
    "--explain", is_flag=True, help="With --html: ask the bots again what they thought, and show it."
)
@click.option(
    "--at", metavar="TURN[.ACTION]", help="The moment to --save: before a turn, or an action in it."
)
@click.option("--save", type=click.Path(path_type=Path), help="Write that position to a file for `bots ask`.")
@json_option
def replay(
    run: Path, number: int, html: Path | None, explain: bool, at: str | None, save: Path | None, as_json: bool
) -> None:
    """Show a logged game: every turn with its cards and tickets open, and the final scores.

    With --html it becomes a page that works offline: the map filling up, hands, market, scores, every decision.
    """
    from ttr_sim.engine import Game
    from ttr_sim.results.logged import Settings, find_game
    from ttr_sim.results.reader import open_run

    check_moment(at, save, html)
    if explain and html is None:
        raise TtrError("--explain needs --html, the page to show it in")
    opened = open_run(run)
    logged = find_game(opened, number)
    row = logged.games.to_pylist()[0]
    board, rules = Settings(opened).of(row["match"])
    ensure_warm()
    if html is not None:
        _write_page(opened, number, html, explain, as_json)
        return
    game = Game.new(board, rules, row["players"], row["seed"], auto=False)
    if at is not None and save is not None:
        note = f"before {at} of game {number} of {run}: {', '.join(_bots(logged))}"
        save_moment(game, row["actions"], at, save, note, as_json)
    elif as_json:
        print_json(_content(row, logged, game))
    else:
        paint = Paint()
        for line in _lines(row, logged, game, paint):
            click.echo(line)
        _print_end(row, _bots(logged), game)


def _write_page(opened: "Run", number: int, html: Path, explain: bool, as_json: bool) -> None:
    from ttr_sim.reports.viewer.logged import logged_page

    page = logged_page(opened, number, explain=explain)
    try:
        html.write_text(page, encoding="utf-8")
    except OSError as error:
        raise TtrError(f"--html {html}: cannot be written: {error.strerror}") from None
    if as_json:
        print_json({"game": number, "html": str(html)})
    else:
        click.echo(f"wrote {html}; open it in a browser")


def _bots(logged: "Part") -> list[str]:
    names: list[str] = logged.seats.column("bot").to_pylist()
    return names


def _content(row: dict[str, Any], logged: "Part", game: "Game") -> dict[str, Any]:
    from ttr_sim.results.replay import steps

    decisions = [asdict(step) for step in steps(game, row.pop("actions"))]
    return {**row, "bots": _bots(logged), "decisions": decisions, "result": asdict(game.result())}


def _lines(row: dict[str, Any], logged: "Part", game: "Game", paint: Paint) -> Iterator[str]:
    from ttr_sim.engine.actions import ticket_name
    from ttr_sim.results.replay import steps

    names = [paint.seat(seat, f"seat {seat} {bot}") for seat, bot in enumerate(_bots(logged))]
    yield f"game {row['game']} of block {row['block']}: {row['board']}, rules {row['rules']}, seed {row['seed']}"
    for seat, bot in enumerate(_bots(logged)):
        offer = game.state["offer"][0, seat][: int(game.state["offer_n"][0, seat])]
        tickets = ", ".join(ticket_name(game.board, int(t)) for t in offer)
        yield f"{paint.seat(seat, f'seat {seat} is {bot}')}: {paint.cards(_hand(game, seat))}; sees {tickets}"
    start = _position(game, game.seat)
    texts: list[str] = []
    for step in steps(game, row["actions"]):
        if step.phase == "KEEP_SETUP":
            yield f"{names[step.seat]}: keeps {step.text.removeprefix('keep ')}"
        else:
            texts.append(_step_text(step))
            if not game.is_over and int(game.state["turns"][0]) == step.turn:
                continue  # the turn goes on
            yield f"\nturn {step.turn + 1} · {names[step.seat]}: {paint.cards(', '.join(texts))}"
            yield from (paint.cards(line) for line in start)
            yield f"    then {_score_line(game)}"
            texts = []
        start = _position(game, game.seat)
    if texts:
        yield f"\nnot finished: {', '.join(texts)}"


def _step_text(step: "Step") -> str:
    forced = " (forced)" if step.forced else ""
    return f"{step.text}{f' ({step.note})' if step.note else ''}{forced}"


def _hand(game: "Game", seat: int) -> str:
    from ttr_sim.engine.actions import cards_text

    return cards_text([int(n) for n in game.state["hands"][0, seat]])


def _position(game: "Game", seat: int) -> list[str]:
    """Return hand, tickets and market of a seat about to move."""
    from ttr_sim.engine.actions import cards_text
    from ttr_sim.results.replay import kept_tickets

    market = cards_text([int(n) for n in game.state["market"][0]])
    return [
        f"    had {_hand(game, seat)}; market {market}; deck {int(game.state['deck_n'][0])}",
        f"    tickets {', '.join(kept_tickets(game, seat)) or 'none'}",
    ]


def _score_line(game: "Game") -> str:
    state = game.state[0]
    names = {"points": "points", "trains": "trains", "hand_n": "cards"}
    seats = []
    for p in range(game.players):
        numbers = (f"{int(state[field][p])} {name}" for field, name in names.items())
        seats.append(f"seat {p}: {', '.join(numbers)}")
    return " · ".join(seats)


def _print_end(row: dict[str, Any], bots: list[str], game: "Game") -> None:
    result: Result = game.result()
    if not game.is_over:
        who = f"seat {row['forfeit_seat']} forfeits: " if row["forfeit_seat"] is not None else ""
        click.echo(
            f"\nended by {row['end']}: {who}{row['forfeit_reason'] or ''}\nscores as the position stood"
        )
    else:
        click.echo(f"\nended by {result.reason}; decided by {result.decided_by}")
    print_result(game, bots)


def print_result(game: "Game", bots: Sequence[str]) -> None:
    """Print the parts of each seat's score, as the position stands."""
    result: Result = game.result()
    rows = [
        (title, *(getattr(result.seats[p], name) for p in range(game.players)))
        for name, title in _BREAKDOWN.items()
    ]
    print_table(("", *(f"seat {p} {bot}" for p, bot in enumerate(bots))), rows)
