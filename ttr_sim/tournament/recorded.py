"""The tournament that a run.json records, to be played again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.bot.specs import BotSpec, load_bot, parse_spec
from ttr_sim.errors import TtrError
from ttr_sim.results.info import FINISHED, all_games, read_info_file
from ttr_sim.tournament.ask import Field, ask_settings, change_rules
from ttr_sim.tournament.config import Tournament
from ttr_sim.tournament.describe import described_bot, engine_digest
from ttr_sim.tournament.limits import read_limits
from ttr_sim.tournament.plan import Plan, Setting
from ttr_sim.tournament.schedule import Match, Schedule, whole_cycles


@dataclass(frozen=True, slots=True)
class Recorded(Tournament):
    """What a run was; its bots, boards and rules must be those it was played with.

    config: the table of that name in run.json. engine: what it was played with, where that was not this program.
    """

    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def engine(self) -> str | None:
        """The program that played it, if that was another one than this: then games may be others."""
        played_with = str(self.config.get("engine"))
        return None if played_with == engine_digest() else played_with

    def field(self) -> Field:
        """Return its bots. Raises TtrError when one of them is not there or not the same any more."""
        bots = self.config["bots"]
        return Field(tuple(_bot(bot, self.source) for bot in bots), tuple(bot["label"] for bot in bots))

    def settings(
        self,
        boards: Sequence[str] = (),
        rules: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> list[Setting]:
        """Return what it was played on, or what is given here. Raises TtrError when a board is not the same any more."""
        from ttr_sim.results.logged import recorded_setting

        if boards or rules:
            found = ask_settings(boards, rules)
        else:
            found = [Setting(*recorded_setting(setting, self.source)) for setting in self.config["settings"]]
        return change_rules(found, options or {})

    def exact(self, games: int, seed: int) -> Plan:
        """Return its plan with these numbers."""
        matches = tuple(Match(match["setting"], tuple(match["bots"])) for match in self.config["matches"])
        found = self.field()
        schedule = Schedule(matches, seed, whole_cycles(games, matches))
        return Plan(tuple(self.settings()), found.bots, found.labels, schedule, self.limits)


def read_recorded(file: Path) -> Recorded:
    """Read a run.json. Raises TtrError.

    A run that its stop rule ended is one of the games it had, without the rule.
    """
    info, source = read_info_file(file), paths.shown(file)
    config, asked = info["config"], info["asked"]
    if len(seeds := {piece["seed"] for piece in info.get("merged", ())}) > 1:
        which = ", ".join(map(str, sorted(seeds)))
        raise TtrError(
            f"{source}: is a merge of runs with the seeds {which}; give the run.json of one of them"
        )
    values = {
        "games": all_games(info),
        "seed": config["seed"],
        "players": len(config["matches"][0]["bots"]),
        "format": asked.get("format", "round-robin"),
        "explain": bool(asked.get("explain")),
    }
    if info["status"] != FINISHED and asked.get("until_error") is not None:
        values["until_error"] = asked["until_error"]
    limits = read_limits(config.get("limits", {}), lambda name: f"{source}: limits.{name}")
    return Recorded(source, None, values, limits, part_games=info["part_games"], config=config)


def _bot(bot: Mapping[str, Any], source: str) -> BotSpec:
    """Return a bot from where it was, else from where its spec finds it now, if it is the same."""
    recorded = described_bot(bot)
    if recorded.file.is_file() and recorded.digest == bot["sha256"] and _loads(recorded):
        return recorded
    try:
        found = parse_spec(bot["spec"])
    except TtrError:
        found = None
    if found is not None and (found.digest, found.name) == (bot["sha256"], bot["name"]):
        return replace(found, values=recorded.values)
    what = "has changed since" if recorded.file.is_file() else "is not there any more"
    raise TtrError(
        f"{source}: the file {paths.shown(recorded.file)} of bot {bot['label']!r} {what}, so the run cannot be played "
        "again; name the bots with --bots to play with them as they are now"
    )


def _loads(bot: BotSpec) -> bool:
    try:
        load_bot(bot)
    except KeyError:  # its file does not define it
        return False
    return True
