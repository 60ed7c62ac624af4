"""A part of a run, to be played alone and joined with the others by `ttr-sim merge`."""

import re
from dataclasses import dataclass

from ttr_sim.errors import TtrError
from ttr_sim.tournament.plan import Plan


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` (from 1) of `of` parts."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def games(self, plan: Plan) -> range:
        """Return the numbers of its games: whole cycles, so that each match has whole blocks in every shard.

        Raises TtrError: the run has fewer cycles than shards, or its games depend on each other.
        """
        schedule, limits = plan.schedule, plan.limits
        if limits.max_forfeits is not None:
            raise TtrError(
                "--shard cannot be given with --max-forfeits, which counts the forfeits of all games"
            )
        cycles = schedule.games // schedule.cycle_games
        if cycles < self.of:
            most = f"its {schedule.games} games can be cut into {cycles} parts at most"
            raise TtrError(f"--shard {self}: {most}, of {schedule.cycle_games} games each")
        first, stop = (cycles * part // self.of for part in (self.number - 1, self.number))
        return range(first * schedule.cycle_games, stop * schedule.cycle_games)


def read_shard(text: str) -> Shard:
    """Return the shard named by "i/n". Raises TtrError."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise TtrError(f"--shard must be i/n with i from 1 to n, for example 3/8, not {text!r}")
    return Shard(int(match[1]), int(match[2]))
