"""Everything a viewer shows of one game, as plain data: the position after each decision, and the decisions as texts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ttr_sim.board import Board
from ttr_sim.engine import Game, actions
from ttr_sim.engine.view import bits, track_list
from ttr_sim.reports.map import track_text
from ttr_sim.reports.viewer.thoughts import ByDecision, thoughts_data
from ttr_sim.results.replay import Step, steps

# What only the one who plays sees: the card drawn blind, the tickets offered and kept.
_SECRET = ("blind", "tickets", "keep")


def game_data(
    game: Game, log: Sequence[int], bots: Sequence[str], thoughts: ByDecision | None = None
) -> dict[str, Any]:
    """Return a logged game as JSON data.

    Args:
        game: the game as dealt, made with auto=False; it is played to the end of the log.
        log: the actions the bots were asked for.
        bots: the label of each seat's bot.
        thoughts: what the bots thought (see `ttr_sim.bot.explain`), by index in `log`.

    `frames[i]` is the position after i decisions, `steps[i]` the decision that leads from it to the next; a bot was
    asked unless it is `forced`. Cards are counts by colour, locomotives last; tracks, cities and tickets are indices.
    """
    frames, told, asked = [_frame(game)], [], 0
    owned, before = _owned(game), game.state.copy()
    for step in steps(game, log):
        row = _step(game.board, step)
        if not step.forced:
            if told_of := (thoughts or {}).get(asked):
                row["thoughts"] = thoughts_data(game.board, game.rules, before[0], told_of, step.action)
            asked += 1
        now, before = _owned(game), game.state.copy()
        row["gained"] = [thing for thing in now if thing not in owned]
        owned = now
        told.append(row)
        frames.append(_frame(game))
    result = game.result()
    return {
        "board": _board(game.board),
        "bots": list(bots),
        "longest_bonus": game.rules.longest_path_bonus,
        "frames": frames,
        "steps": told,
        "over": game.is_over,
        "result": asdict(result),
    }


def _owned(game: Game) -> list[tuple[str, int, int]]:
    """What stands on the map: ("track" or "city", its index, the seat)."""
    state = game.state[0]
    found = [("track", t, p) for p in range(game.players) for t in track_list(state["own"][p])]
    cities = ((int(c), p) for p in range(game.players) for c in state["station_city"][p] if c >= 0)
    return found + [("city", city, p) for city, p in cities]


def _step(board: Board, step: Step) -> dict[str, Any]:
    kind, number, _ = actions.decode(step.action)
    row: dict[str, Any] = {
        "turn": step.turn,
        "seat": step.seat,
        "kind": kind,
        "text": step.text,
        "note": step.note,
        "forced": step.forced,
    }
    if kind in _SECRET:
        row["secret"] = True
    if kind == "keep":
        count = number.bit_count()
        row["public"] = f"keep {count} ticket{'s' * (count != 1)}"
    return row


def _frame(game: Game) -> dict[str, Any]:
    state = game.state[0]
    seats = range(game.players)
    result = game.result()
    return {
        "turn": int(state["turns"]),
        "seat": game.seat,
        "phase": game.phase,
        "left": int(state["remaining"]),
        "market": _counts(state["market"]),
        "deck": int(state["deck_n"]),
        "discards": int(state["discards"].sum()),
        "tickets_left": int(state["ticket_deck_n"]),
        "pending": _pending(state),
        "seats": [
            {
                "hand": _counts(state["hands"][p]),
                "known": _counts(state["shown"][p]),
                "trains": int(state["trains"][p]),
                "stations": int(state["stations"][p]),
                "points": int(state["points"][p]),
                "score": result.seats[p].score,
                "tickets": bits(state["tickets"][p]),
                "offer": [int(t) for t in state["offer"][p][: int(state["offer_n"][p])]],
            }
            for p in seats
        ],
    }


def _pending(state: Any) -> list[Any] | None:
    """The track or city that is being paid for."""
    for kind, name in (("track", "pend_track"), ("city", "pend_city")):
        if int(state[name]) >= 0:
            return [kind, int(state[name])]
    return None


def _counts(cards: Any) -> list[int]:
    return [int(n) for n in cards]


def _board(board: Board) -> dict[str, Any]:
    return {
        "title": board.title,
        "cities": [city.name for city in board.cities],
        "tracks": list(_tracks(board)),
        "tickets": [
            {"a": ticket.a, "b": ticket.b, "points": ticket.points, "long": ticket.long}
            for ticket in board.tickets
        ],
    }


def _tracks(board: Board) -> Iterator[dict[str, Any]]:
    for index, track in enumerate(board.tracks):
        yield {"a": track.a, "b": track.b, "length": track.length, "text": track_text(board, index)}
