"""Small runs for tests of reports, and the same run cut into other files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.results.made import sign
from ttr_sim.cli.main import main
from ttr_sim.results.schema import TABLES


def play(out: Path, bots: str, games: int, *more: str) -> Path:
    """Play a run with one worker."""
    command = ["run", "--bots", bots, "--games", str(games), "--workers", "1", "--quiet", "--out", str(out)]
    assert main([*command, *more]) == 0
    return out


def recut(run: Path, out: Path, part_games: int) -> Path:
    """Copy a run, its games in files of `part_games`, which cut blocks in two."""
    shutil.copytree(run, out)
    info = json.loads((out / "run.json").read_text())
    info["part_games"] = part_games
    (out / "run.json").write_text(json.dumps(info))
    for table in TABLES:
        files = sorted((out / table.name).iterdir())
        rows = pa.concat_tables([pq.read_table(file) for file in files])
        for file in files:
            file.unlink()
        for part in range(-(-info["games"] // part_games)):
            games = rows.column("game").to_numpy() // part_games == part
            pq.write_table(rows.filter(pa.array(games)), out / table.name / f"part-{part:05d}.parquet")
    for part in range(-(-info["games"] // part_games)):
        (out / "checksums" / f"part-{part:05d}.json").write_text("{}")
    sign(out)
    return out
