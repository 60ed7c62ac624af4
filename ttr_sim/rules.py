"""The rules of play: one typed field for each option on which rulebooks differ; presets are TOML files.

An option's type in `Rules` is also its check: a range, a list of words, and what the option means.
"""

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ttr_sim import paths
from ttr_sim.board import MAX_LENGTH, Board
from ttr_sim.errors import TtrError, unknown
from ttr_sim.files import is_one_line, read_toml

# Every preset plays with the same cards: eight colours of 12 and 14 locomotives.
CARDS_PER_COLOR = 12
LOCOMOTIVES = 14
CARDS = 8 * CARDS_PER_COLOR + LOCOMOTIVES

# Limits of the engine's record.
MIN_PLAYERS, MAX_PLAYERS = 2, 5
MAX_TRAINS = 60
MAX_STATIONS = 5
MAX_OFFER = 6
MAX_MARKET = 10
MAX_TURNS = 30_000

TieBreak = Literal[
    "most_completed_tickets",
    "fewest_stations_used",
    "longest_path_holder",
    "longest_path_length",
    "fewest_trains_left",
]


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class TicketsSetup:
    """Tickets dealt to each player at the start."""

    deal_long: Annotated[int, Range(0, MAX_OFFER), "Tickets dealt to each player from the long pile."]
    deal: Annotated[int, Range(0, MAX_OFFER), "Tickets dealt to each player from the ticket deck."]
    keep_min: Annotated[int, Range(1, MAX_OFFER), "The least number of the dealt tickets to keep, any mix."]


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """The ticket action."""

    draw: Annotated[int, Range(1, MAX_OFFER), "Tickets seen by the ticket action."]
    keep_min: Annotated[int, Range(1, MAX_OFFER), "The least number of the drawn tickets to keep."]


