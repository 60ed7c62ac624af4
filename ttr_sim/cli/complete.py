"""What the shell offers on the Tab key: bots with their parameters, boards, rules and their options, tournaments.

It runs for every Tab, so it imports late, and whatever goes wrong it offers nothing rather than an error.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ttr_sim import paths

Suggest = Callable[[str], Iterator[CompletionItem]]


def suggest_bot(text: str) -> Iterator[CompletionItem]:
    """Suggest how a bot spec goes on: its name or file, then the parameters it has, then their values."""
    source, colon, rest = text.partition(":")
    if not colon:
        yield from _names(paths.BOT, text)
        return
    given, _, last = f":{rest}".rpartition(":")
    front = f"{source}{given}:"
    file = paths.find(paths.BOT, source)
    name, params = _parameters(file, given.strip(":").split(":")[0])
    if not given and name is None:
        yield from (CompletionItem(front + bot) for bot in params if bot.startswith(last))
        return
    key, equals, value = last.partition("=")
    if equals and key in params:
        values = _values(params[key])
        yield from (CompletionItem(f"{front}{key}={v}") for v in values if v.startswith(value))
        return
    taken = {part.partition("=")[0] for part in given.split(":")}
    for other, param in params.items():
        if other.startswith(last) and other not in taken:
            yield CompletionItem(f"{front}{other}=", help=param.about or param.kind)


def suggest_board(text: str) -> Iterator[CompletionItem]:
    """Suggest boards."""
    yield from _names(paths.BOARD, text)


def suggest_rules(text: str) -> Iterator[CompletionItem]:
    """Suggest rules presets."""
    yield from _names(paths.RULES, text)


def suggest_tournament(text: str) -> Iterator[CompletionItem]:
    """Suggest tournaments."""
    yield from _names(paths.TOURNAMENT, text)


def suggest_option(text: str) -> Iterator[CompletionItem]:
    """Suggest options of the rules, then the words they allow."""
    from ttr_sim.rules import OPTIONS

    key, equals, value = text.partition("=")
    for name, option in OPTIONS.items():
        if equals and name == key and isinstance(option.allowed, tuple):
            yield from (CompletionItem(f"{key}={word}") for word in option.allowed if word.startswith(value))
        elif not equals and name.startswith(text):
            yield CompletionItem(f"{name}=", help=option.meaning)


def several(suggest: Suggest) -> Suggest:
    """Return suggestions for the last of several things with commas between."""

    def suggest_last(text: str) -> Iterator[CompletionItem]:
        front, comma, last = text.rpartition(",")
        for item in suggest(last):
            yield CompletionItem(f"{front}{comma}{item.value}", help=item.help)

    return suggest_last


# By the name of the parameter, and for names that say little by the command too.
SUGGESTIONS: dict[str, Suggest] = {
    "bots": several(suggest_bot),
    "opponents": several(suggest_bot),
    "against": several(suggest_bot),
    "candidate": suggest_bot,
    "baseline": suggest_bot,
    "spec": suggest_bot,
    "board": several(suggest_board),
    "rules": several(suggest_rules),
    "rules_name": suggest_rules,
    "options": suggest_option,
    "config": suggest_tournament,
    "bots show name": suggest_bot,
    "boards show name": suggest_board,
    "boards check folder": suggest_board,
    "rules show name": suggest_rules,
    "rules diff a": suggest_rules,
    "rules diff b": suggest_rules,
}


def attach(command: click.Command, path: str) -> None:
    """Let the parameters of a command, and of those below it, suggest values."""
    for param in command.params:
        suggest = SUGGESTIONS.get(f"{path} {param.name}") or SUGGESTIONS.get(param.name or "")
        if suggest:
            param._custom_shell_complete = _guarded(suggest)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            attach(below, f"{path} {name}")


def _guarded(suggest: Suggest) -> Any:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found: list[CompletionItem] = []
        with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
            found.extend(suggest(incomplete))
        return found

    return complete


def _names(kind: paths.Kind, text: str) -> Iterator[CompletionItem]:
    """Suggest the names of a kind, and the folders and files of that kind on the way that was begun."""
    for name in paths.available(kind):
        if name.startswith(text):
            yield CompletionItem(name)
    folder, slash, begun = text.rpartition("/")
    for path in sorted(Path(folder + slash or ".").expanduser().iterdir()):
        hidden = path.name.startswith((".", "_")) and not begun
        if path.name.startswith(begun) and not hidden:
            if path.is_dir():
                yield CompletionItem(f"{folder}{slash}{path.name}/")
            elif kind.suffix and path.suffix == kind.suffix:
                yield CompletionItem(f"{folder}{slash}{path.name}")


def _parameters(file: Path, name: str) -> tuple[str | None, dict[str, Any]]:
    """Return the bot that is meant and its parameters; without a name among several bots (None, those bots)."""
    from ttr_sim.bot.specs import bots_in, parameters

    bots = bots_in(file)
    if name not in bots:
        if len(bots) > 1:
            return None, dict(bots)
        name = next(iter(bots))
    return name, dict(parameters(bots[name]))


def _values(param: Any) -> list[str]:
    if isinstance(param.default, bool):
        return ["true", "false"]
    return list(param.choices) or [str(param.default)]
