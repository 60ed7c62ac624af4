"""Engine and reference model in lockstep: the same decisions, compared after every action."""

from __future__ import annotations

import struct
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ttr_sim.board import Board, load_board
from ttr_sim.engine import Game, Position, Result
from ttr_sim.rules import Rules, load_rules

from . import board as reference_reader
from . import codes
from .board import Options, read_presets
from .model import ReferenceGame
from .policies import POLICIES
from .scoring import score_game
from .variants import late_position, network_position

PRESETS = read_presets()
LETTERS = "PWBYOKRGL"

SINGLE = (
    "seed",
    "seat",
    "drawn",
    "first_blind",
    "passes",
    "trigger",
    "remaining",
    "reason",
    "turns",
    "reshuffles",
    "market_n",
    "station_mask",
)
PER_SEAT = ("hand_n", "ticket_n", "trains", "stations", "points", "turns_done")
CARDS = ("market", "discards")
PENDING = ("pend_track", "pend_city", "pend_locos", "pend_sets", "pend_left", "pend_extra")
SETS_OF_BITS = ("open", "own", "blocked", "station_mask", "tickets", "refused")
PAYING = ("PAY", "SETS", "FILLER", "SETCARDS", "TUNNEL")


REASONS = ("running", "final_round", "exhausted", "all_passed", "turn_limit")
RESULT_NAMES = {
    "total": "score",
    "longest_path_bonus": "longest_bonus",
    "all_trains_bonus": "all_trains",
    "borrowing": "borrowed",
}


class Difference(AssertionError):
    """Engine and reference model disagree."""


def compare_game(
    board_name: str | Path,
    preset: str,
    players: int,
    seed: int,
    policy: str,
    options: Options | None = None,
) -> ReferenceGame:
    """Play one game of both, with the decisions of the policy; returns the finished reference game.

    `options` override the preset's. Raises Difference naming seed, action number and the first field
    that differs.
    """
    overrides = options or {}
    board, reference_board = _boards(board_name)
    rules = _rules(preset).with_options(overrides) if overrides else _rules(preset)
    engine = Game.new(board, rules, players, seed)
    reference = ReferenceGame.new(reference_board, {**PRESETS[preset], **overrides}, players, seed)
    what = f"{board_name} {preset} {players}p seed {seed} policy {policy} options {overrides}"
    return play_both(engine, reference, policy, Random(f"{seed} {policy}"), what)


def compare_late_game(
    board_name: str | Path,
    preset: str,
    players: int,
    seed: int,
    policy: str,
    options: Options | None = None,
) -> ReferenceGame:
    """As `compare_game`, from a built position near the end of cards, tickets and trains.

    Nothing is forced: decisions with a single legal action are compared like all others.
    """
    overrides = options or {}
    board, reference_board = _boards(board_name)
    rng = Random(f"{seed} {policy}")
    reference = late_position(rng, reference_board, {**PRESETS[preset], **overrides}, players)
    engine = build(reference, board, load_rules(preset).with_options(overrides))
    what = f"late game: {board_name} {preset} {players}p seed {seed} policy {policy} options {overrides}"
    return play_both(engine, reference, policy, rng, what, auto=False)


def compare_scores(
    board_name: str | Path, preset: str, players: int, seed: int, options: Options | None = None
) -> None:
    """Score a built position with dense networks, stations and many tickets by both."""
    overrides = options or {}
    board, reference_board = _boards(board_name)
    reference = network_position(Random(seed), reference_board, {**PRESETS[preset], **overrides}, players)
    engine = build(reference, board, load_rules(preset).with_options(overrides))
    difference = result_difference(engine.result(), reference)
    if difference:
        raise Difference(
            f"scores: {board_name} {preset} {players}p seed {seed} options {overrides}: {difference}"
        )


def build(reference: ReferenceGame, board: Board, rules: Rules) -> Game:
    """The engine's game in the same position; the reference gets its seed for reshuffles."""
    names = reference.board
    position = Position(board, rules, reference.players).to_move(reference.seat)
    position.market(_letters(reference.market)).discards(_letters(reference.discards))
    position.deck("".join(LETTERS[card] for card in reversed(reference.deck)))
    position.ticket_deck(*(names.tickets[t].id for t in reference.ticket_deck))
    for seat in range(reference.players):
        position.hand(seat, _letters(reference.hands[seat]))
        position.shown(seat, _letters(reference.shown[seat]))
        position.owns(seat, *(names.tracks[t].id for t, owner in enumerate(reference.owner) if owner == seat))
        position.station(seat, *(names.cities[city] for city in reference.station_cities[seat]))
        position.tickets(seat, *(names.tickets[t].id for t in reference.tickets[seat]))
        position.turns_done(seat, reference.turns_done[seat])
    if reference.trigger != -1:
        position.last_turns(reference.trigger, reference.remaining)
    engine = position.build()
    reference.seed = int(engine.state["seed"][0])
    return engine


def play_both(
    engine: Game, reference: ReferenceGame, policy: str, rng: Random, what: str, auto: bool = True
) -> ReferenceGame:
    """Play both games, which stand in the same position, to the end; compare after every action.

    With `auto` the engine takes decisions with one legal action by itself.
    """
    choose = POLICIES[policy]
    trail: list[int] = []
    legal = reference.next_choice()[1] if auto else reference.legal()
    while True:
        difference = first_difference(engine, reference, legal)
        if difference:
            last = [codes.describe(code) for code in trail[-6:]]
            raise Difference(f"{what}, after action {len(trail)}: {difference}; last actions: {last}")
        if not legal:
            break
        action = choose(rng, reference, legal)
        trail.append(action)
        expected = [(reference.seat, action)]
        reference.apply(action)
        if auto:
            forced, legal = reference.next_choice()
            expected += forced
        else:
            legal = reference.legal()
        steps = engine.step(action)
        if [tuple(step) for step in steps] != expected:
            raise Difference(f"{what}, action {len(trail)}: step gave {steps}, not {expected}")
    difference = result_difference(engine.result(), reference)
    if difference:
        raise Difference(f"{what}, result: {difference}")
    return reference


