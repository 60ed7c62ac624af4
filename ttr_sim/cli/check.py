"""`ttr-sim check`: did this change make the bot weaker? A gate for CI."""

import re
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import check_text
from ttr_sim.cli.asked import (
    board_option,
    change_option,
    memory_option,
    rules_option,
    seed_option,
    time_option,
    workers_option,
)
from ttr_sim.cli.check_output import Answer, Outputs
from ttr_sim.cli.check_same import same_games
from ttr_sim.cli.live import live_line
from ttr_sim.cli.output import json_option
from ttr_sim.cli.wanted import INTERRUPTED, asked_duel, is_given
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm, start_server

if TYPE_CHECKING:
    from ttr_sim.stats import Sprt
    from ttr_sim.tournament.duel import DuelTest

EXIT_CODES = {"accepted": 0, "regression": 1, "undecided": 4}
MAX_GAMES = 40_000
_OF_THE_TEST = ("elo0", "elo1", "alpha", "beta", "model")
_OUTPUTS = ("markdown", "junit", "quiet", "as_json")
_MODELS = ("normalised", "logistic")
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(epilog="Example: ttr-sim check --candidate my_bot.py --baseline old/my_bot.py")
@click.option("--candidate", metavar="SPEC", help="The bot that was changed.")
@click.option(
    "--baseline", metavar="SPEC", help="The bot as it was; it may be a file of the same name elsewhere."
)
@click.option("--elo0", type=float, default=-10, show_default=True, help="Weaker by this is a regression.")
@click.option("--elo1", type=float, default=0, show_default=True, help="This strong is good enough.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Risk to accept a regression.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Risk to refuse a good bot.")
@click.option(
    "--model",
    type=click.Choice(_MODELS),
    default=_MODELS[0],
    show_default=True,
    help="The Elo that is meant.",
)
@click.option("--max-games", type=int, help=f"End undecided then.  [default: {MAX_GAMES}; --same-games: 200]")
@click.option(
    "--opponents",
    multiple=True,
    metavar="SPEC,...",
    help="Both play these in the same games, not each other.",
)
@board_option
@rules_option
@change_option
@click.option("--players", type=int, default=2, show_default=True, help="Seats of a game.")
@seed_option
@time_option
@memory_option
@workers_option
@click.option("--same-games", is_flag=True, help="Ask whether both do the same in the same games instead.")
@click.option("--counts", metavar="LL,LD,WL,WD,WW", help="Answer from counted pairs, or L,D,W; play nothing.")
@click.option("--markdown", type=_FILE, metavar="FILE", help="Write a summary for the page of a job.")
@click.option("--junit", type=_FILE, metavar="FILE", help="Write the answer as JUnit XML.")
@click.option("--quiet", is_flag=True, help="No progress and no warnings on stderr.")
@json_option
@click.pass_context
def check(ctx: click.Context, /, **asked: Any) -> int:
    """Play a candidate against a baseline until it is known whether it is weaker.

    A sequential test over blocks (one deal in all rotations of the seats), which ends as soon as elo0 or elo1 is
    accepted. Exit codes: 0 accepted, 1 regression, 2 wrong usage, 3 the run failed, 4 undecided after --max-games. With
    --same-games: 0 the games are the same, 1 they are not, and the first difference is shown.
    """
    outputs = Outputs(asked["as_json"], asked["markdown"], asked["junit"])
    if asked["counts"] is not None:
        _refuse(ctx, "--counts, which plays nothing", known=("counts", *_OF_THE_TEST, *_OUTPUTS))
        return _from_counts(asked, outputs)
    for name in ("candidate", "baseline"):
        if not (asked[name] or "").strip():
            raise TtrError(f"--{name} must name a bot, for example --{name} my_bot.py")
    start_server()  # before all that takes time to import
    if asked["same_games"]:
        own = {param.name for param in ctx.command.params} - set(_OF_THE_TEST)
        _refuse(ctx, "--same-games, which does not ask for strength", known=own)
        return same_games(asked, outputs)
    return _test(asked, outputs)


def _refuse(ctx: click.Context, what: str, known: Any) -> None:
    for param in ctx.command.params:
        if param.name not in known and is_given(ctx, param.name or ""):
            raise TtrError(f"{param.opts[0]} cannot be given with {what}")


