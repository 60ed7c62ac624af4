"""Replay of logged games: their actions are all that is kept of them, everything else follows from the seed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.driver import PLAYED, clear_played, is_legal, summarise
from ttr_sim.engine import Game, actions
from ttr_sim.engine.actions import COLOR_NAMES, TICKETS
from ttr_sim.engine.apply import apply
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import MAX_PLAYERS, OVER, PHASES, STATE, WORK, new_record
from ttr_sim.engine.legal import legal
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import bits
from ttr_sim.rules import Rules, load_rules

# One row per action, forced ones too; the numbers of the seats are those before it.
EVENT = np.dtype(
    [
        ("game", "i8"),  # index of the game in the call
        ("turn", "i4"),  # finished turns of all seats
        ("seat", "i1"),
        ("phase", "i1"),
        ("action", "i2"),
        ("forced", "?"),  # the only legal action, of which no bot was asked
        ("points", "i2", (MAX_PLAYERS,)),  # for routes
        ("trains", "i1", (MAX_PLAYERS,)),
        ("stations", "i1", (MAX_PLAYERS,)),
        ("cards", "i1", (MAX_PLAYERS,)),
        ("tickets", "i1", (MAX_PLAYERS,)),
    ],
    align=True,
)
_EVENTS_A_GAME = 512
_TICKETS = TICKETS


@entry
def _replay(tables, states, work, seeds, actions, offsets, first, played, left, events):
    """Replay the games from `first` on; returns the games done and the events written (none when `events` is empty).

    A game ends early where its log does (then played[g].reason is 0) or at an illegal action (forfeit_action).
    """
    T, S, W = tables[0], states[0], work[0]
    written = 0
    for g in range(first, len(seeds)):
        begun = written
        G = played[g]
        clear_played(G)
        deal(T, S, seeds[g])
        at = offsets[g]
        while S.phase != OVER:
            n = legal(T, S, W)
            seat = int(S.seat)
            if n == 1:
                action = int(W.acts[0])
            elif at < offsets[g + 1]:
                action = int(actions[at])
                if not is_legal(W, action):
                    G.forfeit_seat = seat
                    G.forfeit_action = action
                    break
                at += 1
                G.decisions += 1
                G.seat_decisions[seat] += 1
            else:
                break
            if len(events) > 0:
                if written == len(events):
                    return g, begun
                E = events[written]
                written += 1
                E.game = g
                E.turn = S.turns
                E.seat = seat
                E.phase = S.phase
                E.action = action
                E.forced = n == 1
                for p in range(MAX_PLAYERS):
                    E.points[p] = S.points[p]
                    E.trains[p] = S.trains[p]
                    E.stations[p] = S.stations[p]
                    E.cards[p] = S.hand_n[p]
                    E.tickets[p] = S.ticket_n[p]
            if action < _TICKETS:
                G.cards_drawn[seat] += 1
            apply(T, S, action)
        left[g] = offsets[g + 1] - at
        summarise(T, S, W, G)
        if S.phase != OVER:
            G.reason = 0
    return len(seeds), written


class Replayer:
    """Replays logged games of one board, rules and number of players."""

    def __init__(self, board: Board, rules: Rules, players: int) -> None:
        self.board, self.rules, self.players = board, rules, players
        self._tables = make_tables(board, rules, players)
        self._state, self._work = new_record(STATE), new_record(WORK)

    def results(self, seeds: Any, logs: Any, offsets: Any) -> tuple[Any, Any]:
        """Return PLAYED records of games (see `ttr_sim.bot.driver`), and how many logged actions each left over.

        Game i has the actions logs[offsets[i] : offsets[i + 1]]. Its `reason` is 0 when it did not come to its end;
        `forfeit_action` is then the first action that was illegal, or -1 when the log just ended.
        """
        played, left, _ = self._run(seeds, logs, offsets, 0)
        return played, left

    def events(self, seeds: Any, logs: Any, offsets: Any) -> Any:
        """Return the EVENT rows of games, in order; `game` is the index of the game."""
        return self._run(seeds, logs, offsets, _EVENTS_A_GAME)[2]

    def _run(self, seeds: Any, logs: Any, offsets: Any, room: int) -> tuple[Any, Any, Any]:
        seeds, logs = np.array(seeds, np.uint64), np.array(logs, np.int16)
        offsets = np.array(offsets, np.int64)
        n = len(seeds)
        played, left = np.zeros(n, PLAYED), np.zeros(n, np.int64)
        pieces = []
        first = 0
        while first < n:
            events = np.zeros(min(n - first, 64) * room, EVENT)
            done, written = _replay(
                self._tables, self._state, self._work, seeds, logs, offsets, first, played, left, events
            )
            pieces.append(events[:written])
            room = room * 2 if done == first else room
            first = done
        return played, left, np.concatenate([np.zeros(0, EVENT), *pieces])


def use_replayer() -> None:
    """Replay a game, so that the replayer is compiled."""
    shipped = paths.shipped_root()
    board = load_board(shipped / paths.BOARD.folder / "europe")
    rules = load_rules(shipped / paths.RULES.folder / "europe.toml")
    Replayer(board, rules, 2).results([1], [], [0, 0])


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a game as text.

    turn: finished turns of all seats before it. note: what it brought to light for the one who plays: the card drawn
    blind, the tickets seen, the cards revealed for a tunnel ("" for nothing).
    """

    turn: int
    seat: int
    phase: str
    action: int
    forced: bool
    text: str
    note: str


def steps(game: Game, log: Any) -> Iterator[Step]:
    """Play a logged game on a new `game` made with auto=False; yields each action once it was taken.

    Raises IllegalAction where the log does not fit the game. A game that was not played to its end ends early.
    """
    logged = iter(log)
    while not game.is_over:
        legal = game.legal()
        forced = len(legal) == 1
        action = legal[0] if forced else next(logged, None)
        if action is None:
            return
        game.check(int(action))
        turn, seat, phase, text = _turn(game), game.seat, game.phase, game.describe(int(action))
        before = game.state.copy()
        game.step(int(action))
        yield Step(turn, seat, phase, int(action), forced, text, _note(game, before[0], int(action)))


def _turn(game: Game) -> int:
    return int(game.state["turns"][0])


def _note(game: Game, before: Any, action: int) -> str:
    seat = int(before["seat"])
    after = game.state[0]
    kind = actions.decode(action)[0]
    if kind == "blind":
        gained = after["hands"][seat] - before["hands"][seat]
        return f"gets {COLOR_NAMES[int(gained.argmax())]}"
    if kind == "tickets":
        offer = [int(t) for t in after["offer"][seat][: int(after["offer_n"][seat])]]
        return "sees " + ", ".join(actions.ticket_name(game.board, t) for t in offer)
    if PHASES[int(after["phase"])] == "TUNNEL":
        revealed = actions.cards_text([int(n) for n in after["pend_revealed"]])
        return f"revealed {revealed}: {int(after['pend_extra'])} extra"
    return ""


def kept_tickets(game: Game, seat: int) -> list[str]:
    """Return the names of a seat's tickets."""
    return [actions.ticket_name(game.board, t) for t in bits(game.state["tickets"][0, seat])]
