"""`ttr-sim tune`: find parameter values of a bot by playing."""

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim import paths
from ttr_sim.cli.output import json_option, print_json, print_table
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.tournament.tuning.tuner import Tuned, Tuner

INTERRUPTED = 130
_ASKED = ("spec", "params", "against", "games", "board", "rules", "options", "players", "seed")


@click.command(epilog="Example: ttr-sim tune my_bot.py --param hurry=0:20 --against greedy")
@click.argument("spec", required=False)
@click.option(
    "--param", "params", multiple=True, metavar="NAME=LOW:HIGH[:log]", help="What to tune, and where."
)
@click.option("--against", multiple=True, metavar="SPEC,SPEC...", help="The opponents.")
@click.option("--games", type=int, default=4000, show_default=True, help="All games; a quarter verifies.")
@click.option("--board", help="Name or folder of the board.  [default: that of the rules, else europe]")
@click.option("--rules", help="Name or TOML file of the rules.  [default: the name of the board]")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="Change one option of the rules."
)
@click.option("--players", type=int, default=2, show_default=True, help="An opponent takes all other seats.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides candidates and games.")
@click.option("--workers", type=int, help="Number of worker processes.  [default: that of the processors]")
@click.option("--out", type=click.Path(path_type=Path), help="File of it.  [default: results/tune-BOT.json]")
@click.option("--resume", is_flag=True, help="Go on with the file in --out.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
@json_option
@click.pass_context
def tune(
    ctx: click.Context, /, workers: int | None, out: Path | None, resume: bool, quiet: bool, as_json: bool,
    **asked: Any,
) -> int | None:  # fmt: skip
    """Find values of a bot's parameters with which it beats the opponents more often.

    Generations of candidates play the opponents, all of a generation on the same deals; at the end the values found
    play a match against the old ones on new deals. The same seed gives the same result with any number of workers.
    Ctrl-C stops it; --resume --out FILE goes on.
    """
    from ttr_sim.tournament.ask import ask_executor
    from ttr_sim.tournament.prepare import ensure_warm, start_server

    with redirect_stdout(sys.stderr):  # what bots print is no result
        tuner = _resumed(ctx, out) if resume else _new(out, asked)
    with ask_executor(workers, None) as (_, count):
        ensure_warm(quiet, [bot.file for bot in tuner.bots() if not bot.command])
        start_server()
        tuned = tuner.tune(workers=count, tell=lambda text: None if quiet else click.echo(text, err=True))
    if tuned is None:
        click.echo(
            f"stopped; go on with: ttr-sim tune --resume --out {shlex.quote(str(tuner.path))}", err=True
        )
        return INTERRUPTED
    if as_json:
        print_json(_content(tuner, tuned))
    else:
        _print(tuner, tuned)
    return None


def _new(out: Path | None, asked: dict[str, Any]) -> "Tuner":
    from ttr_sim.rules import parse_option
    from ttr_sim.tournament.tuning.tuner import new_tuner

    if not asked["spec"]:
        raise TtrError(
            "name the bot to tune, for example: ttr-sim tune my_bot.py --param hurry=0:20 --against greedy"
        )
    against = [text.strip() for given in asked["against"] for text in given.split(",")]
    if not all(against) or not against:
        raise TtrError("--against must name the opponents, for example --against greedy,random")
    options = dict(parse_option(option) for option in asked["options"])
    content = {**asked, "params": list(asked["params"]), "against": against, "options": options}
    return new_tuner(out or _default_file(asked["spec"]), content)


def _default_file(spec: str) -> Path:
    from ttr_sim.tournament.ask import RESULTS

    name = Path(spec.split(":")[0]).stem
    path, count = RESULTS / f"tune-{name}.json", 1
    while path.exists():
        count += 1
        path = RESULTS / f"tune-{name}-{count}.json"
    return path


def _resumed(ctx: click.Context, out: Path | None) -> "Tuner":
    from click.core import ParameterSource

    from ttr_sim.tournament.tuning.tuner import resumed_tuner

    if out is None:
        raise TtrError("--resume needs --out, the file to go on with")
    for name in _ASKED:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = {"spec": "SPEC", "params": "--param", "options": "--option"}.get(name, f"--{name}")
            raise TtrError(f"{option} cannot be given with --resume: {paths.shown(out)} says what to tune")
    return resumed_tuner(out)


def _print(tuner: "Tuner", tuned: "Tuned") -> None:
    against = ", ".join(bot.label for bot in tuner.opponents)
    click.echo(
        f"{tuned.spec.label} against {against}: {tuned.search_games} games, {tuned.generations} generations\n"
    )
    rows = [(a.name, tuned.old[a.name], tuned.new[a.name], f"{a.low} to {a.high}") for a in tuned.axes]
    print_table(("parameter", "old", "new", "searched"), rows)
    match = tuned.match
    if match is None:
        click.echo("\nThe old values are the best that was found.")
    else:
        click.echo(f"\n{tuned.best.label} against the old values on new deals: {match.games:.0f} games")
        click.echo(
            f"score {match.score:.1%} ({tuned.interval[0]:.1%} to {tuned.interval[1]:.1%}), "
            f"Elo {match.elo:+.0f} ({match.low:+.0f} to {match.high:+.0f}): {tuned.verdict}"
            f"{', keep the old values' * (tuned.verdict == 'worse')}"
        )
    click.echo(f"file: {paths.shown(tuner.path)}")


def _content(tuner: "Tuner", tuned: "Tuned") -> dict[str, Any]:
    match = tuned.match
    return {
        "bot": tuned.spec.label,
        "against": [bot.label for bot in tuner.opponents],
        "best": tuned.best.label,
        "parameters": [
            {
                "name": a.name,
                "old": tuned.old[a.name],
                "new": tuned.new[a.name],
                "low": a.low,
                "high": a.high,
                "log": a.log,
            }
            for a in tuned.axes
        ],
        "generations": tuned.generations,
        "search_games": tuned.search_games,
        "verdict": tuned.verdict,
        "verification": match
        and {
            "games": match.games,
            "blocks": match.blocks,
            "score": {"mean": match.score, "low": tuned.interval[0], "high": tuned.interval[1]},
            "elo": {"mean": match.elo, "low": match.low, "high": match.high},
        },
        "file": str(tuner.path),
    }
