"""The viewer of a game in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser import NARROW, WIDE, Browser
from tests.reports.evil import SCRIPT
from tests.reports.test_viewer import data_of, finished, rows
from ttr_sim.board import load_board
from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.cli.main import main
from ttr_sim.engine import Game
from ttr_sim.reports.viewer.data import game_data
from ttr_sim.reports.viewer.page import game_page
from ttr_sim.rules import load_rules

BOARDS = {"europe": 3, "nordic": 2, "usa": 5}


@pytest.fixture(scope="module")
def html(evil: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.html"
    assert main(["replay", str(evil), "--game", str(finished(evil)), "--html", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A game of greedy bots on each of the three boards."""
    folder, made = tmp_path_factory.mktemp("boards"), {}
    for name, players in BOARDS.items():
        board, rules = load_board(name), load_rules(name)
        log = open_table(board, rules, [parse_spec("greedy")] * players).play([7], [7], [0]).actions.tolist()
        data = game_data(Game.new(board, rules, players, 7, auto=False), log, ["greedy"] * players)
        made[name] = folder / f"{name}.html"
        made[name].write_text(game_page(board, data, name, "a game", "It ended."), encoding="utf-8")
    return made


def where(browser: Browser) -> int:
    return int(browser.run("return Number(document.getElementById('slider').value)"))


def scores(browser: Browser) -> list[int]:
    return [int(text) for text in browser.texts(".seat .score")]


STEP_THROUGH = """
return [...Array(arguments[0])].map(() => {
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
  return [Number(document.getElementById('slider').value), document.getElementById('now').textContent];
});
"""


def test_stepping_through_a_whole_game_ends_at_the_logged_score(
    browser: Browser, html: Path, evil: Path
) -> None:
    data = data_of(html.read_text(encoding="utf-8"))
    browser.open(html)
    assert where(browser) == 0
    seen = browser.run(STEP_THROUGH, len(data["steps"]))
    assert [at for at, _ in seen] == list(range(1, len(data["steps"]) + 1))
    for (_, now), step in zip(seen, data["steps"], strict=True):
        assert step["text"] in now
    logged = [seat["score"] for seat in rows(evil, "seats") if seat["game"] == finished(evil)]
    assert scores(browser) == logged
    owned = browser.run("return document.querySelectorAll('.track[data-owner]').length")
    assert owned == sum(seat["routes"] for seat in rows(evil, "seats") if seat["game"] == finished(evil))
    assert "wins" in browser.text("#result h2") or "share" in browser.text("#result h2")
    assert [str(score) for score in logged] == browser.texts("#result tr.chosen td")[1:]
    assert browser.errors() == []
    assert browser.requests() == []


def test_keys_slider_and_address(browser: Browser, html: Path) -> None:
    data = data_of(html.read_text(encoding="utf-8"))
    last = len(data["steps"])
    browser.open(f"{html.as_uri()}#at=20&seat=1")
    assert where(browser) == 20
    assert browser.run("return document.getElementById('view').value") == "1"
    browser.press("\ue010")  # End
    assert where(browser) == last
    browser.press("\ue012")  # left
    assert where(browser) == last - 1
    browser.press("\ue011", "\ue00f")  # Home, page down: a turn on
    assert data["frames"][where(browser)]["turn"] > data["frames"][0]["turn"]
    browser.run(
        "const s = document.getElementById('slider'); s.value = 33; s.dispatchEvent(new Event('input'))"
    )
    browser.wait("location.hash === '#at=33&seat=1'")
    browser.run("location.hash = '#turn=10'")
    browser.wait(f"document.getElementById('slider').value === '{turn_start(data, 10)}'")
    browser.run("document.querySelector('#steps [data-at=\"5\"]').click()")
    assert where(browser) == 5
    browser.run("document.getElementById('chart').firstElementChild.dispatchEvent("
                "new MouseEvent('click', {clientX: 1e6, bubbles: true}))")  # fmt: skip
    assert where(browser) == last


def test_the_map_as_a_table(browser: Browser, html: Path) -> None:
    data = data_of(html.read_text(encoding="utf-8"))
    browser.open(html)
    assert browser.texts("#places-table tbody tr") == []
    browser.run("document.querySelector('#places summary').click()")
    browser.wait("document.querySelectorAll('#places-table tbody tr').length > 0")
    tracks = [track["text"] for track in data["board"]["tracks"]]
    assert browser.texts("#places-table tbody td:first-child") == tracks
    browser.press("\ue010")  # End
    gained = [(step["turn"] + 1, thing) for step in data["steps"] for thing in step["gained"]]
    owners = [text for text in browser.texts("#places-table tbody td:nth-child(2)") if text]
    assert len(owners) == len(gained)
    turns = [int(text) for text in browser.texts("#places-table tbody td:nth-child(3)") if text]
    assert turns == sorted((turn for turn, _ in gained), reverse=True)


def turn_start(data: dict[str, Any], turn: int) -> int:
    return next(i for i, frame in enumerate(data["frames"]) if frame["turn"] >= turn)


