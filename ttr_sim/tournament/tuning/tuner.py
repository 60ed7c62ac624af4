"""Tune a bot: generations of candidates on common deals, then a match of the result against the old values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim import paths
from ttr_sim.bot.check import check_bot
from ttr_sim.bot.specs import BotSpec, load_bot, parse_spec
from ttr_sim.errors import TtrError
from ttr_sim.rules import check_fit
from ttr_sim.stats import BlockScores, EloSummary, summarise
from ttr_sim.tournament.ask import ask_setting
from ttr_sim.tournament.describe import describe, refuse_changes
from ttr_sim.tournament.plan import MAX_GAMES, Plan, Setting
from ttr_sim.tournament.run import play
from ttr_sim.tournament.seeds import MAX_SEED, stream
from ttr_sim.tournament.tuning.matches import Book, duel_plan
from ttr_sim.tournament.tuning.record import check_new, new_record, read_record, write_record
from ttr_sim.tournament.tuning.search import POPULATION, Search, optimiser
from ttr_sim.tournament.tuning.space import Axis, Number, read_axes, with_values
from ttr_sim.tournament.workers import Opener

GENERATIONS = 10  # at least, where the games suffice
FEWEST_GENERATIONS = 3
_VERIFY = 4  # one game in so many is of the match that verifies
_VERIFY_STREAM, _GENERATION_STREAM = 1, 1000

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result. old, new: values by parameter; match: the new values against the old, None when they are the same."""

    spec: BotSpec
    axes: tuple[Axis, ...]
    old: dict[str, Number]
    new: dict[str, Number]
    best: BotSpec
    search_games: int
    generations: int
    match: EloSummary | None

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the score of the match, inside [0, 1]."""
        return (max(0.0, self.match.score_low), min(1.0, self.match.score_high)) if self.match else (0.0, 1.0)

    @property
    def verdict(self) -> str:
        """What the match says: "better", "worse", "not shown to differ", or "unchanged"."""
        if self.match is None:
            return "unchanged"
        if self.match.score_low > 0.5:
            return "better"
        return "worse" if self.match.score_high < 0.5 else "not shown to differ"


class Tuner:
    """A tuning and its file; make one with `new_tuner` or `resumed_tuner`. Nothing is written before `tune`."""

    def __init__(self, path: Path, record: dict[str, Any], setting: Setting, spec: BotSpec) -> None:
        self.path, self.record, self.setting, self.spec = path, record, setting, spec
        asked = record["asked"]
        self.players: int = asked["players"]
        self.opponents = [parse_spec(text) for text in asked["against"]]
        self.axes = read_axes(asked["params"], spec, load_bot(spec).params)
        values = dict(spec.values)
        self.old: dict[str, Number] = {axis.name: values[axis.name] for axis in self.axes}  # type: ignore[misc]
        self.seed: int = asked["seed"]
        block = self.players * len(self.opponents)
        verify = asked["games"] // _VERIFY
        self.verify_blocks = max(1, verify // self.players)
        self.budget = asked["games"] - self.verify_blocks * self.players
        self.blocks = max(1, self.budget // (GENERATIONS * POPULATION * block))
        fewest = FEWEST_GENERATIONS * POPULATION * block
        if self.budget < fewest:
            raise TtrError(
                f"--games must be at least {-(-fewest * _VERIFY // (_VERIFY - 1)) + self.players}, not {asked['games']}: "
                f"{FEWEST_GENERATIONS} generations of {POPULATION} candidates against {len(self.opponents)} opponents, "
                "then the match that verifies"
            )

    def bots(self) -> list[BotSpec]:
        """Every bot that plays."""
        return [self.spec, *self.opponents]

    def tune(
        self, *, workers: int, tell: Tell = lambda text: None, opener: Opener | None = None
    ) -> Tuned | None:
        """Play in so many processes, `tell` how it goes; None when stopped (see `run.play`). Raises RunFailed.

        opener: seats the bots, default `ttr_sim.bot.play.open_table`.
        """
        self._workers, self._opener = workers, opener
        self._save()
        search = Search(self._start(), int(stream(self.seed, np.array([0], np.uint64))[0]))
        used = number = 0
        while True:
            points = search.ask()
            candidates = [self._values(point) for point in points]
            distinct = list(dict.fromkeys(tuple(c.items()) for c in candidates))
            blocks = self.blocks * POPULATION // len(distinct)  # whole numbers come up again and again
            games = blocks * self.players * len(self.opponents) * len(distinct)
            if used + games > self.budget or len(distinct) == 1:  # or all agree
                break
            scores = self._scores(number, [dict(values) for values in distinct], blocks)
            if scores is None:
                return None
            by_values = dict(zip(distinct, scores, strict=True))
            if min(scores) < max(scores):  # else, as against an opponent that never wins, nothing was learnt
                search.tell([by_values[tuple(c.items())] for c in candidates])
            used, number = used + games, number + 1
            tell(_line(number, scores, self._values(search.middle), used, self.record["asked"]["games"]))
        return self._verified(self._values(search.middle), used, number)

    def _start(self) -> list[float]:
        """The old values where they are in the range, else its middle."""
        return [
            axis.unit(self.old[axis.name]) if axis.low <= self.old[axis.name] <= axis.high else 0.5
            for axis in self.axes
        ]

    def _values(self, point: Sequence[float]) -> dict[str, Number]:
        return {axis.name: axis.value(unit) for axis, unit in zip(self.axes, point, strict=True)}

    def _scores(self, number: int, candidates: list[dict[str, Number]], blocks: int) -> list[float] | None:
        """Scores of the candidates of a generation, from the file where they are there."""
        known = self.record["generations"]
        if number < len(known):
            if known[number]["candidates"] != candidates:
                raise TtrError(
                    f"{paths.shown(self.path)}: generations[{number}]: other candidates than would be asked for now "
                    f"(cmaes {optimiser().__version__}, before {self.record['cmaes']}); start again with another --out"
                )
            found: list[float] = known[number]["scores"]
            return found
        plan = duel_plan(
            self.setting,
            [with_values(self.spec, values) for values in candidates],
            self.opponents,
            players=self.players,
            blocks=blocks,
            seed=int(stream(self.seed, np.array([_GENERATION_STREAM + number], np.uint64))[0]),
        )
        book = self._played(plan)
        if book is None:
            return None
        scores = [round(score, 6) for score in book.by_candidate()]
        known.append({"candidates": candidates, "scores": scores})
        self.record["playing"] = []
        self._save()
        return scores

    def _played(self, plan: Plan) -> Book | None:
        """Play what is missing of a plan; None when stopped. What is finished is in the file then."""

        def save() -> None:
            self.record["playing"] = [None if np.isnan(s) else float(s) for s in book.scores]
            self._save()

        book = Book(plan, save)
        kept = self.record["playing"]
        if len(kept) == len(book.scores):
            book.scores[:] = [np.nan if s is None else s for s in kept]
        if play(plan, book, workers=self._workers, missing=book.missing, opener=self._opener):
            return book
        save()
        return None

    def _verified(self, new: dict[str, Number], used: int, generations: int) -> Tuned | None:
        match = None
        best = with_values(self.spec, new)
        if new != self.old:
            plan = duel_plan(
                self.setting,
                [best],
                [self.spec],
                players=self.players,
                blocks=self.verify_blocks,
                seed=int(stream(self.seed, np.array([_VERIFY_STREAM], np.uint64))[0]),
            )
            scores = self.record["verification"]
            if scores is None:
                book = self._played(plan)
                if book is None:
                    return None
                scores = self.record["verification"] = [round(s, 6) for s in book.by_block().tolist()]
                self.record["playing"] = []
                self._save()
            match = summarise(BlockScores.from_scores(scores), self.players)
        return Tuned(self.spec, tuple(self.axes), self.old, new, best, used, generations, match)

    def _save(self) -> None:
        write_record(self.path, self.record)


def _line(number: int, scores: list[float], middle: Mapping[str, Number], used: int, games: int) -> str:
    values = ", ".join(f"{name} {value}" for name, value in middle.items())
    return (
        f"generation {number}: scores {min(scores):.1%} to {max(scores):.1%}, mean {np.mean(scores):.1%}; "
        f"now at {values}; {used} of {games} games"
    )


def new_tuner(path: Path, asked: Mapping[str, Any]) -> Tuner:
    """The tuner for what is asked: see `record.ASKED`. Raises TtrError."""
    if not 0 <= asked["seed"] <= MAX_SEED:
        raise TtrError(f"--seed must be from 0 to 2^64 - 1, not {asked['seed']}")
    if not 1 <= asked["games"] <= MAX_GAMES:
        raise TtrError(f"--games must be from 1 to {MAX_GAMES}, not {asked['games']}")
    check_new(path)
    package = optimiser()
    setting, spec, made_of = _parts(asked)
    return Tuner(path, new_record(asked, made_of, package.__version__), setting, spec)


def resumed_tuner(path: Path) -> Tuner:
    """The tuner that goes on with a file. Raises TtrError when it cannot go on."""
    record = read_record(path)
    optimiser()
    where = paths.shown(path)
    try:
        setting, spec, made_of = _parts(record["asked"])
        refuse_changes(record["made_of"], made_of, where)
        return Tuner(path, record, setting, spec)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, TtrError):
            raise
        raise TtrError(f"{where}: is damaged: {error!r}") from None


def _parts(asked: Mapping[str, Any]) -> tuple[Setting, BotSpec, dict[str, Any]]:
    """Setting and bot, and a description of all that the games depend on beside the seed."""
    setting = ask_setting(asked["board"], asked["rules"], asked["options"])
    spec = parse_spec(asked["spec"])
    opponents = [parse_spec(text) for text in asked["against"]]
    if not opponents:
        raise TtrError("--against must name at least one opponent, for example --against greedy")
    for bot in (spec, *opponents):
        check_bot(bot)
    check_fit(setting.board, setting.rules, asked["players"])
    plan = duel_plan(setting, [spec], opponents, players=asked["players"], blocks=1, seed=asked["seed"])
    return setting, spec, describe(plan)
