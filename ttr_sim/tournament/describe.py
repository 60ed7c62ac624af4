"""A plan as plain data for run.json, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttr_sim import __version__, paths
from ttr_sim.board import load_board
from ttr_sim.bot.command import Command
from ttr_sim.bot.specs import BotSpec, load_bot
from ttr_sim.errors import TtrError
from ttr_sim.results.compare import differences, short
from ttr_sim.rules import rules_from_options
from ttr_sim.tournament.limits import read_limits
from ttr_sim.tournament.plan import Plan, Setting
from ttr_sim.tournament.schedule import Match, Schedule


def describe(plan: Plan) -> dict[str, Any]:
    """Return everything the games of a plan depend on, as JSON can hold it."""
    return {
        "seed": plan.schedule.seed,
        "bots": [_bot(bot, label) for bot, label in zip(plan.bots, plan.labels, strict=True)],
        "settings": [_setting(setting) for setting in plan.settings],
        "matches": [asdict(match) for match in plan.schedule.matches],
        "limits": plan.limits.given(),
        "engine": engine_digest(),
    }


def rebuild(config: Mapping[str, Any], games: int, where: str) -> Plan:
    """Return the plan that `describe` described. Raises TtrError when something it names is not the same now."""
    try:
        plan = _rebuild(config, games, where)
    except (KeyError, TypeError, ValueError) as error:
        raise TtrError(f"{where}: is damaged: config: {error!r}") from None
    refuse_changes(config, describe(plan), where)
    return plan


def refuse_changes(before: Mapping[str, Any], now: Mapping[str, Any], where: str) -> None:
    """Raise TtrError that names the first thing that a run's description and another one differ in."""
    for name, old, new in differences(before, now):
        what = f"{name} is {short(new)} now and was {short(old)}"
        raise TtrError(f"{where}: the run cannot go on, {what}; start another run with another --out")


def engine_digest() -> str:
    """Return a hash of the sources of the engine and of the versions it is compiled with."""
    from ttr_sim.engine.jit import ENGINE_DIGEST

    return f"ttr-sim {__version__}, sources {ENGINE_DIGEST}"


def _bot(bot: BotSpec, label: str) -> dict[str, Any]:
    command = {"command": asdict(bot.command)} if bot.command else {}
    return {
        **command,
        "label": label,
        "spec": bot.label,
        "file": str(bot.file),
        "name": bot.name,
        "parameters": dict(bot.values),
        "sha256": bot.digest,
    }


def _setting(setting: Setting) -> dict[str, Any]:
    board, rules = setting.board, setting.rules
    return {
        "board": board.name,
        "board_folder": str(board.folder.resolve()),
        "board_sha256": board.sha256,
        "rules": rules.name,
        "rules_board": rules.board,
        "rules_sha256": rules.sha256,
        "rules_options": rules.options(),
    }


def _rebuild(config: Mapping[str, Any], games: int, where: str) -> Plan:
    bots = tuple(map(described_bot, config["bots"]))
    for bot in bots:
        if not bot.file.is_file():
            raise TtrError(f"{paths.shown(bot.file)}: the file of bot {bot.label} is missing")
        load_bot(bot)
    return Plan(
        tuple(_same_setting(setting) for setting in config["settings"]),
        bots,
        tuple(bot["label"] for bot in config["bots"]),
        Schedule(
            tuple(Match(match["setting"], tuple(match["bots"])) for match in config["matches"]),
            config["seed"],
            games,
        ),
        read_limits(config["limits"], lambda name: f"{where}: is damaged: config.limits.{name}"),
    )


def described_bot(bot: Mapping[str, Any]) -> BotSpec:
    """Return the spec of a bot that was described, checked in no way."""
    command = bot.get("command")
    return BotSpec(
        bot["spec"],
        Path(bot["file"]),
        bot["name"],
        tuple(bot["parameters"].items()),
        Command(tuple(command["words"]), command["folder"]) if command else None,
    )


def _same_setting(setting: Mapping[str, Any]) -> Setting:
    rules = rules_from_options(setting["rules_options"], setting["rules"], setting["rules_board"])
    return Setting(load_board(Path(setting["board_folder"])), rules)
