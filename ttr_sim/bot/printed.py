"""What bots print: it goes to the log, up to a limit, and never to the terminal."""

from __future__ import annotations

import io
import logging
import sys

from ttr_sim.bot.forfeit import Fault

LOGGED = 20_000  # characters between two resets; the rest is dropped
ALLOWED = 1_000_000  # characters a game; more is a fault of the bot that prints them


class Printed(io.TextIOBase):
    """Stands for stdout and stderr."""

    def __init__(self) -> None:
        self._logged = self._printed = 0

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Log a text. Raises Fault once too much was printed in a game."""
        left = LOGGED - self._logged
        kept = text[:left].strip() if left > 0 else ""
        self._logged += len(text)
        self._printed += len(text)
        if kept:
            cut = " [...]" if len(text) >= left else ""
            logging.getLogger("ttr_sim.printed").info("%s%s", kept, cut)
        if self._printed > ALLOWED:
            raise Fault(f"printed more than {ALLOWED:,} characters")
        return len(text)

    def reset_log(self) -> None:
        """Log again."""
        self._logged = 0

    def new_game(self) -> None:
        """Begin to count anew."""
        self._printed = 0


def count_prints_anew() -> None:
    """Take note that a game begins, where prints are counted."""
    if isinstance(sys.stdout, Printed):
        sys.stdout.new_game()
