"""Shards and repeated runs joined: equal to the run in one piece, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.results.made import make_run
from tests.tournament import fake
from tests.tournament.test_run import tables
from ttr_sim.cli.main import main
from ttr_sim.errors import TtrError
from ttr_sim.results.leaderboard import make_leaderboard
from ttr_sim.results.merge import merge
from ttr_sim.results.reader import open_run
from ttr_sim.tournament.limits import Limits
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.session import new_session, resumed_session
from ttr_sim.tournament.shard import Shard, read_shard


def plan_of(games: int = 96, **options: object) -> Plan:
    return fake.plan("a,raiser,c", games=games, **options)


def shards(folder: Path, plan: Plan, of: int) -> list[Path]:
    return [make_run(folder / f"{n}-{of}", plan, shard=Shard(n, of)) for n in range(1, of + 1)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("whole") / "run", plan_of())


@pytest.mark.parametrize("of", [2, 3, 16])
def test_shards_joined_are_the_run_in_one_piece(whole: Path, tmp_path: Path, of: int) -> None:
    parts = shards(tmp_path, plan_of(), of)
    run = merge(parts[::-1], tmp_path / "out")
    assert tables(tmp_path / "out") == tables(whole)
    assert run.finished and run.timing().collect().height == 192
    assert [piece["games"] for piece in run.info["merged"]] == [
        len(Shard(n, of).games(plan_of())) for n in range(1, of + 1)
    ]
    board, other = make_leaderboard([run]), make_leaderboard([open_run(whole)])
    assert board.standings == other.standings
    assert resumed_session(tmp_path / "out").kept == 96


def test_shards_of_different_sizes(whole: Path, tmp_path: Path) -> None:
    parts = [make_run(tmp_path / str(s), plan_of(), shard=s) for s in (Shard(1, 2), Shard(3, 4), Shard(4, 4))]
    merge(parts, tmp_path / "out")
    assert tables(tmp_path / "out") == tables(whole)


def test_a_shard_is_a_run(tmp_path: Path) -> None:
    first, second = shards(tmp_path, plan_of(), 2)
    run = open_run(second)
    assert run.finished
    assert run.games().collect()["game"].to_list() == list(range(48, 96))
    board = make_leaderboard([open_run(first), run])
    assert (board.games, board.blocks) == (96, 48)
    (second / "games" / "part-00002.parquet").unlink()
    with pytest.raises(TtrError, match=r"games/part-00002.parquet: is missing"):
        open_run(second)


def test_runs_with_different_seeds_follow_each_other(whole: Path, tmp_path: Path) -> None:
    other = make_run(tmp_path / "other", plan_of(40, seed=2))
    third = shards(tmp_path, plan_of(36, seed=3), 2)
    run = merge([whole, third[1], other, third[0]], tmp_path / "out")
    games = run.games().collect()
    assert games["game"].to_list() == list(range(96 + 36 + 42))
    assert games["block"].n_unique() == games.height // 2
    again = open_run(other).games().collect()
    moved = games.filter(pl.col("game") >= 132)
    assert moved.drop("game", "block").equals(again.drop("game", "block"))
    assert (moved["game"] - 132).to_list() == again["game"].to_list()
    together = make_leaderboard([open_run(folder) for folder in (whole, *third, other)])
    alone = make_leaderboard([run])
    assert [(s.bot, s.games, s.wins, s.score) for s in alone.standings] == [
        (s.bot, s.games, s.wins, s.score) for s in together.standings
    ]
    assert [piece["seed"] for piece in run.info["merged"]] == [1, 3, 3, 2]
    log = tmp_path / "out" / "run.log"
    assert log.is_file()


def edited(folder: Path, change: Callable[[dict], None]) -> Path:  # type: ignore[type-arg]
    info = json.loads((folder / "run.json").read_text())
    change(info)
    (folder / "run.json").write_text(json.dumps(info))
    return folder


def test_what_does_not_belong_together_is_refused(whole: Path, tmp_path: Path) -> None:
    one, two, three = shards(tmp_path / "s", plan_of(), 3)
    bots = make_run(tmp_path / "bots", fake.plan("a,raiser,d", games=12, seed=2))
    rules = plan_of(12, seed=2)
    setting = replace(rules.settings[0], rules=rules.settings[0].rules.with_options({"turn_limit": 77}))
    ruled = make_run(tmp_path / "rules", replace(rules, settings=(setting,)))
    engine = edited(
        make_run(tmp_path / "engine", plan_of(12, seed=2)), lambda i: i["config"].update(engine="old")
    )
    limited = make_run(tmp_path / "limited", replace(plan_of(12, seed=2), limits=Limits(max_forfeits=3)))
    longer = make_run(tmp_path / "longer", plan_of(192), shard=Shard(2, 2))
    cut = make_run(tmp_path / "cut", plan_of(seed=2), stop=50)
    cases = {
        "needs at least two runs": [whole],
        r"hold the same games \(games 0 to 95\), which would count twice": [whole, whole],
        r"hold the same games \(games 0 to 29\)": [whole, one],
        r"are parts of different runs, of 96 and 192 games": [whole, longer],
        r"games 30 to 59 of the run with seed 1 are in none of the runs; .*--shard i/3": [one, three],
        r"games 60 to 95 of the run with seed 1 are in none": [one, two],
        r"cut: is not finished \(50 of 96 games\); finish it": [whole, cut],
        r"bots: does not belong to the others: bots\[2\].label is d there and c in": [whole, bots],
        r"rules: does not belong .*settings\[0\].rules is europe\+turn_limit=77 there": [whole, ruled],
        r"engine: does not belong .*engine is old there": [whole, engine],
        r"limited: does not belong .*limits.max_forfeits is 3 there": [whole, limited],
        r"nowhere: there is no such run folder": [whole, tmp_path / "nowhere"],
    }
    for message, runs in cases.items():
        with pytest.raises(TtrError, match=message):
            merge(runs, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    with pytest.raises(TtrError, match="holds a run already"):
        merge([one, two, three], whole)


def test_the_files_of_bots_may_lie_elsewhere(whole: Path, tmp_path: Path) -> None:
    def move(info: dict) -> None:  # type: ignore[type-arg]
        info["config"]["bots"][0]["file"] = "/elsewhere/a.py"
        info["config"]["settings"][0]["board_folder"] = "/elsewhere/europe"

    other = edited(make_run(tmp_path / "other", plan_of(12, seed=2)), move)
    assert merge([whole, other], tmp_path / "out").info["games"] == 108


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "a/b", "1/3/5", "-1/3", "1/0"])
def test_bad_shards(text: str) -> None:
    with pytest.raises(TtrError, match="--shard must be i/n with i from 1 to n"):
        read_shard(text)


def test_shards_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(
        TtrError, match=r"--shard 1/17: its 96 games can be cut into 16 parts at most, of 6 games"
    ):
        Shard(1, 17).games(plan_of())
    with pytest.raises(TtrError, match="--shard cannot be given with --max-forfeits"):
        Shard(1, 2).games(replace(plan_of(), limits=Limits(max_forfeits=1)))
    with pytest.raises(TtrError, match="--shard cannot be given with --until-error"):
        new_session(tmp_path / "run", plan_of(), shard=Shard(1, 2), until_error=5.0)


def test_damaged_shard(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", plan_of(), shard=Shard(2, 2))
    edited(run, lambda info: info["shard"].update(first_game=90))
    with pytest.raises(TtrError, match="shard: its games are not among those of the run"):
        open_run(run)
    edited(run, lambda info: info["shard"].pop("of_games"))
    with pytest.raises(TtrError, match=r"is damaged: shard\.of_games is missing"):
        open_run(run)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["run", "--bots", "random,random", "--games", "20", "--workers", "1", "--quiet", "--out"]
    assert main([*common, str(tmp_path / "whole")]) == 0
    for shard in ("1/2", "2/2"):
        assert main([*common, str(tmp_path / shard[0]), "--shard", shard]) == 0
    capsys.readouterr()
    runs = [str(tmp_path / name) for name in ("1", "2")]
    assert main(["merge", *runs, "--out", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 20
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")
    assert main(["run", "--resume", "--out", str(tmp_path / "2"), "--quiet"]) == 0
    assert main([*common, str(tmp_path / "more"), "--seed", "2"]) == 0
    assert main(["merge", str(tmp_path / "out"), str(tmp_path / "more"), "--out", str(tmp_path / "all")]) == 0
    assert main(["verify", str(tmp_path / "all")]) == 0
    assert main(["replay", str(tmp_path / "all"), "--game", "39"]) == 0
    assert "40 games of 2 runs" in capsys.readouterr().out
    assert main(["run", "--bots", "random,random", "--shard", "x", "--out", str(tmp_path / "no")]) == 2
    assert main(["run", "--config", str(tmp_path / "all"), "--out", str(tmp_path / "no")]) == 2
    assert "is a merge of runs with the seeds 1, 2" in capsys.readouterr().err
    assert main(["merge", *runs]) == 2
    assert "Missing option '--out'" in capsys.readouterr().err
