"""Who plays whom in which game: a pure function of the line-up, the seed of the run and the game's number.

A match is one line-up on one setting (board and rules). A block is one deal played by a match in every rotation
of its seats. A cycle is one block of every match, all with the same deal. Game n stands in cycle n // games of a
cycle, so a schedule can be cut, resumed or made longer anywhere and every game stays what it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ttr_sim.errors import TtrError
from ttr_sim.tournament.balanced import balanced_tables
from ttr_sim.tournament.seeds import Seeds, bot_seeds, deal_seeds

Format = Literal["round-robin", "gauntlet", "table"]
FORMATS: tuple[Format, ...] = get_args(Format)

MAX_MATCHES = 100_000

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Match:
    """One line-up on one setting: `setting` and `bots` are indices; a bot may not meet itself."""

    setting: int
    bots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game: seat s is played by bot `seats[s]`."""

    number: int
    block: int
    match: int
    rotation: int
    seed: int
    bot_seed: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Scheduled games as arrays, one entry per game, ascending by number.

    Seat s of a game is played by bot (s + rotation) % players of its match.
    """

    number: Ints
    cycle: Ints
    block: Ints
    match: Ints
    rotation: Ints
    players: Ints
    seed: Seeds
    bot_seed: Seeds


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a run; `games` is a multiple of `cycle_games`, so that every match has equal blocks."""

    matches: tuple[Match, ...]
    seed: int
    games: int

    @property
    def cycle_games(self) -> int:
        """Number of games of a cycle."""
        return cycle_games(self.matches)

    @property
    def blocks(self) -> int:
        """Number of blocks of the run."""
        return self.games // self.cycle_games * len(self.matches)

    def rows(self, numbers: Ints) -> Rows:
        """Return what is scheduled for these game numbers."""
        sizes = np.array([len(match.bots) for match in self.matches], np.int64)
        starts = np.cumsum(sizes) - sizes
        cycle, place = np.divmod(numbers, sizes.sum())
        match = np.searchsorted(starts, place, side="right") - 1
        return Rows(
            number=numbers,
            cycle=cycle,
            block=cycle * len(sizes) + match,
            match=match,
            rotation=place - starts[match],
            players=sizes[match],
            seed=deal_seeds(self.seed, cycle),
            bot_seed=bot_seeds(self.seed, numbers),
        )

    def seats(self, rows: Rows) -> tuple[Ints, Ints]:
        """Return (seat, bot) of every seat of these games, game by game and seat by seat."""
        width = max(len(match.bots) for match in self.matches)
        bots = np.array([match.bots + (0,) * (width - len(match.bots)) for match in self.matches])
        each = rows.players
        starts = np.cumsum(each) - each
        seat = np.arange(each.sum()) - np.repeat(starts, each)
        place = (seat + np.repeat(rows.rotation, each)) % np.repeat(each, each)
        return seat, bots[np.repeat(rows.match, each), place]

    def game(self, number: int) -> ScheduledGame:
        """Return one game."""
        rows = self.rows(np.array([number], np.int64))
        bots, rotation = self.matches[int(rows.match[0])].bots, int(rows.rotation[0])
        return ScheduledGame(
            number=number,
            block=int(rows.block[0]),
            match=int(rows.match[0]),
            rotation=rotation,
            seed=int(rows.seed[0]),
            bot_seed=int(rows.bot_seed[0]),
            seats=bots[rotation:] + bots[:rotation],
        )

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[ScheduledGame]:
        return map(self.game, range(self.games))


def cycle_games(matches: Sequence[Match]) -> int:
    """Return the number of games in which every match plays one block."""
    return sum(len(match.bots) for match in matches)


def whole_cycles(games: int, matches: Sequence[Match]) -> int:
    """Return `games` rounded up to whole cycles: whole blocks, and equally many for every match."""
    size = cycle_games(matches)
    return -(-games // size) * size


def line_ups(bots: int, players: int, shape: Format) -> list[tuple[int, ...]]:
    """Return the line-ups of a format as tuples of bot indices, each of `players` bots.

    round-robin: every combination; gauntlet: the first bot with every combination of the others; table: balanced
    tables (see `balanced`). Every bot (in a gauntlet: every challenger) has the same number of games, seats and
    deals. Raises TtrError.
    """
    if bots < players:
        raise TtrError(f"--bots names {bots} of the {players} players of a game; name at least {players}")
    chosen: Iterator[tuple[int, ...]]
    if shape == "table":
        chosen = iter(balanced_tables(bots, players))
    elif shape == "gauntlet":
        chosen = ((0, *rest) for rest in combinations(range(1, bots), players - 1))
    else:
        chosen = combinations(range(bots), players)
    found = list(islice(chosen, MAX_MATCHES + 1))
    if len(found) > MAX_MATCHES:
        raise TtrError(f"{bots} bots in games of {players} make more than {MAX_MATCHES} line-ups; name fewer")
    return found
