"""Games at a table: compiled and interpreted bots alike, what bots hear and see, what is kept of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.api import Bot
from ttr_sim.bot.forfeit import ranks_after
from ttr_sim.bot.play import BatchResult, Table, open_table
from ttr_sim.bot.specs import LoadedBot, load_bot, parse_spec
from ttr_sim.engine import Game, actions
from ttr_sim.engine.view import View
from ttr_sim.errors import TtrError
from ttr_sim.results.replay import Replayer
from ttr_sim.rules import load_rules

GAMES = 4
SEEDS = np.arange(3, 3 + GAMES, dtype=np.uint64)
COUNTS = ("seat_decisions", "cards_drawn", "tickets_kept", "tracks", "score", "rank", "trains_left")


class Last(Bot):
    """Takes the last legal action; notes what it is told."""

    heard: list[tuple[int, int]]
    calls: list[str]

    def start(self, view: View) -> None:
        self.heard, self.calls = [], ["start"]
        assert view.phase == "KEEP_SETUP"
        assert len(view.offer) > 0

    def choose(self, view: View) -> int:
        self.calls.append("choose")
        assert view.seat == view.to_move
        return view.legal[-1]

    def saw(self, seat: int, action: int) -> None:
        self.heard.append((seat, action))

    def end(self, view: View) -> None:
        self.calls.append("end")
        assert view.phase == "OVER"
        assert view.legal == []
        finished.append(self)


finished: list[Last] = []
LAST_COMPILED = """
from ttr_sim.bot import policy

@policy()
def last(T, V, W, params, memory):
    return int(W.acts[W.n - 1])