def first_difference(engine: Game, reference: ReferenceGame, legal: list[int]) -> str:
    """The first field in which the two positions differ, with both values; empty when they agree."""
    found = list(engine.legal())
    if found != legal:
        extra, missing = sorted({*found} - {*legal}), sorted({*legal} - {*found})
        return f"legal in phase {reference.phase}: engine alone has {extra}, reference alone {missing}"
    expected = reference.snapshot()
    state = engine_snapshot(engine, reference)
    for name, value in state.items():
        if value != expected[name]:
            sets = name in SETS_OF_BITS
            texts = [_members(v) if sets else str(v) for v in (value, expected[name])]
            return f"{name}: engine {texts[0]}, reference {texts[1]}"
    return ""


def engine_snapshot(engine: Game, reference: ReferenceGame) -> dict[str, Any]:
    """The engine's state as plain values, in the form of `ReferenceGame.snapshot`."""
    players = reference.players
    layout, places = _layout(engine.state.dtype)
    values = layout.unpack(engine.state.tobytes())

    def row(name: str, width: int, seat: int = 0) -> list[int]:
        start = places[name] + width * seat
        return list(values[start : start + width])

    def track_bits(name: str, seat: int = 0) -> int:
        low, high = row(name, 2, seat)
        return low | high << 64

    seats = range(players)
    snapshot: dict[str, Any] = {name: values[places[name]] for name in SINGLE}
    for name in PER_SEAT:
        snapshot[name] = row(name, players)
    for name in CARDS:
        snapshot[name] = row(name, 9)
    for name in ("hands", "shown"):
        snapshot[name] = [row(name, 9, seat) for seat in seats]
    for name in ("tickets", "refused"):
        snapshot[name] = row(name, players)
    snapshot["phase"] = engine.phase
    snapshot["over"] = engine.is_over
    snapshot["deck"] = row("deck", values[places["deck_n"]])
    snapshot["open"] = track_bits("open")
    snapshot["own"] = [track_bits("own", seat) for seat in seats]
    # A track stays blocked for a seat when another claims it: only open ones matter.
    snapshot["blocked"] = [track_bits("blocked", seat) & snapshot["open"] for seat in seats]
    snapshot["station_city"] = [[c for c in row("station_city", 5, seat) if c >= 0] for seat in seats]
    offered = row("offer_n", players)
    snapshot["offer"] = [row("offer", 6, seat)[: offered[seat]] for seat in seats]
    ring, head = row("ticket_deck", 64), values[places["ticket_head"]]
    snapshot["ticket_deck"] = (ring[head:] + ring[:head])[: values[places["ticket_deck_n"]]]
    if reference.phase in PAYING:
        for name in PENDING:
            snapshot[name] = values[places[name]]
        for name in ("pend_paid", "pend_revealed"):
            snapshot[name] = row(name, 9)
        if reference.phase != "PAY":
            snapshot["pend_color"] = values[places["pend_color"]]
    return snapshot


def result_difference(result: Result, reference: ReferenceGame) -> str:
    """The first part of the result in which the two differ, with both values; empty when they agree."""
    score = score_game(reference)
    for seat, expected in enumerate(score.seats):
        for name, value in asdict(expected).items():
            found = getattr(result.seats[seat], RESULT_NAMES.get(name, name))
            if found != value:
                return f"{name} of seat {seat}: engine {found}, reference {value}"
        if result.seats[seat].trains_left != reference.trains[seat]:
            return f"trains_left of seat {seat}"
    if result.reason != REASONS[score.reason]:
        return f"reason: engine {result.reason}, reference {REASONS[score.reason]}"
    names = ["points", *reference.options["tie_breaks"], "shared"]
    if result.decided_by != names[score.decided_by]:
        return f"decided_by: engine {result.decided_by}, reference {names[score.decided_by]}"
    return ""


def _members(bits: int | list[int]) -> str:
    if isinstance(bits, list):
        return str([_members(word) for word in bits])
    return str([bit for bit in range(128) if bits >> bit & 1])


@cache
def _layout(dtype: np.dtype[Any]) -> tuple[struct.Struct, dict[str, int]]:
    """How to read a whole record at once (much faster than NumPy by fields), and where fields begin."""
    text, end, count, places = "<", 0, 0, {}
    assert dtype.fields is not None
    for name, (part, offset, *_) in sorted(dtype.fields.items(), key=lambda item: item[1][1]):
        number = int(np.prod(part.shape, dtype=int))
        letter = {1: "b", 2: "h", 4: "i", 8: "q"}[part.base.itemsize]
        text += f"{offset - end}x{number}{letter.upper() if part.base.kind == 'u' else letter}"
        end = offset + part.itemsize
        places[name] = count
        count += number
    return struct.Struct(text + f"{dtype.itemsize - end}x"), places


def _letters(cards: list[int]) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True))


@cache
def _boards(name: str | Path) -> tuple[Board, reference_reader.Board]:
    return load_board(name), reference_reader.read_board(name)


@cache
def _rules(preset: str) -> Rules:
    return load_rules(preset)
