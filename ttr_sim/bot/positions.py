"""Positions as readable data: a game at any decision, kept in a JSON file that may be written or changed by hand.

A position is what stood at the start of a turn and what was `taken` in that turn since. Keys (all but `position`, `board`
and `seats` may be left out; cards are letters as for `ttr_sim.engine.Position`, tracks, cities and tickets are ids):

    position    version of this format: 1
    note        any text
    board       name or folder
    rules       name or file of a preset (default: that of the board), or {"base": preset, option: value, ...}
    sha256      {"board": ..., "rules": ...}: contents it was saved with, refused when they differ
    to_move     seat whose turn it is
    end         {"turns_left": n, "triggered_by": seat or null, "reason": ...} once the end is near
    passes      passes in a row before this turn
    market, deck, discards    cards; the deck from the top, cards named nowhere lie under it
    ticket_deck               the whole ticket deck from the top (default: all regular tickets named nowhere)
    seed, reshuffles          decide how discards will be shuffled
    seats       for each: hand, known (cards of it that all have seen), tracks, stations, tickets, turns_done, trains and
                points (default: by the tracks), kept_at_start, refused and boxed (tickets), offer (before the first turn)
    taken       actions since the turn began, as texts

An error names the file and the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.fields import Fields
from ttr_sim.engine import Game, Position
from ttr_sim.engine.layout import FINAL_ROUND, KEEP_SETUP, MAX_OFFER, REASONS
from ttr_sim.errors import TtrError
from ttr_sim.files import is_one_line, read_text
from ttr_sim.rules import Rules, check_fit, load_rules

VERSION = 1
KEYS = (
    *(
        "position",
        "note",
        "board",
        "rules",
        "sha256",
        "to_move",
        "end",
        "passes",
        "market",
        "deck",
        "discards",
    ),
    *("ticket_deck", "seed", "reshuffles", "seats", "taken"),
)
SEAT_KEYS = (
    *("hand", "known", "tracks", "stations", "tickets", "turns_done", "trains", "points", "kept_at_start"),
    *("refused", "boxed", "offer"),
)
_END_KEYS = ("turns_left", "triggered_by", "reason")
_DIGITS = 16  # of a hash are kept
# What `Position.build` finds of a whole position, and the key to look at.
_KEYS_OF_PROBLEMS = (
    (r"^hand of seat (\d)", "seats[{}].hand"),
    (r"^shown cards of seat (\d)", "seats[{}].known"),
    (r"closed to seat (\d) by its parallel", "seats[{}].tracks"),
    (r"^seat (\d) owns more", "seats[{}].tracks"),
    (r"^seat (\d) has \d stations", "seats[{}].stations"),
    (r"^seat (\d) has more long tickets", "seats[{}].tickets"),
    (r"^(deck|discards|market): ", "{}"),
    (r"market|face-up", "market"),
    (r"ticket deck", "ticket_deck"),
    (r"train cards placed", "deck"),
)


@dataclass(frozen=True, slots=True)
class Saved:
    """A position that was read: the game (forced decisions are not taken by themselves) and its note."""

    game: Game
    note: str


def load_position(path: Path) -> Saved:
    """Read a position file.

    Raises:
        TtrError: it cannot be read, is no position of this version, or no position of its board and rules.
    """
    where = paths.shown(path)
    try:
        data = json.loads(read_text(path), object_pairs_hook=lambda pairs: _once(pairs, where))
    except json.JSONDecodeError as error:
        raise TtrError(f"{where}: not valid JSON: line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise TtrError(f"{where}: not valid JSON: nested too deeply") from None
    return read_position(data, where)


def _once(pairs: list[tuple[str, Any]], where: str) -> dict[str, Any]:
    """An object of JSON, whose keys must differ."""
    found = dict(pairs)
    for key, _ in pairs if len(found) < len(pairs) else ():
        if [k for k, _ in pairs].count(key) > 1:
            raise TtrError(f"{where}: {key}: stands twice in one object, must be once")
    return found


def read_position(data: Any, where: str) -> Saved:
    """The position that plain data describes; `where` is put in front of errors."""
    top = Fields(data, where, "", KEYS)
    if top.whole("position", 1, 1 << 30) != VERSION:
        raise top.error("position", f"is {data['position']}, the version read here is {VERSION}")
    board = _board(top)
    rules = _rules(top, board)
    for name, thing in (("board", board), ("rules", rules)):
        saved = top.table("sha256", ("board", "rules")).text(name)
        if saved and not thing.sha256.startswith(saved):
            raise top.error(f"sha256.{name}", f"the {name} {thing.name!r} is not what this was saved with")
    seats = [
        Fields(seat, where, f"seats[{i}].", SEAT_KEYS) for i, seat in enumerate(top.items("seats", object))
    ]
    check_fit_of(top, board, rules, len(seats))
    if not is_one_line(note := top.text("note")):
        raise top.error("note", f"must be one line without control characters, not {note!r:.60}")
    return Saved(_play(_build(top, seats, board, rules), top), note)


def check_fit_of(top: Fields, board: Board, rules: Rules, players: int) -> None:
    """Raise TtrError when board, rules and number of seats do not fit."""
    try:
        check_fit(board, rules, players)
    except TtrError as error:
        raise top.error("seats", str(error)) from None


def content_hash(thing: Board | Rules) -> str:
    """Short hash of a board's or rules' content, as a position keeps it."""
    return thing.sha256[:_DIGITS]


def _board(top: Fields) -> Board:
    name = top.needed_text("board")
    try:
        return load_board(name)
    except TtrError as error:
        raise top.error("board", str(error)) from None


def _rules(top: Fields, board: Board) -> Rules:
    given = top.data.get("rules", board.name)
    try:
        if isinstance(given, Mapping):
            changes = dict(given)
            base = changes.pop("base", board.name)
            rules = load_rules(base if isinstance(base, str) else str(base))
            return rules.with_options(changes) if changes else rules
        if not isinstance(given, str):
            raise TtrError(f"must be a preset's name or an object with base and options, not {given!r}")
        return load_rules(given)
    except TtrError as error:
        raise top.error("rules", str(error)) from None


def _build(top: Fields, seats: list[Fields], board: Board, rules: Rules) -> Game:
    """The game as it stood when the turn began."""
    position = Position(board, rules, len(seats))
    for p, seat in enumerate(seats):
        _place_seat(position, p, seat)
    for name in ("market", "deck", "discards"):
        if name in top.data:
            with top.blamed(name):
                getattr(position, name)(top.text(name))
    offers = [_tickets(seat, "offer", board) for seat in seats]
    deck = _ticket_deck(top, seats, board, rules, offers)
    if deck is not None:
        with top.blamed("ticket_deck"):
            position.ticket_deck(*(board.tickets[t].id for t in deck))
    with top.blamed("to_move"):
        position.to_move(top.whole("to_move", 0, len(seats) - 1))
    try:
        game = position.build()
    except TtrError as error:
        text = str(error).removeprefix("position: ")
        raise top.error(_key_of(text), text) from None
    _finish(top, seats, game, offers)
    return Game(board, rules, len(seats), game.state, auto=False)


def _key_of(problem: str) -> str:
    """The key that a problem of the whole position is about."""
    for pattern, key in _KEYS_OF_PROBLEMS:
        if match := re.search(pattern, problem):
            return key.format(*match.groups())
    return "seats"


def _place_seat(position: Position, p: int, seat: Fields) -> None:
    for key, place in (("hand", position.hand), ("known", position.shown)):
        with seat.blamed(key):
            place(p, seat.text(key))
    for key, put in (
        ("tracks", position.owns),
        ("stations", position.station),
        ("tickets", position.tickets),
    ):
        with seat.blamed(key):
            put(p, *seat.items(key, str))
    for key, number in (
        ("trains", position.trains),
        ("points", position.points),
        ("turns_done", position.turns_done),
    ):
        if key in seat.data:
            with seat.blamed(key):
                number(p, seat.whole(key, 0, 1 << 15))


def _tickets(seat: Fields, key: str, board: Board) -> list[int]:
    ids = [ticket.id for ticket in board.tickets]
    return [seat.known(key, name, ids) for name in seat.items(key, str)]


def _ticket_deck(
    top: Fields, seats: list[Fields], board: Board, rules: Rules, offers: list[list[int]]
) -> list[int] | None:
    """The ticket deck; None: as `Position` makes it."""
    offered = [t for offer in offers for t in offer]
    if len(set(offered)) < len(offered) or any(len(offer) > MAX_OFFER for offer in offers):
        raise top.error("seats", f"a ticket is offered twice, or more than {MAX_OFFER} to one seat")
    held = {t for seat in seats for t in _tickets(seat, "tickets", board)}
    long = {t for t, ticket in enumerate(board.tickets) if ticket.long and rules.ticket_pool == "split"}
    if "ticket_deck" in top.data:
        deck = _tickets(top, "ticket_deck", board)
    elif offered:
        deck = [t for t in range(len(board.tickets)) if t not in held | long | set(offered)]
    else:
        return None
    for t in offered:
        if t in held or t in deck:
            raise top.error("seats", f"ticket {board.tickets[t].id!r} is offered and lies elsewhere too")
    return deck


def _finish(top: Fields, seats: list[Fields], game: Game, offers: list[list[int]]) -> None:
    """Put into the state what `Position` does not know of."""
    S, board = game.state[0], game.board
    S["passes"] = top.whole("passes", 0, len(seats) - 1)
    S["seed"] = np.uint64(top.whole("seed", 0, (1 << 64) - 1))
    S["reshuffles"] = top.whole("reshuffles", 0, 1 << 20)
    if "end" in top.data:
        end = top.table("end", _END_KEYS)
        S["remaining"] = end.whole("turns_left", 1, len(seats), needed=True)
        trigger = end.data.get("triggered_by")
        S["trigger"] = -1 if trigger is None else end.whole("triggered_by", 0, len(seats) - 1)
        S["reason"] = end.choice("reason", REASONS[1:], REASONS[FINAL_ROUND])
    for p, (seat, offer) in enumerate(zip(seats, offers, strict=True)):
        S["setup_kept"][p] = seat.whole("kept_at_start", 0, MAX_OFFER, default=int(S["setup_kept"][p]))
        boxed = _set(_tickets(seat, "boxed", board))
        S["refused"][p], S["boxed"][p] = _set(_tickets(seat, "refused", board)) | boxed, boxed
        if boxed & ~int(S["box"]):
            raise seat.error("boxed", "a ticket put in the box is in the ticket deck or with a seat")
        S["box"] &= np.uint64(~_set(offer) & (1 << 64) - 1)
        S["offer"][p][: len(offer)] = offer
        S["offer_n"][p] = len(offer)
    asked = [p for p, offer in enumerate(offers) if offer]
    if asked:
        if asked != list(range(asked[0], len(seats))):
            raise top.error("seats", "tickets are offered before the first turn, seat after seat to the last")
        S["phase"], S["seat"] = KEEP_SETUP, asked[0]


def _set(members: list[int]) -> int:
    return sum(1 << t for t in set(members))


def _play(game: Game, top: Fields) -> Game:
    """Take the actions of the turn so far."""
    legal = game.legal()
    for i, text in enumerate(top.items("taken", str)):
        found = [action for action in legal if game.describe(action) == text]
        if not found:
            options = "; ".join(game.describe(action) for action in legal[:40])
            raise top.error(f"taken[{i}]", f"{text!r} is not legal here; legal: {options or 'nothing'}")
        game.step(found[0])
        legal = game.legal()
    if not legal:
        raise top.error("taken" if top.data.get("taken") else "seats", "nothing is to be decided here")
    return game
