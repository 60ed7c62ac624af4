"""The pictures of the README, made from real games: `python -m tests.pictures` (needs chromium and chromium-driver).

Plays the runs they show into a temporary folder, opens viewer, list and report in a browser, and writes docs/*.png.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from threading import Thread

from tests.browser import Browser, missing, start
from ttr_sim.cli.main import main
from ttr_sim.reports.viewer.server import make_server
from ttr_sim.results.reader import open_run

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
        list_picture(browser, run, FOLDER / "games.png")
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


def list_picture(browser: Browser, run: Path, to: Path) -> None:
    """The games that greedy lost, the clearest first, in the dark."""
    server = make_server(open_run(run), 0)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/#bot=greedy&result=lost&sort=margin"
    browser.open(address, (1100, 640))
    browser.run("document.documentElement.style.colorScheme = 'dark'")
    browser.wait("document.querySelectorAll('#games tbody tr').length > 5")
    save(browser, to)
    server.shutdown()
    server.server_close()


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
