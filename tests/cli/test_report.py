"""`ttr-sim report` on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.results.made import sign
from ttr_sim.cli.main import main


def test_a_page(
    small_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(small_run)]) == 0
    assert capsys.readouterr().out == "report: report.html\n"
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_markdown(small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(small_run), "--format", "md"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("## Balance report") and "### The seats" in text and "| random |" in text
    assert main(["report", str(small_run), "--format", "md", "--out", str(tmp_path / "r.md")]) == 0
    assert (tmp_path / "r.md").read_text() == text


def test_tables(small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(small_run), "--format", "csv", str(tmp_path / "a")]) == 0
    assert main(["report", str(small_run), "--format", "csv", "--out", str(tmp_path / "b")]) == 0
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert "tracks.csv" in names and names == sorted(path.name for path in (tmp_path / "b").iterdir())
    assert f"{len(names)} tables" in capsys.readouterr().out
    assert main(["report", str(small_run), "--format", "csv"]) == 2
    assert "name the folder to write to" in capsys.readouterr().err


def test_json(small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.md"
    assert main(["report", str(small_run), "--json", "--format", "md", "--out", str(out)]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["schema_version"] == 1
    assert {table["section"] for table in content["tables"]} == {
        "field",
        "seats",
        "board",
        "tickets",
        "tempo",
    }
    assert out.is_file()


def test_a_run_counts_once(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(small_run), str(small_run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facts"]["games"].startswith("20 in 10 blocks")


def error(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["report", *args]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    return captured.err


def test_what_cannot_be_written_is_said_at_once(
    small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(small_run)
    assert "is a folder" in error(capsys, run, "--out", str(tmp_path))
    assert "there is no folder" in error(capsys, run, "--out", str(tmp_path / "no" / "page.html"))
    (tmp_path / "file").touch()
    assert "is not a folder" in error(capsys, run, "--format", "csv", "--out", str(tmp_path / "file"))
    assert "no such run folder" in error(capsys, str(tmp_path / "nowhere"))


@pytest.mark.parametrize("table", ["games", "seats", "timing"])
def test_damaged_files_are_named(
    table: str, small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(small_run, broken)
    file = broken / table / "part-00000.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    message = error(capsys, str(broken), "--out", str(tmp_path / "page.html"))
    assert f"{table}/part-00000.parquet" in message and "damaged" in message


def test_a_log_that_does_not_fit_is_named(
    small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    broken = tmp_path / "broken"
    shutil.copytree(small_run, broken)
    file = broken / "games" / "part-00000.parquet"
    rows = pq.read_table(file)
    finished = rows.column("end").to_pylist().index("final_round")
    logs = rows.column("actions").to_pylist()
    logs[finished] = logs[finished][:-3]
    place = rows.schema.get_field_index("actions")
    actions = pa.array(logs, rows.schema.field("actions").type)
    pq.write_table(rows.set_column(place, rows.schema.field("actions"), actions), file)
    sign(broken)
    message = error(capsys, str(broken), "--out", str(tmp_path / "page.html"))
    assert f"game {finished}" in message and "ttr-sim verify" in message
