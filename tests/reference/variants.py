"""Random small boards, rule options and late positions, to meet what games of a preset seldom have."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

from .board import COLORS, Board, Options
from .codes import LOCO
from .model import FINAL_ROUND, ReferenceGame

CHOICES: Options = {
    "trains_per_player": range(3, 25),
    "stations_per_player": range(6),
    "initial_hand": range(9),
    "market_size": range(1, 11),
    "setup_returned_tickets": ["box", "bottom"],
    "cards_per_draw": [1, 2, 2, 3, 4],
    "face_up_locomotive": ["ends_draw", "one_card"],
    "second_draw_face_up_locomotive": ["forbidden", "allowed_after_blind", "allowed"],
    "market_locomotives": ["refresh_at_three", "block_market_at_three", "none"],
    "returned_tickets": ["bottom", "box"],
    "double_routes_min_players": range(2, 7),
    "locomotive_use": ["any_route", "ferries_and_tunnels"],
    "ferry_filler": ["one_color", "any_colors"],
    "ferry_substitute": range(5),
    "ferry_substitute_scope": ["any_space", "symbols_only"],
    "long_route_substitute": range(5),
    "tunnel_reveal": range(10),
    "tunnel_match": ["color_or_loco", "color_only"],
    "tunnel_decline": ["free", "only_if_unable"],
    "station_cost": ["increasing", "single_card"],
    "station_bonus": ["unplaced", "unborrowed"],
    "station_points": range(7),
    "end_trigger_trains": range(5),
    "final_round": ["all_including_trigger", "others_only", "complete_round"],
    "end_when_exhausted": ["never", "complete_round"],
    "turn_limit": [1, 2, 5, 20, 40, 60, 60, 60],
    "longest_path_bonus": [0, 10],
    "globetrotter_bonus": [0, 10],
    "all_trains_bonus": [0, 15],
}
TIE_BREAKS = (
    "most_completed_tickets",
    "fewest_stations_used",
    "longest_path_holder",
    "longest_path_length",
    "fewest_trains_left",
)


def random_options(rng: Random, players: int, long: int, regular: int) -> Options:
    """Every option at random, for a board with so many long and regular tickets."""
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    options["players"] = [2, 5]
    options["route_points"] = {str(length): rng.randrange(9) for length in range(1, 10)}
    options["tie_breaks"] = rng.sample(TIE_BREAKS, rng.randrange(6))
    draw = rng.randint(1, 6)
    options["draw_tickets"] = {"draw": draw, "keep_min": rng.randint(1, draw)}
    split = rng.random() < 0.5
    deal_long = rng.randint(0, min(2, long // players)) if split else 0
    deal = rng.randint(1, min(6 - deal_long, (regular if split else long + regular) // players))
    options["ticket_pool"] = "split" if split else "single"
    options["tickets_setup"] = {
        "deal_long": deal_long,
        "deal": deal,
        "keep_min": rng.randint(1, deal_long + deal),
    }
    return options


def write_random_board(rng: Random, folder: Path, dense: bool = False) -> tuple[int, int]:
    """Write a small connected board; returns the numbers of its long and of its regular tickets.

    A dense one has a short track between any two of its seven cities.
    """
    cities = [f"c{i}" for i in range(rng.randint(4, 11))]
    pairs = [(cities[rng.randrange(i)], cities[i]) for i in range(1, len(cities))]
    for _ in range(rng.randint(2, 12)):
        first, second = sorted(rng.sample(range(len(cities)), 2))
        if (cities[first], cities[second]) not in pairs:
            pairs.append((cities[first], cities[second]))
    if dense:
        cities = [*cities[:4], "d5", "d6", "d7"]
        pairs = list(combinations(cities, 2))
    routes = ["id,city_a,city_b,length,color,kind,locomotives,parallel"]
    marked = []
    for a, b in pairs:
        double = rng.random() < 0.4 and not dense
        names = [f"{a}-{b}-1", f"{a}-{b}-2"] if double else [f"{a}-{b}"]
        parallel = f"{a}-{b}" if double else ""
        length = rng.choice([1, 2, 3, 4] if dense else [1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9])
        for name in names:
            length = length if rng.random() < 0.7 else rng.randint(1, 4)
            kind = rng.choice(["normal", "normal", "ferry", "tunnel"])
            color = rng.choice([*COLORS, *["gray"] * 8])
            symbols = rng.randint(1, min(length, 3)) if kind == "ferry" else 0
            routes.append(f"{name},{a},{b},{length},{color},{kind},{symbols},{parallel}")
            if kind == "normal" and rng.random() < 0.3:
                marked.append(name)
    long, regular = rng.randint(0, 8), rng.randint(5, 30)
    tickets = ["id,city_a,city_b,points,deck"]
    for number in range(long + regular):
        city, other = rng.sample(cities, 2)
        deck = "long" if number < long else "regular"
        tickets.append(f"t{number},{city},{other},{rng.randint(1, 22)},{deck}")
    folder.mkdir()
    _write(folder / "cities.csv", ["id,name,x,y", *(f"{city},{city},{i},0" for i, city in enumerate(cities))])
    _write(folder / "routes.csv", routes)
    _write(folder / "tickets.csv", tickets)
    names_text = ", ".join(f'"{name}"' for name in marked)
    _write(folder / "board.toml", ['title = "Random board"', f"substitute_tracks = [{names_text}]"])
    return long, regular


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def late_position(rng: Random, board: Board, options: Options, players: int) -> ReferenceGame:
    """A position in which most tracks, cards and tickets are gone, at the start of a turn."""
    game = ReferenceGame(board, options, players)
    game.seat = rng.randrange(players)
    rounds = rng.randrange(40)
    game.turns_done = [rounds + (seat < game.seat) for seat in range(players)]
    _give_tracks(rng, game)
    _place_stations(rng, game)
    _give_tickets(rng, game)
    _give_cards(rng, game)
    if rng.random() < 0.3:
        game.trigger = rng.randrange(players)
        game.remaining = rng.randint(1, players)
        game.reason = FINAL_ROUND
    return game


def network_position(rng: Random, board: Board, options: Options, players: int) -> ReferenceGame:
    """A position to be scored: connected networks with many loops, stations beside them, many tickets."""
    game = ReferenceGame(board, options, players)
    loops = rng.random()  # how often the shortest track that touches the own network is taken
    everything = range(len(board.tracks))
    greed = [rng.random() ** 2 for _ in range(players)]
    for _ in range(players * rng.randint(5, 30)):
        seat = rng.choices(range(players), greed)[0]
        claims = [t for t in everything if _may_own(game, seat, t, least_left=0)]
        touching = [t for t in claims if _touches(game, seat, t)] or claims
        if touching:
            _own(game, seat, min(touching) if rng.random() < loops else rng.choice(touching))
    _place_stations(rng, game)
    _give_tickets(rng, game, most=len(board.tickets) // players)
    _give_cards(rng, game)
    return game


def _may_own(game: ReferenceGame, seat: int, t: int, least_left: int) -> bool:
    taken = game.owner[t] != -1 or game.closed[t] or t in game.open_partners(seat)
    return not taken and game.trains[seat] - game.board.tracks[t].length >= least_left


def _touches(game: ReferenceGame, seat: int, t: int) -> bool:
    track = game.board.tracks[t]
    near = game.board.tracks_of[track.a] + game.board.tracks_of[track.b]
    return any(game.owner[other] == seat for other in near)


def _own(game: ReferenceGame, seat: int, t: int) -> None:
    track = game.board.tracks[t]
    game.owner[t] = seat
    game.trains[seat] -= track.length
    game.points[seat] += game.options["route_points"][str(track.length)]
    if track.partner != -1 and game.players < game.options["double_routes_min_players"]:
        game.closed[track.partner] = True


def _give_tracks(rng: Random, game: ReferenceGame) -> None:
    everything = range(len(game.board.tracks))
    least_left = rng.randint(0, 8)
    for t in rng.sample(everything, rng.randint(0, len(everything))):
        seat = rng.randrange(game.players)
        if _may_own(game, seat, t, least_left):
            _own(game, seat, t)


def _place_stations(rng: Random, game: ReferenceGame) -> None:
    cities = rng.sample(range(len(game.board.cities)), len(game.board.cities))
    for seat in range(game.players):
        for _ in range(min(rng.randint(0, game.stations_left[seat]), len(cities))):
            game.station_cities[seat].append(cities.pop())
            game.stations_left[seat] -= 1


def _give_tickets(rng: Random, game: ReferenceGame, most: int = 6) -> None:
    split = game.options["ticket_pool"] == "split"
    pile = rng.sample(range(len(game.board.tickets)), len(game.board.tickets))
    long = [t for t in pile if split and game.board.tickets[t].long]
    pile = [t for t in pile if t not in long]
    for seat in range(game.players):
        for _ in range(rng.randint(0, min(game.options["tickets_setup"]["deal_long"], len(long)))):
            game.tickets[seat].append(long.pop())
        for _ in range(rng.randint(0, min(most, len(pile)))):
            game.tickets[seat].append(pile.pop())
    game.ticket_deck = pile[: rng.randint(0, 6)]


def _give_cards(rng: Random, game: ReferenceGame) -> None:
    cards = [color for color in range(LOCO) for _ in range(12)] + [LOCO] * 14
    if rng.random() < 0.5:
        rng.shuffle(cards)  # else the last colours and the locomotives stay outside the hands
    else:
        cards.reverse()
    outside = rng.choice([0, 1, 2, 3, 5, 8, 13, 20, 30])
    game.deck, cards = cards[:outside], cards[outside:]
    rng.shuffle(game.deck)
    for _ in range(rng.randint(0, len(game.deck))):
        game.discards[game.deck.pop()] += 1
    greed = [rng.random() ** 2 for _ in range(game.players)]
    for card in cards:
        game.hands[rng.choices(range(game.players), greed)[0]][card] += 1
    for hand, shown in zip(game.hands, game.shown, strict=True):
        shown[:] = [rng.randint(0, held) for held in hand]
    game.settle_market()
    game.reshuffles = 0
