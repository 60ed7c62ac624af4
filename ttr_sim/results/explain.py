"""What bots said of their decisions in a game of a run that was played with `run --explain`."""

from ttr_sim.bot.explain import Thought
from ttr_sim.results.reader import Run, read_part
from ttr_sim.results.schema import EXPLAIN


def stored_thoughts(run: Run, number: int) -> list[Thought]:
    """Return what was kept of a game, by decision; nothing where nothing was asked for. Raises TtrError."""
    import pyarrow.compute as pc

    file = run.folder.part(EXPLAIN.name, number // run.info["part_games"])
    if not file.is_file():
        return []
    rows = read_part(file, EXPLAIN)
    kept = rows.filter(pc.equal(rows.column("game"), number)).drop_columns("game").to_pylist()
    return [Thought(**row) for row in kept]
