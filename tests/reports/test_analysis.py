"""What a report counts, against plain counting of the tables and of games replayed one by one."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.reports.made import play, recut
from ttr_sim.reports import pieces
from ttr_sim.reports.analysis import Analysis, SceneSums, analyse
from ttr_sim.reports.build import build
from ttr_sim.reports.expectation import Expectation
from ttr_sim.reports.measures import MEASURES
from ttr_sim.reports.text import as_plain
from ttr_sim.results.events import CLAIM, DRAW, TICKETS
from ttr_sim.results.leaderboard import bot_names
from ttr_sim.results.logged import Settings, parts
from ttr_sim.results.reader import open_run
from ttr_sim.stats import mean_over_blocks


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    return play(folder / "three", "greedy,greedy,random", 60)


@pytest.fixture(scope="module")
def counted(run: Path) -> tuple[Analysis, SceneSums]:
    analysis = analyse([open_run(run)])
    return analysis, analysis.scenes[0]


@pytest.fixture(scope="module")
def rows(run: Path) -> pl.DataFrame:
    return pl.read_parquet(run / "seats" / "*.parquet")


@pytest.fixture(scope="module")
def games(run: Path) -> list[dict[str, Any]]:
    """Every game with its events, as plain values."""
    opened = open_run(run)
    board, rules = Settings(opened).of(0)
    recorder = pieces.Scene(board, rules, 2, "").recorder
    found = []
    for part in parts(opened):
        events = recorder.record(part.column("seed"), *part.actions)
        seats = part.seats.to_pylist()
        for i, row in enumerate(part.games.to_pylist()):
            found.append({**row, "events": events[i], "seats": seats[2 * i : 2 * i + 2]})
    return found


def same(estimate: Any, values: list[float], blocks: list[int], bounds: tuple[float, float]) -> None:
    expected = mean_over_blocks(values, np.array(blocks), bounds)
    assert estimate is not None
    assert (estimate.mean, estimate.low, estimate.high) == pytest.approx(
        (expected.mean, expected.low, expected.high)
    )


def test_scores_and_their_parts(counted: tuple[Analysis, SceneSums], rows: pl.DataFrame) -> None:
    analysis, sums = counted
    for bot, name in enumerate(analysis.bots):
        own = rows.filter(pl.col("bot") == name)
        same(sums.field.score.at(bot), own["score"].to_list(), own["block"].to_list(), (-1e9, 1e9))
        parts = [sums.field.parts.mean[bot, i] for i in range(sums.field.parts.shape[1])]
        assert sum(parts) == pytest.approx(own["score"].mean())
        assert sums.field.scores[bot].sum() == len(own)


def test_seats(counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]) -> None:
    _, sums = counted
    wins = [(0 in g["winners"]) / len(g["winners"]) for g in games]
    same(sums.field.seat_share.at(0, (0, 1)), wins, [g["block"] for g in games], (0, 1))


def test_tracks(counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]) -> None:
    analysis, sums = counted
    for track in (0, 18, 45, 60):
        claims = [g["events"]["owner"][track] >= 0 for g in games]
        same(sums.board.claim.at(track, (0, 1)), claims, [g["block"] for g in games], (0, 1))
        rounds = [
            int(g["events"]["claim_round"][track]) for g, claim in zip(games, claims, strict=True) if claim
        ]
        assert sums.board.round.mean[track] == pytest.approx(np.mean(rounds))
        for bot, name in enumerate(analysis.bots):
            own = [
                g["seats"][g["events"]["owner"][track]]["bot"] == name and claim
                for g, claim in zip(games, claims, strict=True)
                if name in (g["seats"][0]["bot"], g["seats"][1]["bot"])
            ]
            assert sums.board.bot_claim.mean[bot, track] == pytest.approx(np.mean(own))


def expected_wins(games: list[dict[str, Any]], seat: dict[str, Any], game: dict[str, Any]) -> float:
    """The win rate of a bot against its opponent in all other blocks."""
    wins = [
        (row["rank"] == 1) / len(other["winners"])
        for other in games
        if other["match"] == game["match"] and other["block"] != game["block"]
        for row in other["seats"]
        if row["bot"] == seat["bot"]
    ]
    return float(np.mean(wins))


def test_wins_above_expectation(counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]) -> None:
    _, sums = counted
    tracks: dict[int, list[float]] = defaultdict(list)
    tickets: dict[int, list[float]] = defaultdict(list)
    for game in games:
        above = [
            (seat["rank"] == 1) / len(game["winners"]) - expected_wins(games, seat, game)
            for seat in game["seats"]
        ]
        for track in np.flatnonzero(game["events"]["owner"] >= 0):
            tracks[int(track)].append(above[game["events"]["owner"][track]])
        for ticket in np.flatnonzero(game["events"]["holder"] >= 0):
            tickets[int(ticket)].append(above[game["events"]["holder"][ticket]])
    for track, values in tracks.items():
        assert sums.board.lift.mean[track] == pytest.approx(np.mean(values))
    for ticket, values in tickets.items():
        assert sums.tickets.single["lift"].mean[ticket] == pytest.approx(np.mean(values))


def test_cities_are_reached_in_the_round_of_their_first_track(
    counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]
) -> None:
    _, sums = counted
    board = sums.scene.board
    rounds: dict[int, list[int]] = defaultdict(list)
    for game in games:
        first: dict[tuple[int, int], int] = {}
        for t in np.flatnonzero(game["events"]["owner"] >= 0):
            for city in (board.tracks[t].a, board.tracks[t].b):
                key = city, int(game["events"]["owner"][t])
                first[key] = min(first.get(key, 999), int(game["events"]["claim_round"][t]))
        for (city, _), when in first.items():
            rounds[city].append(when)
    for city in range(len(board.cities)):
        assert sums.board.reach.mean[city] == pytest.approx(len(rounds[city]) / (2 * len(games)))
        assert sums.board.reach_round.mean[city] == pytest.approx(np.mean(rounds[city]))


def test_a_claim_costs_its_turn_and_those_of_its_cards(
    counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]
) -> None:
    _, sums = counted
    points = turns = 0.0
    for game in games:
        E = game["events"]
        for t, track in enumerate(sums.scene.board.tracks):
            if track.length == 3 and E["owner"][t] >= 0:
                seat = int(E["owner"][t])
                points += 4
                turns += 1 + E["paid"][t] / (game["seats"][seat]["cards_drawn"] / E["spent"][seat, DRAW])
    assert sums.board.length_points.mean[3] == pytest.approx(points / turns)


def test_tickets_and_pairs(counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]) -> None:
    _, sums = counted
    tickets, board = sums.tickets, sums.scene.board
    pairs: dict[tuple[int, int], list[int]] = defaultdict(list)
    net: dict[int, list[int]] = defaultdict(list)
    for game in games:
        E = game["events"]
        worth = {
            int(t): board.tickets[t].points * (1 if E["done"][t] else -1)
            for t in np.flatnonzero(E["holder"] >= 0)
        }
        for a in worth:
            net[a].append(worth[a])
            for b in worth:
                if a < b and E["holder"][a] == E["holder"][b]:
                    pairs[a, b].append(worth[a] + worth[b])
    for t, values in net.items():
        assert tickets.single["net"].mean[t] == pytest.approx(np.mean(values))
        offers = sum(int(g["events"]["offered"][t]) for g in games)
        assert tickets.single["kept"].mean[t] == pytest.approx(len(values) / offers)
    for i, pair in enumerate(zip(tickets.first.tolist(), tickets.second.tolist(), strict=True)):
        assert tickets.pair_net.weight[i] == len(pairs[pair])
        if pairs[pair]:
            assert tickets.pair_net.mean[i] == pytest.approx(np.mean(pairs[pair]))
    long = [v for t, values in net.items() if board.tickets[t].long for v in values]
    assert tickets.classes["net"].mean[1] == pytest.approx(np.mean(long))


def test_rounds(counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]]) -> None:
    analysis, sums = counted
    assert sums.tempo.rounds.mean == pytest.approx(np.mean([-(-g["turns"] // 2) for g in games]))
    drawing, hands, random = [], [], analysis.bots.index("random")
    for game in games:
        E = game["events"]
        drawing += [E["kind"][seat, 9] == TICKETS for seat in range(2) if E["kind"][seat, 9]]
        hands += [
            int(E["cards"][seat, 9])
            for seat in range(2)
            if game["seats"][seat]["bot"] == "random" and E["kind"][seat, 9]
        ]
    assert sums.tempo.use.mean[TICKETS - DRAW, 9] == pytest.approx(np.mean(drawing))
    assert sums.tempo.cards.mean[random, 9] == pytest.approx(np.mean(hands))


def test_measures(
    counted: tuple[Analysis, SceneSums], games: list[dict[str, Any]], rows: pl.DataFrame
) -> None:
    _, sums = counted
    found = dict(zip((m.name for m in MEASURES), sums.measures.ratios.mean, strict=True))
    assert found["score"] == pytest.approx(rows["score"].mean())
    best = rows.group_by("game").agg(pl.col("score").max())["score"].mean()
    assert found["best_score"] == pytest.approx(best)
    assert found["completed"] == pytest.approx(rows["tickets_completed"].sum() / rows["tickets_kept"].sum())
    assert found["routes"] == pytest.approx(rows["routes"].mean())
    claims = sum(int(g["events"]["spent"][:, CLAIM].sum()) for g in games)
    assert found["use_claim"] == pytest.approx(claims / sum(g["turns"] for g in games))
    wins = [
        (g["seats"][g["events"]["trigger_seat"]]["rank"] == 1) / len(g["winners"])
        for g in games
        if g["events"]["trigger_seat"] >= 0
    ]
    assert found["trigger_wins"] == pytest.approx(np.mean(wins))


@pytest.mark.parametrize("size", [1, 7])
def test_pieces_and_files_make_no_difference(
    run: Path, tmp_path: Path, counted: tuple[Analysis, SceneSums], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", size)
    cut = recut(run, tmp_path / "three", part_games=7)  # blocks have two games: some are cut by the files
    expected, found = (as_plain(build(analysis)) for analysis in (counted[0], analyse([open_run(cut)])))
    assert len(expected["tables"]) == len(found["tables"]) > 20
    for left, right in zip(expected["tables"], found["tables"], strict=True):
        assert [row[:1] for row in left["rows"]] == [row[:1] for row in right["rows"]]
        for a, b in zip(left["rows"], right["rows"], strict=True):
            assert a == pytest.approx(b) if all(isinstance(v, float) for v in a) else close(a, b)


def close(left: list[Any], right: list[Any]) -> bool:
    return all(
        a == (pytest.approx(b, abs=2e-6) if isinstance(b, float) else b)
        for a, b in zip(left, right, strict=True)
    )


def test_expectation_is_unknown_with_a_single_block(tmp_path: Path) -> None:
    opened = open_run(play(tmp_path / "one", "greedy,random", 2))
    games = pieces.Pieces([opened], bot_names([opened]))
    expectation = Expectation(games)
    assert all(np.isnan(expectation.above(piece)).all() for piece in games)
