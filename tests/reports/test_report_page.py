"""Reports in a real browser: no errors, no requests, wide and narrow, light, dark and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import NARROW, WIDE, Browser
from tests.reports.evil import SCRIPT
from tests.reports.made import play
from ttr_sim.cli.main import main

RUNS = {
    "europe": ("greedy,random,greedy", "--board", "europe"),
    "nordic": ("greedy,greedy", "--board", "nordic"),
    "usa": ("greedy,random,greedy,random", "--players", "4", "--board", "usa"),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for name, (bots, *more) in RUNS.items():
        folder = tmp_path_factory.mktemp(name)
        run = play(folder / "run", bots, 24, *more)
        made[name] = folder / "report.html"
        assert main(["report", str(run), "--out", str(made[name])]) == 0
    return made


@pytest.fixture
def page(pages: dict[str, Path]) -> Path:
    return pages["europe"]


def clean(browser: Browser) -> None:
    assert browser.errors() == []
    assert browser.requests() == []


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", RUNS)
def test_it_loads_alone_and_fits(
    browser: Browser, pages: dict[str, Path], name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    browser.open(pages[name], size)
    clean(browser)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    drawn = browser.run(
        "return [...document.querySelectorAll('figure svg.chart, figure svg.board-map')].every((svg) => "
        "svg.getBoundingClientRect().width > 100 && svg.getBoundingClientRect().height > 30)"
    )
    assert drawn
    cut = browser.run(
        "return [...document.querySelectorAll('svg.chart')].filter((svg) => svg.getBoundingClientRect().right > "
        "svg.parentElement.getBoundingClientRect().right + 1).length"
    )
    assert cut == 0
    browser.picture(tmp_path / "page.png", full=True)
    assert (tmp_path / "page.png").stat().st_size > 100_000


def test_light_dark_and_paper(browser: Browser, page: Path) -> None:
    browser.open(page)
    script = "return getComputedStyle(document.body).backgroundColor"
    media = "Emulation.setEmulatedMedia"
    found = {}
    for name, settings in {
        "light": {"features": [{"name": "prefers-color-scheme", "value": "light"}]},
        "dark": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
        "paper": {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    }.items():
        browser.driver.execute_cdp_cmd(media, settings)
        found[name] = browser.run(script)
    browser.driver.execute_cdp_cmd(media, {"media": "", "features": []})
    assert found["paper"] == "rgb(255, 255, 255)"
    assert len(set(found.values())) == 3


def test_marks_say_what_they_are(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("return document.getElementById('tip').hidden")
    assert "routes: +" in tip_of(browser, ".chart [aria-label*='routes: +']")
    assert "claimed" in tip_of(browser, ".board-map g.track")
    assert "reached by seats" in tip_of(browser, ".board-map g.city")


def tip_of(browser: Browser, selector: str) -> str:
    """Point at the middle of a mark and return what is said of it."""
    script = """
        const mark = document.querySelector(arguments[0]);
        mark.scrollIntoView({block: "center"});
        const box = mark.getBoundingClientRect();
        const at = {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};
        mark.dispatchEvent(new PointerEvent("pointermove", at));
        const tip = document.getElementById("tip");
        return tip.hidden ? "" : tip.textContent;"""
    said: str = browser.run(script, selector)
    return said


def test_a_link_opens_its_table(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.querySelector('.more a').click()")
    target = browser.run("return document.querySelector('.more a').getAttribute('href')")
    browser.wait(f"document.querySelector('{target}').open !== false")
    clean(browser)


def test_names_like_scripts_stay_text(browser: Browser, evil: Path, tmp_path: Path) -> None:
    assert main(["report", str(evil), "--out", str(tmp_path / "evil.html")]) == 0
    browser.open(tmp_path / "evil.html")
    clean(browser)
    assert (
        browser.run("return document.querySelectorAll('img, iframe').length + document.scripts.length") == 1
    )
    assert any(SCRIPT in text for text in browser.texts("td"))
    assert SCRIPT in browser.text(".board-map .name") or SCRIPT in "".join(browser.texts(".board-map .name"))