"""


@pytest.fixture(scope="module")
def last_compiled(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("bots") / "last.py"
    file.write_text(LAST_COMPILED)
    return str(file)


def interpreted(made: type[Bot] = Last) -> LoadedBot:
    return LoadedBot(parse_spec("random"), made, {})


def table(*bots: str | LoadedBot, preset: str = "europe") -> Table:
    rules = load_rules(preset)
    loaded = [load_bot(parse_spec(bot)) if isinstance(bot, str) else bot for bot in bots]
    return Table(load_board(rules.board), rules, loaded)


def play(at: Table, rotation: int = 0) -> BatchResult:
    return at.play(SEEDS, SEEDS + np.uint64(9), np.full(GAMES, rotation))


def same(a: BatchResult, b: BatchResult) -> bool:
    assert not a.forfeits
    assert not b.forfeits
    counts = all((a.seats(name) == b.seats(name)).all() for name in COUNTS)
    return counts and (a.offsets == b.offsets).all() and (a.actions == b.actions).all()


@pytest.mark.parametrize("preset", ["europe", "nordic", "usa"])
@pytest.mark.parametrize("rotation", [0, 1])
def test_interpreted_and_compiled_play_the_same(last_compiled: str, preset: str, rotation: int) -> None:
    compiled = play(table(last_compiled, "greedy", preset=preset), rotation)
    mixed = play(table(interpreted(), "greedy", preset=preset), rotation)
    assert same(compiled, mixed)
    assert (compiled.played["think_ns"][:, :2] > 0).all()
    assert (mixed.played["think_ns"][:, :2] > 0).all()


def test_random_streams_are_the_same_beside_an_interpreted_bot(last_compiled: str) -> None:
    """A compiled bot draws from its own stream, whoever asks it."""
    compiled = play(table("random", last_compiled, "mcts:iterations=2"))
    mixed = play(table("random", interpreted(), "mcts:iterations=2"))
    assert same(compiled, mixed)


def test_two_interpreted_bots_hear_the_same() -> None:
    finished.clear()
    result = play(table(interpreted(), interpreted()))
    assert len(finished) == 2 * GAMES
    for game in range(GAMES):
        first, second = finished[2 * game : 2 * game + 2]
        assert first.heard == second.heard
        assert first.calls[0] == "start"
        assert first.calls[-1] == "end"
        asked = result.actions[result.offsets[game] : result.offsets[game + 1]].tolist()
        assert len(first.heard) >= len(asked)  # forced actions are heard too
        kept = [action for _, action in first.heard if actions.decode(action)[0] == "keep"]
        assert all((action - 324 + 1).bit_count() == 1 for action in kept)  # only how many, never which


def test_a_played_game_is_the_game_of_its_log(last_compiled: str) -> None:
    at = table(last_compiled, "greedy", preset="europe-zh")
    result = play(at)
    replayed, left = Replayer(at.board, at.rules, 2).results(SEEDS, result.actions, result.offsets)
    assert (left == 0).all()
    for name in ("scores", "reason", "turns", "decisions", "cards_drawn", "tickets_kept", "tracks"):
        assert (replayed[name] == result.played[name]).all()


class Meddler(Last):
    """Tries to change everything it is given."""

    def choose(self, view: View) -> int:
        choice = view.legal[-1]
        with pytest.raises(ValueError, match="read-only"):
            view.record["trains"][:] = 0
        view.array.setflags(write=True)  # its own copy: nobody minds
        view.record["trains"][:] = 0
        view.record["hands"][:] = 9
        view.legal.clear()
        view.legal.append(9)
        view.hand[:] = [12] * 9
        with pytest.raises(AttributeError):
            view.board.name = "mine"  # type: ignore[misc]
        return choice


def test_what_a_bot_does_to_its_view_changes_nothing() -> None:
    assert same(play(table(interpreted(), "greedy")), play(table(interpreted(Meddler), "greedy")))


class Peeker(Last):
    """Looks for anything hidden in what it is given."""

    def choose(self, view: View) -> int:
        record: Any = view.array.base if view.array.base is not None else view.array
        raw = np.frombuffer(record, view.array.dtype)
        assert raw.shape == (1,)
        state = raw[0]
        other = 1 - view.seat
        assert state["seed"] == 0
        assert not state["deck"].any()
        assert (state["ticket_deck"] == -1).all()
        assert not state["hands"][other].any()
        assert state["tickets"][other] == 0
        return view.legal[-1]


def test_nothing_hidden_stands_behind_a_view() -> None:
    assert same(play(table(interpreted(), "random")), play(table(interpreted(Peeker), "random")))


def test_the_forfeiter_is_last_and_the_others_share_the_first_place() -> None:
    class Quitter(Last):
        def choose(self, view: View) -> int:
            raise RuntimeError("enough")

    result = play(table("random", interpreted(Quitter), "random"), rotation=1)
    assert len(result.forfeits) == GAMES
    assert (result.played["forfeit_seat"] == 0).all()  # seat 0 of rotation 1 is the second bot
    ranks = ranks_after(result.seats("rank"), np.arange(3), result.played["forfeit_seat"][:, None], 3)
    assert ranks.tolist() == [[3, 1, 1]] * GAMES
    assert result.forfeits[0].startswith("RuntimeError: enough (line ")
    assert (result.offsets == 0).all()


@pytest.mark.parametrize("call", ["__init__", "start", "saw"])
def test_a_bot_may_fail_anywhere(call: str) -> None:
    def fail(self: Bot, *args: Any) -> None:
        raise LookupError(f"in {call}")

    failing = type("Failing", (Bot,), {"choose": lambda self, view: view.legal[0], call: fail})
    result = play(table("random", interpreted(failing)))
    assert set(result.forfeits) == set(range(GAMES))
    assert (result.played["forfeit_seat"] == 1).all()
    assert all("LookupError" in reason for reason in result.forfeits.values())


def test_a_game_that_is_over_is_not_lost_any_more(caplog: pytest.LogCaptureFixture) -> None:
    def fail(self: Bot, view: View) -> None:
        raise LookupError("in end")

    finished.clear()
    result = play(table(interpreted(type("Failing", (Last,), {"end": fail})), interpreted()))
    assert same(result, play(table(interpreted(), interpreted())))
    assert len(finished) == 3 * GAMES
    assert caplog.text.count("failed after its game, which counts: LookupError: in end (line ") == GAMES
    assert "Traceback" in caplog.text


def test_open_table_checks_the_number_of_bots() -> None:
    with pytest.raises(TtrError, match="players"):
        open_table(load_board("nordic"), load_rules("nordic"), [parse_spec("random")] * 4)


def test_games_of_a_table_and_of_the_checked_face_agree(last_compiled: str) -> None:
    at = table(last_compiled, last_compiled)
    result = play(at)
    for i, seed in enumerate(SEEDS.tolist()):
        game = Game.new(at.board, at.rules, 2, seed)
        for action in result.actions[result.offsets[i] : result.offsets[i + 1]].tolist():
            game.step(action)
        assert game.is_over
        assert [seat.score for seat in game.result().seats] == result.seats("score")[i].tolist()


def test_a_file_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(
        "from ttr_sim.bot import Bot\n\nclass Mine(Bot):\n"
        "    def __init__(self, *, pace: float = 0.5, bold: bool = False, style: str = 'calm', count: int = 3):\n"
        "        self.settings = (pace, bold, style, count)\n"
        "    def choose(self, view):\n        return view.legal[0]\n"
    )
    spec = parse_spec("mine:bold=true:pace=2:style=wild")
    assert dict(spec.values) == {"pace": 2.0, "bold": True, "style": "wild", "count": 3}
    assert spec.label == "mine:bold=true:pace=2:style=wild"
    for wrong in ("mine:bold=yes", "mine:pace=fast", "mine:count=1.5", "mine:size=3", "mine:Other"):
        with pytest.raises(TtrError, match=r"bold|pace|count|size|Other"):
            parse_spec(wrong)
