"""One game for people, interpreted bots and tools: every step checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.engine import actions, faces
from ttr_sim.engine.layout import OVER, PHASES, REASONS, STATE, WORK, new_record
from ttr_sim.engine.scoring import SCORES, SEAT_FIELDS
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.errors import IllegalAction, TtrError
from ttr_sim.rules import check_fit

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules


_SEAL = 8  # bytes of the hash after a saved state


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Final score of a seat in points, with its parts and the counts behind them; `rank` 1 is best, ties share it."""

    score: int
    rank: int
    routes: int
    tickets_won: int
    tickets_lost: int
    completed: int
    failed: int
    longest: int
    longest_bonus: int
    globetrotter: int
    all_trains: int
    stations_points: int
    stations_placed: int
    borrowed: int
    trains_left: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the seats in order, why it ended, and what decided between those level on points.

    `decided_by`: "points", the name of a tie-break, or "shared".
    """

    seats: tuple[SeatResult, ...]
    reason: str
    decided_by: str

    @property
    def winners(self) -> list[int]:
        """The seats that share the first place."""
        return [p for p, seat in enumerate(self.seats) if seat.rank == 1]


class Game:
    """A game of Ticket to Ride.

    `state` is the STATE array of shape (1,), `tables` the TABLES array; both may be given to compiled functions. With
    `auto` (the default) decisions that have just one legal action are taken without asking.
    """

    def __init__(
        self, board: Board, rules: Rules, players: int, state: Any, *, auto: bool = True, tables: Any = None
    ) -> None:
        self.board = board
        self.rules = rules
        self.players = players
        self.auto = auto
        self.tables = make_tables(board, rules, players) if tables is None else tables
        self.work = new_record(WORK)
        self.state = state
        faces.legal_actions(self.tables, self.state, self.work)

    @classmethod
    def new(cls, board: Board, rules: Rules, players: int, seed: int, *, auto: bool = True) -> Game:
        """Deal a new game. The seed (0 to 2^64 - 1) alone decides every card and ticket.

        Raises:
            TtrError: board, rules and number of players do not fit.
        """
        check_fit(board, rules, players)
        if not 0 <= seed < 1 << 64:
            raise TtrError(f"seed {seed}: must be 0 to 2^64 - 1")
        game = cls(board, rules, players, new_record(STATE), auto=auto)
        deal = faces.deal_game if auto else faces.deal_only
        deal(game.tables, game.state, game.work, np.uint64(seed))
        return game

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return int(self.state["phase"][0]) == OVER

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.state["seat"][0])

    @property
    def phase(self) -> str:
        """What is asked, one of `ttr_sim.engine.layout.PHASES`."""
        return PHASES[int(self.state["phase"][0])]

    def legal(self) -> list[int]:
        """Legal actions of the seat to decide, ascending; empty when the game is over."""
        work = self.work
        legal: list[int] = work["acts"][0, : int(work["n"][0])].tolist()
        return legal

    def step(self, action: int) -> list[tuple[int, int]]:
        """Take an action; returns it and the forced ones that followed as (seat, action).

        Raises:
            IllegalAction: the action is not legal now; the game is unchanged.
        """
        self.check(action)
        apply = faces.step_game if self.auto else faces.step_once
        apply(self.tables, self.state, self.work, action)
        work = self.work
        n = int(work["trace_n"][0])
        return list(zip(work["trace_seat"][0, :n].tolist(), work["trace_act"][0, :n].tolist(), strict=True))

    def check(self, action: Any) -> None:
        """Raise IllegalAction with the reason unless `action` is legal now."""
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalAction(f"{action!r} is not an action: a whole number is needed")
        legal = self.legal()
        if action not in legal:
            raise IllegalAction(self.why_illegal(int(action)))

    def why_illegal(self, action: int) -> str:
        """One line on what is wrong with an illegal action and what would be legal."""
        if self.is_over:
            return f"action {action}: the game is over"
        try:
            text = actions.describe(self.board, action)
        except (ValueError, IndexError):
            return f"{action} is not an action of this board"
        options = [self.describe(a) for a in self.legal()]
        shown = "; ".join(options[:12]) + (f"; … ({len(options)} in all)" if len(options) > 12 else "")
        return (
            f"action {action} ({text}) is illegal for seat {self.seat} in phase {self.phase}; legal: {shown}"
        )

    def view(self, seat: int) -> View:
        """What a seat may know, as a copy."""
        views = new_record(STATE)
        faces.observe_game(self.tables, self.state, views, seat)
        views.setflags(write=False)
        return View(self.board, self.rules, self.players, views, self.legal() if seat == self.seat else [])

    def describe(self, action: int) -> str:
        """Readable text of an action in the present position."""
        return actions.describe(self.board, action, self.state[0], self.rules)

    def result(self) -> Result:
        """Scores of the position as it stands; final once `is_over`."""
        scores = new_record(SCORES)
        faces.score_game(self.tables, self.state, self.work, scores)
        row = scores[0]
        seats = tuple(
            SeatResult(**{name: int(row[name][p]) for name in SEAT_FIELDS}) for p in range(self.players)
        )
        decided = int(row["decided_by"])
        name = "shared" if decided < 0 else "points" if decided == 0 else self.rules.tie_breaks[decided - 1]
        return Result(seats, REASONS[int(self.state["reason"][0])] if self.is_over else "running", name)

    def copy(self) -> Game:
        """An independent copy that goes on the same way."""
        return Game(
            self.board, self.rules, self.players, self.state.copy(), auto=self.auto, tables=self.tables
        )

    def to_bytes(self) -> bytes:
        """The whole state as bytes, the same for equal states, with a seal of what is played."""
        data: bytes = self.state.tobytes()
        return data + self._seal(data)

    @classmethod
    def from_bytes(cls, board: Board, rules: Rules, players: int, data: bytes, *, auto: bool = True) -> Game:
        """The game that `to_bytes` wrote.

        Raises:
            TtrError: `data` is damaged, or of another board, rules, number of players or version.
        """
        if len(data) != STATE.itemsize + _SEAL:
            raise TtrError(f"a saved game has {STATE.itemsize + _SEAL} bytes, this has {len(data)}")
        state = new_record(STATE)
        state.view(np.uint8)[:] = np.frombuffer(data[:-_SEAL], np.uint8)
        game = cls(board, rules, players, new_record(STATE), auto=auto)
        if game._seal(data[:-_SEAL]) != data[-_SEAL:]:
            raise TtrError(
                "this saved game is damaged, or of another board, rules, number of players or version"
            )
        game.state = state
        faces.legal_actions(game.tables, game.state, game.work)
        return game

    def _seal(self, data: bytes) -> bytes:
        """Short hash of a state and of what it is a state of."""
        digest = hashlib.sha256(f"{STATE.descr} {self.players}".encode())
        digest.update(self.tables.tobytes())
        digest.update(data)
        return digest.digest()[:_SEAL]

    def state_hash(self) -> str:
        """Stable hash of the state (hex); equal games have equal hashes, in every process and on every machine."""
        return hashlib.sha256(self.state.tobytes()).hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game {self.board.name}/{self.rules.name} {self.players} players, {self.phase} of seat {self.seat}>"
