"""`ttr-sim view`: a local page that lists the games of a run and opens each in the viewer."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli.folder import FOLDER
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

    from ttr_sim.results.reader import Run

PORT = 8087


@click.command(epilog="Example: ttr-sim view results/first")
@click.argument("run", type=FOLDER)
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port of the page.  [default: {PORT}, or a free one]"
)
@click.option("--open/--no-browser", "browser", default=False, help="Open the page in the browser.")
def view(run: Path, port: int | None, browser: bool) -> None:
    """Serve a page, on this machine only, that lists, sorts and filters the games of a run and shows each.

    The address is printed; Ctrl-C ends it.
    """
    from ttr_sim.reports.viewer.server import HOST
    from ttr_sim.results.reader import open_run

    opened = open_run(run)
    ensure_warm()
    with _server(opened, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        games = opened.info["games_played"]
        try:
            click.echo(f"{address} shows {games} games of {opened.folder.shown}; Ctrl-C ends it")
            if browser:
                import webbrowser

                webbrowser.open(address)
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("ended", err=True)


def _server(opened: "Run", port: int | None) -> "ThreadingHTTPServer":
    from ttr_sim.reports.viewer.server import make_server

    try:
        return make_server(opened, PORT if port is None else port)
    except OSError as error:
        if port is None:
            return make_server(opened, 0)
        raise TtrError(f"--port {port}: {error.strerror}; give another, or none for a free one") from None
