"""Write a game as the data of a position (see `ttr_sim.bot.positions`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.positions import VERSION, content_hash
from ttr_sim.engine import Game
from ttr_sim.engine.layout import MAX_TICKETS, REASONS
from ttr_sim.engine.position import LETTERS
from ttr_sim.engine.view import bits, track_list
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, load_rules


def position_data(game: Game, taken: Sequence[str] = (), note: str = "") -> dict[str, Any]:
    """Everything of a game at the start of a turn (or at a first choice of tickets), and what was taken since.

    game: as the turn began. taken: texts of the actions in this turn so far (`Game.describe` before each).
    """
    S, board = game.state[0], game.board
    if game.phase not in ("TURN", "KEEP_SETUP"):
        raise ValueError(f"a position begins with a turn, not in phase {game.phase}")
    data: dict[str, Any] = {"position": VERSION, "note": note, "board": _board(board)}
    data["rules"] = _rules(game.rules, board)
    data["sha256"] = {"board": content_hash(board), "rules": content_hash(game.rules)}
    data["to_move"] = game.seat
    if int(S["remaining"]) >= 0:
        trigger = int(S["trigger"])
        data["end"] = {
            "turns_left": int(S["remaining"]),
            "triggered_by": None if trigger < 0 else trigger,
            "reason": REASONS[int(S["reason"])],
        }
    data["passes"] = int(S["passes"])
    data["market"] = _letters(S["market"])
    data["deck"] = "".join(LETTERS[int(c)] for c in S["deck"][: int(S["deck_n"])][::-1])
    data["discards"] = _letters(S["discards"])
    head, ring = int(S["ticket_head"]), S["ticket_deck"]
    deck = [int(ring[(head + i) % MAX_TICKETS]) for i in range(int(S["ticket_deck_n"]))]
    data["ticket_deck"] = [board.tickets[t].id for t in deck]
    data["seed"], data["reshuffles"] = int(S["seed"]), int(S["reshuffles"])
    data["seats"] = [_seat(game, p) for p in range(game.players)]
    data["taken"] = list(taken)
    return data


def position_text(data: dict[str, Any]) -> str:
    """The text of a position file: a line for each key."""
    lines = [f"  {json.dumps(key)}: {_value(key, value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key != "seats":
        return json.dumps(value, ensure_ascii=False)
    seats = []
    for seat in value:
        lines = [f"      {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in seat.items()]
        seats.append("    {\n" + ",\n".join(lines) + "\n    }")
    return "[\n" + ",\n".join(seats) + "\n  ]"


def _seat(game: Game, p: int) -> dict[str, Any]:
    S, board = game.state[0], game.board
    tracks = track_list(S["own"][p])
    seat: dict[str, Any] = {
        "hand": _letters(S["hands"][p]),
        "known": _letters(S["shown"][p]),
        "tracks": [board.tracks[t].id for t in tracks],
        "stations": [board.cities[int(c)].id for c in S["station_city"][p] if c >= 0],
        "tickets": _ids(board, S["tickets"][p]),
        "turns_done": int(S["turns_done"][p]),
        "kept_at_start": int(S["setup_kept"][p]),
        "refused": _ids(board, S["refused"][p]),
        "boxed": _ids(board, S["boxed"][p]),
    }
    lengths = [board.tracks[t].length for t in tracks]
    if int(S["trains"][p]) != game.rules.trains_per_player - sum(lengths):
        seat["trains"] = int(S["trains"][p])
    if int(S["points"][p]) != sum(game.rules.route_points[n] for n in lengths):
        seat["points"] = int(S["points"][p])
    if int(S["offer_n"][p]):
        offer = S["offer"][p][: int(S["offer_n"][p])]
        seat["offer"] = [board.tickets[int(t)].id for t in offer]
    return seat


def _letters(counts: Any) -> str:
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=True))


def _ids(board: Board, tickets: Any) -> list[str]:
    return [board.tickets[t].id for t in bits(tickets)]


def _board(board: Board) -> str:
    """The name under which the same board is found, else its folder."""
    if board.name in paths.available(paths.BOARD) and load_board(board.name).sha256 == board.sha256:
        return board.name
    return str(board.folder.resolve())


def _rules(rules: Rules, board: Board) -> Any:
    """The name of the same preset, else what differs from one."""
    known = paths.available(paths.RULES)
    for name in (rules.name, rules.name.split("+")[0], board.name, "europe"):
        if name not in known:
            continue
        base = load_rules(name)
        if base.sha256 == rules.sha256:
            return name
        before, now = base.options(), rules.options()
        changes = {key: value for key, value in now.items() if before[key] != value}
        if base.with_options(changes).sha256 == rules.sha256:
            return {"base": name, **changes}
    raise TtrError(f"rules {rules.name!r}: no preset to describe them by")
