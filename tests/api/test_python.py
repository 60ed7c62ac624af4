"""`import ttr_sim as ttr`: what it offers, with what is on disk behind it."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import ttr_sim as ttr
from ttr_sim.api import runs
from ttr_sim.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ttr.Run:
    out = tmp_path_factory.mktemp("api") / "run"
    return ttr.run(bots=["greedy", "random"], games=20, seed=5, workers=1, out=out, quiet=True)


def test_every_name_is_there() -> None:
    assert sorted(ttr.__all__) == sorted(ttr._HOME)
    for name in ttr.__all__:
        assert getattr(ttr, name) is not None
        assert name in dir(ttr)
    with pytest.raises(AttributeError, match="no attribute 'rnu'"):
        ttr.rnu  # type: ignore[attr-defined]  # noqa: B018


def test_importing_it_imports_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules); import ttr_sim; "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before} - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["ttr_sim"]


def test_a_run_is_that_of_the_command_line(played: ttr.Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = "run --bots greedy,random --games 20 --seed 5 --workers 1 --quiet --out"
    assert main([*words.split(), str(out)]) == 0
    for table in ("games", "seats"):
        name = f"{table}/part-00000.parquet"
        assert (out / name).read_bytes() == (played.folder / name).read_bytes()
    other = ttr.load(out)
    assert other.info["config"] == played.info["config"]
    assert str(other.leaderboard()).split("\n")[1].split()[1:5] == ["greedy", *elo_cells(played)]


def elo_cells(run: ttr.Run) -> list[str]:
    best = run.leaderboard().standings[0]
    return [f"{best.elo:+.0f}", f"{best.elo_low:+.0f}", "to"]


def test_frames(played: ttr.Run) -> None:
    assert played.finished and played.bots == ["greedy", "random"]
    for frame, rows in ((played.games, 20), (played.seats, 40), (played.timing, 40)):
        assert isinstance(frame, pl.LazyFrame)
        assert frame.collect().height == rows
    assert repr(played).endswith("20 games of greedy, random>")


def test_several_runs_together(played: ttr.Run, tmp_path: Path) -> None:
    other = ttr.run(
        ["greedy", "random"], 4, board="usa", options={"turn_limit": 90}, out=tmp_path / "b", quiet=True
    )
    board = ttr.leaderboard([played, tmp_path / "b"], anchor="random")
    assert board.games == 24
    assert {s.bot: s.elo for s in board.standings}["random"] == 0
    assert other.info["config"]["settings"][0]["rules"] == "usa+turn_limit=90"


def test_a_logged_game(played: ttr.Run) -> None:
    game = played.game(3)
    row = played.seats.filter(pl.col("game") == 3).collect()
    assert game.bots == tuple(row["bot"])
    assert [seat.score for seat in game.final.result().seats] == row["score"].to_list()
    assert len(list(game.steps())) >= len(game) > 50
    before, action = game.at(-1), game.actions[-1]
    before.step(action)
    assert before == game.final and before.is_over
    assert game.at(0) == ttr.new_game("europe", players=2, seed=game.seed)
    for wrong in (len(game) + 1, -len(game) - 1):
        with pytest.raises(ttr.TtrError, match=r"has .* decisions, not"):
            game.at(wrong)
    with pytest.raises(ttr.TtrError, match="has no game 20"):
        played.game(20)


def test_verify(played: ttr.Run) -> None:
    verdict = played.verify()
    assert (verdict.games, verdict.wrong) == (20, 0)


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ttr.TtrError, match="bots must be a list of specs"):
        ttr.run("greedy,random")
    with pytest.raises(ttr.TtrError, match="unknown bot 'greddy'"):
        ttr.run(["greddy", "random"], out=tmp_path / "run")
    with pytest.raises(ttr.TtrError, match="there is no such run folder"):
        ttr.load(tmp_path / "run")
    with pytest.raises(ttr.TtrError, match="at least 1"):
        ttr.run(["greedy", "random"], workers=0, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_stop_and_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ttr_sim.tournament.session import Session

    real = Session.play

    def stopped(session: Session, **options: object) -> bool:
        return False

    monkeypatch.setattr(Session, "play", stopped)
    with pytest.raises(KeyboardInterrupt, match=r"0 games are kept in .*; ttr_sim.resume goes on"):
        ttr.run(["random", "random"], 4, out=tmp_path / "run", quiet=True)
    monkeypatch.setattr(Session, "play", real)
    run = ttr.run(["random", "random"], 4, out=tmp_path / "run", quiet=True)
    assert ttr.resume(run.folder, workers=1, quiet=True).finished


def test_names() -> None:
    assert {"europe", "nordic", "usa"} <= set(ttr.board_names()) & set(ttr.rules_names())
    assert {"random", "greedy", "mcts"} <= set(ttr.bot_names())


class Page(HTMLParser):
    """The texts and images of some HTML, whose tags must match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def svg_of(image: dict[str, str | None]) -> ET.Element:
    assert image["src"] is not None
    kind, _, data = image["src"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    return ET.fromstring(b64decode(data))


def test_pictures(played: ttr.Run) -> None:
    board = ttr.load_board("europe")
    drawn = ET.fromstring(board._repr_svg_())  # type: ignore[attr-defined]
    assert sum("track" in (part.get("class") or "").split() for part in drawn.iter()) == len(board.tracks)
    game = played.game(3)
    page = Page(game._repr_html_())
    owners = [part.get("data-owner") for part in svg_of(page.images[0]).iter() if part.get("data-track")]
    for seat in range(2):
        assert owners.count(str(seat)) == len(game.final.view(seat).owned(seat)) > 0
    assert str(game.final.result().seats[0].score) in page.texts
    page = Page(ttr.new_game(players=3)._repr_html_())  # type: ignore[attr-defined]
    assert any("decides" in text for text in page.texts)
    for html in (played._repr_html_(), played.leaderboard()._repr_html_()):  # type: ignore[attr-defined]
        assert {"greedy", "random", "20 games in 10 blocks"} <= set(Page(html).texts)


def test_names_are_text(played: ttr.Run) -> None:
    game = played.game(0)
    game.bots = ("<script>alert(1)</script>", "b & c")
    page = Page(game._repr_html_())
    assert "script" not in page.open and "seat 0 <script>alert(1)</script>" in page.texts


def test_the_docstring_names_every_function() -> None:
    assert ttr.__doc__ is not None
    for name in set(ttr.__all__) & {"run", "load", "resume", "leaderboard", "new_game", "load_board"}:
        assert f"ttr.{name}(" in ttr.__doc__
    assert runs.run.__doc__ is not None
