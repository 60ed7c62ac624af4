"""Every command and snippet of the README, executed in order in an empty folder.

The two commands that install (`pip install ...`) are executed word for word by `.ci/run`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(r"^pip install \S+ && ")


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(README.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme")


def test_the_readme_has_two_commands_that_install() -> None:
    commands = [line for kind, text in blocks() if kind == "sh" for line in text.splitlines()]
    assert len([line for line in commands if INSTALL.match(line)]) == 2


def test_everything_in_it_runs(folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for kind, text in blocks():
        if kind == "python" and (name := re.match(r"# (\w+\.py)\n", text)):
            (folder / name[1]).write_text(text, encoding="utf-8")
        elif kind == "python":
            run([sys.executable, "-c", text], folder, environment)
        else:
            for line in text.splitlines():
                command = INSTALL.sub("", line)
                if command.startswith("ttr-sim view"):
                    serve(command, folder, environment)
                elif not command.startswith("python -m pytest"):  # this very suite
                    run(["bash", "-euo", "pipefail", "-c", command], folder, environment)


def test_the_workflow_runs(tmp_path: Path) -> None:
    """The commands of the workflow, as a pull request that changes a comment of the README's bot."""
    text = README.read_text(encoding="utf-8")
    (workflow,) = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^ +(?:- )?run: (.+)$", workflow, re.MULTILINE)
    assert commands[0] == "pip install ." and len(commands) == 5
    (bot,) = (text for kind, text in blocks() if kind == "python" and text.startswith("# my_bot.py\n"))
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "my_bot.py").write_text(bot, encoding="utf-8")
    who = "-c user.name=a -c user.email=a@b.c"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "page.md"),
    }
    for command in (
        f"git init -q -b main && git add . && git {who} commit -qm bot && git remote add origin .",
        "git fetch -q origin && git checkout -qb change && echo '# changed' >> my_bot.py",
        f"git {who} commit -qam change",
        *commands[1:],
    ):
        run(["bash", "-euo", "pipefail", "-c", command], checkout, environment)
    assert (
        (tmp_path / "page.md").read_text(encoding="utf-8").startswith("### accepted: my_bot.py v ../before/")
    )


def serve(command: str, folder: Path, environment: dict[str, str]) -> None:
    """Run a command that serves a page until Ctrl-C."""
    words = command.partition(" #")[0].split()
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("http://127.0.0.1:")
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()


def run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    nobody = subprocess.DEVNULL
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=nobody, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
