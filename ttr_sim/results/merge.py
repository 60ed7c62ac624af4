"""Join runs: the shards of a run, or runs of the same bots, boards and rules with different seeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ttr_sim.errors import TtrError
from ttr_sim.results.compare import differences, short
from ttr_sim.results.folder import Folder, check_new, make_folders, write_whole
from ttr_sim.results.info import FINISHED, all_games, games_of, new_info, write_info
from ttr_sim.results.reader import Run, open_run, read_part
from ttr_sim.results.schema import EXPLAIN, GAMES, TABLES, Table
from ttr_sim.results.writer import RunWriter

# What may differ between runs that belong together: where things lay, and what the deals come from.
_ELSEWHERE = ("file", "board_folder")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run with what is added to its numbers of games and blocks."""

    run: Run
    games: int
    blocks: int


def merge(folders: Sequence[Path], out: Path) -> Run:
    """Write the games of several finished runs as one run and return it.

    All shards of a run become that run: its tables `games` and `seats` are those of a run in one piece, byte for byte.
    Runs with different seeds follow each other in the order given, their games and blocks numbered on.

    Raises TtrError that says which of them do not belong together, and why; then nothing is written.
    """
    runs = [open_run(folder) for folder in folders]
    if len(runs) < 2:
        raise TtrError("merge needs at least two runs")
    _check(runs)
    groups = _groups(runs)
    check_new(out)
    total = sum(all_games(group[0].info) for group in groups)
    tables = _tables(runs[0])
    folder = Folder(out)
    make_folders(folder, [table.name for table in tables])
    writer = RunWriter(folder, range(total), runs[0].info["part_games"], tables=tables)
    for piece in _pieces(groups):
        for part in _parts(piece, tables):
            for first, rows in _cut(part, runs[0].info["part_games"]):
                writer.add_tables(first, rows)
    writer.flush()
    _write_log(folder, runs)
    write_info(folder, _info(out.name, groups, total))
    return open_run(out)


def _check(runs: Sequence[Run]) -> None:
    """Raise TtrError when a run is not finished or has other bots, boards, rules or tables than the first."""
    for run in runs:
        if not run.finished:
            played = f"{run.info['games_played']} of {run.info['games']} games"
            how = "finish it with ttr-sim run --resume"
            raise TtrError(f"{run.folder.shown}: is not finished ({played}); {how}")
        for name, first, other in differences(_what(runs[0]), _what(run)):
            what = f"{name} is {short(other)} there and {short(first)} in {runs[0].folder.shown}"
            raise TtrError(f"{run.folder.shown}: does not belong to the others: {what}")


def _what(run: Run) -> dict[str, Any]:
    """Return what must be the same in all runs."""
    config = {key: value for key, value in run.config.items() if key != "seed"}
    for part in ("bots", "settings"):
        config[part] = [{k: v for k, v in of.items() if k not in _ELSEWHERE} for of in config[part]]
    return {**config, "explain": EXPLAIN in _tables(run)}


def _tables(run: Run) -> tuple[Table, ...]:
    return (EXPLAIN, *TABLES) if run.info.get("asked", {}).get("explain") else TABLES


