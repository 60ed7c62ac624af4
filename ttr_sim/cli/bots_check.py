"""`ttr-sim bots check`: is a bot fit for tournaments?"""

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.output import json_option, print_json
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.bot.conformance.report import Verdict

_WIDTH = 20


@click.command(epilog="Example: ttr-sim bots check my_bot.py")
@click.argument("spec")
@click.option("--thorough", is_flag=True, help="Play and ask far more: minutes instead of seconds.")
@click.option(
    "--max-ms", type=float, default=1000.0, show_default=True, help="Most time per decision, on average."
)
@click.option(
    "--patience",
    type=float,
    default=60.0,
    show_default=True,
    help="Seconds without an answer to give up after.",
)
@json_option
def check(spec: str, thorough: bool, max_ms: float, patience: float, as_json: bool) -> int:
    """Check that a bot keeps what tournaments rely on; exit code 1 when it does not.

    It plays every preset and number of players, answers legally, in time, the same for the same seed, takes chance from
    its own generator, minds nothing hidden, bears other copies of itself and odd positions.
    """
    if not max_ms > 0:
        raise TtrError(f"--max-ms must be above 0, not {max_ms:g}")
    if not 0 < patience < 1e6:
        raise TtrError(f"--patience must be above 0, not {patience:g}")
    limits = {"thorough": thorough, "max_ms": max_ms, "patience": patience}
    verdicts, timing = _check(spec, limits, [] if as_json else [_print])
    failed = [verdict for verdict in verdicts if not verdict.ok]
    if as_json:
        print_json(_content(spec, thorough, verdicts, timing))
    else:
        click.echo(
            f"\n{spec}: {'FAIL: ' + ', '.join(verdict.name for verdict in failed) if failed else 'passes'}"
        )
    return 1 if failed else 0


def _check(spec: str, limits: dict[str, Any], told: list[Any]) -> "tuple[list[Verdict], dict[str, float]]":
    from ttr_sim.bot.conformance.report import Verdict, check_in_process

    def tell(verdict: Verdict) -> None:
        for each in told:
            each(verdict)

    problem = _load(spec)
    loads = Verdict("loads", "its file imports, it can be made", (problem,) if problem else ())
    tell(loads)
    if problem:
        return [loads], {}
    verdicts, timing = check_in_process(spec, tell=tell, **limits)
    return [loads, *verdicts], timing


def _load(spec: str) -> str | None:
    """Read and compile the bot; returns what is wrong with it. Raises TtrError for no such bot, a wrong value."""
    from ttr_sim import paths
    from ttr_sim.bot.check import check_bot
    from ttr_sim.bot.command import PREFIX
    from ttr_sim.bot.specs import bots_in, parse_spec
    from ttr_sim.tournament.prepare import ensure_warm

    with redirect_stdout(sys.stderr):  # what bots print is no result
        if not spec.startswith(PREFIX):
            file = paths.find(paths.BOT, spec.split(":")[0])
            try:
                bots_in(file)
            except TtrError as error:
                return str(error)
        bot = parse_spec(spec)
        ensure_warm()
        try:
            check_bot(bot)
            ensure_warm(bots=[] if bot.command else [bot.file])
        except TtrError as error:
            return str(error)
    return None


def _print(verdict: "Verdict") -> None:
    click.echo(f"{'ok  ' if verdict.ok else 'FAIL'}  {verdict.name:{_WIDTH}}{verdict.detail}".rstrip())
    for problem in verdict.problems:
        click.echo(f"        {problem}")


def _content(
    spec: str, thorough: bool, verdicts: "list[Verdict]", timing: dict[str, float]
) -> dict[str, Any]:
    checks = [
        {"name": v.name, "ok": v.ok, "detail": v.detail, "problems": list(v.problems)} for v in verdicts
    ]
    return {
        "bot": spec,
        "verdict": "pass" if all(verdict.ok for verdict in verdicts) else "fail",
        "thorough": thorough,
        "checks": checks,
        "decision_ms": {"mean": timing.get("mean_ms"), "slowest": timing.get("slowest_ms")},
    }
