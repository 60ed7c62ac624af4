"""A bar on the terminal while games are played: speed, remaining time and the score so far."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ttr_sim.tournament.run import Progress
from ttr_sim.tournament.session import Session
from ttr_sim.tournament.tally import Tally


@contextmanager
def progress_bar(session: Session, quiet: bool = False) -> Iterator[Progress | None]:
    """Show the bar on stderr and yield what moves it; nothing when `quiet` or when stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    tally = Tally(session.plan)
    with tqdm(
        total=session.games, initial=session.kept, unit="game", file=sys.stderr, dynamic_ncols=True
    ) as bar:

        def show(first: int, played: Any) -> None:
            tally.add(first, played)
            bar.set_postfix_str(tally.text(), refresh=False)
            bar.update(len(played))

        yield show