def _from_counts(asked: Mapping[str, Any], outputs: Outputs) -> int:
    from ttr_sim.stats import BlockScores

    texts = [text.strip() for text in asked["counts"].split(",")]
    if len(texts) not in (3, 5) or not all(re.fullmatch("[0-9]{1,15}", text) for text in texts):
        raise TtrError(
            f"--counts must be five numbers LL,LD,WL,WD,WW or three L,D,W, not {asked['counts']!r}"
        )
    scores = BlockScores.from_counts([int(text) for text in texts])
    return _answer(scores, _sprt(asked, 2 if len(texts) == 5 else 1), outputs, "counted games", {}, {}, 0.0)


def _test(asked: Mapping[str, Any], outputs: Outputs) -> int:
    from ttr_sim.tournament.ask import ask_workers
    from ttr_sim.tournament.duel import DuelTest, play_duel

    workers = ask_workers(asked["workers"])
    _sprt(asked, 2)  # finds what is wrong before the bots are read
    duel = asked_duel(asked, MAX_GAMES)
    test = DuelTest(duel, _sprt(asked, duel.games_per_block))
    ensure_warm(asked["quiet"], duel.plan.files)
    begun = monotonic()
    with live_line(asked["quiet"]) as show:
        complete = play_duel(test, workers, asked["quiet"], lambda: show(check_text.standing(test)))
    if not complete:
        click.echo(f"stopped: {check_text.standing(test)}", err=True)
        return INTERRUPTED
    who = f"{asked['candidate']} v {asked['baseline']}"
    seconds = monotonic() - begun
    return _answer(test.scores, test.test, outputs, who, _played(test), _plain(asked, test), seconds)


def _sprt(asked: Mapping[str, Any], games_per_block: int) -> "Sprt":
    from ttr_sim.stats import Sprt

    try:
        return Sprt(**{name: asked[name] for name in _OF_THE_TEST}, games_per_block=games_per_block)
    except ValueError as error:
        raise TtrError(f"--elo0, --elo1, --alpha, --beta must be {error}") from None


def _answer(
    scores: Any,
    test: "Sprt",
    outputs: Outputs,
    who: str,
    played: Mapping[str, str],
    plain: Mapping[str, Any],
    seconds: float,
) -> int:
    from ttr_sim.stats import verdict

    found = verdict(scores, test)
    outputs.write(
        Answer(
            name=f"{who}: not weaker",
            heading=check_text.heading(found, who),
            failure=None if found.answer == "accepted" else found.answer,
            facts={**played, **check_text.facts(found)},
            plain={**check_text.as_plain(found), **plain},
            seconds=seconds,
        )
    )
    return EXIT_CODES[found.answer]


def _played(test: "DuelTest") -> dict[str, str]:
    """Return what was played, by heading."""
    from ttr_sim.tournament.plan_text import setting_text

    plan = test.duel.plan
    places = ", ".join(map(setting_text, plan.settings))
    players = len(plan.schedule.matches[0].bots)
    rows = {"games": f"{test.games} of {players} players on {places}, seed {plan.schedule.seed}"}
    for side, forfeits in zip(("candidate", "baseline"), test.forfeits, strict=True):
        if forfeits:
            reasons = "; ".join(f"{games} x {reason}" for reason, games in forfeits.most_common(3))
            rows[f"{side} forfeits"] = f"{forfeits.total()} games: {reasons}"
    if test.uncounted:
        rows["left out"] = f"{test.uncounted} blocks with games without a result, whose worker died"
    return rows


def _plain(asked: Mapping[str, Any], test: "DuelTest") -> dict[str, Any]:
    plan = test.duel.plan
    return {
        "candidate": asked["candidate"],
        "baseline": asked["baseline"],
        "opponents": [label for label in plan.labels[2:]] if test.duel.paired else [],
        "settings": [{"board": s.board.name, "rules": s.rules.name} for s in plan.settings],
        "players": len(plan.schedule.matches[0].bots),
        "seed": plan.schedule.seed,
        "games": test.games,
        "max_games": plan.schedule.games,
        "blocks_without_result": test.uncounted,
        "candidate_forfeits": dict(test.forfeits[0]),
        "baseline_forfeits": dict(test.forfeits[1]),
    }
