"""A plan: everything the games of a run depend on, in one picklable value."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.board import Board
from ttr_sim.bot.specs import BotSpec
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, check_fit
from ttr_sim.tournament.limits import NO_LIMITS, Limits
from ttr_sim.tournament.schedule import Format, Match, Schedule, line_ups, whole_cycles
from ttr_sim.tournament.seeds import MAX_SEED

MAX_GAMES = 1_000_000_000  # a run keeps a list of its parts


@dataclass(frozen=True, slots=True)
class Setting:
    """What a match is played on."""

    board: Board
    rules: Rules


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings, bots, the labels under which the tables know them, the schedule of their games, and limits of the bots."""

    settings: tuple[Setting, ...]
    bots: tuple[BotSpec, ...]
    labels: tuple[str, ...]
    schedule: Schedule
    limits: Limits = NO_LIMITS

    @property
    def files(self) -> list[Path]:
        """The files of its bots, of those that have one."""
        return [bot.file for bot in self.bots if not bot.command]

    def match_bots(self, match: int) -> list[BotSpec]:
        """Return the bots of a match."""
        return [self.bots[bot] for bot in self.schedule.matches[match].bots]

    def match_setting(self, match: int) -> Setting:
        """Return the board and rules of a match."""
        return self.settings[self.schedule.matches[match].setting]


def make_plan(
    bots: Sequence[BotSpec],
    settings: Sequence[Setting],
    *,
    games: int,
    players: int = 2,
    seed: int = 1,
    shape: Format = "round-robin",
    limits: Limits = NO_LIMITS,
    labels: Sequence[str] | None = None,
) -> Plan:
    """Return the plan of at least `games` games, rounded up to whole blocks, equally many for every line-up.

    labels: what the tables call the bots, default their specs; "#2" ... goes behind those that occur again.

    Raises TtrError when the numbers or the bots, boards and rules do not fit.
    """
    check_numbers(games, seed)
    for setting in settings:
        check_fit(setting.board, setting.rules, players)
    chosen = line_ups(len(bots), players, shape)
    matches = tuple(Match(setting, line_up) for setting in range(len(settings)) for line_up in chosen)
    schedule = Schedule(matches, seed, whole_cycles(games, matches))
    names = unique_labels([bot.label for bot in bots] if labels is None else labels)
    return Plan(tuple(settings), tuple(bots), names, schedule, limits)


def check_numbers(games: int, seed: int, option: str = "--games") -> None:
    """Raise TtrError unless games and seed are in range; `option` names the number of games."""
    if games < 1:
        raise TtrError(f"{option} must be at least 1, not {games}")
    if games > MAX_GAMES:
        raise TtrError(f"{option} must be at most {MAX_GAMES}, not {games}")
    if not 0 <= seed <= MAX_SEED:
        raise TtrError(f"--seed must be from 0 to 2^64 - 1, not {seed}")


def unique_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels with "#2", "#3" ... behind those that occur again."""
    seen: Counter[str] = Counter()
    unique = []
    for label in labels:
        seen[label] += 1
        unique.append(label if seen[label] == 1 else f"{label}#{seen[label]}")
    return tuple(unique)
