"""Reading UTF-8 text, TOML and CSV files; a mistake in them is a TtrError of one line that says where."""

import csv
import io
import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import TtrError, unknown


def is_one_line(text: str) -> bool:
    """Tell whether a text has no control characters and no line ends, so that it can be shown anywhere."""
    return not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file (a byte order mark is skipped)."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise TtrError(f"{paths.shown(path)}: file is missing") from None
    except OSError as error:
        raise TtrError(f"{paths.shown(path)}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        row = error.object.count(b"\n", 0, error.start) + 1
        raise TtrError(f"{paths.shown(path)}, row {row}: is not UTF-8 text; save it as UTF-8") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise TtrError(f"{paths.shown(path)}: not valid TOML: {error}") from None


class Row:
    """One row of a CSV file; its readers raise an error that names file, row (line in the file), column."""

    def __init__(self, path: Path, line: int, cells: dict[str, str]) -> None:
        self.path = path
        self.line = line
        self.cells = cells

    def where(self, column: str) -> str:
        """Return the front of an error message about this column."""
        return f"{paths.shown(self.path)}, row {self.line}, column {column}: "

    def error(self, column: str, problem: str) -> TtrError:
        """Return the error for this column."""
        return TtrError(self.where(column) + problem)

    def slug(self, column: str) -> str:
        """Return an id: lowercase ASCII letters, digits, _ and -."""
        text = self.cells[column]
        if not re.fullmatch("[a-z0-9_-]+", text):
            raise self.error(column, f"must be made of a-z, 0-9, _ and -, not {text!r}")
        return text

    def new_id(self, taken: Collection[str]) -> str:
        """Return the id of this row, which no other row may have."""
        text = self.slug("id")
        if text in taken:
            raise self.error("id", f"{text!r} is already the id of another row; ids must differ")
        return text

    def text(self, column: str) -> str:
        """Return a text: any characters but control characters, at least one."""
        text = self.cells[column]
        if not text or not is_one_line(text):
            raise self.error(column, f"must be one line of text without control characters, not {text!r}")
        return text

    def whole(self, column: str, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        text = self.cells[column]
        if not re.fullmatch("-?[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise self.error(column, f"must be a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def number(self, column: str) -> float:
        """Return a decimal number."""
        text = self.cells[column]
        if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", text):
            raise self.error(column, f"must be a number such as 120 or 120.5, not {text!r}")
        return float(text)

    def choice(self, column: str, allowed: Sequence[str]) -> str:
        """Return one of the allowed words."""
        text = self.cells[column]
        if text not in allowed:
            raise self.error(column, f"must be one of {', '.join(allowed)}, not {text!r}")
        return text


def read_rows(path: Path, columns: Sequence[str], limit: int) -> Iterator[Row]:
    """Yield the rows of a CSV file; columns may stand in any order, blank rows are skipped."""
    shown = paths.shown(path)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    line, count = 0, 0
    header: list[str] = []
    try:
        for cells in reader:
            line, start = reader.line_num, line + 1
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if not header:
                header = cells
                _check_header(shown, start, header, columns)
                continue
            if len(cells) != len(header):
                raise TtrError(f"{shown}, row {start}: has {len(cells)} values, must have {len(header)}")
            count += 1
            if count > limit:
                raise TtrError(f"{shown}, row {start}: more than {limit} rows, the most the engine holds")
            yield Row(path, start, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise TtrError(f"{shown}, row {line + 1}: not valid CSV: {error}") from None
    if not header:
        raise TtrError(f"{shown}: is empty, must begin with the header {','.join(columns)}")


def _check_header(shown: str, line: int, header: list[str], columns: Sequence[str]) -> None:
    for column in header:
        if column not in columns:
            raise unknown("column", column, columns, f"{shown}, row {line}: ")
        if header.count(column) > 1:
            raise TtrError(f"{shown}, row {line}: column {column} stands there twice, must be once")
    for column in columns:
        if column not in header:
            raise TtrError(f"{shown}, row {line}: column {column} is missing, must be {','.join(columns)}")
