"""`ttr-sim bots ask`: what a bot does in a position, and why."""

import sys
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.output import json_option, print_json, print_table
from ttr_sim.errors import RunFailed, TtrError

if TYPE_CHECKING:
    from ttr_sim.bot.ask import Answer
    from ttr_sim.bot.specs import BotSpec
    from ttr_sim.engine import Game

MAX_SEEDS = 1000


@click.command(epilog="Example: ttr-sim bots ask mcts p.json")
@click.argument("spec")
@click.argument("position", type=click.Path(path_type=Path))
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the bot's random choices.")
@click.option("--seeds", type=int, default=8, show_default=True, help="Ask so many seeds, from --seed on.")
@json_option
def ask(spec: str, position: Path, seed: int, seeds: int, as_json: bool) -> None:
    """Print what a bot chooses in a position file (see `replay --save`), and its reasons where it tells them.

    The bot sees what the seat to move may know and nothing else. Asked with several seeds, it shows how sure it is.
    """
    from ttr_sim.bot.check import check_bot
    from ttr_sim.bot.positions import load_position
    from ttr_sim.bot.specs import parse_spec
    from ttr_sim.tournament.prepare import ensure_warm

    if not 1 <= seeds <= MAX_SEEDS:
        raise TtrError(f"--seeds must be from 1 to {MAX_SEEDS}, not {seeds}")
    if not 0 <= seed < (1 << 64) - MAX_SEEDS:
        raise TtrError(f"--seed must be from 0 to 2^64 - {MAX_SEEDS + 1}, not {seed}")
    saved = load_position(position)
    with redirect_stdout(sys.stderr):  # what bots print is no result
        bot = parse_spec(spec)
        check_bot(bot)
        ensure_warm(bots=[] if bot.command else [bot.file])
        answers = [_ask(bot, saved.game, s) for s in range(seed, seed + seeds)]
    if as_json:
        print_json(_content(spec, position, saved.game, answers))
    else:
        _print(spec, saved.note, saved.game, answers)


def _ask(bot: "BotSpec", game: "Game", seed: int) -> "Answer":
    from ttr_sim.bot.ask import ask as ask_bot

    try:
        return ask_bot(bot, game, seed)
    except TtrError:
        raise
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())[:300]
        raise RunFailed(f"{bot.label} fails here with seed {seed}: {type(error).__name__}: {text}") from error


def _print(spec: str, note: str, game: "Game", answers: "list[Answer]") -> None:
    if note:
        click.echo(note)
    click.echo(game.view(game.seat).text())
    first, legal = answers[0], len(game.legal())
    of = f"of {legal} legal actions" if legal > 1 else "(nothing else is legal)"
    click.echo(f"\n{spec} chooses: {game.describe(first.action)} {of}")
    rows = _weighed(first)
    if rows:
        measures = list(dict.fromkeys(t.measure for t in first.thoughts))
        click.echo("\nIt weighed")
        body = [(game.describe(a), *(_short(numbers.get(m)) for m in measures)) for a, numbers in rows]
        print_table(("action", *measures), body, indent="  ")
    else:
        click.echo("It tells no reasons.")
    if len(answers) > 1:
        click.echo(f"\nWith {len(answers)} seeds")
        counts = Counter(answer.action for answer in answers).most_common()
        print_table(("times", "choice"), [(n, game.describe(a)) for a, n in counts], indent="  ")


def _content(spec: str, position: Path, game: "Game", answers: "list[Answer]") -> dict[str, Any]:
    first = answers[0]
    weighed = [{"action": a, "text": game.describe(a), "numbers": numbers} for a, numbers in _weighed(first)]
    counts = Counter(answer.action for answer in answers).most_common()
    return {
        "bot": spec,
        "position": str(position),
        "seat": game.seat,
        "phase": game.phase,
        "legal": [{"action": a, "text": game.describe(a)} for a in game.legal()],
        "action": first.action,
        "text": game.describe(first.action),
        "weighed": weighed,
        "seeds": [{"seed": answer.seed, "action": answer.action} for answer in answers],
        "choices": [{"action": a, "text": game.describe(a), "times": n} for a, n in counts],
    }


def _weighed(answer: "Answer") -> list[tuple[int, dict[str, float]]]:
    """The numbers of each alternative, the chosen one first, then by the first number, the highest first."""
    found: dict[int, dict[str, float]] = {}
    for thought in answer.thoughts:
        found.setdefault(thought.action, {})[thought.measure] = thought.value
    return sorted(found.items(), key=lambda row: (row[0] != answer.action, -next(iter(row[1].values()))))


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