@dataclass(frozen=True, slots=True)
class Rules:
    """A value for every option. `name`, `about` and `board` (the default board) do not change a game.

    Make one with `load_rules`, and a changed one with `with_options`: both check every value.
    """

    name: str
    about: str
    board: str
    players: Annotated[tuple[int, int], "Allowed number of players: [least, most]."]
    trains_per_player: Annotated[int, Range(1, MAX_TRAINS), "Plastic trains each player starts with."]
    stations_per_player: Annotated[
        int,
        Range(0, MAX_STATIONS),
        "Stations each player starts with. 0: no station action and no station scoring.",
    ]
    initial_hand: Annotated[
        int, Range(0, 50), "Train cards dealt to each player before the market is turned up."
    ]
    market_size: Annotated[int, Range(1, MAX_MARKET), "Number of face-up train cards."]
    ticket_pool: Annotated[
        Literal["split", "single"],
        "split: the long tickets form their own pile, used only for the deal; undealt ones leave the game. "
        "single: all tickets are one deck.",
    ]
    tickets_setup: TicketsSetup
    setup_returned_tickets: Annotated[
        Literal["box", "bottom"],
        "Where tickets refused at setup go. box: out of the game. bottom: under the pile they came from.",
    ]
    cards_per_draw: Annotated[int, Range(1, 10), "Train cards of a normal draw action."]
    face_up_locomotive: Annotated[
        Literal["ends_draw", "one_card"],
        "What a face-up locomotive taken as first card costs: the whole draw, or one card like any other.",
    ]
    second_draw_face_up_locomotive: Annotated[
        Literal["forbidden", "allowed_after_blind", "allowed"],
        "May a face-up locomotive be taken as second card: never, only if the first card came from the deck, "
        "always.",
    ]
    market_locomotives: Annotated[
        Literal["refresh_at_three", "block_market_at_three", "none"],
        "Three or more face-up locomotives: discard the market and turn up a new one (again if needed); "
        "nobody may take a face-up card; nothing happens. Checked before every single card.",
    ]
    draw_tickets: DrawTickets
    returned_tickets: Annotated[
        Literal["bottom", "box"],
        "Where tickets refused in the ticket action go: under the deck, or out of the game.",
    ]
    double_routes_min_players: Annotated[
        int,
        Range(MIN_PLAYERS, MAX_PLAYERS + 1),
        "From this number of players on, the second of two parallel tracks stays open to other players; "
        "below it, it closes when the first is claimed. Nobody may own both. 6: never open.",
    ]
    locomotive_use: Annotated[
        Literal["any_route", "ferries_and_tunnels"],
        "Where a single locomotive may stand for a coloured card.",
    ]
    ferry_filler: Annotated[
        Literal["one_color", "any_colors"],
        "Coloured cards of a ferry payment: one colour (the track's own if it has one), or freely mixed.",
    ]
    ferry_substitute: Annotated[
        int,
        Range(0, 9),
        "On a ferry this many arbitrary cards, locomotives included, may stand for one locomotive. 0: off.",
    ]
    ferry_substitute_scope: Annotated[
        Literal["any_space", "symbols_only"],
        "Such sets may fill any space of the ferry, or only as many as it has locomotive symbols.",
    ]
    long_route_substitute: Annotated[
        int,
        Range(0, 9),
        "On the board's substitute_tracks this many arbitrary cards may stand for one card of the chosen "
        "colour. 0: off.",
    ]
    tunnel_reveal: Annotated[int, Range(0, 9), "Cards turned up for a tunnel."]
    tunnel_match: Annotated[
        Literal["color_or_loco", "color_only"],
        "Which revealed cards cost one extra card: those of the colour played and locomotives, or only those "
        "of the colour played.",
    ]
    tunnel_decline: Annotated[
        Literal["free", "only_if_unable"],
        "Who may take the payment of a tunnel back: anybody, or only who cannot pay the extra cards.",
    ]
    station_cost: Annotated[
        Literal["increasing", "single_card"],
        "1st, 2nd, 3rd station cost 1, 2, 3 cards of one colour; or always one card.",
    ]
    station_bonus: Annotated[
        Literal["unplaced", "unborrowed"],
        "Which stations score station_points: those never placed, or those that lend no route (never placed "
        "ones too).",
    ]
    station_points: Annotated[int, Range(0, 100), "Points for each such station at the end."]
    end_trigger_trains: Annotated[
        int,
        Range(0, MAX_TRAINS),
        "The end is triggered when a player finishes a turn with this many trains or fewer.",
    ]
    final_round: Annotated[
        Literal["all_including_trigger", "others_only", "complete_round"],
        "After the trigger: everybody, the triggering player last, has one more turn; everybody else has; "
        "only the players seated after the triggering one have.",
    ]
    end_when_exhausted: Annotated[
        Literal["never", "complete_round"],
        "When at the end of a turn nobody can draw a train card: nothing, or the round is finished and the "
        "game ends.",
    ]
    turn_limit: Annotated[
        int,
        Range(0, MAX_TURNS),
        "The game ends with normal scoring when every player has had this many turns. 0: off.",
    ]
    route_points: Annotated[
        Mapping[int, int], Range(0, 100), f"Points for a claimed track by its length, 1 to {MAX_LENGTH}."
    ] = field(hash=False)
    longest_path_bonus: Annotated[
        int, Range(0, 500), "Points for the longest continuous path; every tied player gets them. 0: off."
    ]
    globetrotter_bonus: Annotated[
        int, Range(0, 500), "Points for the most completed tickets; every tied player gets them. 0: off."
    ]
    all_trains_bonus: Annotated[
        int, Range(0, 500), "Points for every player with no train left at the end. 0: off."
    ]
    tie_breaks: Annotated[
        tuple[TieBreak, ...],
        "Applied in order among players tied on points; who is still tied shares the place.",
    ]

    def options(self) -> dict[str, Any]:
        """Return every option as plain data, as TOML and JSON hold it (`route_points` keys are texts)."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        del plain["name"], plain["about"], plain["board"]
        return plain

    @property
    def sha256(self) -> str:
        """Hash of all options, whatever the preset is called (64 hexadecimal digits)."""
        return hashlib.sha256(json.dumps(self.options(), sort_keys=True).encode()).hexdigest()

    def with_options(self, changes: Mapping[str, Any]) -> "Rules":
        """Return these rules with some options changed, checked like a file.

        Keys are option names; a part of a table may be named with a dot ("draw_tickets.keep_min"). The new
        name lists the changes ("europe+turn_limit=50"). Raises TtrError.
        """
        where = "option "
        before = _flat(self.options(), where)
        given = _flat(changes, where)
        rules = _build({**before, **given}, self.name, self.about, self.board, where)
        changed = {key: value for key, value in sorted(given.items()) if before.get(key) != value}
        name = "".join([self.name, *(f"+{key}={as_text(value)}" for key, value in changed.items())])
        return dataclasses.replace(rules, name=name)


@dataclass(frozen=True, slots=True)
class Option:
    """What one option allows and means; options inside a table are named with a dot."""

    name: str
    allowed: Range | tuple[str, ...] | None
    meaning: str


def _list_options(owner: type, prefix: str = "") -> Iterable[Option]:
    for name, hint in get_type_hints(owner, include_extras=True).items():
        if dataclasses.is_dataclass(hint):
            assert isinstance(hint, type)
            yield from _list_options(hint, f"{prefix}{name}.")
        elif get_origin(hint) is Annotated:
            base, *extras = get_args(hint)
            allowed = extras[0] if isinstance(extras[0], Range) else None
            words = get_args(base) if get_origin(base) is Literal else ()
            yield Option(prefix + name, allowed or words or None, extras[-1])


OPTIONS: dict[str, Option] = {option.name: option for option in _list_options(Rules)}
_TABLES = {name.split(".")[0] for name in OPTIONS if "." in name}
_LENGTHS = tuple(str(length) for length in range(1, MAX_LENGTH + 1))
_ABOUT_KEYS = ("about", "base", "board")


def load_rules(name_or_path: str | Path) -> Rules:
    """Read and check the preset of that name (see `ttr_sim.paths`) or in that TOML file.

    A file holds every option, or what differs from its `base`: the name of a preset, or a path relative to
    the file.
    """
    path = paths.find(paths.RULES, name_or_path)
    flat, board, about = _read_layers(path, [])
    where = f"{paths.shown(path)}: "
    if not board:
        raise TtrError(f'{where}board is missing, must name the board to play on, such as board = "europe"')
    return _build(flat, path.stem, about, board, where)


def rules_from_options(options: Mapping[str, Any], name: str, board: str = "", about: str = "") -> Rules:
    """Return the rules with these options, given as `Rules.options` returns them, after checking them."""
    where = f"rules {name}: "
    return _build(_flat(options, where), name, about, board, where)


def parse_option(text: str) -> tuple[str, Any]:
    """Split "key=value" as given on a command line; the value is read as TOML, else as text."""
    key, equals, value = text.partition("=")
    if not equals:
        raise TtrError(f"option {text!r} must be key=value, for example turn_limit=100")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def as_text(value: Any) -> str:
    """Return an option's value as short text."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {part}" for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(str(part) for part in value) or "none"
    return str(value)


