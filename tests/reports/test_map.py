"""Maps of boards: complete, the same each time, text as text, and names that hardly cover anything."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ttr_sim.board import Board, load_board
from ttr_sim.cli.main import main
from ttr_sim.reports.map import Mark, draw_map, layout_of, legend, map_css
from ttr_sim.reports.map_layout import CITY_RADIUS, LINE, TRACK_WIDTH, Layout, lay_out

NAMES = ("europe", "nordic", "usa", "my-board")


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Board]:
    own = tmp_path_factory.mktemp("board") / "my-board"
    assert main(["boards", "new", str(own)]) == 0
    return {name: load_board(own if name == "my-board" else name) for name in NAMES}


@pytest.fixture(scope="module")
def layouts(boards: dict[str, Board]) -> dict[str, Layout]:
    return {name: layout_of(board) for name, board in boards.items()}


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


def with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


@pytest.mark.parametrize("name", NAMES)
def test_everything_of_a_board_is_there(boards: dict[str, Board], name: str) -> None:
    board = boards[name]
    root = parse(draw_map(board, prefix="x-"))
    assert f"{len(board.cities)} cities, {len(board.tracks)} tracks" in str(root.get("aria-label"))
    tracks = with_class(root, "track")
    assert [track.get("id") for track in tracks] == [f"x-track-{i}" for i in range(len(board.tracks))]
    for element, track in zip(tracks, board.tracks, strict=True):
        assert {track.color, track.kind} <= set(element.get("class", "").split())
        assert len(with_class(element, "space")) == track.length
        assert len(with_class(element, "loco")) == track.locomotives
    cities = with_class(root, "city")
    assert [with_class(city, "name")[0].text for city in cities] == [city.name for city in board.cities]


@pytest.mark.parametrize("name", NAMES)
def test_everything_lies_in_the_picture(layouts: dict[str, Layout], name: str) -> None:
    layout = layouts[name]
    left, top, width, height = layout.box
    for x, y in [*layout.cities, *(p for curve in layout.tracks for p in curve.points)]:
        assert left < x < left + width and top < y < top + height
    for box in name_boxes(layout):
        assert box[0] > left and box[1] > top and box[2] < left + width and box[3] < top + height


@pytest.mark.parametrize("name", NAMES)
def test_parallel_tracks_are_apart(boards: dict[str, Board], layouts: dict[str, Layout], name: str) -> None:
    board, layout = boards[name], layouts[name]
    for index in range(len(board.tracks)):
        if (partner := board.partner(index)) > index:
            ours, theirs = (np.array([(s.x, s.y) for s in layout.tracks[t].spaces]) for t in (index, partner))
            apart = np.linalg.norm(ours[:, None] - theirs[None], axis=2).min()
            assert apart > TRACK_WIDTH + 1


@pytest.mark.parametrize("name", NAMES)
def test_names_are_clear_of_each_other_and_nearly_of_the_rest(layouts: dict[str, Layout], name: str) -> None:
    layout = layouts[name]
    boxes = name_boxes(layout)
    for i, ours in enumerate(boxes):
        assert not any(overlap(ours, theirs) > 8 for theirs in boxes[:i])
    dots = [(x - CITY_RADIUS, y - CITY_RADIUS, x + CITY_RADIUS, y + CITY_RADIUS) for x, y in layout.cities]
    assert sum(overlap(box, dot) > 10 for box in boxes for dot in dots) == 0
    spaces = [(s.x - 5, s.y - 5, s.x + 5, s.y + 5) for curve in layout.tracks for s in curve.spaces]
    covered = sum(overlap(box, space) for box in boxes for space in spaces)
    assert covered < 0.01 * len(spaces) * 100  # less than a hundredth of the middles of the spaces


def name_boxes(layout: Layout) -> list[tuple[float, float, float, float]]:
    boxes = []
    for name in layout.names:
        left = name.x - {"start": 0.0, "middle": name.width / 2, "end": name.width}[name.anchor]
        boxes.append((left, name.y - LINE * 0.8, left + name.width, name.y + LINE * 0.2))
    return boxes


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def test_the_same_board_gives_the_same_picture(boards: dict[str, Board]) -> None:
    assert lay_out(boards["my-board"]).names == layout_of(boards["my-board"]).names


@pytest.mark.parametrize(
    "places", [[(0, 0)] * 12, [(i, 0) for i in range(12)], [(i * 1e8, -(i % 3) * 1e-9) for i in range(12)]]
)
def test_odd_places(boards: dict[str, Board], places: list[tuple[float, float]]) -> None:
    board = boards["my-board"]
    moved = tuple(replace(city, x=x, y=y) for city, (x, y) in zip(board.cities, places, strict=True))
    svg = draw_map(replace(board, cities=moved))
    assert "nan" not in svg and "inf" not in svg
    assert all(math.isfinite(float(n)) for n in re.findall(r"-?\d+\.?\d*", str(parse(svg).get("viewBox"))))


def test_texts_are_escaped(boards: dict[str, Board]) -> None:
    evil = "<script>\"&'"
    board = boards["my-board"]
    named = replace(board, title=evil, cities=tuple(replace(city, name=evil) for city in board.cities))
    marks = {0: Mark(fill='"><b>', label=evil, tooltip=evil, data={"x": evil})}
    root = parse(draw_map(named, tracks=marks, cities=marks))
    assert root.find(".//script") is None and root.find(".//b") is None
    assert evil in str(root.get("aria-label"))
    assert root.find(".//*[@id='track-0']/title").text.endswith(f"\n{evil}")  # type: ignore[union-attr]


def test_marks(boards: dict[str, Board]) -> None:
    marks: dict[int, Any] = {
        3: Mark(fill="var(--x)", label="87", tooltip="claimed in 87 %", data={"rate": "0.87"})
    }
    root = parse(draw_map(boards["europe"], tracks=marks, cities={1: Mark(size=2.0)}, focusable=True))
    track = root.find(".//*[@id='track-3']")
    assert track is not None and track.get("data-rate") == "0.87" and track.get("tabindex") == "0"
    assert {space.get("style") for space in with_class(track, "space")} == {"fill:var(--x)"}
    assert with_class(track, "mark")[0].text == "87"
    assert str(track.find("title").text).endswith("\nclaimed in 87 %")  # type: ignore[union-attr]
    assert with_class(root, "dot")[1].get("r") == f"{2 * CITY_RADIUS:.1f}"


def test_no_colour_without_a_letter() -> None:
    text = legend()
    assert re.findall(r'aria-hidden="true">(\w)</span>', text) == list("PWBYOKRG")
    assert all(f"--{color}:" in map_css() for color in ("purple", "green", "gray", "seat0", "seat4"))


def test_the_map_needs_the_board_only(tmp_path: Path, boards: dict[str, Board]) -> None:
    moved = replace(boards["usa"], folder=tmp_path / "gone")
    assert draw_map(moved) == draw_map(boards["usa"])
