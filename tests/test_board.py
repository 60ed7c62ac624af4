"""Boards: the shipped three, and every mistake a board folder can have."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from ttr_sim import board_facts
from ttr_sim.board import MAX_CITIES, MAX_TICKETS, MAX_TRACKS, Board, load_board
from ttr_sim.errors import TtrError

CITIES = "id,name,x,y\na,Abbey,0,0\nb,Bridge,10.5,0\nc,Castle,0,-3\n"
ROUTES = (
    "id,city_a,city_b,length,color,kind,locomotives,parallel\n"
    "a-b-1,a,b,3,red,normal,0,a-b\n"
    "a-b-2,a,b,2,gray,ferry,1,a-b\n"
    "b-c,b,c,2,blue,tunnel,0,\n"
)
TICKETS = "id,city_a,city_b,points,deck\na-c,a,c,4,long\na-b,a,b,2,regular\n"
TOML = 'title = "Three"\nsubstitute_tracks = ["a-b-1"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "three"
    path.mkdir()
    for name, text in (("cities", CITIES), ("routes", ROUTES), ("tickets", TICKETS)):
        (path / f"{name}.csv").write_text(text, encoding="utf-8")
    (path / "board.toml").write_text(TOML, encoding="utf-8")
    return path


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


# Cities, tracks, doubles, (normal, ferry, tunnel) tracks, symbols, spaces, long and regular tickets.
SHIPPED = {
    "europe": (47, 101, 11, (70, 13, 18), 17, 300, 6, 40),
    "nordic": (39, 81, 14, (47, 24, 10), 30, 207, 0, 46),
    "usa": (36, 100, 22, (100, 0, 0), 0, 309, 0, 30),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_boards(name: str) -> None:
    board = load_board(name)
    kinds = Counter(track.kind for track in board.tracks)
    assert SHIPPED[name] == (
        len(board.cities),
        len(board.tracks),
        sum(board.partner(t) > t for t in range(len(board.tracks))),
        (kinds["normal"], kinds["ferry"], kinds["tunnel"]),
        sum(track.locomotives for track in board.tracks),
        sum(track.length for track in board.tracks),
        sum(ticket.long for ticket in board.tickets),
        sum(not ticket.long for ticket in board.tickets),
    )
    assert board.name == name
    lengths = [track.length for track in board.tracks]
    assert lengths == sorted(lengths)
    for index in range(len(board.tracks)):
        if (other := board.partner(index)) >= 0:
            assert other != index
            assert board.partner(other) == index


def test_substitute_tracks_name_the_long_one() -> None:
    board = load_board("nordic")
    assert [board.tracks[t].id for t in board.substitute_tracks] == ["lieksa-murmansk"]
    assert load_board("usa").substitute_tracks == frozenset()


def test_small_board(folder: Path) -> None:
    board = load_board(folder)
    assert [track.id for track in board.tracks] == ["a-b-2", "b-c", "a-b-1"]  # by length, then by row
    assert [board.partner(t) for t in range(3)] == [2, -1, 0]
    assert board.substitute_tracks == {2}
    assert (board.cities[1].x, board.cities[2].y) == (10.5, -3)
    assert (board.tickets[0].long, board.tickets[1].long) == (True, False)


def test_hash_is_of_the_content(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    assert load_board(tmp_path / "copy").sha256 == load_board(folder).sha256
    change(tmp_path / "copy", "tickets.csv", "a,c,4", "a,c,5")
    assert load_board(tmp_path / "copy").sha256 != load_board(folder).sha256


def test_files_as_spreadsheets_write_them(folder: Path) -> None:
    before = load_board(folder)
    for file in ("cities.csv", "routes.csv", "tickets.csv"):
        text = (folder / file).read_text().replace("\n", "\r\n") + ",,,\r\n".rjust(8)
        text = text.rsplit("\r\n", 2)[0] + "\r\n\r\n"
        (folder / file).write_bytes(b"\xef\xbb\xbf" + text.encode())
    (folder / "cities.csv").write_text("name,id,y,x\nAbbey, a ,0,0\n\nBridge,b,0,10.5\nCastle,c,-3,0\n")
    assert load_board(folder) == before


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "مشهد", "=1+1", "a\u200cb", 'O\'Neill \\ "x"'])
def test_names_are_any_text(folder: Path, name: str) -> None:
    quoted = name.replace('"', '""')
    change(folder, "cities.csv", "Abbey", f'"{quoted}"')
    assert load_board(folder).cities[0].name == name


# file, text to replace, its replacement, what the one-line error says
MISTAKES = [
    ("cities.csv", "b,Bridge", "a,Bridge", "row 3, column id: 'a' is already the id of another row"),
    ("cities.csv", "b,Bridge", "B,Bridge", "row 3, column id: must be made of a-z"),
    ("cities.csv", "b,Bridge", ",Bridge", "row 3, column id: must be made of a-z"),
    ("cities.csv", "Abbey", "", "row 2, column name: must be one line of text"),
    ("cities.csv", "Abbey", '"Ab\nbey"', "row 2, column name: must be one line of text"),
    ("cities.csv", "Abbey", "Ab\x1b[2Jbey", "row 2, column name: must be one line of text"),
    ("cities.csv", "10.5", "east", "row 3, column x: must be a number such as 120 or 120.5, not 'east'"),
    ("cities.csv", "10.5", "nan", "row 3, column x: must be a number"),
    ("cities.csv", "10.5", "1e400", "row 3, column x: must be a number"),
    ("cities.csv", "id,name", "id,nam", "row 1: unknown column 'nam' (did you mean 'name'?)"),
    ("cities.csv", "id,name,x,y", "id,name,x,x", "row 1: column x stands there twice"),
    ("cities.csv", "id,name,x,y", "id,name,x", "row 1: column y is missing, must be id,name,x,y"),
    ("cities.csv", "Abbey,0", "Abbey", "row 2: has 3 values, must have 4"),
    ("cities.csv", "Abbey", '"Abbey', "row 2: not valid CSV"),
    ("cities.csv", CITIES, "", "is empty, must begin with the header id,name,x,y"),
    ("cities.csv", CITIES, "id,name,x,y\na,A,0,0\n", "has 1 cities, must have at least 2"),
    (
        "routes.csv",
        "b-c,b,c",
        "b-c,b,cc",
        "row 4, column city_b: unknown city 'cc' (did you mean 'c'?); there are: a",
    ),
    ("routes.csv", "b-c,b,c", "b-c,b,b", "row 4, column city_b: must be another city than city_a"),
    ("routes.csv", "b-c,b", "a-b-1,b", "row 4, column id: 'a-b-1' is already the id of another row"),
    (
        "routes.csv",
        "c,2,blue",
        "c,0,blue",
        "row 4, column length: must be a whole number from 1 to 9, not '0'",
    ),
    ("routes.csv", "c,2,blue", "c,10,blue", "row 4, column length: must be a whole number from 1 to 9"),
    ("routes.csv", "c,2,blue", "c,2.5,blue", "row 4, column length: must be a whole number from 1 to 9"),
    ("routes.csv", "c,2,blue", "c,two,blue", "row 4, column length: must be a whole number from 1 to 9"),
    ("routes.csv", "c,2,blue", "c,٢,blue", "row 4, column length: must be a whole number from 1 to 9"),
    ("routes.csv", "c,2,blue", "c,2,pink", "row 4, column color: must be one of purple, white"),
    (
        "routes.csv",
        "tunnel",
        "bridge",
        "row 4, column kind: must be one of normal, ferry, tunnel, not 'bridge'",
    ),
    (
        "routes.csv",
        "ferry,1",
        "ferry,0",
        "row 3, column locomotives: must be from 1 to 2 on a ferry of length 2, not 0",
    ),
    ("routes.csv", "ferry,1", "ferry,3", "row 3, column locomotives: must be from 1 to 2"),
    ("routes.csv", "ferry,1", "ferry,", "row 3, column locomotives: must be a whole number"),
    ("routes.csv", "tunnel,0", "tunnel,1", "row 4, column locomotives: must be 0 on a tunnel track"),
    (
        "routes.csv",
        "tunnel,0,",
        "tunnel,0,a-b",
        "row 4, column parallel: 'a-b' joins a and b in another row, not b and c",
    ),
    ("routes.csv", "tunnel,0,", "tunnel,0,b-c", "row 4, column parallel: 'b-c' is on this track only"),
    ("routes.csv", "ferry,1,a-b", "ferry,1,", "row 3, column parallel: must be the id on 'a-b-1' too"),
    ("routes.csv", "ferry,1,a-b", "ferry,1,x", "row 3, column parallel: must be the id on 'a-b-1' too"),
    (
        "routes.csv",
        "b-c,b,c,2,blue,tunnel,0,",
        "b-a,b,a,2,blue,tunnel,0,a-b",
        "b and a have two tracks already",
    ),
    (
        "routes.csv",
        "b-c,b,c,2,blue,tunnel,0,\n",
        "",
        "the map is not connected: no way leads from 'a' to 'c'",
    ),
    ("tickets.csv", "a-c,a,c", "a-c,a,z", "row 2, column city_b: unknown city 'z'"),
    ("tickets.csv", "a-c,a,c", "a-c,a,a", "row 2, column city_b: must be another city than city_a"),
    ("tickets.csv", "a-c,a", "a-b,a", "row 3, column id: 'a-b' is already the id of another row"),
    ("tickets.csv", "c,4", "c,0", "row 2, column points: must be a whole number from 1 to 100, not '0'"),
    ("tickets.csv", "c,4", "c,-4", "row 2, column points: must be a whole number from 1 to 100"),
    ("tickets.csv", "long", "short", "row 2, column deck: must be one of regular, long, not 'short'"),
    ("board.toml", "title", "titel", "unknown key 'titel' (did you mean 'title'?)"),
    ("board.toml", '"Three"', "3", "title must be a text, not 3"),
    ("board.toml", '"Three"', '"a\\nb"', "title must be one line"),
    ("board.toml", '"Three"', '""', "title is missing"),
    ("board.toml", '"Three"', '"Three', "not valid TOML"),
    ("board.toml", 'title = "Three"', 'title = "T"\nyear = true', "year must be a whole number, not True"),
    ("board.toml", "a-b-1", "a-b-3", "substitute_tracks: unknown track 'a-b-3' (did you mean 'a-b-2'?)"),
    ("board.toml", '"a-b-1"', "1", "substitute_tracks: unknown track '1'"),
    ("board.toml", '"a-b-1"', '["b-c"]', "substitute_tracks: unknown track"),
    ("board.toml", "a-b-1", "b-c", "substitute_tracks: 'b-c' must be a normal track, not a tunnel"),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), MISTAKES)
def test_mistakes(folder: Path, file: str, old: str, new: str, says: str) -> None:
    change(folder, file, old, new)
    message = error_of(folder)
    assert message.startswith(str(folder / file))
    assert says in message


@pytest.mark.parametrize("file", ["cities.csv", "routes.csv", "tickets.csv", "board.toml"])
def test_missing_and_unreadable_files(folder: Path, file: str) -> None:
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content + b"\n\xff\n")
    assert "is not UTF-8 text" in error_of(folder)
    assert f"row {content.count(10) + 2}" in error_of(folder)
    (folder / file).unlink()
    assert error_of(folder) == f"{folder / file}: file is missing"
    (folder / file).mkdir()
    assert "cannot be read: Is a directory" in error_of(folder)


def test_limits_of_the_engine(folder: Path) -> None:
    original = {file: (folder / file).read_text() for file in ("cities.csv", "routes.csv", "tickets.csv")}
    grow = {
        "cities.csv": (MAX_CITIES, "c{0},City,0,0\n"),
        "routes.csv": (MAX_TRACKS, "t{0},a,c,1,red,normal,0,\n"),
        "tickets.csv": (MAX_TICKETS, "t{0},a,c,1,regular\n"),
    }
    for file, (limit, row) in grow.items():
        (folder / file).write_text(original[file] + "".join(row.format(n) for n in range(limit)))
        message = error_of(folder)
        assert (
            message == f"{folder / file}, row {limit + 2}: more than {limit} rows, the most the engine holds"
        )
        (folder / file).write_text(original[file])


def test_unknown_board(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert error_of("europ").startswith(
        "unknown board 'europ' (did you mean 'europe'?); there are: europe, nordic"
    )
    assert error_of(folder / "nix") == f"no board folder '{folder / 'nix'}'"
    monkeypatch.chdir(folder.parent)
    assert load_board("three") == load_board("./three")  # a bare name that is no board but a folder


def test_boards_of_the_working_folder_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder.parent / "home"
    shutil.copytree(folder, home / "configs" / "boards" / "usa")
    monkeypatch.chdir(home)
    assert load_board("usa").title == "Three"
    assert load_board("europe").year == 2005


def error_of(board: str | Path) -> str:
    with pytest.raises(TtrError) as caught:
        load_board(board)
    message = str(caught.value)
    assert "\n" not in message
    return message


# Tickets whose points are not the spaces of their shortest path: (points, path).
ODD_TICKETS = {
    "europe": {"athina-edinburgh": (21, 20), "london-wien": (10, 9)},
    "nordic": {},
    "usa": {
        "chicago-los_angeles": (16, 15),
        "los_angeles-miami": (20, 19),
        "los_angeles-new_york": (21, 20),
        "new_york-seattle": (22, 20),
        "oklahoma_city-sault_st_marie": (9, 8),
    },
}


@pytest.mark.parametrize("name", ODD_TICKETS)
def test_ticket_paths(name: str) -> None:
    paths = board_facts.ticket_paths(load_board(name))
    assert {t.id: (t.points, path) for t, path in paths if t.points != path} == ODD_TICKETS[name]


def test_facts_of_a_small_board(folder: Path) -> None:
    board = load_board(folder)
    assert board_facts.spaces_by_color(board)["red"] == (1, 3)
    assert board_facts.degrees(board) == [(1, 2), (2, 3), (1, 1)]
    assert [(n.cities, n.tracks, n.bridge, n.tickets_cut) for n in board_facts.bottlenecks(board)] == [
        ((0, 1), 2, True, 2),
        ((1, 2), 1, True, 1),
    ]


def test_bottleneck_lengthens(folder: Path) -> None:
    change(folder, "routes.csv", "b-c,b,c", "a-c,a,c,9,gray,normal,0,\nb-c,b,c")
    found = board_facts.bottlenecks(load_board(folder))
    # Without a-b: ticket a-c 4 -> 9, a-b 2 -> 11. Without b-c: a-c 4 -> 9. Track a-c is on no shortest path.
    assert [(n.cities, n.bridge, n.tickets_longer, n.extra_spaces) for n in found] == [
        ((0, 1), False, 2, 14),
        ((1, 2), False, 1, 5),
    ]


def test_board_is_a_value(folder: Path) -> None:
    board = load_board(folder)
    assert isinstance(board, Board)
    assert len({board, load_board(folder)}) == 1
