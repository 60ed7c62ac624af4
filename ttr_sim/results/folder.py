"""A run folder: where its files lie, and files that are either old or new but never half written."""

import contextlib
import os
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ttr_sim import paths
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results import storage

INFO = "run.json"
LOG = "run.log"
CHECKSUMS = "checksums"  # of the files of each part


@dataclass(frozen=True, slots=True)
class Folder:
    """The paths of a run."""

    path: Path

    @property
    def info(self) -> Path:
        """What is needed to play the run again, and how far it is."""
        return self.path / INFO

    @property
    def log(self) -> Path:
        """What was logged."""
        return self.path / LOG

    def part(self, table: str, part: int) -> Path:
        """The file of a table with the games of a part."""
        return self.path / table / f"part-{part:05d}.parquet"

    def parts(self, table: str) -> list[Path]:
        """The files there are of a table, in order."""
        return sorted((self.path / table).glob("part-*.parquet"))

    @property
    def shown(self) -> str:
        """The path as messages show it."""
        return paths.shown(self.path)


def check_new(path: Path) -> None:
    """Raise TtrError unless a new run can be written into this folder; changes nothing."""
    shown = paths.shown(path)
    if (path / INFO).exists():
        raise TtrError(f"{shown}: holds a run already; give another --out, or --resume to go on with it")
    if path.is_dir():
        if any(path.iterdir()):
            raise TtrError(f"{shown}: is not empty; give a new or empty folder as --out")
    elif path.exists() or path.is_symlink():
        raise TtrError(f"{shown}: is not a folder; give a new or empty folder as --out")
    if not storage.is_here(path):
        return  # the first file that is written will tell
    nearest = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise TtrError(f"{shown}: cannot be written; give another folder as --out")


def unused(parent: Path, name: str) -> Path:
    """Return the folder `name` under `parent`, or `name-2`, `name-3` ... if it is taken."""
    path, count = parent / name, 1
    while path.exists():
        count += 1
        path = parent / f"{name}-{count}"
    return path


def make_folders(folder: Folder, tables: Iterable[str]) -> None:
    """Make the folder of a run and of the tables of these names. Raises RunFailed."""
    if not storage.is_here(folder.path):
        return  # they appear with their files
    try:
        for name in (*tables, CHECKSUMS):
            (folder.path / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{folder.shown}: cannot be written: {error.strerror}") from error


def write_whole(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Write a file under a temporary name beside it, make sure it is on disk, and rename it.

    Elsewhere it is put in one piece. Raises RunFailed when that fails; then nothing is left of it, and a file that was
    there is as it was.
    """
    if not storage.is_here(path):
        storage.put(path, content)
        return
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with open(temporary, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                content(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise RunFailed(f"{paths.shown(path)}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


@contextlib.contextmanager
def only_writer(folder: Folder) -> Iterator[None]:
    """Let nobody else write into a run folder meanwhile, where the system has locks; they end with the process.

    Raises TtrError when somebody does.
    """
    try:
        import fcntl

        held = os.open(folder.path, os.O_RDONLY)
    except (ImportError, OSError, TypeError):  # no locks here, or no folder of this machine
        yield
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise TtrError(f"{folder.shown}: another process is playing this run") from None
    except OSError:  # a file system without locks
        pass
    try:
        yield
    finally:
        os.close(held)


def remove_leftovers(folder: Folder) -> None:
    """Remove what was being written when a run was killed."""
    if storage.is_here(folder.path):
        for path in folder.path.rglob(".*.tmp"):
            with contextlib.suppress(OSError):
                path.unlink()


def _sync_folder(path: Path) -> None:
    if os.name == "posix":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
