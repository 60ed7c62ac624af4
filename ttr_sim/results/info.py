"""run.json: what is needed to play a run again, and how far it came."""

import json
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ttr_sim import __version__, paths
from ttr_sim.errors import TtrError
from ttr_sim.results.folder import Folder, write_whole
from ttr_sim.results.schema import SCHEMA_VERSION
from ttr_sim.results.shape import MORE, check_config, check_more

_MOST = 2**53
RUNNING, FINISHED, INTERRUPTED = "running", "finished", "interrupted"
_KEYS = {
    "schema_version": int,
    "status": str,
    "games": int,
    "part_games": int,
    "config": dict,
    "timings": list,
}


def new_info(name: str, config: Mapping[str, Any], games: int, part_games: int) -> dict[str, Any]:
    """Return the content of run.json of a run that is about to start.

    config: everything its games depend on. timings: one entry for each time the run was started or resumed.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "name": name,
        "status": RUNNING,
        "games": games,
        "games_played": 0,
        "part_games": part_games,
        "config": dict(config),
        "versions": _versions(),
        "machine": {"system": platform.platform(), "processor": platform.machine()},
        "git": git_state(),
        "timings": [],
    }


def games_of(info: Mapping[str, Any]) -> range:
    """Return the numbers of the games of a run: from 0, or those of its shard."""
    first = info["shard"]["first_game"] if info.get("shard") else 0
    return range(first, first + info["games"])


def all_games(info: Mapping[str, Any]) -> int:
    """Return the number of games of the whole run, of which this may be a shard."""
    games: int = info["shard"]["of_games"] if info.get("shard") else info["games"]
    return games


def begin(info: dict[str, Any], workers: int) -> None:
    """Take note in `info` that games are about to be played."""
    info["status"] = RUNNING
    info["timings"].append({"started": _now(), "workers": workers})


def end(info: dict[str, Any], played: int, now: int, seconds: float, memory_mib: int | None) -> None:
    """Take note that playing ended: `played` games are kept, `now` of them played in these seconds."""
    info["games_played"] = played
    info["status"] = FINISHED if played == info["games"] else INTERRUPTED
    rate = round(now / seconds, 2) if seconds > 0 else 0.0
    info["timings"][-1] |= {
        "ended": _now(),
        "seconds": round(seconds, 3),
        "games": now,
        "games_per_second": rate,
        "parent_peak_memory_mib": memory_mib,
    }


def write_info(folder: Folder, info: Mapping[str, Any]) -> None:
    """Write run.json. Raises RunFailed."""
    text = json.dumps(info, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder.info, text.encode())


def read_info(folder: Folder) -> dict[str, Any]:
    """Return the checked content of run.json of a run folder. Raises TtrError."""
    if not folder.info.is_file():
        what = (
            "is not a run folder (it has no run.json)"
            if folder.path.is_dir()
            else "there is no such run folder"
        )
        raise TtrError(f"{folder.shown}: {what}; give a folder that ttr-sim run has written")
    return read_info_file(folder.info)


def read_info_file(file: Path) -> dict[str, Any]:
    """Return the checked content of a run.json. Raises TtrError."""
    shown = paths.shown(file)
    try:
        info = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise TtrError(f"{shown}: is damaged and cannot be read: {error}") from None
    if not isinstance(info, dict) or not isinstance(info.get("schema_version"), int):
        raise TtrError(f"{shown}: is not the run.json of a run (it has no schema_version)")
    check_version(shown, info["schema_version"])
    for key, kind in _KEYS.items():
        if not isinstance(info.get(key), kind):
            raise TtrError(f"{shown}: is damaged: {key} is missing or has the wrong type")
    if not (1 <= info["games"] < _MOST and 1 <= info["part_games"] < _MOST):
        raise TtrError(f"{shown}: is damaged: games and part_games must be at least 1 and below 2^53")
    check_more(info, shown)
    check_config(info["config"], shown)
    given = {key: value for key, value in info.items() if key not in MORE or value is not None}
    return {"asked": {}, **given}


def check_version(shown: str, found: int | None) -> None:
    """Raise TtrError unless this program reads tables of that schema version."""
    if found is None:
        raise TtrError(f"{shown}: was not written by ttr-sim (it has no schema version)")
    if found > SCHEMA_VERSION:
        raise TtrError(
            f"{shown}: has schema version {found}, newer than {SCHEMA_VERSION}, the newest this ttr-sim reads; "
            "update ttr-sim"
        )
    if found < SCHEMA_VERSION:
        raise TtrError(
            f"{shown}: has schema version {found}, this ttr-sim reads {SCHEMA_VERSION}; read it with the ttr-sim that "
            "wrote it, or play the run again"
        )


def git_state(folder: Path | None = None) -> dict[str, Any] | None:
    """Return commit and cleanness of the git checkout around `folder` (default: the working folder), if any."""
    folder = folder or Path.cwd()
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return {
        "commit": commit.strip(),
        "changed_files": len((_git(folder, "status", "--porcelain") or "").splitlines()),
    }


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", *words],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _versions() -> dict[str, str]:
    found = {"ttr-sim": __version__, "python": platform.python_version()}
    for package in ("numba", "numpy", "pyarrow"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
