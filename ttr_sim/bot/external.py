"""External bots: programs that answer one line of JSON with another (protocol: README, "Bots in other languages")."""

from __future__ import annotations

import json
from typing import Any

from ttr_sim import __version__
from ttr_sim.bot.api import Bot
from ttr_sim.bot.command import Command
from ttr_sim.bot.external_process import ExternalProcess
from ttr_sim.bot.external_view import action_plain, board_plain, seen_plain, view_plain
from ttr_sim.bot.forfeit import Fault
from ttr_sim.engine.view import View

PROTOCOL = 1
HELLO_SECONDS = 10.0  # from the start of the program to its first line

_idle: dict[Command, list[ExternalProcess]] = {}


class External:
    """What stands behind a `cmd:` spec: makes the bot of one seat of one game, in a process that outlives the game."""

    def __init__(self, command: Command, label: str) -> None:
        self.command, self.label = command, label

    def seat(self, limit: float | None) -> ExternalBot:
        """Return the bot of a seat. limit: seconds for a decision. Raises Fault when the program does not start."""
        return ExternalBot(self.command, self.label, limit)


class ExternalBot(Bot):
    """A seat played by a program."""

    def __init__(self, command: Command, label: str, limit: float | None) -> None:
        self._command, self._limit = command, limit
        self._process = _take(command, label)
        self._seen: list[dict[str, Any]] = []
        self._decisions, self._used = 0, 0.0

    def start(self, view: View) -> None:
        """Tell the program what is played and in which seat."""
        self._process.send({
            "type": "game",
            "seat": view.seat,
            "players": view.players,
            "seed": self.rng.getrandbits(32),
            "board": board_plain(view.board),
            "rules": view.rules.options(),
        })  # fmt: skip

    def choose(self, view: View) -> Any:
        """Return what the program answers. Raises Fault when it does not, or not in time."""
        question = {
            "type": "decide",
            "seat": view.seat,
            "decision": self._decisions,
            "clock": {"limit": self._limit, "used": round(self._used, 6)},
            "seen": self._seen,
            "view": view_plain(view),
            "legal": [action_plain(view, action) for action in view.legal],
        }
        answer, seconds = self._process.ask(question, self._limit)
        self._decisions, self._used, self._seen = self._decisions + 1, self._used + seconds, []
        if not isinstance(answer, dict) or "action" not in answer:
            raise Fault(f'the answer has no "action": {json.dumps(answer)[:80]}')
        return answer["action"]

    def saw(self, seat: int, action: int) -> None:
        """Keep it for the next decision."""
        plain = seen_plain(action)
        if "mask" in plain:  # only how many is known
            plain["number"] = plain.pop("mask").bit_count()
        self._seen.append({"seat": seat, **plain})

    def release(self) -> None:
        """Let the process play another game; called once, when this one has ended however."""
        if self._process.alive:
            _idle.setdefault(self._command, []).append(self._process)


def _take(command: Command, label: str) -> ExternalProcess:
    """Return a process that plays no game now, or a new one that has said hello."""
    waiting = _idle.get(command, [])
    while waiting:
        process = waiting.pop()
        if process.alive:
            return process
    process = ExternalProcess(command, label)
    hello = {"type": "hello", "protocol": PROTOCOL, "program": f"ttr-sim {__version__}"}
    answer, _ = process.ask(hello, HELLO_SECONDS, f"said no hello within {HELLO_SECONDS:g} s")
    spoken = answer.get("protocol") if isinstance(answer, dict) else None
    if spoken != PROTOCOL:
        process.kill()
        raise Fault(f"speaks protocol {json.dumps(spoken)[:80]}, must speak {PROTOCOL}")
    return process
