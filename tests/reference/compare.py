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
from ttr_sim.engine import Game, Result
from ttr_sim.rules import Rules, load_rules

from . import board as reference_reader
from . import codes
from .board import Options, read_presets
from .model import ReferenceGame
from .policies import POLICIES
from .scoring import score_game

PRESETS = read_presets()

# Fields with one entry per seat, of which only those of seats at the table mean something.
PER_SEAT = ("hands", "shown", "hand_n", "ticket_n", "trains", "stations", "points", "turns_done")
SIMPLE = ("seed", "drawn", "first_blind", "passes", "trigger", "remaining", "reason", "turns", "reshuffles")
PENDING = (
    "pend_track",
    "pend_city",
    "pend_locos",
    "pend_sets",
    "pend_left",
    "pend_paid",
    "pend_extra",
    "pend_revealed",
)
PAYING = ("PAY", "SETS", "FILLER", "SETCARDS", "TUNNEL")


REASONS = ("", "final_round", "exhausted", "all_passed", "turn_limit")
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


def play_both(engine: Game, reference: ReferenceGame, policy: str, rng: Random, what: str) -> ReferenceGame:
    """Play both games, which stand in the same position, to the end; compare after every action."""
    choose = POLICIES[policy]
    trail: list[int] = []
    _, legal = reference.next_choice()
    while True:
        difference = first_difference(engine, reference, legal)
        if difference:
            last = [codes.describe(code) for code in trail[-6:]]
            raise Difference(f"{what}, after action {len(trail)}: {difference}; last actions: {last}")
        if not legal:
            break
        action = choose(rng, reference, legal)
        trail.append(action)
        seat = reference.seat
        reference.apply(action)
        forced, legal = reference.next_choice()
        steps = engine.step(action)
        expected = [(seat, action), *forced]
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
            return f"{name}: engine {value}, reference {expected[name]}"
    return ""


def engine_snapshot(engine: Game, reference: ReferenceGame) -> dict[str, Any]:
    """The engine's state as plain values, in the form of `ReferenceGame.snapshot`."""
    players = reference.players
    fields = unpack(engine.state)
    snapshot = {name: fields[name] for name in SIMPLE}
    snapshot |= {name: fields[name][:players] for name in PER_SEAT}
    snapshot["phase"] = engine.phase
    snapshot["over"] = int(engine.is_over)
    snapshot["seat"] = engine.seat
    snapshot["market"] = fields["market"]
    snapshot["market_n"] = fields["market_n"]
    snapshot["discards"] = fields["discards"]
    snapshot["deck"] = fields["deck"][: fields["deck_n"]]
    snapshot["open"] = bits(*fields["open"])
    snapshot["own"] = [bits(*words) for words in fields["own"][:players]]
    # A track stays blocked for a seat when another claims it: only open ones matter.
    still_open = fields["open"]
    snapshot["blocked"] = [
        bits(*(word & free for word, free in zip(words, still_open, strict=True)))
        for words in fields["blocked"][:players]
    ]
    snapshot["station_mask"] = bits(fields["station_mask"])
    snapshot["station_city"] = [
        [city for city in cities if city >= 0] for cities in fields["station_city"][:players]
    ]
    snapshot["tickets"] = [bits(word) for word in fields["tickets"][:players]]
    snapshot["refused"] = [bits(word) for word in fields["refused"][:players]]
    snapshot["offer"] = [
        offer[:n] for offer, n in zip(fields["offer"][:players], fields["offer_n"], strict=False)
    ]
    ring, head, n = fields["ticket_deck"], fields["ticket_head"], fields["ticket_deck_n"]
    snapshot["ticket_deck"] = (ring[head:] + ring[:head])[:n]
    if reference.phase in PAYING:
        snapshot |= {name: fields[name] for name in PENDING}
        if reference.phase != "PAY":
            snapshot["pend_color"] = fields["pend_color"]
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


# Reading the record: `struct` gives plain integers much faster than NumPy does field by field.


def unpack(state: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Every field of a state record as an integer or as (nested) lists of integers."""
    layout, fields = _layout(state.dtype)
    values = layout.unpack(state.tobytes())
    return {name: _shaped(values[start:stop], shape) for name, start, stop, shape in fields}


def _shaped(values: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    if not shape:
        return values[0]
    if len(shape) == 1:
        return list(values)
    width = shape[1]
    return [list(values[i : i + width]) for i in range(0, len(values), width)]


@cache
def _layout(dtype: np.dtype[Any]) -> tuple[struct.Struct, list[tuple[str, int, int, tuple[int, ...]]]]:
    text, place, count, fields = "<", 0, 0, []
    assert dtype.fields is not None
    for name, (part, offset, *_) in sorted(dtype.fields.items(), key=lambda item: item[1][1]):
        number = int(np.prod(part.shape, dtype=int))
        letter = {1: "b", 2: "h", 4: "i", 8: "q"}[part.base.itemsize]
        text += f"{offset - place}x{number}{letter.upper() if part.base.kind == 'u' else letter}"
        place = offset + part.itemsize
        fields.append((name, count, count + number, part.shape))
        count += number
    return struct.Struct(text + f"{dtype.itemsize - place}x"), fields


@cache
def bits(*words: int) -> list[int]:
    """The numbers of the bits set in 64-bit words."""
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]


@cache
def _boards(name: str | Path) -> tuple[Board, reference_reader.Board]:
    return load_board(name), reference_reader.read_board(name)


@cache
def _rules(preset: str) -> Rules:
    return load_rules(preset)
