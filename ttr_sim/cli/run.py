"""`ttr-sim run`: play a tournament, keep its games, print who is better."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim import paths
from ttr_sim.cli.output import json_option, print_json
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm, start_server

if TYPE_CHECKING:
    from ttr_sim.tournament.session import Session

INTERRUPTED = 130
_FORMATS = ("round-robin", "gauntlet", "table")


@click.command(epilog="Example: ttr-sim run --bots greedy,mcts --games 10000")
@click.option(
    "--bots", multiple=True, metavar="SPEC,SPEC...", help="The bots: name or file.py, with :parameter=value."
)
@click.option("--games", type=int, default=1000, show_default=True, help="Rounded up to whole blocks.")
@click.option("--board", help="Name or folder of the board.  [default: that of the rules, else europe]")
@click.option("--rules", help="Name or TOML file of the rules.  [default: the name of the board]")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="Change one option of the rules."
)
@click.option(
    "--players", type=int, help="Seats of a game.  [default: 2; of a table: as many as there are bots]"
)
@click.option("--format", "shape", type=click.Choice(_FORMATS), default=_FORMATS[0], show_default=True,
              help="Who meets whom: all; the first bot and each of the others; all at one table.")  # fmt: skip
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides every game, with the bots and rules."
)
@click.option("--workers", type=int, help="Number of worker processes.  [default: that of the processors]")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder.  [default: results/NAME]")
@click.option("--name", help="Name of the run.  [default: date and bots]")
@click.option("--resume", is_flag=True, help="Go on with the interrupted run in --out.")
@click.option(
    "--explain", is_flag=True, help="Keep what bots say of their decisions too (slower), for replay --html."
)
@click.option("--quiet", is_flag=True, help="No progress and no warnings on stderr.")
@json_option
@click.pass_context
def run(
    ctx: click.Context, /, workers: int | None, quiet: bool, resume: bool, as_json: bool, **asked: Any
) -> int | None:
    """Play a tournament between bots and print the leaderboard.

    Two players: every pair of bots meets. A block is one deal played in every rotation of the seats; games are
    rounded up to whole blocks, equally many for every line-up. The same bots, rules, seed and games give the same
    tables with any number of workers. Ctrl-C stops a run; --resume goes on with it.
    """
    from ttr_sim.tournament.ask import ask_workers
    from ttr_sim.tournament.progress import progress_bar

    count = ask_workers(workers)
    session = _resumed(ctx, asked["out"]) if resume else _new(asked)
    ensure_warm(quiet, [bot.file for bot in session.plan.bots])
    if not quiet:
        _announce(session, count, None if resume else asked["games"])
    with progress_bar(session, quiet) as progress:
        complete = session.play(workers=count, quiet=quiet, progress=progress)
    if not complete:
        click.echo(_how_to_go_on(session), err=True)
        return INTERRUPTED
    _print_result(session, as_json)
    return None


def _new(asked: dict[str, Any]) -> "Session":
    """Check what is asked, the quick things first."""
    from ttr_sim.results.folder import check_new
    from ttr_sim.rules import parse_option
    from ttr_sim.tournament.ask import ask_folder, ask_plan, ask_setting
    from ttr_sim.tournament.session import new_session

    if asked["games"] < 1:
        raise TtrError(f"--games must be at least 1, not {asked['games']}")
    texts = [text.strip() for given in asked["bots"] for text in given.split(",")]
    if not all(texts) or not texts:
        raise TtrError("--bots must name the bots, for example --bots greedy,random")
    out = asked["out"] or ask_folder(asked["name"], texts)
    check_new(out)
    options = dict(parse_option(option) for option in asked["options"])
    setting = ask_setting(asked["board"], asked["rules"], options)
    start_server()
    about = {"games": asked["games"], "name": asked["name"] or out.name, "explain": asked["explain"]}
    wanted = {key: asked[key] for key in ("games", "players", "seed", "shape")}
    return new_session(out, ask_plan(texts, setting, **wanted), about=about)


def _resumed(ctx: click.Context, out: Path | None) -> "Session":
    from click.core import ParameterSource

    from ttr_sim.tournament.session import resumed_session

    if out is None:
        raise TtrError("--resume needs --out, the folder of the run to go on with")
    for name in ("bots", "games", "board", "rules", "options", "players", "shape", "seed", "name", "explain"):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = {"options": "option", "shape": "format"}.get(name, name)
            raise TtrError(
                f"--{option} cannot be given with --resume: run.json in {paths.shown(out)} says what to play"
            )
    start_server()
    return resumed_session(out)


def _announce(session: "Session", workers: int, asked: int | None) -> None:
    schedule = session.plan.schedule
    if asked is not None and asked != schedule.games:
        blocks = f"{schedule.blocks} whole blocks, equally many for each line-up"
        click.echo(f"{asked} games are rounded up to {schedule.games}: {blocks}", err=True)
    kept = f" ({session.kept} of them played before)" if session.kept else ""
    line_ups = f"{len(schedule.matches)} line-up{'s' if len(schedule.matches) > 1 else ''}"
    to = f"{workers} worker{'s' if workers > 1 else ''}, into {session.folder.shown}"
    click.echo(f"{schedule.games} games{kept} of {line_ups} with {to}", err=True)


def _how_to_go_on(session: "Session") -> str:
    games = session.plan.schedule.games
    kept = f"stopped; {session.kept} of {games} games are kept in {session.folder.shown}"
    return f"{kept}\ngo on with: ttr-sim run --resume --out {_quoted(session.folder.path)}"


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


def _print_result(session: "Session", as_json: bool) -> None:
    from ttr_sim.results.leaderboard import make_leaderboard
    from ttr_sim.results.leaderboard_text import as_lines, as_plain
    from ttr_sim.results.reader import open_run

    board = make_leaderboard([open_run(session.folder.path)])
    if as_json:
        print_json(
            {"run": str(session.folder.path), "timing": session.info["timings"][-1], **as_plain(board)}
        )
        return
    click.echo("\n".join(as_lines(board)))
    click.echo(f"run folder: {session.folder.shown}")
