"""Several runs looked at together: no game may count twice."""

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from ttr_sim.errors import TtrError
from ttr_sim.results.reader import Run


def distinct_runs(runs: Iterable[Run]) -> list[Run]:
    """Return the runs, each folder once, however it is named.

    Raises TtrError when two folders hold the same games: same bots, boards, rules, line-ups and seed. Parts of one run
    that have no game in common are no such case.
    """
    found = list({run.folder.path.resolve(): run for run in runs}.values())
    for first, second in combinations(found, 2):
        if (
            _games_of(first) == _games_of(second)
            and _seeds(first) & _seeds(second)
            and _overlap(first, second)
        ):
            raise TtrError(
                f"{first.folder.shown} and {second.folder.shown} hold the same games (same bots, rules and seed): "
                "give one of them, or play one with another --seed"
            )
    return found


def shared_deals(runs: Sequence[Run]) -> list[str]:
    """Return a note for every two runs of one seed with a common line-up: its deals are the same in both."""
    notes = []
    for first, second in combinations(runs, 2):
        other = _games_of(first) != _games_of(second)
        if other and _seeds(first) & _seeds(second) and _line_ups(first) & _line_ups(second):
            which = f"{first.folder.shown} and {second.folder.shown}"
            notes.append(
                f"{which} have the same seed and a line-up in common, whose games are not independent: the intervals are "
                "too narrow; play one with another --seed"
            )
    return notes


def content_of(bot: dict[str, Any]) -> str:
    """Return what makes a bot of a run.json the bot it is, whatever its label."""
    return f"{bot['sha256']} {bot['name']} {sorted(bot['parameters'].items())}"


def setting_content(setting: dict[str, Any]) -> str:
    """Return what makes a board and rules of a run.json what they are, whatever they are called."""
    return f"{setting['board_sha256']} {setting['rules_sha256']}"


def _games_of(run: Run) -> str:
    """Return what the games of a run depend on beside the seed."""
    config = run.config
    bots = [[bot["label"], content_of(bot)] for bot in config["bots"]]
    settings = [setting_content(setting) for setting in config["settings"]]
    return json.dumps([bots, settings, config["matches"]], sort_keys=True)


def _seeds(run: Run) -> set[int]:
    """Return the seed of a run, or the seeds of the runs that were merged into it."""
    return {run.config["seed"], *(piece["seed"] for piece in run.info.get("merged", ()))}


def _overlap(first: Run, second: Run) -> bool:
    """Whether runs with a seed in common have games in common; those of several seeds are numbered anew."""
    if max(len(_seeds(first)), len(_seeds(second))) > 1:
        return True
    games = [run.games().select("game") for run in (first, second)]
    return bool(games[0].join(games[1], on="game", how="semi").head(1).collect().height)


def _line_ups(run: Run) -> set[tuple[str, ...]]:
    config = run.config
    bots = [f"{bot['label']} {content_of(bot)}" for bot in config["bots"]]
    settings = [setting_content(setting) for setting in config["settings"]]
    return {
        (settings[match["setting"]], *sorted(bots[bot] for bot in match["bots"]))
        for match in config["matches"]
    }