def check_fit(board: Board, rules: Rules, players: int | None = None) -> None:
    """Raise TtrError when these rules cannot be played on this board by that many players.

    Without `players`, the fewest the rules allow.
    """
    low, high = rules.players
    count = low if players is None else players
    if not low <= count <= high:
        raise TtrError(f"rules {rules.name!r} are for {low} to {high} players, not {count}")
    front = f"board {board.name!r} and rules {rules.name!r} do not fit: "
    for length in sorted({track.length for track in board.tracks}):
        if length not in rules.route_points:
            raise TtrError(f"{front}the board has tracks of length {length}, route_points has no such length")
    setup = rules.tickets_setup
    long = sum(ticket.long for ticket in board.tickets)
    if rules.ticket_pool == "split":
        piles = [
            ("long tickets", setup.deal_long, long),
            ("regular tickets", setup.deal, len(board.tickets) - long),
        ]
    else:
        piles = [("tickets", setup.deal, len(board.tickets))]
    for what, each, there in piles:
        if each * count > there:
            raise TtrError(f"{front}{count} players are dealt {each * count} {what}, the board has {there}")
    cards = rules.initial_hand * count + rules.market_size
    if cards > CARDS:
        raise TtrError(f"{front}{count} hands and the market need {cards} cards, there are {CARDS}")


def _read_layers(path: Path, seen: list[Path]) -> tuple[dict[str, Any], str, str]:
    """Return the options of a file laid over those of its base, the default board, and what the file is."""
    where = f"{paths.shown(path)}: "
    if path.resolve() in seen:
        names = " -> ".join(p.name for p in (*seen, path))
        raise TtrError(f"{where}base goes round in a circle: {names}")
    data = read_toml(path)
    for key in _ABOUT_KEYS:
        text = data.get(key, "")
        if not isinstance(text, str) or not is_one_line(text):
            raise TtrError(f"{where}{key} must be one line of text, not {text!r}")
    own = _flat({key: value for key, value in data.items() if key not in _ABOUT_KEYS}, where)
    if "base" not in data:
        return own, data.get("board", ""), data.get("about", "")
    base = data["base"]
    base_path = path.parent / base if paths.is_path(base, paths.RULES) else base
    try:
        below = paths.find(paths.RULES, base_path)
    except TtrError as error:
        raise TtrError(f"{where}base: {error}") from None
    flat, board, _ = _read_layers(below, [*seen, path.resolve()])
    return {**flat, **own}, data.get("board", board), data.get("about", "")


