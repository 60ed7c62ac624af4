"""The help of every command has an example that can be typed as it stands."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ttr_sim.cli.main import commands, main

ROOT = Path(__file__).parents[2]


def walk(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            assert below is not None
            yield from walk(below, (*path, name))


ALL = dict(walk(commands))


def test_all_commands_are_walked() -> None:
    assert {("run",), ("merge",), ("bots", "show"), ("rules", "diff")} <= set(ALL)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_an_example_that_parses(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*path, "--help"]) == 0
    text = capsys.readouterr().out
    example = ALL[path].epilog or ""
    assert example.startswith("Example: ttr-sim ")
    assert example in " ".join(text.split())
    words = shlex.split(example.removeprefix("Example: ttr-sim ").split(">")[0])
    if path:
        assert tuple(words[: len(path)]) == path
    for length in range(1, len(words) + 1):
        if tuple(words[:length]) not in ALL:
            break
        command = ALL[tuple(words[:length])]
        rest = words[length:]
    assert command.make_context("x", rest)  # refuses options and values that there are not


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    for param in ALL[path].params:
        if isinstance(param, click.Option):
            assert param.help, f"{' '.join(path)} {param.opts}"
    assert ALL[path].help


def test_help_is_light() -> None:
    code = (
        "import sys, ttr_sim.cli.main as m; m.main(['--help']); "
        "print(len({'numba', 'numpy', 'polars'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split()[-1] == "0"


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "ttr_sim"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("ttr-sim")
    unknown = subprocess.run([*command, "rnu"], capture_output=True, text=True, check=False)
    assert unknown.returncode == 2 and "run" in unknown.stderr
