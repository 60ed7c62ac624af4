"""Bot specs: the text that names a bot and its parameters, read, checked, and loaded from its file."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, get_type_hints

from ttr_sim import paths
from ttr_sim.bot.command import PREFIX, Command, read_command
from ttr_sim.bot.params import Param, Value
from ttr_sim.errors import TtrError, unknown

if TYPE_CHECKING:
    from ttr_sim.bot.compiled import Policy

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A checked bot spec. It travels between processes as text and paths; `load_bot` gives what plays.

    Attributes:
        label: the spec as given, which names the bot in tables.
        file: the bot's file; of an external bot the program.
        name: the class or policy in it.
        values: its parameters, defaults included.
        command: what starts an external bot; None for others.
    """

    label: str
    file: Path
    name: str
    values: tuple[tuple[str, Value], ...]
    command: Command | None = None

    @property
    def digest(self) -> str:
        """Hash of the contents of the file and of the helper modules beside it, or of the command's files (hex)."""
        if self.command:
            return self.command.digest
        from ttr_sim.bot.cache import bot_sources

        digest = hashlib.sha256()
        for file in sorted(bot_sources(self.file)):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        return digest.hexdigest()


@dataclass(frozen=True)
class LoadedBot:
    """What stands behind a spec: an interpreted class or a compiled policy, and its parameters."""

    spec: BotSpec
    made: object  # a Policy, a subclass of Bot or an External
    params: Mapping[str, Param]

    @property
    def threads(self) -> int:
        """In how many threads it thinks of a decision."""
        from ttr_sim.bot.threads import threads_of

        return threads_of(self.made, dict(self.spec.values))

    @property
    def looped(self) -> Policy | None:
        """The policy that compiled loops call; None: Python has to ask, for an object or for several threads."""
        from ttr_sim.bot.compiled import Policy

        return self.made if isinstance(self.made, Policy) and self.threads == 1 else None


def parse_spec(text: str) -> BotSpec:
    """Read `name[:param=value...]`, `path/file.py[:Name][:param=value...]` or `cmd:PROGRAM ARGUMENTS`.

    Raises:
        TtrError: unknown bot or parameter, a mistyped value, a file that does not import or has no or several bots.
    """
    if text.startswith(PREFIX):
        command = read_command(text)
        return BotSpec(text, command.program, Path(command.words[0]).name, (), command)
    source, name, assignments = _split(text)
    file = paths.find(paths.BOT, source).resolve()  # what is loaded is kept by its file, wherever one works
    bots = bots_in(file)
    if name is None:
        if len(bots) > 1:
            raise TtrError(
                f"{paths.shown(file)}: has several bots ({', '.join(bots)}); name one: {source}:NAME"
            )
        name = next(iter(bots))
    elif name not in bots:
        raise unknown("bot", name, bots, f"{paths.shown(file)}: ")
    params = parameters(bots[name])
    values = {key: param.default for key, param in params.items()}
    for key, value in assignments:
        if key not in params:
            _refuse_positional(bots[name], key, source)
            raise unknown("parameter", key, params, f"bot {source}: ")
        values[key] = params[key].read(value, f"bot {source}, parameter {key}")
    return BotSpec(text, file, name, tuple(values.items()))


def load_bot(spec: BotSpec) -> LoadedBot:
    """What stands behind a spec; classes and policies are loaded at most once per process."""
    if spec.command:
        from ttr_sim.bot.external import External

        return LoadedBot(spec, External(spec.command, spec.label), {})
    made = bots_in(spec.file)[spec.name]
    return LoadedBot(spec, made, parameters(made))


def _split(text: str) -> tuple[str, str | None, list[tuple[str, str]]]:
    source, *rest = text.split(":")
    if len(source) == 1 and rest and source.isalpha() and rest[0][:1] in ("/", "\\"):
        source, rest = f"{source}:{rest[0]}", rest[1:]  # a Windows drive
    if not source:
        raise TtrError(f"bot {text!r}: a name or a path of a .py file is missing")
    name = rest.pop(0) if rest and "=" not in rest[0] else None
    assignments = []
    for part in rest:
        key, sign, value = part.partition("=")
        if not sign or not key:
            raise TtrError(f"bot {text!r}: {part!r} is not parameter=value")
        assignments.append((key, value))
    keys = [key for key, _ in assignments]
    if len(set(keys)) < len(keys):
        raise TtrError(f"bot {text!r}: a parameter is given twice")
    return source, name, assignments


