"""A whole tournament in one TOML file: bots, boards, presets and everything else that `ttr-sim run` can be asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any

from ttr_sim import files, paths
from ttr_sim.errors import TtrError, unknown
from ttr_sim.rules import MAX_PLAYERS, MIN_PLAYERS
from ttr_sim.tournament.ask import Entry, Field, ask_bots, ask_settings, change_rules
from ttr_sim.tournament.limits import NO_LIMITS, Limits, read_limits
from ttr_sim.tournament.plan import MAX_GAMES, Plan, Setting
from ttr_sim.tournament.run import PART_GAMES
from ttr_sim.tournament.schedule import FORMATS
from ttr_sim.tournament.seeds import MAX_SEED

_BOT_KEYS = ("bot", "label", "parameters")


@dataclass(frozen=True, slots=True)
class Tournament:
    """What a tournament is asked to be; without a file, nothing is asked for.

    source: what messages call it. name: what the run is named after. values: those of `games`, `players`, `format`,
    `seed`, `until_error` and `explain` that are given.
    """

    source: str = "--bots"
    name: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = NO_LIMITS
    entries: Sequence[Entry] = ()
    boards: Sequence[str] = ()
    rules: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    part_games: int = PART_GAMES

    @property
    def engine(self) -> str | None:
        """The program that played it, if that was another one than this."""
        return None

    def field(self) -> Field:
        """Return its bots. Raises TtrError."""
        if not self.entries:
            raise TtrError("--bots must name the bots, for example --bots greedy,random")
        bots = []
        for index, entry in enumerate(self.entries):
            with _named(f"{self.source}: bots[{index}]"):
                bots += ask_bots([entry.spec])
        return Field(tuple(bots), tuple(entry.label for entry in self.entries))

    def settings(
        self,
        boards: Sequence[str] = (),
        rules: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> list[Setting]:
        """Return what it is played on; boards or rules given here take the place of its own, options go over its own.

        Raises TtrError.
        """
        if boards or rules or not (self.boards or self.rules):
            found = ask_settings(boards, rules)
        else:
            with _named(self.source):
                found = ask_settings(self.boards, self.rules)
        with _named(f"{self.source}: options"):
            change_rules(found, self.options)
        return change_rules(found, {**_dotted(self.options), **(options or {})})

    def exact(self, games: int, seed: int) -> Plan | None:
        """Return the plan of so many games if everything else of it is known already."""
        return None


@contextmanager
def _named(where: str) -> Iterator[None]:
    """Put in front of an error what it is in."""
    try:
        yield
    except TtrError as error:
        raise TtrError(f"{where}: {error}") from None


def read_tournament(file: Path) -> Tournament:
    """Read a tournament file; paths in it are relative to its folder. Raises TtrError that names file and key."""
    where = f"{paths.shown(file)}: "
    data = files.read_toml(file)
    for key in data:
        if key not in _KEYS:
            raise unknown("key", key, _KEYS, where)
    given = {key: _KEYS[key](value, f"{where}{key}") for key, value in data.items()}
    near = _Near(file.parent)
    return Tournament(
        source=paths.shown(file),
        name=file.stem,
        values={key: given[key] for key in _VALUES if key in given},
        limits=given.get("limits", NO_LIMITS),
        entries=[near.entry(entry) for entry in given.get("bots", ())],
        boards=[near.path(board, paths.BOARD) for board in given.get("board", ())],
        rules=[near.path(rules, paths.RULES) for rules in given.get("rules", ())],
        options=given.get("options", {}),
    )


def _dotted(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of rules with those inside a table named as on the command line."""
    flat: dict[str, Any] = {}
    for key, value in options.items():
        flat.update(
            {f"{key}.{part}": v for part, v in value.items()} if isinstance(value, dict) else {key: value}
        )
    return flat


class _Near:
    """Makes paths that are relative to a folder relative to the working folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, text: str, kind: paths.Kind) -> str:
        return str(self._folder / Path(text).expanduser()) if paths.is_path(text, kind) else text

    def entry(self, entry: Entry) -> Entry:
        source, sign, rest = entry.spec.partition(":")
        return Entry(self.path(source, paths.BOT) + sign + rest, entry.label)


def _whole(low: int, high: int) -> Callable[[Any, str], int]:
    def read(value: Any, where: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise TtrError(f"{where} must be a whole number from {low} to {high}, not {value!r}")
        return value

    return read


def _format(value: Any, where: str) -> str:
    if value not in FORMATS:
        raise TtrError(f"{where} must be one of {', '.join(FORMATS)}, not {value!r}")
    return str(value)


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < inf:
        raise TtrError(f"{where} must be a number above 0, not {value!r}")
    return float(value)


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise TtrError(f"{where} must be true or false, not {value!r}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or not files.is_one_line(value):
        raise TtrError(f"{where} must be one line of text, not {value!r}")
    return value


def _texts(value: Any, where: str) -> list[str]:
    if isinstance(value, list) and value:
        return [_text(item, f"{where}[{index}]") for index, item in enumerate(value)]
    return [_text(value, where)]


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TtrError(f"{where} must be a table, not {value!r}")
    return value


def _limits(value: Any, where: str) -> Limits:
    names = [limit.name for limit in fields(Limits)]
    for name in _table(value, where):
        if name not in names:
            raise unknown("key", name, names, f"{where}: ")
    return read_limits(value, lambda name: f"{where}.{name}")


def _entries(value: Any, where: str) -> list[Entry]:
    if not isinstance(value, list) or not value:
        raise TtrError(f"{where} must be a list of bots, not {value!r}")
    labels = [item["label"] for item in value if isinstance(item, dict) and "label" in item]
    for label in labels:
        if labels.count(label) > 1:
            raise TtrError(f"{where}: the label {label!r} is given twice, labels must differ")
    return [_entry(item, f"{where}[{index}]") for index, item in enumerate(value)]


def _entry(value: Any, where: str) -> Entry:
    if isinstance(value, str):
        spec = _text(value, where).strip()
        return Entry(spec, spec)
    for key in _table(value, where):
        if key not in _BOT_KEYS:
            raise unknown("key", key, _BOT_KEYS, f"{where}: ")
    if "bot" not in value:
        raise TtrError(f"{where}.bot is missing, must be the name or file of a bot")
    parts = [_text(value["bot"], f"{where}.bot").strip()]
    for name, given in _table(value.get("parameters", {}), f"{where}.parameters").items():
        parts.append(f"{name}={_parameter(given, f'{where}.parameters.{name}')}")
    spec = ":".join(parts)
    return Entry(spec, _text(value.get("label", spec), f"{where}.label").strip())


def _parameter(value: Any, where: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, (int, float, str)) or ":" in str(value):
        raise TtrError(f"{where} must be a number, true, false or a text without a colon, not {value!r}")
    return str(value)


_VALUES: dict[str, Callable[[Any, str], Any]] = {
    "games": _whole(1, MAX_GAMES),
    "players": _whole(MIN_PLAYERS, MAX_PLAYERS),
    "format": _format,
    "seed": _whole(0, MAX_SEED),
    "until_error": _number,
    "explain": _flag,
}
_KEYS: dict[str, Callable[[Any, str], Any]] = {
    **_VALUES,
    "about": _text,
    "bots": _entries,
    "board": _texts,
    "rules": _texts,
    "options": _table,
    "limits": _limits,
}
