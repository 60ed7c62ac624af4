"""What `ttr-sim run` is asked to play: the options on the command line over those of a --config file; and of `check`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim import paths
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.tournament.config import Tournament
    from ttr_sim.tournament.duel import Duel
    from ttr_sim.tournament.limits import Limits
    from ttr_sim.tournament.plan import Plan, Setting

INTERRUPTED = 130  # the exit code after Ctrl-C

# Options whose values a file may give too -> their keys there.
VALUES = {
    "games": "games",
    "players": "players",
    "shape": "format",
    "seed": "seed",
    "until_error": "until_error",
    "explain": "explain",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tournament to play.

    values: those of VALUES, by key. names: what its folder is named after. notes: what the user should know first.
    """

    plan: "Plan"
    values: Mapping[str, Any]
    part_games: int
    notes: Sequence[str]


def read_config(name: str | None) -> "Tournament":
    """Return the tournament in a file: a name or path of a TOML file, a run.json, or the folder that holds one."""
    from ttr_sim.tournament.config import Tournament, read_tournament
    from ttr_sim.tournament.recorded import read_recorded

    if name is None:
        return Tournament()
    folder = Path(name).expanduser()
    if name and (folder / "run.json").is_file():
        return read_recorded(folder / "run.json")
    file = paths.find(paths.TOURNAMENT, name)
    return read_recorded(file) if file.suffix == ".json" else read_tournament(file)


def wanted(ctx: click.Context, config: "Tournament", asked: Mapping[str, Any]) -> Wanted:
    """Make the plan of what is asked for. Raises TtrError."""
    from ttr_sim.tournament.ask import Entry, ask_field, ask_plan
    from ttr_sim.tournament.precision import check_error

    given = {name for name in asked if is_given(ctx, name)}
    values = {
        key: asked[name] if name in given else config.values.get(key, asked[name])
        for name, key in VALUES.items()
    }
    limits = _limits(config, {name: value for name, value in asked.items() if name in given})
    same = not given & {"bots", "board", "rules", "options", "players", "shape"}
    plan = config.exact(values["games"], values["seed"]) if same else None
    if plan is None:
        settings = _settings(config, asked)
        texts = split(asked["bots"], "--bots")
        field = ask_field([Entry(text, text) for text in texts]) if texts else config.field()
        plan = ask_plan(
            field,
            settings,
            games=values["games"],
            players=values["players"],
            seed=values["seed"],
            shape=values["format"],
        )
    if values["until_error"] is not None:
        check_error(values["until_error"])
    note = f"note: {config.source} was played with {config.engine}; games may be others now"
    return Wanted(replace(plan, limits=limits), values, config.part_games, [note] if config.engine else [])


def is_given(ctx: click.Context, name: str) -> bool:
    """Tell whether an option stands on the command line."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def split(given: Sequence[str], option: str) -> list[str]:
    """Return the items of an option that may be repeated and takes several with commas between. Raises TtrError."""
    texts = [text.strip() for item in given for text in item.split(",")]
    if not all(texts):
        what = "the bots, for example --bots greedy,random" if option == "--bots" else "something"
        raise TtrError(f"{option} must name {what}")
    return texts


def asked_duel(asked: Mapping[str, Any], games: int) -> "Duel":
    """Return the duel of a candidate and a baseline. games: how many where the user does not say. Raises TtrError."""
    from ttr_sim.tournament.ask import ask_bots
    from ttr_sim.tournament.config import Tournament
    from ttr_sim.tournament.duel import make_duel

    settings = _settings(Tournament(), asked)
    texts = [asked["candidate"], asked["baseline"], *split(asked["opponents"], "--opponents")]
    candidate, baseline, *opponents = ask_bots(texts)
    return make_duel(
        candidate,
        baseline,
        opponents,
        settings,
        games=games if asked["max_games"] is None else asked["max_games"],
        players=asked["players"],
        seed=asked["seed"],
        limits=_limits(Tournament(), asked),
    )


def _settings(config: "Tournament", asked: Mapping[str, Any]) -> "list[Setting]":
    from ttr_sim.rules import parse_option

    options = dict(parse_option(option) for option in asked["options"])
    return config.settings(split(asked["board"], "--board"), split(asked["rules"], "--rules"), options)


def _limits(config: "Tournament", given: Mapping[str, Any]) -> "Limits":
    from ttr_sim.tournament.limits import Limits, read_limits

    names = {limit.name for limit in fields(Limits)}
    return read_limits({**config.limits.given(), **{name: given[name] for name in names & given.keys()}})