def test_play(browser: Browser, html: Path) -> None:
    browser.open(html)
    browser.run("document.getElementById('speed').value = '90'")
    browser.press(" ")
    browser.wait("Number(document.getElementById('slider').value) > 3")
    browser.press(" ")
    stopped = where(browser)
    assert not browser.run("return Boolean(timer)")
    assert where(browser) == stopped


def test_as_one_seat_saw_it(browser: Browser, html: Path) -> None:
    data = data_of(html.read_text(encoding="utf-8"))
    at = next(i for i, step in enumerate(data["steps"], 1) if step["kind"] == "blind" and step["seat"] == 1)
    frame = data["frames"][at]
    browser.open(f"{html.as_uri()}#at={at}&seat=0")
    assert data["steps"][at - 1]["note"].startswith("gets ")
    assert "gets" not in browser.text("#now")
    other = browser.run("return [...document.querySelectorAll('.seat')][1].textContent")
    hidden = sum(frame["seats"][1]["hand"]) - sum(frame["seats"][1]["known"])
    assert f"{hidden} not seen" in other
    assert (
        browser.run("return [...document.querySelectorAll('.seat')][1].querySelectorAll('.ticket').length")
        == 0
    )
    assert scores(browser) == [frame["seats"][0]["score"], frame["seats"][1]["points"]]
    browser.press("a")  # everything open again
    assert "gets" in browser.text("#now")
    assert scores(browser)[1] == frame["seats"][1]["score"]


def test_what_the_bot_thought(browser: Browser, html: Path) -> None:
    data = data_of(html.read_text(encoding="utf-8"))
    at, step = next((i, s) for i, s in enumerate(data["steps"], 1) if s.get("thoughts") and i > 5)
    browser.open(f"{html.as_uri()}#at={at}")
    assert browser.texts("#thoughts th") == ["alternative", "visits", "expected score"]
    rows_shown = browser.texts("#thoughts tbody td:first-child")
    assert rows_shown == [row["text"] for row in step["thoughts"]["rows"]]
    assert browser.texts("#thoughts tr.chosen td:first-child") == [step["text"]]
    browser.run(f"setView({1 - step['seat']})")
    assert browser.run("return document.getElementById('thoughts').hidden")


def test_names_show_as_they_are(browser: Browser, html: Path) -> None:
    browser.open(html)
    assert SCRIPT in browser.texts(".city .name")
    assert any("<img src=x onerror=alert(1)>.py" in text for text in browser.texts(".seat .bot"))
    assert browser.run("return document.querySelectorAll('img, script').length") == 2
    assert browser.errors() == []


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", BOARDS)
def test_boards_wide_and_narrow(
    browser: Browser, pages: dict[str, Path], name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    browser.open(f"{pages[name].as_uri()}#at=9999", size)
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    assert len(scores(browser)) == BOARDS[name]
    letters = browser.run("return document.querySelector('.city .name').getBoundingClientRect().height")
    assert letters >= 7  # names can be read
    if size == WIDE:
        bottom = browser.run("return document.getElementById('map').getBoundingClientRect().bottom")
        assert bottom <= browser.run("return document.querySelector('.controls').getBoundingClientRect().top")
    shot = tmp_path / "page.png"
    browser.picture(shot)
    with Image.open(shot) as image:
        assert image.size == size
        assert len(image.convert("P").getcolors()) > 20  # not an empty page
    assert browser.errors() == []
    assert browser.requests() == []


CONTRAST = """
document.documentElement.style.colorScheme = arguments[0];
const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const light = (color) => {
  const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(part);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (e) => {
  for (; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)|transparent/.test(color)) return color;
  }
  return 'rgb(255, 255, 255)';
};
return [...document.querySelectorAll(arguments[1])].filter((e) => e.offsetParent).map((e) => {
  const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
  return [e.className + ' ' + e.textContent.slice(0, 20), (a + 0.05) / (b + 0.05)];
});
"""
TEXTS = "h1, h2, p, .badge, .card:not(.locomotive), .chip:not(.gray), .ticket, .score, label, #steps span, button, output"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser: Browser, pages: dict[str, Path], scheme: str) -> None:
    browser.open(f"{pages['usa'].as_uri()}#at=60")
    measured = browser.run(CONTRAST, scheme, TEXTS)
    assert len(measured) > 50
    assert [(text, round(ratio, 2)) for text, ratio in measured if ratio < 4.5] == []


def test_everything_has_a_name_for_screen_readers(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["europe"])
    tree = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {"button", "slider", "spinbutton", "combobox", "image", "img", "link"}
    nameless = [
        json.dumps(node["role"])
        for node in tree
        if not node["ignored"] and node["role"]["value"] in roles and not node.get("name", {}).get("value")
    ]
    assert nameless == []
    images = [node["name"]["value"] for node in tree if node["role"]["value"] in ("image", "img")]
    assert any("47 cities" in name for name in images)
    assert any("Lines of the scores" in name for name in images)
