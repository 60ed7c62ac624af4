"""The leaderboard's numbers, computed again in the plainest way."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.results.made import make_run
from tests.tournament import fake
from ttr_sim.errors import TtrError
from ttr_sim.results.leaderboard import make_leaderboard
from ttr_sim.results.merge import merge
from ttr_sim.results.reader import open_run


def by_game(run: Path) -> list[list[dict[str, Any]]]:
    seats = open_run(run).seats().collect().to_dicts()
    games: dict[int, list[dict[str, Any]]] = {}
    for seat in seats:
        games.setdefault(seat["game"], []).append(seat)
    return list(games.values())


@pytest.mark.parametrize(("bots", "players"), [("a,raiser,c", 2), ("a,b,raiser", 3)])
def test_numbers(tmp_path: Path, bots: str, players: int) -> None:
    path = make_run(tmp_path / "run", fake.plan(bots, games=120, players=players))
    board = make_leaderboard([open_run(path)])
    assert (board.games, board.blocks, board.connected) == (120, 120 // players, True)
    for standing in board.standings:
        firsts, scores, margins, wins, ties = [], [], [], 0, 0
        for game in by_game(path):
            own = [seat for seat in game if seat["bot"] == standing.bot]
            if not own:
                continue
            leaders = [seat for seat in game if seat["rank"] == 1]
            firsts.append(1 / len(leaders) if own[0]["rank"] == 1 else 0)
            wins += own[0]["rank"] == 1 and len(leaders) == 1
            ties += own[0]["rank"] == 1 and len(leaders) > 1
            if own[0]["score"] is not None:
                scores.append(own[0]["score"])
                margins.append(own[0]["score"] - max(s["score"] for s in game if s is not own[0]))
        assert standing.games == len(firsts)
        assert (standing.wins, standing.ties) == (wins, ties)
        assert standing.win_rate.mean == pytest.approx(mean(firsts))
        assert standing.score is not None and standing.score.mean == pytest.approx(mean(scores))
        assert standing.margin is not None and standing.margin.mean == pytest.approx(mean(margins))
        assert standing.elo_low < standing.elo < standing.elo_high
        assert standing.decision_ms is not None and standing.decision_ms > 0
    assert [s.elo for s in board.standings] == sorted((s.elo for s in board.standings), reverse=True)
    assert sum(s.forfeits for s in board.standings) == sum(n for *_, n in board.forfeits) > 0
    assert {reason for _, reason, _ in board.forfeits} == {"ValueError: as planned"}


def test_runs_together(tmp_path: Path) -> None:
    first = make_run(tmp_path / "1", fake.plan("a,b", games=60))
    second = make_run(tmp_path / "2", fake.plan("b,c", games=40, seed=2))
    both = make_leaderboard([open_run(first), open_run(second)], anchor="b")
    games = {s.bot: s.games for s in both.standings}
    assert games == {"a": 60, "b": 100, "c": 40}
    assert next(s.elo for s in both.standings if s.bot == "b") == 0
    apart = make_leaderboard(
        [open_run(first), open_run(make_run(tmp_path / "3", fake.plan("c,d", games=20)))]
    )
    assert not apart.connected
    with pytest.raises(TtrError, match="--anchor: unknown bot 'z'"):
        make_leaderboard([open_run(first)], anchor="z")


def test_one_label_for_different_bots(tmp_path: Path) -> None:
    first = make_run(tmp_path / "1", fake.plan("a,b", games=20))
    second = make_run(tmp_path / "2", fake.plan("a,b", games=20))
    info = (second / "run.json").read_text()
    start = info.index('"sha256": "', info.index('"label": "b"')) + len('"sha256": "')
    (second / "run.json").write_text(info[:start] + "0123456" + info[start + 7 :])
    bots = {s.bot for s in make_leaderboard([open_run(first), open_run(second)]).standings}
    assert len(bots) == 3 and "a" in bots and "b@0123456" in bots


def test_games_without_a_result_are_left_out(tmp_path: Path) -> None:
    path = make_run(tmp_path / "run", fake.plan(games=20))
    board = make_leaderboard([open_run(path)])
    assert board.uncounted == 0


def test_a_bot_without_a_game_yet(tmp_path: Path) -> None:
    path = make_run(tmp_path / "run", fake.plan("a,b,c,d,e,f,g", games=60), stop=10)
    assert {s.bot for s in make_leaderboard([open_run(path)]).standings} == set("abcdef")


def test_a_folder_counts_once_however_it_is_named(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", fake.plan(games=40))
    (tmp_path / "link").symlink_to(run)
    opened = [open_run(path) for path in (run, tmp_path / "link", tmp_path / "." / "run")]
    assert make_leaderboard(opened).games == 40


def test_the_same_games_in_another_folder_are_refused(tmp_path: Path) -> None:
    first = make_run(tmp_path / "1", fake.plan(games=40))
    longer = make_run(tmp_path / "2", fake.plan(games=60))
    with pytest.raises(TtrError, match=r"1 and .*2 hold the same games"):
        make_leaderboard([open_run(first), open_run(longer)])


def test_parts_of_one_run_are_put_together(tmp_path: Path) -> None:
    whole = make_run(tmp_path / "whole", fake.plan(games=60))
    parts = [make_run(tmp_path / name, fake.plan(games=60), stop=60) for name in ("first", "second")]
    for number, part in enumerate(parts):
        info = (part / "run.json").read_text().replace('"finished"', '"interrupted"')
        (part / "run.json").write_text(info)
        for table in ("games", "seats", "timing"):
            (part / table / f"part-0000{1 - number}.parquet").unlink()
        (part / "checksums" / f"part-0000{1 - number}.json").unlink()
    together, alone = (
        make_leaderboard([open_run(part) for part in parts]),
        make_leaderboard([open_run(whole)]),
    )
    assert together.games == 60
    assert [(s.bot, s.elo, s.wins) for s in together.standings] == [
        (s.bot, s.elo, s.wins) for s in alone.standings
    ]
    assert together.warnings == ()


def test_a_warning_for_shared_deals(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / labels, fake.plan(labels, games=60)) for labels in ("a,b", "a,b,c", "c,d")]
    (warning,) = make_leaderboard([open_run(run) for run in runs]).warnings
    assert "a,b and " in warning and "a,b,c have the same seed and a line-up in common" in warning
    other = make_run(tmp_path / "other", fake.plan("a,b,c", games=60, seed=2))
    assert make_leaderboard([open_run(runs[0]), open_run(other)]).warnings == ()


def test_each_board_and_the_seats(tmp_path: Path) -> None:
    bots = [fake.BotSpec(label, fake.BOT_FILE, "random", ()) for label in ("a", "raiser")]
    places = [fake.europe(), fake.Setting(fake.load_board("usa"), fake.load_rules("usa"))]
    run = open_run(make_run(tmp_path / "run", fake.make_plan(bots, places, games=120)))
    short, board = make_leaderboard([run]), make_leaderboard([run], anchor="a", details=True)
    assert (short.seats, short.settings) == ((), ())
    assert [(name, rules, own.games) for name, rules, own in board.settings] == [
        ("europe", "europe", 60),
        ("usa", "usa", 60),
    ]
    for name, _, own in board.settings:
        alone = run.games().filter(board=name).collect()["game"]
        seats = run.seats().collect().filter(run.seats().collect()["game"].is_in(alone.implode()))
        for standing in own.standings:
            mine = seats.filter(bot=standing.bot)
            assert standing.games == mine.height == 60
            assert standing.wins + standing.ties == (mine["rank"] == 1).sum()
            assert next(s.elo for s in own.standings if s.bot == "a") == 0
    assert sum(s.forfeits for *_, own in board.settings for s in own.standings) == sum(
        s.forfeits for s in board.standings
    )
    (effect,) = board.seats
    table = run.seats().collect().filter(rank=1)
    shares = (1 / table.join(table.group_by("game").len(), on="game")["len"]).to_list()
    for seat, share in enumerate(effect.shares):
        won = [s for s, at in zip(shares, table["seat"], strict=True) if at == seat]
        assert share.mean == pytest.approx(sum(won) / 120)


def test_a_merge_holds_the_games_of_its_runs(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / str(seed), fake.plan(games=60, seed=seed)) for seed in (1, 2)]
    merged = merge(runs, tmp_path / "merged")
    assert make_leaderboard([merged]).games == 120
    for run in runs:
        with pytest.raises(TtrError, match="hold the same games"):
            make_leaderboard([merged, open_run(run)])
