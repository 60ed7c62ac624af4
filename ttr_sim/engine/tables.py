"""Build the Tables record of a board, rules and number of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.board import COLORS
from ttr_sim.engine.layout import (
    FERRY,
    GRAY,
    MAX_ASKED,
    MAX_LENGTH,
    NO_COLOR,
    NORMAL,
    OPTION_CODES,
    PLAIN_OPTIONS,
    TABLES,
    TIE_BREAKS,
    TUNNEL_KIND,
    new_record,
)

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules

COLOR_CODES = {name: code for code, name in enumerate(COLORS)} | {"gray": GRAY}
KIND_CODES = {"normal": NORMAL, "ferry": FERRY, "tunnel": TUNNEL_KIND}


def make_tables(board: Board, rules: Rules, players: int) -> Any:
    """The TABLES array of shape (1,) for a game. Board and rules must fit (see `ttr_sim.rules.check_fit`)."""
    key = (id(board), id(rules), players)
    if key not in _MADE:
        if len(_MADE) >= _MADE_MOST:
            _MADE.clear()
        _MADE[key] = (board, rules, _make(board, rules, players))
    return _MADE[key][2].copy()


# Made tables by the identity of board and rules, which are kept with them so that no other object gets the same.
_MADE: dict[tuple[int, int, int], tuple[Board, Rules, Any]] = {}
_MADE_MOST = 64


def _make(board: Board, rules: Rules, players: int) -> Any:
    array = new_record(TABLES)
    T = array[0]
    T["players"] = players
    _options(T, rules)
    _cities_and_tickets(T, board, rules)
    _tracks(T, board, rules)
    _affordability(T)
    return array


def _options(T: Any, rules: Rules) -> None:
    for name in PLAIN_OPTIONS:
        T[name] = getattr(rules, name)
    for name, values in OPTION_CODES.items():
        T[name] = values.index(getattr(rules, name))
    T["deal_long"] = rules.tickets_setup.deal_long
    T["deal"] = rules.tickets_setup.deal
    T["setup_keep_min"] = rules.tickets_setup.keep_min
    T["draw_tickets"] = rules.draw_tickets.draw
    T["draw_keep_min"] = rules.draw_tickets.keep_min
    T["colors"] = len(COLORS)
    T["n_tie_breaks"] = len(rules.tie_breaks)
    for i, name in enumerate(rules.tie_breaks):
        T["tie_breaks"][i] = TIE_BREAKS.index(name)
    for length, points in rules.route_points.items():
        T["points"][length] = points


def _cities_and_tickets(T: Any, board: Board, rules: Rules) -> None:
    T["n_cities"] = len(board.cities)
    T["all_cities"] = (1 << len(board.cities)) - 1
    T["n_tickets"] = len(board.tickets)
    T["all_tickets"] = (1 << len(board.tickets)) - 1
    for t, ticket in enumerate(board.tickets):
        T["ticket_a"][t], T["ticket_b"][t], T["ticket_points"][t] = ticket.a, ticket.b, ticket.points
        if ticket.long and rules.ticket_pool == "split":
            T["long_tickets"] |= np.uint64(1 << t)


def _tracks(T: Any, board: Board, rules: Rules) -> None:
    T["n_tracks"] = len(board.tracks)
    for t, track in enumerate(board.tracks):
        ferry = track.kind == "ferry"
        T["length"][t] = track.length
        T["color"][t] = COLOR_CODES[track.color]
        T["kind"][t] = KIND_CODES[track.kind]
        T["symbols"][t] = track.locomotives
        T["city_a"][t], T["city_b"][t] = track.a, track.b
        T["partner"][t] = board.partner(t)
        T["wild"][t] = rules.locomotive_use == "any_route" or track.kind != "normal"
        T["mixed"][t] = ferry and rules.ferry_filler == "any_colors"
        size = 0
        if ferry:
            size = rules.ferry_substitute
        elif t in board.substitute_tracks and track.kind != "tunnel":
            size = rules.long_route_substitute
        T["set_size"][t] = size
        only_symbols = ferry and rules.ferry_substitute_scope == "symbols_only"
        T["sets_max"][t] = 0 if size == 0 else track.locomotives if only_symbols else MAX_LENGTH
        _put(T["all_tracks"], t)
        _put(T["city_tracks"][track.a], t)
        _put(T["city_tracks"][track.b], t)


def _put(words: Any, track: int) -> None:
    words[track >> 6] |= np.uint64(1 << (track & 63))


def _affordability(T: Any) -> None:
    for t in range(int(T["n_tracks"])):
        length, color = int(T["length"][t]), int(T["color"][t])
        exact = bool(T["set_size"][t] or T["mixed"][t])
        if exact:
            _put(T["exact"], t)
        for n in range(MAX_LENGTH + 1):
            if length <= n:
                _put(T["length_le"][n], t)
            if exact or int(T["symbols"][t]) <= n:
                _put(T["symbols_le"][n], t)
            if exact or length > n:
                continue
            name = "wild_le" if T["wild"][t] else "plain_le"
            _put(T[f"gray_{name}"][n] if color == GRAY else T[name][color, n], t)
        T["any_plain"] |= int(not exact and not T["wild"][t])
    _groups(T)


def _groups(T: Any) -> None:
    """List the tracks with sets or mixed colours by what a payment asks for, so that each demand is looked at once."""
    demands: dict[tuple[int, ...], dict[int, list[int]]] = {}
    for t in range(int(T["n_tracks"])):
        if T["set_size"][t] or T["mixed"][t]:
            demand = tuple(
                int(T[name][t]) for name in ("mixed", "length", "symbols", "wild", "sets_max", "set_size")
            )
            color = NO_COLOR if T["mixed"][t] else int(T["color"][t])
            demands.setdefault(demand, {}).setdefault(color, []).append(t)
    at = 0
    for group, ((_, length, symbols, wild, sets_max, size), by_color) in enumerate(demands.items()):
        T["group_most"][group], T["group_wild"][group] = length - symbols, wild
        for cards in range(MAX_ASKED + 1):
            T["group_need"][group, cards] = _paid_without_sets(length, sets_max, size, cards)
        for color, tracks in by_color.items():
            T["class_color"][at] = color
            for t in tracks:
                _put(T["class_tracks"][at], t)
            at += 1
        T["group_first"][group + 1] = at
    T["n_groups"] = len(demands)


def _paid_without_sets(length: int, sets_max: int, size: int, cards: int) -> int:
    """Return how many spaces must be paid by single cards with so many in hand; length + 1: more than there are."""
    for spaces in range(length + 1):
        sets = length - spaces
        if sets <= sets_max and spaces + sets * size <= cards:
            return spaces
    return length + 1
