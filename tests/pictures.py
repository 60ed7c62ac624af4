"""The pictures of the README, made from real games: `python -m tests.pictures` (needs chromium and chromium-driver).

Plays the runs they show into a temporary folder, opens viewer and report in a browser, and writes docs/*.png.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.browser import Browser, missing, start
from ttr_sim.cli.main import main

FOLDER = Path(__file__).parents[1] / "docs"
COLORS = 128  # a palette keeps the files small
LARGEST = 200_000  # bytes
SIZE = (1440, 860)


def make(folder: Path) -> None:
    """Write the pictures."""
    run = folder / "first-run"
    played = main(["run", "--bots", "greedy,mcts", "--games", "60", "--quiet", "--out", str(run)])
    assert played == 0
    browser = start(folder / "profile")
    try:
        game_picture(browser, run, folder / "game.html", FOLDER / "game.png")
        report_picture(browser, run, folder / "report.html", FOLDER / "report.png")
    finally:
        browser.driver.quit()


def game_picture(browser: Browser, run: Path, page: Path, to: Path) -> None:
    """Late in a game, everything open."""
    assert main(["replay", str(run), "--game", "3", "--html", str(page)]) == 0
    browser.open(page, SIZE)
    turns = int(browser.run("return document.getElementById('turn').max"))
    browser.run(f"location.hash = '#turn={turns * 3 // 4}'")
    browser.wait("at > 0")
    save(browser, to)


def report_picture(browser: Browser, run: Path, page: Path, to: Path) -> None:
    """The board as a report shows it."""
    assert main(["report", str(run), "--out", str(page)]) == 0
    browser.open(page, (1100, 830))
    browser.run("document.querySelector('#board figure').scrollIntoView()")
    save(browser, to)


def save(browser: Browser, to: Path) -> None:
    """Take a picture and make it small."""
    from PIL import Image

    assert browser.errors() == []
    to.parent.mkdir(exist_ok=True)
    browser.picture(to)
    with Image.open(to) as image:
        small = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    small.save(to, optimize=True)
    assert to.stat().st_size < LARGEST, f"{to}: {to.stat().st_size} bytes"
    print(f"wrote {to}: {to.stat().st_size} bytes")


if __name__ == "__main__":
    if reason := missing():
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as temporary:
        make(Path(temporary))
