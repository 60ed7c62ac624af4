"""Engine and reference model in lockstep: the same decisions, compared after every action."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from itertools import chain
from operator import itemgetter
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
MAX_PLAYERS = 5  # rows of seats in the engine's record

VARYING = ("deck", "blocked", "station_city", "offer", "ticket_deck")
SETS_OF_BITS = ("open", "own", "blocked", "station_mask", "tickets", "refused")

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
    if engine.phase != reference.phase or engine.is_over != reference.is_over:
        return f"phase: engine {engine.phase}, reference {reference.phase}"
    expected = reference.snapshot()
    layout, places = _layout(engine.state.dtype, reference.players)
    values = layout.unpack(engine.state.tobytes())
    varying = {name: expected.pop(name) for name in VARYING}
    names = tuple(expected)
    if _picker(engine.state.dtype, reference.players, names)(values) != tuple(chain(*expected.values())):
        for name in names:
            found = list(values[places[name]])
            if found != expected[name]:
                return _told(name, found, expected[name])
    for name, value in varying.items():
        found = _varying(name, values, places, reference.players)
        if found != value:
            return _told(name, found, value)
    return ""


def _told(name: str, found: list[int], expected: list[int]) -> str:
    sets = name in SETS_OF_BITS
    texts = [_members(words) if sets else str(words) for words in (found, expected)]
    return f"{name}: engine {texts[0]}, reference {texts[1]}"


def _varying(name: str, values: tuple[int, ...], places: dict[str, slice], players: int) -> list[int]:
    """A field of the engine's record of which only a part counts, in the form of `ReferenceGame.snapshot`."""
    found = list(values[places[name]])
    if name == "deck":
        return found[: values[places["deck_n"]][0]]
    if name == "blocked":  # a track stays so when another seat claims it: only open ones matter
        return [word & free for word, free in zip(found, values[places["open"]] * players, strict=True)]
    if name == "station_city":
        return [city for city in found if city >= 0]
    if name == "offer":
        width = len(found) // players
        return [t for seat, n in enumerate(values[places["offer_n"]]) for t in found[width * seat :][:n]]
    head = values[places["ticket_head"]][0]
    return (found[head:] + found[:head])[: values[places["ticket_deck_n"]][0]]


@cache
def _picker(dtype: np.dtype[Any], players: int, names: tuple[str, ...]) -> Callable[[Any], tuple[int, ...]]:
    """Takes these fields, one after the other, out of a record that was read."""
    places = _layout(dtype, players)[1]
    return itemgetter(*(i for name in names for i in range(places[name].start, places[name].stop)))


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


def _members(words: list[int]) -> str:
    return str([[bit for bit in range(64) if word >> bit & 1] for word in words])


@cache
def _layout(dtype: np.dtype[Any], players: int) -> tuple[struct.Struct, dict[str, slice]]:
    """How to read a whole record at once (much faster than NumPy by fields), and where fields lie in it.

    Of a field with a row for each seat it is the rows of those that play.
    """
    text, end, count, places = "<", 0, 0, {}
    assert dtype.fields is not None
    for name, (part, offset, *_) in sorted(dtype.fields.items(), key=lambda item: item[1][1]):
        number = int(np.prod(part.shape, dtype=int))
        letter = {1: "b", 2: "h", 4: "i", 8: "q"}[part.base.itemsize]
        text += f"{offset - end}x{number}{letter.upper() if part.base.kind == 'u' else letter}"
        end = offset + part.itemsize
        seats = part.shape[:1] == (MAX_PLAYERS,)
        places[name] = slice(count, count + (number // MAX_PLAYERS * players if seats else number))
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