def _flat(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return checked values by option name, those of a table under "table.key"."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if key in _TABLES or key == "route_points":
            if not isinstance(value, Mapping):
                raise TtrError(f"{where}{key} must be a table, not {value!r}")
            flat.update({f"{key}.{part}": part_value for part, part_value in value.items()})
        else:
            flat[key] = value
    return {key: _checked(key, value, where) for key, value in flat.items()}


def _checked(key: str, value: Any, where: str) -> Any:
    """Return the value of one option, or raise the error that lists what is allowed."""
    if key.startswith("route_points."):
        if key.split(".")[1] not in _LENGTHS:
            raise TtrError(f"{where}{key}: lengths must be from 1 to {MAX_LENGTH}")
        allowed = OPTIONS["route_points"].allowed
    elif key not in OPTIONS:
        known = {name for name in OPTIONS if name.split(".")[0] == key.split(".")[0]} or set(OPTIONS)
        raise unknown("option", key, known, where.removesuffix("option "))
    else:
        allowed = OPTIONS[key].allowed
    front = f"{where}{key} must be "
    if isinstance(allowed, Range):
        if type(value) is not int or not allowed.low <= value <= allowed.high:
            raise TtrError(f"{front}{allowed}, not {value!r}")
    elif allowed:
        if value not in allowed:
            raise TtrError(f"{front}one of {', '.join(allowed)}, not {value!r}")
    elif key == "players":
        _check_players(value, front)
    else:
        _check_tie_breaks(value, front)
    return list(value) if isinstance(value, tuple) else value


def _check_players(value: Any, front: str) -> None:
    numbers = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(n) is int for n in value)
    if not numbers or not MIN_PLAYERS <= value[0] <= value[1] <= MAX_PLAYERS:
        raise TtrError(f"{front}[least, most] from {MIN_PLAYERS} to {MAX_PLAYERS}, not {value!r}")


def _check_tie_breaks(value: Any, front: str) -> None:
    names = get_args(TieBreak)
    if not isinstance(value, (list, tuple)):
        raise TtrError(f"{front}a list of {', '.join(names)}; not {value!r}")
    for name in value:
        if name not in names:
            raise TtrError(f"{front}a list of {', '.join(names)}; not {name!r}")
        if value.count(name) > 1:
            raise TtrError(f"{front}a list without repetition, {name!r} stands there twice")


def _build(flat: Mapping[str, Any], name: str, about: str, board: str, where: str) -> Rules:
    """Return the Rules of checked values, after the checks between options."""
    points = {int(key.split(".")[1]): value for key, value in flat.items() if key.startswith("route_points.")}
    for key in OPTIONS:
        if key not in flat and not (key == "route_points" and points):
            raise TtrError(f"{where}option {key} is missing; give every option, or a base to start from")
    tables: dict[str, dict[str, Any]] = {table: {} for table in _TABLES}
    values: dict[str, Any] = {}
    for key in OPTIONS:
        table, _, part = key.partition(".")
        if part:
            tables[table][part] = flat[key]
        elif key != "route_points":
            values[key] = tuple(flat[key]) if isinstance(flat[key], list) else flat[key]
    setup, draw = TicketsSetup(**tables["tickets_setup"]), DrawTickets(**tables["draw_tickets"])
    dealt = setup.deal_long + setup.deal
    if not 1 <= dealt <= MAX_OFFER:
        raise TtrError(f"{where}tickets_setup: deal_long + deal must be from 1 to {MAX_OFFER}, not {dealt}")
    if setup.keep_min > dealt:
        raise TtrError(
            f"{where}tickets_setup.keep_min must be at most the {dealt} dealt, not {setup.keep_min}"
        )
    if draw.keep_min > draw.draw:
        raise TtrError(
            f"{where}draw_tickets.keep_min must be at most the {draw.draw} drawn, not {draw.keep_min}"
        )
    if setup.deal_long and values["ticket_pool"] == "single":
        raise TtrError(
            f"{where}tickets_setup.deal_long must be 0 with ticket_pool single, not {setup.deal_long}"
        )
    return Rules(
        name=name,
        about=about,
        board=board,
        tickets_setup=setup,
        draw_tickets=draw,
        route_points=dict(sorted(points.items())),
        **values,
    )
