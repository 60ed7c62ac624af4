"""`ttr-sim bots`: list the bots, show one; start one, check one, ask one."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim import paths
from ttr_sim.bot.about import About, read_about
from ttr_sim.cli.bots_ask import ask
from ttr_sim.cli.bots_check import check
from ttr_sim.cli.bots_new import new
from ttr_sim.cli.output import json_option, print_json, print_table, refuse_early_json
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.bot.params import Param

NO_KIND = "?"


@click.group(invoke_without_command=True, epilog="Example: ttr-sim bots --json")
@json_option
@click.pass_context
def bots(ctx: click.Context, as_json: bool) -> None:
    """List the bots: those of ./bots, then the built-in ones."""
    refuse_early_json(ctx, as_json)
    if ctx.invoked_subcommand:
        return
    found = [(name, path, _try_read(path)) for name, path in paths.available(paths.BOT).items()]
    if as_json:
        print_json({"bots": [_listed(*bot) for bot in found]})
        return
    rows = [
        (name, "", f"broken: {about}") if isinstance(about, str) else (name, _kind(about), about.title)
        for name, _, about in found
    ]
    print_table(("bot", "kind", "what it is"), rows)


@bots.command(epilog="Example: ttr-sim bots show mcts")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a bot (a name or path/file.py[:NAME]): its idea, its source, its parameters."""
    from ttr_sim.bot.specs import load_bot, parse_spec

    spec = parse_spec(name)
    params = load_bot(spec).params
    about = read_about(spec.file)
    kind = about.kinds.get(spec.name, _kind(about))
    if as_json:
        parameters = [_plain(key, param) for key, param in params.items()]
        content = {"name": name, "path": str(spec.file), "defines": spec.name, "kind": kind}
        texts = {"about": about.title, "idea": about.idea, "source": about.source}
        print_json({**content, **texts, "parameters": parameters})
        return
    click.echo(f"{name}: {about.title}")
    click.echo(f"{kind}, {spec.name} in {paths.shown(spec.file)}")
    for word, text in (("Idea", about.idea), ("Source", about.source)):
        if text:
            click.echo("\n" + textwrap.fill(f"{word}: {text}", 100))
    click.echo("\nParameters" if params else "\nNo parameters.")
    if params:
        rows = [(key, p.kind, _text(p), p.about) for key, p in params.items()]
        print_table(("name", "is", "default", "meaning"), rows, indent="  ")
        key, param = next(iter(params.items()))
        click.echo(f"\nGive them with the name: {name}:{key}={_text(param)}")


def _try_read(path: Path) -> About | str:
    try:
        return read_about(path)
    except TtrError as error:
        return str(error)


def _kind(about: About) -> str:
    return ", ".join(dict.fromkeys(about.kinds.values())) or NO_KIND


def _listed(name: str, path: Path, about: About | str) -> dict[str, Any]:
    if isinstance(about, str):
        return {"name": name, "path": str(path), "error": about}
    return {
        "name": name,
        "path": str(path),
        "kind": _kind(about),
        "about": about.title,
        "defines": list(about.kinds),
    }


def _text(param: "Param") -> str:
    """Return the default as it is written in a spec."""
    value = param.default
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(key: str, param: "Param") -> dict[str, Any]:
    return {
        "name": key,
        "type": "choice" if param.choices else type(param.default).__name__,
        "default": param.default,
        "low": param.low,
        "high": param.high,
        "choices": list(param.choices),
        "about": param.about,
    }


for command in (new, check, ask):
    bots.add_command(command)