def _groups(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs of each seed, in the order of their games, which are all games from 0 on, each once."""
    seeds: dict[int, list[Run]] = {}
    for run in runs:
        seeds.setdefault(run.config["seed"], []).append(run)
    groups = [sorted(group, key=lambda run: games_of(run.info).start) for group in seeds.values()]
    for group in groups:
        _check_shards(group)
    return groups


def _check_shards(group: Sequence[Run]) -> None:
    for one, other in pairwise(group):
        shared = range(games_of(other.info).start, min(games_of(one.info).stop, games_of(other.info).stop))
        if shared:
            names = f"{one.folder.shown} and {other.folder.shown}"
            raise TtrError(f"{names} hold the same games ({_span(shared)}), which would count twice")
        if all_games(one.info) != all_games(other.info):
            sizes = f"{all_games(one.info)} and {all_games(other.info)} games"
            names = f"{one.folder.shown} and {other.folder.shown}"
            raise TtrError(f"{names} are parts of different runs, of {sizes}")
    at = 0
    for run in group:
        _check_gap(at, games_of(run.info).start, group)
        at = games_of(run.info).stop
    _check_gap(at, all_games(group[0].info), group)


def _check_gap(at: int, start: int, group: Sequence[Run]) -> None:
    if at < start:
        seed, of = group[0].config["seed"], {run.info["shard"]["of"] for run in group}
        how = f"play what is missing with --shard i/{of.pop()}" if len(of) == 1 else "play them with --shard"
        raise TtrError(
            f"{_span(range(at, start))} of the run with seed {seed} are in none of the runs; {how}"
        )


def _span(games: range) -> str:
    return f"game {games[0]}" if len(games) == 1 else f"games {games[0]} to {games[-1]}"


def _pieces(groups: Sequence[Sequence[Run]]) -> Iterator[_Piece]:
    games = blocks = 0
    for group in groups:
        for run in group:
            yield _Piece(run, games, blocks)
        matches = group[0].config["matches"]
        cycle = sum(len(match["bots"]) for match in matches)
        games += all_games(group[0].info)
        blocks += -(-all_games(group[0].info) // cycle) * len(matches)


def _parts(piece: _Piece, tables: Sequence[Table]) -> Iterator[dict[str, Any]]:
    """Yield the tables of a run, part by part, with their new numbers."""
    folder = piece.run.folder
    for file in folder.parts(GAMES.name):
        yield {
            table.name: _moved(read_part(folder.path / table.name / file.name, table), piece)
            for table in tables
        }


def _moved(rows: Any, piece: _Piece) -> Any:
    for name, more in (("game", piece.games), ("block", piece.blocks)):
        if more and name in rows.column_names:
            index = rows.column_names.index(name)
            moved = pc.add(rows.column(name), pa.scalar(more, pa.int64()))
            rows = rows.set_column(index, rows.schema.field(index), moved)
    return rows


def _cut(tables: Mapping[str, Any], part_games: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (first game, tables) of the pieces of consecutive games into which the parts of the whole cut them."""
    games = tables[GAMES.name].column("game")
    first, last = games[0].as_py(), games[-1].as_py()
    edges = [first, *range((first // part_games + 1) * part_games, last + 1, part_games), last + 1]
    for start, stop in pairwise(edges):
        yield start, {name: _between(rows, start, stop) for name, rows in tables.items()}


def _between(rows: Any, start: int, stop: int) -> Any:
    number = rows.column("game")
    return rows.filter(pc.and_(pc.greater_equal(number, start), pc.less(number, stop)))


def _write_log(folder: Folder, runs: Sequence[Run]) -> None:
    logs = {run.folder.shown: run.folder.log for run in runs if run.folder.log.is_file()}
    write_whole(folder.log, b"".join(f"# {name}\n".encode() + log.read_bytes() for name, log in logs.items()))


def _info(name: str, groups: Sequence[Sequence[Run]], total: int) -> dict[str, Any]:
    """Return the run.json of the whole; `merged` says of what it was made."""
    runs = [run for group in groups for run in group]
    first = runs[0].info
    info = new_info(name, first["config"], total, first["part_games"])
    merged = [
        {
            "folder": str(piece.run.folder.path),
            "seed": piece.run.config["seed"],
            "first_game": piece.games + games_of(piece.run.info).start,
            "games": piece.run.info["games"],
        }
        for piece in _pieces(groups)
    ]
    timings = [timing for run in runs for timing in run.info["timings"]]
    return {
        **info,
        "status": FINISHED,
        "games_played": total,
        "asked": first.get("asked", {}),
        "merged": merged,
        "timings": timings,
    }
