"""The list of a run's games: what is found, in which order, and the local site around it."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest

from tests.browser import Browser
from tests.reports.test_viewer import rows
from ttr_sim.cli.main import main
from ttr_sim.errors import TtrError
from ttr_sim.reports.viewer.listing import PAGE, Listing, Query, read_query
from ttr_sim.reports.viewer.server import make_server
from ttr_sim.results.reader import open_run


@pytest.fixture(scope="module")
def listing(evil: Path) -> Listing:
    return Listing(open_run(evil))


@pytest.fixture(scope="module")
def site(evil: Path) -> Iterator[str]:
    server = make_server(open_run(evil), 0)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def margins(run: Path, bot: str) -> dict[int, int | None]:
    """By game: the points of a bot ahead of the best other."""
    found: dict[int, int | None] = {}
    by_game: dict[int, list[dict[str, Any]]] = {}
    for row in rows(run, "seats"):
        by_game.setdefault(row["game"], []).append(row)
    for game, seats in by_game.items():
        own = next(seat["score"] for seat in seats if seat["bot"] == bot)
        other = max(
            (seat["score"] for seat in seats if seat["bot"] != bot and seat["score"] is not None),
            default=None,
        )
        found[game] = None if own is None or other is None else own - other
    return found


def numbers(listing: Listing, query: Query) -> list[int]:
    page = listing.page(query)
    assert page["total"] == len(page["rows"])
    return [row["game"] for row in page["rows"]]


@pytest.mark.parametrize("bot", [0, 1])
def test_margins_of_a_bot(evil: Path, listing: Listing, bot: int) -> None:
    label = listing.choices["bot"][bot]
    expected = margins(evil, label)
    shown = listing.page(Query(bot=label))["rows"]
    assert {row["game"]: row["margin"] for row in shown} == expected
    known = {game: margin for game, margin in expected.items() if margin is not None}
    behind = numbers(listing, Query(bot=label, most=-30, sort="margin"))
    assert behind == sorted((g for g, m in known.items() if m <= -30), key=lambda g: (known[g], g))
    ahead = numbers(listing, Query(bot=label, least=30, sort="margin", order="down"))
    assert ahead == sorted((g for g, m in known.items() if m >= 30), key=lambda g: (-known[g], g))
    assert behind or ahead


@pytest.mark.parametrize("result", ["won", "lost", "tied", "forfeited"])
def test_results(evil: Path, listing: Listing, result: str) -> None:
    games = {row["game"]: row for row in rows(evil, "games")}
    for label in listing.choices["bot"]:
        seats = [row for row in rows(evil, "seats") if row["bot"] == label]
        expected = []
        for seat in seats:
            game = games[seat["game"]]
            if game["forfeit_seat"] == seat["seat"]:
                is_now = "forfeited"
            elif seat["seat"] not in game["winners"]:
                is_now = "lost"
            else:
                is_now = "won" if len(game["winners"]) == 1 else "tied"
            if is_now == result:
                expected.append(seat["game"])
        assert numbers(listing, Query(bot=label, result=result)) == expected
    # Without a bot: a game counts if any seat had that result.
    any_seat = {
        g for label in listing.choices["bot"] for g in numbers(listing, Query(bot=label, result=result))
    }
    assert numbers(listing, Query(result=result)) == sorted(any_seat)


def test_ends_seeds_and_orders(evil: Path, listing: Listing) -> None:
    games = rows(evil, "games")
    assert numbers(listing, Query(end="forfeit")) == [r["game"] for r in games if r["end"] == "forfeit"]
    assert numbers(listing, Query(seed=games[4]["seed"])) == [4, 5]
    turns = [row["turns"] for row in listing.page(Query(sort="turns", order="down"))["rows"]]
    assert turns == sorted((row["turns"] for row in games), reverse=True)
    assert listing.page(Query(setting="no / such"))["total"] == 0


def test_pages(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_sim.reports.viewer.listing.PAGE", 8)
    pages = [listing.page(Query(page=page)) for page in range(3)]
    assert [row["game"] for page in pages for row in page["rows"]] == list(range(20))
    assert [(page["total"], page["pages"]) for page in pages] == [(20, 3)] * 3
    assert PAGE == 50


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"result": "lots"}, "unknown result 'lots'"),
        ({"least": "ten"}, "least must be a whole number, not 'ten'"),
        ({"seed": "1" * 30}, "seed must be a number of at most 64 bits"),
        ({"page": "-1"}, "page must be 0 or more, not -1"),
        ({"colour": "red"}, "unknown filter 'colour'"),
    ],
)
def test_wrong_queries(texts: dict[str, str], message: str) -> None:
    with pytest.raises(TtrError, match=message):
        read_query(texts)


def test_a_run_that_goes_on_can_be_looked_at(evil: Path, tmp_path: Path) -> None:
    import shutil

    run = tmp_path / "run"
    shutil.copytree(evil, run)
    info = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(
        json.dumps({**info, "status": "interrupted", "games": 40, "games_played": 20})
    )
    assert len(Listing(open_run(run))) == 20


def get(site: str, path: str, host: str = "") -> tuple[int, str]:
    connection = http.client.HTTPConnection(site.split("/")[2], timeout=10)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_site(site: str) -> None:
    assert get(site, "/")[0] == 200
    status, text = get(site, "/games.json?result=lost&sort=margin")
    assert status == 200 and json.loads(text)["rows"]
    assert get(site, "/games.json?sort=luck")[0] == 400
    assert get(site, "/game/3")[0] == 200
    assert "has no game 77" in get(site, "/game/77")[1]
    assert '"asked":true' in get(site, "/game/3?explain")[1]
    for path in ("/game/x", "/game/", "/etc/passwd", "/../run.json", "/game/%2e%2e"):
        assert get(site, path) == (404, "there is no such page")
    assert get(site, "/", host="evil.example:80")[0] == 403


def test_filters_in_the_browser(browser: Browser, site: str, evil: Path) -> None:
    browser.open(site)
    browser.wait("document.querySelectorAll('#games tbody tr').length === 20")
    assert any("<img src=x onerror=alert(1)>.py" in text for text in browser.texts("#games .bot"))
    assert browser.run("return document.images.length") == 0

    def shown() -> list[int]:
        return [int(text) for text in browser.texts("#games tbody a")]

    def choose(name: str, value: str) -> None:
        script = (
            "const f = document.getElementById('filters').elements[arguments[0]]; f.value = arguments[1];"
        )
        browser.run(script + "f.dispatchEvent(new Event('input', {bubbles: true}))", name, value)

    known = {game: margin for game, margin in margins(evil, "greedy").items() if margin is not None}
    wide = [game for game, margin in known.items() if margin >= 60]
    choose("bot", "greedy")
    choose("least", "60")
    browser.wait(f"document.querySelectorAll('#games tbody tr').length === {len(wide)}")
    assert shown() == wide
    choose("sort", "margin")
    browser.wait("location.hash.includes('sort=margin')")
    in_order = sorted(wide, key=lambda game: (known[game], game))
    browser.wait(f"document.querySelector('#games tbody a').textContent === '{in_order[0]}'")
    assert shown() == in_order
    browser.run(
        "[...document.querySelectorAll('#quick button')].find((b) => b.textContent === 'forfeits').click()"
    )
    forfeits = [row["game"] for row in rows(evil, "games") if row["end"] == "forfeit"]
    browser.wait(f"document.querySelectorAll('#games tbody tr').length === {len(forfeits)}")
    assert shown() == forfeits
    browser.run("document.querySelector('#games tbody a').click()")
    browser.wait("document.querySelector('#slider') !== null && at === 0")
    assert browser.text("#title").startswith(f"Game {forfeits[0]}:")
    assert browser.run("return document.getElementById('home').getAttribute('href')") == "/"
    assert browser.errors() == []
    assert all(url.startswith(site) for url in browser.requests())


def test_narrow(browser: Browser, site: str) -> None:
    browser.open(site, (390, 844))
    browser.wait("document.querySelectorAll('#games tbody tr').length === 20")
    assert browser.run("return document.documentElement.scrollWidth") <= 390


def test_the_command(evil: Path) -> None:
    command = [sys.executable, "-c", "import sys; from ttr_sim.cli.main import main; sys.exit(main())"]
    process = subprocess.Popen(
        [*command, "view", str(evil), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[0]
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address, timeout=10) as answer:
            assert b"<!doctype html>" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10)[1] == "ended\n"
        assert process.returncode == 0
    finally:
        process.kill()


def test_a_port_that_is_taken(evil: Path, site: str, capsys: pytest.CaptureFixture[str]) -> None:
    port = site.split(":")[2].rstrip("/")
    assert main(["view", str(evil), "--port", port]) == 2
    assert f"--port {port}: " in capsys.readouterr().err
