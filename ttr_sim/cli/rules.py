"""`ttr-sim rules`: list the presets, show one, compare two."""

import json
import textwrap
from pathlib import Path
from typing import Any

import click

from ttr_sim import paths
from ttr_sim.cli.output import json_option, print_json, print_table, refuse_early_json
from ttr_sim.errors import TtrError
from ttr_sim.rules import OPTIONS, Option, Range, Rules, as_text, load_rules


@click.group(invoke_without_command=True, epilog="Example: ttr-sim rules --json")
@json_option
@click.pass_context
def rules(ctx: click.Context, as_json: bool) -> None:
    """List the rules presets: those of ./configs/rules, then the shipped ones."""
    refuse_early_json(ctx, as_json)
    if ctx.invoked_subcommand:
        return
    found = [(name, path, _try_load(path)) for name, path in paths.available(paths.RULES).items()]
    if as_json:
        listed = [
            {"name": name, "path": str(path), "error": loaded}
            if isinstance(loaded, str)
            else {"name": name, "path": str(path), **_about(loaded)}
            for name, path, loaded in found
        ]
        print_json({"rules": listed})
        return
    rows = [
        (name, "", "", f"broken: {loaded}")
        if isinstance(loaded, str)
        else (name, loaded.board, "{} to {}".format(*loaded.players), loaded.about)
        for name, _, loaded in found
    ]
    print_table(("rules", "board", "players", "what it is"), rows)


@rules.command(epilog="Example: ttr-sim rules show europe > my-rules.toml")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Show a preset (a name or a TOML file): every option, its value and its meaning.

    The text is a complete preset in TOML: a file to start your own from.
    """
    preset = load_rules(name)
    if as_json:
        options = preset.options()
        listed = [
            {
                "option": option.name,
                "value": _value(options, option.name),
                "allowed": str(option.allowed) if isinstance(option.allowed, Range) else option.allowed,
                "meaning": option.meaning,
            }
            for option in OPTIONS.values()
        ]
        print_json({"name": preset.name, **_about(preset), "sha256": preset.sha256, "options": listed})
        return
    click.echo(f"about = {json.dumps(preset.about, ensure_ascii=False)}")
    click.echo(f"board = {json.dumps(preset.board, ensure_ascii=False)}")
    for option in OPTIONS.values():
        click.echo(f"\n{_comment(option)}")
        click.echo(f"{option.name} = {_toml(_value(preset.options(), option.name))}")


@rules.command(epilog="Example: ttr-sim rules diff europe europe-zh")
@click.argument("a")
@click.argument("b")
@json_option
def diff(a: str, b: str, as_json: bool) -> None:
    """Show the options on which two presets (names or TOML files) differ."""
    first, second = load_rules(a), load_rules(b)
    values = [(name, _value(first.options(), name), _value(second.options(), name)) for name in OPTIONS]
    differing = [row for row in values if row[1] != row[2]]
    if as_json:
        rows = [{"option": name, "a": one, "b": other} for name, one, other in differing]
        print_json({"a": first.name, "b": second.name, "differences": rows})
    elif differing:
        texts = [(name, as_text(one), as_text(other)) for name, one, other in differing]
        print_table(("option", first.name, second.name), texts)
    else:
        click.echo(f"{first.name} and {second.name} have the same value for every option")


def _try_load(path: Path) -> Rules | str:
    try:
        return load_rules(path)
    except TtrError as error:
        return str(error)


def _about(preset: Rules) -> dict[str, Any]:
    return {"board": preset.board, "players": list(preset.players), "about": preset.about}


def _value(options: dict[str, Any], name: str) -> Any:
    table, _, part = name.partition(".")
    return options[table][part] if part else options[table]


def _comment(option: Option) -> str:
    """Return the meaning and what is allowed as comment lines."""
    allowed = option.allowed if isinstance(option.allowed, Range) else ", ".join(option.allowed or ())
    text = f"{option.meaning} Allowed: {allowed}." if allowed else option.meaning
    return textwrap.fill(text, 100, initial_indent="# ", subsequent_indent="# ")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {part}" for key, part in value.items()) + " }"
    return json.dumps(value)
