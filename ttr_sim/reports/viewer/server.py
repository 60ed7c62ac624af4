"""A local site over a run: a list of its games, and the viewer of each. Answers this machine only."""

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ttr_sim import __version__
from ttr_sim.errors import TtrError
from ttr_sim.reports.viewer.listing import ORDERS, PAGE, RESULTS, SORTS, Listing, read_query
from ttr_sim.reports.viewer.logged import logged_page
from ttr_sim.reports.viewer.page import list_page
from ttr_sim.results.info import games_of
from ttr_sim.results.logged import Settings
from ttr_sim.results.reader import Run

HOST = "127.0.0.1"
_NAMES = {HOST, "localhost"}  # under which a browser may ask: no other site's name that was made to lead here


class Site:
    """What the server answers: pages and lists by path."""

    def __init__(self, run: Run) -> None:
        self._run, self._settings, self._listing = run, Settings(run), Listing(run)
        self._lock = Lock()  # one game is replayed at a time

    def front(self) -> str:
        """Return the page with the list."""
        data = {
            "run": str(self._run.info.get("name") or self._run.folder.shown),
            "games": len(self._listing),
            "page": PAGE,
            "choices": {**self._listing.choices, "result": RESULTS, "sort": SORTS, "order": ORDERS},
        }
        return list_page(data)

    def games(self, query: str) -> str:
        """Return a page of the list as JSON. Raises TtrError."""
        wanted = dict(parse_qsl(query, keep_blank_values=True))
        return json.dumps(self._listing.page(read_query(wanted)))

    def game(self, number: int, explain: bool) -> str:
        """Return the viewer of a game; with `explain` the bots are asked what they thought. Raises TtrError."""
        last = games_of(self._run.info)[-1]
        with self._lock:
            return logged_page(self._run, number, self._settings, explain=explain, home="/", last=last)


def make_server(run: Run, port: int) -> ThreadingHTTPServer:
    """Return a server on this machine's own address; port 0 takes any that is free. Raises OSError."""
    site = Site(run)

    class Handler(_Handler):
        answers = site

    return _Server((HOST, port), Handler)


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    answers: Site
    server_version = f"ttr-sim/{__version__}"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.headers.get("Host", "").rsplit(":", 1)[0] not in _NAMES:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", "this server answers http://127.0.0.1 only")
            return
        try:
            self._send(HTTPStatus.OK, *self._answer())
        except TtrError as error:
            self._send(HTTPStatus.BAD_REQUEST, "text/plain", str(error))
        except LookupError:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "there is no such page")

    def _answer(self) -> tuple[str, str]:
        """Return type and text. Raises LookupError for an unknown path."""
        address = urlsplit(self.path)
        if address.path == "/":
            return "text/html", self.answers.front()
        if address.path == "/games.json":
            return "application/json", self.answers.games(address.query)
        first, _, number = address.path.removeprefix("/").partition("/")
        if first == "game" and number.isascii() and number.isdigit() and len(number) < 19:
            return "text/html", self.answers.game(int(number), explain=address.query == "explain")
        raise LookupError(address.path)

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the browser shows what went wrong."""