@cache
def bots_in(file: Path) -> dict[str, object]:
    """The bots a file defines, by name.

    Raises:
        TtrError: the file does not import (its own error and where), or defines no bot.
    """
    from ttr_sim.bot.api import Bot
    from ttr_sim.bot.compiled import Policy

    module = _import(file)
    found: dict[str, object] = {}
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if isinstance(thing, Policy) and thing.module == module.__name__:
            found[name] = thing
        elif inspect.isclass(thing) and issubclass(thing, Bot) and thing is not Bot and own:
            if name.startswith("_") or inspect.isabstract(thing):
                continue
            found[name] = thing
    if not found:
        raise TtrError(
            f"{paths.shown(file)}: has no bot; it needs a subclass of ttr_sim.bot.Bot or a function under @policy"
        )
    return found


def _import(file: Path) -> ModuleType:
    from ttr_sim.bot.cache import bot_cache

    file = _shipped_twin(file.resolve())
    name = module_name(file)
    if name in sys.modules:
        return sys.modules[name]
    loader = importlib.util.spec_from_file_location(name, file)
    assert loader is not None and loader.loader is not None
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))  # helper modules beside the bot
    before = set(sys.modules)
    try:
        with bot_cache(file):
            loader.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise TtrError(f"{paths.shown(file)}: does not import: {_where(error, file)}") from error
    finally:
        sys.path.remove(str(file.parent))
        for other in set(sys.modules) - before - {name}:
            # A helper of the same name beside another bot must not be taken for this one.
            if Path(getattr(sys.modules[other], "__file__", None) or "/").parent == file.parent:
                del sys.modules[other]
    return module


def module_name(file: Path) -> str:
    """Return the name under which a bot file is imported.

    Each path is a module of its own, so that two revisions of one bot can meet. The shipped ones have the same name wherever
    they are installed: compiled code knows its module.
    """
    if _shipped_twin(file) == _shipped(file):
        return f"ttr_bot_{file.stem}"
    return f"ttr_bot_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"


def _shipped_twin(file: Path) -> Path:
    """Return the shipped bot of which a file is an exact copy (compiled once then), or the file."""
    twin = _shipped(file)
    return twin if twin.is_file() and twin.read_bytes() == file.read_bytes() else file


def _shipped(file: Path) -> Path:
    return paths.shipped_root() / paths.BOT.folder / file.name


def _where(error: BaseException, file: Path) -> str:
    line = 0
    if isinstance(error, SyntaxError) and error.filename == str(file):
        line = error.lineno or 0
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(file):
            line = frame.lineno or 0
    message = " ".join(str(error).split())[:300]
    where = f"line {line}: " if line else ""
    return f"{where}{type(error).__name__}: {message}"


def _refuse_positional(bot: object, key: str, source: str) -> None:
    """Raise TtrError when a class takes this argument, but not by keyword only."""
    arguments = inspect.signature(bot.__init__).parameters if inspect.isclass(bot) else {}
    if key in arguments and arguments[key].kind in _POSITIONAL:
        raise TtrError(
            f"bot {source}: {key} is no keyword-only argument; write def __init__(self, *, {key}=...) to set it here"
        )


def parameters(bot: object) -> Mapping[str, Param]:
    """The parameters of a loaded class or policy, by name."""
    from ttr_sim.bot.compiled import Policy

    if isinstance(bot, Policy):
        return bot.params
    found = {}
    declared = _declared(bot)
    for name, argument in inspect.signature(bot.__init__).parameters.items():  # type: ignore[misc]
        if argument.kind is not argument.KEYWORD_ONLY:
            if name != "self" and argument.default is argument.empty and argument.kind in _POSITIONAL:
                raise TtrError(f"bot {bot.__name__}: make {name} a keyword-only argument with a default")  # type: ignore[attr-defined]
            continue
        if not isinstance(argument.default, (bool, int, float, str)):
            raise TtrError(
                f"bot {bot.__name__}: parameter {name} needs a default that is a number, a text, true or false"  # type: ignore[attr-defined]
            )
        found[name] = replace(declared.get(name, Param(argument.default)), default=argument.default)
    return found


def _declared(bot: object) -> dict[str, Param]:
    """The Params in annotations like `least: Annotated[int, Param(3, 1, 9, "shortest track")] = 3`."""
    try:
        hints = get_type_hints(bot.__init__, include_extras=True)  # type: ignore[misc]
    except Exception:  # an annotation may say anything
        return {}
    extras = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: extra for name, of in extras.items() for extra in of if isinstance(extra, Param)}
