"""Finished games become the right rows, in whatever pieces they were played."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.tournament import fake
from ttr_sim.results.schema import TABLES, to_arrow
from ttr_sim.tournament import notes
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.games import FORFEIT, Games, lost
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.rows import table_rows
from ttr_sim.tournament.tally import Tally
from ttr_sim.tournament.workers import Player


def player(plan: Plan) -> Player:
    return Player(np.zeros(notes.SIZE, np.int64), plan, fake.open_fake)


def tables_of(plan: Plan, pieces: list[Games]) -> dict[str, Any]:
    rows, first = [], 0
    for games in pieces:
        rows.append(table_rows(plan, first, games, 0).tables)
        first += len(games)
    return {
        t.name: pa.concat_tables([to_arrow(t, piece[t.name]) for piece in rows]).combine_chunks()
        for t in TABLES
    }


@pytest.mark.parametrize("options", [{}, {"players": 3}, {"players": 2, "shape": "gauntlet"}])
def test_pieces_do_not_matter(options: dict[str, Any]) -> None:
    plan = fake.plan("a,raiser,c,d", games=60, **options)
    total = plan.schedule.games
    whole = tables_of(plan, [player(plan)(Batch(0, total))])
    cuts = [0, 1, 8, 9, 31, total]
    pieces = [player(plan)(Batch(a, b - a)) for a, b in itertools.pairwise(cuts)]
    for name, table in tables_of(plan, pieces).items():
        assert table.equals(whole[name]), name


def test_rows_say_what_was_scheduled_and_played() -> None:
    plan = fake.plan("a,b,raiser", games=90)
    tables = tables_of(plan, [player(plan)(Batch(0, plan.schedule.games))])
    games, seats = tables["games"].to_pylist(), tables["seats"].to_pylist()
    assert [seat["game"] for seat in seats] == [n for n in range(len(games)) for _ in range(2)]
    for game, planned in zip(games, plan.schedule, strict=True):
        here = seats[2 * game["game"] : 2 * game["game"] + 2]
        assert (game["game"], game["block"], game["seed"], game["bot_seed"], game["rotation"]) == (
            planned.number, planned.block, planned.seed, planned.bot_seed, planned.rotation,
        )  # fmt: skip
        assert [seat["bot"] for seat in here] == [plan.labels[bot] for bot in planned.seats]
        assert game["winners"] == [seat["seat"] for seat in here if seat["rank"] == 1]
        table = fake.FakeTable(2, [plan.labels[bot] for bot in planned.seats])
        alone = table.play(*(np.array([x]) for x in (planned.seed, planned.bot_seed, planned.rotation)))
        assert game["actions"] == alone.actions.tolist()
        if game["end"] == "forfeit":
            assert game["forfeit_reason"] == "ValueError: as planned"
            assert [seat["rank"] for seat in here] == [2 - (game["forfeit_seat"] != s) for s in (0, 1)]
            assert {seat["score"] for seat in here} == {None}
        else:
            assert (game["end"], game["forfeit_seat"], game["forfeit_reason"]) == ("final_round", None, None)
            assert [seat["score"] for seat in here] == alone.seats("score")[0].tolist()
    assert {game["end"] for game in games} == {"final_round", "forfeit"}


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_game_that_kills_its_worker(seat: int) -> None:
    plan = fake.plan("a,b,c", games=3, players=3)
    tables = tables_of(plan, [lost(3, seat, "it was killed")] * 3)
    game, seats = tables["games"].to_pylist()[0], tables["seats"].to_pylist()[:3]
    ranks = [row["rank"] for row in seats]
    if seat < 0:
        assert (game["end"], game["winners"], ranks) == ("worker_died", [], [None] * 3)
    else:
        assert (game["end"], game["winners"], ranks) == ("forfeit", [0, 1], [1, 1, 3])
    assert game["forfeit_reason"] == "it was killed"
    assert game["decided_by"] is None


def test_tally() -> None:
    plan = fake.plan("a,b,raiser", games=90)
    games = player(plan)(Batch(0, plan.schedule.games))
    tally = Tally(plan)
    tally.add(0, games)
    seats = tables_of(plan, [games])["seats"].to_pylist()
    for label in plan.labels:
        own = [seat for seat in seats if seat["bot"] == label]
        other = {(s["game"], s["bot"]): s["rank"] for s in seats}
        points = 0.0
        for seat in own:
            (rank,) = [r for (game, bot), r in other.items() if game == seat["game"] and bot != label]
            points += 0.5 + 0.5 * np.sign(rank - seat["rank"])
        assert f"{label} {points / len(own):.1%}" in tally.text()
    assert tally.forfeits == int((games.game["reason"] == FORFEIT).sum()) > 0
