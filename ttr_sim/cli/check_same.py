"""`ttr-sim check --same-games`: do two bots choose the same actions in the same games?"""

from collections.abc import Mapping
from dataclasses import asdict
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.check_output import Answer, Outputs
from ttr_sim.cli.live import live_line
from ttr_sim.cli.wanted import INTERRUPTED, asked_duel
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.tournament.twins import Difference, TwinTest

SAME_GAMES = 200


def same_games(asked: Mapping[str, Any], outputs: Outputs) -> int:
    """Play every game with each of the two; exit code 1 when they differ or a game cannot be played."""
    from ttr_sim.tournament.ask import ask_workers
    from ttr_sim.tournament.twins import TwinTest, play_twins

    workers = ask_workers(asked["workers"])
    duel = asked_duel(asked, SAME_GAMES)
    test = TwinTest(duel)
    ensure_warm(asked["quiet"], duel.plan.files)
    begun = monotonic()
    with live_line(asked["quiet"]) as show:
        complete = play_twins(test, workers, asked["quiet"], lambda: show(f"{test.same} games are the same"))
    if not complete:
        click.echo(f"stopped; {test.same} games are the same", err=True)
        return INTERRUPTED
    outputs.write(_answer(asked, test, monotonic() - begun))
    return 1 if test.found or test.lost else 0


def _answer(asked: Mapping[str, Any], test: "TwinTest", seconds: float) -> Answer:
    who, difference = f"{asked['candidate']} v {asked['baseline']}", test.difference
    answer = "different" if difference else "not comparable" if test.lost else "same"
    what = {
        "different": "they choose differently",
        "not comparable": "no difference was found, but some games could not be played",
        "same": f"all actions of {test.same} games are the same",
    }[answer]
    return Answer(
        name=f"{who}: same games",
        heading=f"{answer}: {who}: {what}",
        failure=None if answer == "same" else answer,
        facts={**_counts(test), **(_told(difference) if difference else {})},
        plain={
            "answer": answer,
            "candidate": asked["candidate"],
            "baseline": asked["baseline"],
            "games_same": test.same,
            "games_forfeited_alike": test.forfeited,
            "games_not_compared": dict(test.lost),
            "seed": test.plan.schedule.seed,
            "first_difference": asdict(difference) if difference else None,
        },
        seconds=seconds,
        text=difference.position if difference else "",
    )


def _counts(test: "TwinTest") -> dict[str, str]:
    found = {"same": f"{test.same} games"}
    if test.forfeited:
        found["forfeits"] = f"{test.forfeited} of these games, alike in both"
    if test.lost:
        reasons = "; ".join(f"{games} x {reason}" for reason, games in test.lost.most_common(3))
        found["not compared"] = f"{test.lost.total()} games: {reasons}"
    return found


def _told(first: "Difference") -> dict[str, str]:
    where = f"game {first.game} (board {first.board}, rules {first.rules}, seed {first.seed})"
    return {
        "first difference": f"{where}, decision {first.decision}, by seat {first.seat}",
        "candidate": first.candidate,
        "baseline": first.baseline,
    }
