"""The shape that the configuration in run.json must have, so that nothing that reads it trips over a damaged one."""

from collections.abc import Mapping
from typing import Any

from ttr_sim.errors import TtrError

# A type; a mapping with these keys, ? before those that may be missing or null (more are allowed); or a list, all of whose
# items look like the one given.
_CONFIG: dict[str, Any] = {
    "seed": int,
    "bots": [
        {"label": str, "spec": str, "file": str, "name": str, "parameters": dict, "sha256": str},
    ],
    "settings": [
        {
            "board": str,
            "board_folder": str,
            "board_sha256": str,
            "rules": str,
            "rules_board": str,
            "rules_sha256": str,
            "rules_options": dict,
        }
    ],
    "matches": [{"setting": int, "bots": [int]}],
    "limits": dict,
}
# What a run.json may have beside; null is as good as missing.
MORE: dict[str, Any] = {
    "asked": {"?until_error": float, "?format": str},
    "shard": {"number": int, "of": int, "first_game": int, "of_games": int},
    "merged": [{"seed": int}],
    "stopped": dict,
}
_WORDS = {int: "a whole number", float: "a number", str: "a text", dict: "a table"}


def check_config(config: Mapping[str, Any], where: str) -> None:
    """Raise TtrError that names the first thing missing or wrong in a run's configuration; `where` names the file."""
    front = f"{where}: is damaged: "
    _check(config, _CONFIG, front + "config")
    labels = [bot["label"] for bot in config["bots"]]
    if len(set(labels)) < len(labels):
        raise TtrError(f"{front}config.bots: two bots have the same label")
    for number, match in enumerate(config["matches"]):
        inside = 0 <= match["setting"] < len(config["settings"])
        if not inside or not all(0 <= bot < len(labels) for bot in match["bots"]) or not match["bots"]:
            raise TtrError(f"{front}config.matches[{number}]: names bots or settings that there are not")


def check_more(info: Mapping[str, Any], where: str) -> None:
    """Raise TtrError that names the first thing wrong in what a run.json has beside the configuration."""
    for key, shape in MORE.items():
        if info.get(key) is not None:
            _check(info[key], shape, f"{where}: is damaged: {key}")
    shard = info.get("shard")
    if shard is not None and not 0 <= shard["first_game"] <= shard["of_games"] - info["games"]:
        raise TtrError(f"{where}: is damaged: shard: its games are not among those of the run")


def _check(value: Any, shape: Any, name: str) -> None:
    if isinstance(shape, dict):
        _is_a(value, dict, name)
        for name_of, inner in shape.items():
            key = name_of.removeprefix("?")
            if value.get(key) is None and key != name_of:
                continue
            if key not in value:
                raise TtrError(f"{name}.{key} is missing")
            _check(value[key], inner, f"{name}.{key}")
    elif isinstance(shape, list):
        if not isinstance(value, list) or not value:
            raise TtrError(f"{name} must be a list that is not empty")
        for index, item in enumerate(value):
            _check(item, shape[0], f"{name}[{index}]")
    else:
        _is_a(value, shape, name)


def _is_a(value: Any, kind: type, name: str) -> None:
    allowed = (int, float) if kind is float else kind
    if not isinstance(value, allowed) or isinstance(value, bool):
        raise TtrError(f"{name} must be {_WORDS[kind]}")
