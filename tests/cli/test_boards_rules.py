"""`ttr-sim boards` and `ttr-sim rules`, and the command line's frame: help, JSON, errors, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from ttr_sim.cli import main as frame
from ttr_sim.cli.main import COMMANDS, commands, main
from ttr_sim.errors import RunFailed
from ttr_sim.rules import load_rules

Out = pytest.CaptureFixture[str]


def run(capsys: Out, *args: str) -> tuple[int, str, str]:
    code = main(list(args))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def read_json(capsys: Out, *args: str) -> dict[str, Any]:
    code, out, err = run(capsys, *args, "--json")
    assert (code, err) == (0, "")
    content: dict[str, Any] = json.loads(out)
    assert content["schema_version"] == 1
    return content


def test_boards(capsys: Out) -> None:
    code, out, _ = run(capsys, "boards")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["board", "europe", "nordic", "usa"]
    names = [board["name"] for board in read_json(capsys, "boards")["boards"]]
    assert names == ["europe", "nordic", "usa"]


def test_boards_show(capsys: Out) -> None:
    code, out, _ = run(capsys, "boards", "show", "europe")
    assert code == 0
    assert "47 cities, 101 tracks (11 double routes), 300 spaces, 46 tickets (6 long)" in out
    assert "Edinburgh–London" in out
    content = read_json(capsys, "boards", "show", "nordic")
    assert [t["id"] for t in content["tracks"] if t["substitute"]] == ["lieksa-murmansk"]
    assert len(content["tickets"]) == 46


def test_boards_check(capsys: Out) -> None:
    code, out, _ = run(capsys, "boards", "check", "usa")
    assert code == 0
    assert "New York–Seattle" in out
    content = read_json(capsys, "boards", "check", "usa")
    fits = {row["name"]: row.get("players") or row["error"] for row in content["rules"]}
    assert fits["usa"] == [2, 3, 4, 5]
    assert fits["europe"] == "2 players are dealt 2 long tickets, the board has 0"


def test_boards_new(capsys: Out, tmp_path: Path) -> None:
    folder = tmp_path / "my-board"
    assert run(capsys, "boards", "new", str(folder))[0] == 0
    fits = read_json(capsys, "boards", "check", str(folder))["rules"]
    assert all(row["players"] for row in fits)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, _, err = run(capsys, "boards", "new", str(folder))
    assert (code, err) == (2, f"ttr-sim: {folder}: exists already; give a new or empty folder\n")
    assert before == {path: path.read_bytes() for path in folder.iterdir()}
    code, _, err = run(capsys, "boards", "new", str(folder / "board.toml" / "x"))
    assert (code, err.count("\n")) == (2, 1)


def test_broken_board_and_preset_in_the_lists(
    capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "configs/boards/bad").mkdir(parents=True)
    (tmp_path / "configs/rules").mkdir()
    (tmp_path / "configs/rules/bad.toml").write_text("base = 3")
    monkeypatch.chdir(tmp_path)
    assert "broken: configs/boards/bad/cities.csv: file is missing" in run(capsys, "boards")[1]
    assert "broken: configs/rules/bad.toml: base must be one line of text" in run(capsys, "rules")[1]
    errors = {row["name"]: row.get("error") for row in read_json(capsys, "rules")["rules"]}
    assert errors["bad"]
    assert not errors["usa"]


def test_rules(capsys: Out) -> None:
    code, out, _ = run(capsys, "rules")
    assert code == 0
    assert len(out.splitlines()) == 8
    assert read_json(capsys, "rules")["rules"][0]["name"] == "europe"


def test_rules_show_is_a_preset_to_start_from(capsys: Out, tmp_path: Path) -> None:
    for name in ("europe-zh", "nordic"):
        code, out, _ = run(capsys, "rules", "show", name)
        assert code == 0
        file = tmp_path / f"{name}.toml"
        file.write_text(out, encoding="utf-8")
        assert load_rules(file) == load_rules(name)
    options = read_json(capsys, "rules", "show", "usa")["options"]
    values = {option["option"]: option["value"] for option in options}
    assert (values["tickets_setup.deal"], values["players"]) == (3, [2, 5])
    assert all(option["meaning"] for option in options)


def test_rules_diff(capsys: Out) -> None:
    code, out, _ = run(capsys, "rules", "diff", "europe", "europe-zh")
    assert code == 0
    changed = [line.split()[0] for line in out.splitlines()[1:]]
    assert changed == [
        "setup_returned_tickets",
        "market_locomotives",
        "station_cost",
        "station_bonus",
        "final_round",
        "tie_breaks",
    ]
    content = read_json(capsys, "rules", "diff", "europe", "europe-zh")
    assert content["differences"][2] == {"option": "station_cost", "a": "increasing", "b": "single_card"}
    assert "the same value for every option" in run(capsys, "rules", "diff", "usa", "usa")[1]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nix"], "unknown command 'nix'; there are: "),
        (["--nix"], "No such option"),
        (["boards", "shwo"], "'shwo'"),
        (["boards", "show"], "Missing argument 'NAME'"),
        (["boards", "show", "europ"], "unknown board 'europ' (did you mean 'europe'?)"),
        (["boards", "--json", "show", "usa"], "--json must stand behind show"),
        (["boards", "check", "./nix"], "no board folder 'nix'"),
        (["rules", "show", "europe", "--nix"], "No such option"),
        (["rules", "show", "europ"], "unknown rules preset 'europ' (did you mean 'europe'?)"),
        (["rules", "diff", "europe", "nix.toml"], "no rules preset file 'nix.toml'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(capsys: Out, args: list[str], says: str) -> None:
    code, out, err = run(capsys, *args)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.parametrize(
    ("result", "code", "says"),
    [
        (RunFailed("disk full"), 3, "ttr-sim: disk full\n"),
        (KeyboardInterrupt(), 130, "stopped"),
        (ZeroDivisionError("oops"), 3, "this is a bug in ttr-sim"),
        (1, 1, ""),
        (None, 0, ""),
    ],
)
def test_exit_codes(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, result: object, code: int, says: str
) -> None:
    @click.command()
    def command() -> object:
        if isinstance(result, BaseException):
            raise result
        return result

    monkeypatch.setattr(frame.commands, "get_command", lambda ctx, name: command)
    assert main(["boards"]) == code
    assert says in capsys.readouterr().err


def all_commands() -> list[tuple[str, ...]]:
    ctx = click.Context(commands)
    paths: list[tuple[str, ...]] = [()]
    for name in COMMANDS:
        command = commands.get_command(ctx, name)
        paths.append((name,))
        if isinstance(command, click.Group):
            paths += [(name, sub) for sub in command.list_commands(ctx)]
    return paths


@pytest.mark.parametrize("path", all_commands(), ids=" ".join)
def test_every_help_has_an_example(capsys: Out, path: tuple[str, ...]) -> None:
    code, out, _ = run(capsys, *path, "--help")
    assert code == 0
    assert f"Example: {' '.join(['ttr-sim', *path])}" in out


def test_help_of_the_whole_lists_what_each_command_says(capsys: Out) -> None:
    assert run(capsys)[1] == run(capsys, "--help")[1]
    assert run(capsys, "--version")[1].startswith("ttr-sim ")


def program(*args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    code = "import sys; from ttr_sim.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, env={**os.environ, **env}, timeout=60
    )


def test_poor_terminal_and_closed_pipe() -> None:
    ended = program("boards", "show", "nordic", PYTHONIOENCODING="latin-1")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"\xc5lborg\\u2013" in ended.stdout
    read, write = os.pipe()
    os.close(read)
    code = "import sys; from ttr_sim.cli.main import main; sys.exit(main(['boards', 'show', 'nordic']))"
    closed = subprocess.run([sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, timeout=60)
    os.close(write)
    assert closed.stderr == b""
