"""The process in which a bot is checked: `python -m ttr_sim.bot.conformance CONFIG` (JSON) reports lines of JSON.

It writes to the stdout it was given; what the bot prints goes to stderr. Lines: {"alive": 1}; {"check": name} as one begins;
{"name": ..., "detail": ..., "problems": [...]} as it ends; {"games": [...]} for the mode "games".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from ttr_sim.bot.conformance.check import Findings, Subject
from ttr_sim.bot.conformance.games import (
    copies,
    determinism,
    plays,
    random_states,
    same_games,
    shared_chance,
    speed,
)
from ttr_sim.bot.conformance.places import hidden, odd, random_walks
from ttr_sim.bot.specs import parse_spec

_OTHER_HASHES = "2"  # PYTHONHASHSEED of the second process; ours has another


class Line:
    """Our real stdout, out of the bot's reach."""

    def __init__(self) -> None:
        self.file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def say(self, content: dict[str, Any]) -> None:
        """Send one line."""
        self.file.write(json.dumps(content) + "\n")
        self.file.flush()


def main(config: dict[str, Any], line: Line) -> None:
    """Do what `config` asks: {"mode": "checks" or "games", "spec", "seconds", "thorough", "max_ms", "decision_s"}."""
    alive = {"alive": 1}
    subject = Subject(
        parse_spec(config["spec"]),
        config["seconds"],
        lambda: line.say(alive),
        config["thorough"],
        config["max_ms"],
    )
    if config["mode"] == "games":
        subject.__dict__["decision_s"] = config["decision_s"]  # as measured there, for games of equal length
        line.say({"games": same_games(subject)})
        return
    before = random_states()
    timing: dict[str, float] = {}

    def elsewhere(decision_s: float) -> list[list[int]]:
        return _elsewhere(config, decision_s, line)

    checks: dict[str, Callable[[], Findings]] = {
        "plays": lambda: plays(subject, timing),
        "speed": lambda: speed(subject, timing),
        "determinism": lambda: determinism(subject, elsewhere),
        "copies": lambda: copies(subject),
        "odd positions": lambda: odd(subject),
        "random games": lambda: random_walks(subject),
        "hidden information": lambda: hidden(subject),
        "own chance only": lambda: shared_chance(before, random_states()),
    }
    for name, check in checks.items():
        line.say({"check": name})
        try:
            found = check()
        except (Exception, SystemExit) as error:
            found = Findings()
            found.add("stopped", error)
        line.say({"name": name, "detail": found.detail, "problems": found.shown})
    line.say({"timing": timing})


def _elsewhere(config: dict[str, Any], decision_s: float, line: Line) -> list[list[int]]:
    asked = {**config, "mode": "games", "decision_s": decision_s}
    command = [sys.executable, "-m", "ttr_sim.bot.conformance", json.dumps(asked)]
    environment = {**os.environ, "PYTHONHASHSEED": _OTHER_HASHES}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for text in child.stdout:
            said = json.loads(text)
            if "games" in said:
                games: list[list[int]] = said["games"]
                return games
            line.say(said)
    raise RuntimeError("the other process ended by itself")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), Line())
    sys.stdout.flush()
    os._exit(0)  # threads a bot left behind must not keep the process
