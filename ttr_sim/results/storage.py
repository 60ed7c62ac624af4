"""Where runs lie: a folder of this machine, or a place that fsspec knows, such as s3://bucket/run or memory://run.

A place elsewhere is a `UPath`, which behaves like a Path. What differs from a folder of this machine: a file is made
here and put there in one piece. Object stores show a put whole or not at all; other systems may show it half written.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ttr_sim.errors import RunFailed, TtrError

if TYPE_CHECKING:
    import polars as pl


# They have no folders; asked for one, they would make a bucket of a mistyped name.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "r2"}


def place(name: str | Path) -> Path:
    """Return the path of a folder or file that the user named, here or elsewhere.

    Raises TtrError: what reaches such a place is not installed, or nothing knows it.
    """
    if not isinstance(name, str):
        return name
    if "://" not in name:
        return Path(name)
    if name.startswith("file://"):
        return Path(name.removeprefix("file://"))
    try:
        from upath import UPath
    except ImportError:
        raise TtrError(f"{name}: a place elsewhere needs fsspec: pip install 'ttr-sim[cloud]'") from None
    try:
        path = UPath(name)
        path.fs.invalidate_cache()  # others may have written there since we looked
        path.exists()  # so that whatever is wrong shows here
    except Exception as error:
        raise TtrError(f"{name}: cannot be reached: {_line(error)}") from None
    return cast(Path, path)


def is_here(path: Path) -> bool:
    """Tell whether a path is one of this machine."""
    return isinstance(path, Path)


def put(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Write a file elsewhere in one piece; content: its bytes, or what writes them. Raises RunFailed."""
    if not isinstance(content, bytes):
        made = BytesIO()
        content(made)
        content = made.getvalue()
    there: Any = path
    try:
        if there.protocol not in _OBJECT_STORES:
            there.fs.makedirs(there.parent.path, exist_ok=True)
        there.fs.pipe_file(there.path, content)
    except Exception as error:  # each store has errors of its own
        raise RunFailed(f"{path}: cannot be written: {_line(error)}") from error


@contextlib.contextmanager
def readable(path: Path) -> Iterator[Any]:
    """Yield what Arrow reads a file from: its path, or an open file that fetches what is asked for."""
    if is_here(path):
        yield path
        return
    try:
        file = path.open("rb")
    except Exception as error:
        raise TtrError(f"{path}: cannot be read: {_line(error)}") from None
    with file:
        yield file


def scan(files: list[Path]) -> "pl.LazyFrame":
    """Return Parquet files of one schema as one lazy frame."""
    import polars as pl

    if is_here(files[0]):
        return pl.scan_parquet(files)
    import pyarrow.dataset

    there: Any = files
    paths = [file.path for file in there]
    dataset = pyarrow.dataset.dataset(paths, format="parquet", filesystem=there[0].fs)
    return pl.scan_pyarrow_dataset(dataset)


@contextlib.contextmanager
def written_here(path: Path) -> Iterator[Path]:
    """Yield a path of this machine for a file to append to; a file elsewhere is fetched and put back at the end."""
    if is_here(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="ttr-sim-") as folder:
        here = Path(folder) / path.name
        if path.is_file():
            here.write_bytes(path.read_bytes())
        try:
            yield here
        finally:
            put(path, here.read_bytes())


def _line(error: Exception) -> str:
    text = str(error).strip() or "no reason given"
    return f"{type(error).__name__}: {text.splitlines()[0]}"
