"""The Tab key: what click is told to offer, and what a real bash makes of it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.shell_completion import get_completion_class

from ttr_sim.cli.complete import SUGGESTIONS
from ttr_sim.cli.main import COMPLETE, commands, main


@pytest.fixture(autouse=True)
def completing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(COMPLETE, "zsh_complete")
    monkeypatch.chdir(tmp_path)


def offered(line: str) -> list[str]:
    made = get_completion_class("zsh")
    assert made is not None
    *words, begun = line.split(" ")
    return [item.value for item in made(commands, {}, "ttr-sim", COMPLETE).get_completions(words, begun)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lea", ["leaderboard"]),
        ("run --boa", ["--board"]),
        ("run --format g", ["gauntlet"]),
        ("run --bots gre", ["greedy"]),
        ("run --bots greedy,ran", ["greedy,random"]),
        ("run --bots greedy,mcts:iter", ["greedy,mcts:iterations="]),
        ("run --bots mcts:playout=r", ["mcts:playout=random"]),
        ("run --bots mcts:iterations=5:expl", ["mcts:iterations=5:exploration="]),
        ("run --bots mcts:iterations=5:iter", []),
        ("run --bots nobody:", []),
        ("run --board nor", ["nordic"]),
        ("run --board usa,nor", ["usa,nordic"]),
        ("run --rules nordic-", ["nordic-zh"]),
        ("run --option turn_l", ["turn_limit="]),
        ("run --option ferry_filler=an", ["ferry_filler=any_colors"]),
        ("run --config tables", ["tables-of-four"]),
        ("check --candidate plan", ["planner"]),
        ("tune mcts:pri", ["mcts:prior="]),
        ("boards show us", ["usa"]),
        ("boards sh", ["show"]),
        ("rules diff europe europe-z", ["europe-zh"]),
        ("bots show hun", ["hungry"]),
        ("completion f", ["fish"]),
        ("nonsense --b", []),
    ],
)
def test_suggestions(line: str, expected: list[str]) -> None:
    assert offered(line) == expected


BOTS = """
from ttr_sim.bot import Bot
print("imports are silent")

class One(Bot):
    def __init__(self, *, fast: bool = True) -> None: ...
    def choose(self, view): ...

class Two(One): ...
"""


def test_bots_in_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own").mkdir()
    Path("own/mine.py").write_text(BOTS)
    Path("own/broken.py").write_text("1 / 0")
    Path("own/.hidden.py").write_text("")
    assert offered("run --bots greedy,ow") == ["greedy,own/"]
    assert offered("run --bots own/") == ["own/broken.py", "own/mine.py"]
    assert offered("run --bots own/mine.py:") == ["own/mine.py:One", "own/mine.py:Two"]
    assert offered("run --bots own/mine.py:One:") == ["own/mine.py:One:fast="]
    assert offered("run --bots own/mine.py:One:fast=") == [
        f"own/mine.py:One:fast={v}" for v in ("true", "false")
    ]
    assert offered("run --bots own/broken.py:") == []
    assert capsys.readouterr() == ("", "")


def test_every_suggestion_belongs_to_a_parameter() -> None:
    names = set()

    def walk(command: click.Command, path: str) -> None:
        names.update(f"{path} {param.name}" for param in command.params)
        names.update(param.name for param in command.params)
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                below = command.get_command(click.Context(command), name)
                assert below is not None
                walk(below, f"{path} {name}".strip())

    walk(commands, "")
    assert set(SUGGESTIONS) <= names


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COMPLETE)
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert f"{COMPLETE}={shell}_complete" in out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=out, text=True, check=True)


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_in_a_real_fish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COMPLETE)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    ask = 'ttr-sim completion fish | source; complete -C "ttr-sim run --bots greedy,mcts:it"'
    done = subprocess.run(["fish", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("greedy,mcts:iterations=\t")


class Terminal:
    """A bash on a terminal of its own, as a user has it."""

    def __init__(self) -> None:
        environment = {**os.environ, "TERM": "dumb", "PS1": "", "INPUTRC": os.devnull}
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
        environment.pop(COMPLETE)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def read_until(self, expected: str) -> str:
        seen, until = "", time.monotonic() + 30
        while expected not in seen:
            assert time.monotonic() < until, seen
            if select.select([self.terminal], [], [], 0.2)[0]:
                seen += os.read(self.terminal, 4096).decode()
        return seen

    def end(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_in_a_real_bash() -> None:
    bash = Terminal()
    try:
        bash.type('eval "$(ttr-sim completion bash)"; echo on-$((1+1))\n')
        bash.read_until("on-2\r\n")
        for begun, completed in {
            "ttr-sim bots show plann": "ttr-sim bots show planner ",
            "ttr-sim run --bots greedy,mcts:iter": "ttr-sim run --bots greedy,mcts:iterations=",
            "ttr-sim run --bots mcts:iterations=7:playout=r": "ttr-sim run --bots mcts:iterations=7:playout=random ",
            "ttr-sim run --board nordi": "ttr-sim run --board nordic ",
        }.items():
            bash.type(f"{begun}\t")
            bash.read_until(completed)
            bash.type("\x15")  # away with the line
    finally:
        bash.end()
