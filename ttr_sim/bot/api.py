"""The base of interpreted bots: a class with `choose`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from ttr_sim.engine.view import View


class Bot:
    """A bot written as a plain Python class. A new instance plays each game.

    Parameters of the bot are keyword-only arguments of `__init__` with a type (int, float, bool, str) and a default, and
    can be given on the command line as `name:parameter=value`. A range and a meaning may be declared, which are checked and
    shown: `least: Annotated[int, Param(3, 1, 9, "shortest track it claims")] = 3`.

    Attributes:
        rng: the bot's own random generator, seeded from the game; use it and nothing global, so that games repeat.
    """

    rng: random.Random

    def start(self, view: View) -> None:
        """Called once before the first decision, with the view as the tickets are dealt (`bots ask`: as the game stands)."""

    def choose(self, view: View) -> int:
        """Return one of `view.legal`."""
        raise NotImplementedError

    def saw(self, seat: int, action: int) -> None:
        """Called for everything that everybody saw, forced actions too. Of kept tickets `action` tells only how many."""

    def end(self, view: View) -> None:
        """Called once when the game is over."""

    def explain(self) -> Iterable[tuple[int, Mapping[str, float]]]:
        """Say what was weighed in the decision just made, for those who look at the game (see `ttr_sim.bot.explain`)."""
        return ()
