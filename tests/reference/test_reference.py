"""The reference model by itself: random games under every preset, rulings, scoring by brute force."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from . import codes
from .board import Options, Track, make_board
from .codes import LOCO
from .model import ALL_PASSED, EXHAUSTED, FINAL_ROUND, PHASES, IllegalAction, ReferenceGame
from .policies import POLICIES
from .positions import (
    ANN,
    BO,
    EUROPE,
    NORDIC,
    PRESETS,
    board_of,
    claim,
    counts,
    do,
    in_order,
    letters,
    made_up,
    own,
    pay_with,
    payments,
    position,
    take,
    track,
)
from .rng import MASK, Stream
from .scoring import Edge, component_of_city, longest_trail, score_game

TABLES = [
    (preset, players)
    for preset, options in PRESETS.items()
    for players in range(options["players"][0], options["players"][1] + 1)
]


def check_conservation(game: ReferenceGame, gone: set[int]) -> None:
    """110 cards, every ticket in one place or gone, every train and station somewhere."""
    piles = [game.market, game.discards, *game.hands]
    if game.pending:
        piles += [game.payment().paid, game.payment().revealed]
    cards = [sum(pile[color] for pile in piles) + game.deck.count(color) for color in range(9)]
    assert cards == [12] * 8 + [14]
    assert all(
        0 <= shown <= held
        for s, h in zip(game.shown, game.hands, strict=True)
        for shown, held in zip(s, h, strict=True)
    )
    places = [*game.ticket_deck, *itertools.chain(*game.tickets), *itertools.chain(*game.offers)]
    assert len(places) == len(set(places))
    assert {*places} | gone == set(range(len(game.board.tickets)))
    for seat in range(game.players):
        placed = sum(game.board.tracks[t].length for t, owner in enumerate(game.owner) if owner == seat)
        assert game.trains[seat] + placed == game.options["trains_per_player"]
        assert game.trains[seat] >= 0
        assert (
            game.stations_left[seat] + len(game.station_cities[seat]) == game.options["stations_per_player"]
        )


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("policy", POLICIES)
def test_games_end_and_conserve(preset: str, players: int, policy: str) -> None:
    options = PRESETS[preset]
    rng = Random(f"{preset} {players} {policy}")
    game = ReferenceGame.new(board_of(preset), options, players, rng.getrandbits(64))
    assert game.phase == "KEEP_SETUP"
    everything = set(range(len(game.board.tickets)))
    while not game.is_over:
        legal = game.legal()
        assert legal == sorted(set(legal))
        assert legal
        assert all(0 <= code < codes.N_CODES for code in legal)
        game.apply(POLICIES[policy](rng, game, legal))
        in_play = {*game.ticket_deck, *itertools.chain(*game.tickets), *itertools.chain(*game.offers)}
        check_conservation(game, everything - in_play)
    assert max(game.turns_done) <= options["turn_limit"]
    assert game.legal() == []
    score = score_game(game)
    assert min(seat.rank for seat in score.seats) == 1
    assert sum(seat.rank == 1 for seat in score.seats) == 1 or score.decided_by == -1
    assert game.is_over


def test_illegal_actions_are_refused() -> None:
    game = position("europe")
    with pytest.raises(IllegalAction, match="pass"):
        game.step(codes.PASS)


def test_phases_are_complete() -> None:
    game = position("europe")
    assert len(PHASES) == 10
    assert game.phase in PHASES


# Randomness


def test_splitmix64() -> None:
    """The first numbers of the published generator from state 0."""
    stream = Stream(0, 1)
    stream.state = 0
    assert [stream.next() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert all(0 <= Stream(MASK, 256 + r).below(7) < 7 for r in range(100))


def test_the_same_seed_deals_the_same_game() -> None:
    def deal(seed: int) -> dict[str, object]:
        return ReferenceGame.new(board_of("europe"), PRESETS["europe"], 3, seed).snapshot()

    assert deal(1) == deal(1)
    assert deal(1)["deck"] != deal(2)["deck"]


# Rulings


def test_first_market_is_refreshed() -> None:
    """Ruling 1."""
    board = board_of("europe")
    open_locos = set()
    for seed in range(300):
        game = ReferenceGame.new(board, PRESETS["europe"], 2, seed)
        assert game.market[LOCO] < 3
        open_locos.add(ReferenceGame.new(board_of("nordic"), PRESETS["nordic"], 2, seed).market[LOCO])
    assert 3 in open_locos


def test_skipped_refresh_is_made_up_for() -> None:
    """Ruling 2: with the market full, as soon as the discards have a third coloured card."""
    game = position("europe", made_up("A-B 1", "C-D 1"), hands=("P",), market="LLLBG", deck="")
    do(game, claim(game, "A-B"))
    assert game.reshuffles > 0
    assert game.market[LOCO] < 3
    assert sum(game.market) == 5


def test_no_refresh_between_reveal_and_payment() -> None:
    """Ruling 2: the refresh waits until the tunnel is settled."""
    board = made_up("A-B 1 yellow tunnel")
    game = position("europe", board, hands=("YYYY",), market="LLLLB", deck="LYY")
    game.step(claim(game, "A-B"))
    game.step(codes.pay(take("Y"), 0))
    assert game.phase == "TUNNEL"
    assert letters(game.market) == in_order("LLLLB")
    game.step(codes.EXTRA)
    assert sum(game.market) == 5
    assert game.market[LOCO] < 3
    assert game.reshuffles > 0


def test_tunnel_cards_are_not_shuffled_in() -> None:
    """Ruling 3: neither the committed nor the revealed cards can be revealed."""
    board = made_up("A-B 2 yellow tunnel")
    game = position("europe", board, hands=("YY",), market="PWBKR", deck="Y", discards="")
    pay_with(game, claim(game, "A-B"), "YY")
    assert game.payment().revealed == counts("Y")
    assert game.reshuffles == 0


def test_market_is_filled_when_cards_come_back() -> None:
    """Ruling 4."""
    game = position("europe", made_up("A-B 3", "C-D 1"), hands=("PPP",), market="K", deck="")
    do(game, claim(game, "A-B"))
    assert letters(game.market) == in_order("KPPP")
    assert game.discards == [0] * 9


def test_passes_must_be_in_a_row() -> None:
    """Ruling 7: a failed tunnel breaks the row; the row ends the game during last turns too."""
    board = made_up("A-B 1 yellow tunnel")
    game = position("europe", board, hands=("", "Y"), market="", deck="", discards="")
    game.stations_left = [0, 0]
    game.deck = []
    game.step(codes.PASS)
    assert game.passes == 1
    game.step(claim(game, "A-B"))
    game.step(codes.pay(take("Y"), 0))
    assert game.passes == 0

    game = position("europe", board, market="", deck="")
    game.remaining = 2
    game.reason = FINAL_ROUND
    do(game, codes.PASS, codes.PASS)
    assert game.reason == ALL_PASSED


def test_exhausted_cuts_longer_last_turns_short() -> None:
    game = position(
        "nordic-zh",
        players=3,
        market="",
        deck="",
        tickets_left=tuple(range(20)),
        final_round="all_including_trigger",
    )
    game.trains[ANN] = 2
    do(game, codes.DRAW_TICKETS, codes.KEEP + 1)
    assert (game.trigger, game.remaining, game.reason) == (ANN, 2, EXHAUSTED)


def test_cards_taken_face_up_are_known() -> None:
    board = made_up("A-B 2 yellow tunnel")
    game = position("europe", board, hands=("Y",), market="YYYYY", deck="PPPPPYYP")
    do(game, take("Y"), take("Y"))
    assert game.shown[ANN] == counts("YY")
    game.seat = ANN
    pay_with(game, claim(game, "A-B"), "YY")
    game.seat = ANN
    game.owner[0] = -1
    game.hands[ANN] = counts("YYYY")
    game.shown[ANN] = counts("Y")
    game.deck = [take("Y")] * 3
    pay_with(game, claim(game, "A-B"), "YY")
    assert game.shown[ANN] == counts("")
    game.step(codes.TAKE_BACK)
    assert game.shown[ANN] == counts("YY")


# Payments


def every_payment(game: ReferenceGame, name: str) -> set[str]:
    """All payments of a track straight from the rules: try every set of cards of the hand."""
    route = game.board.tracks[track(game, name)]
    hand = game.hands[game.seat]
    return {
        letters(list(cards))
        for cards in itertools.product(*[range(n + 1) for n in hand])
        if pays(game.options, route, list(cards))
    }


def pays(options: Options, route: Track, cards: list[int]) -> bool:
    """Whether these cards, all of them, pay the track: try what each could stand for."""
    size = options["ferry_substitute"] if route.kind == "ferry" else 0
    if route.marked:
        size = options["long_route_substitute"]
    wild = options["locomotive_use"] == "any_route" or route.kind != "normal"
    mixed = route.kind == "ferry" and options["ferry_filler"] == "any_colors"
    for sets in range(route.length + 1 if size else 1):
        if (
            options["ferry_substitute_scope"] == "symbols_only"
            and route.kind == "ferry"
            and sets > route.symbols
        ):
            continue
        for locos in range(cards[LOCO] + 1):
            spaces = route.length - sets - locos
            if spaces < 0 or (locos and not wild) or locos + sets < route.symbols:
                continue
            if spaces + locos + size * sets != sum(cards):
                continue
            if spaces == 0 or (mixed and sum(cards[:LOCO]) >= spaces):
                return True
            named = range(8) if route.color < 0 else [route.color]
            if not mixed and any(cards[color] >= spaces for color in named):
                return True
    return False


PAYING = [
    {},
    {"locomotive_use": "ferries_and_tunnels"},
    {"ferry_filler": "any_colors"},
    {"ferry_substitute": 2, "long_route_substitute": 2},
    {"ferry_substitute": 3, "ferry_substitute_scope": "symbols_only", "long_route_substitute": 4},
    {"ferry_substitute": 2, "ferry_filler": "any_colors", "locomotive_use": "ferries_and_tunnels"},
    {"ferry_substitute": 1, "ferry_substitute_scope": "symbols_only", "ferry_filler": "any_colors"},
]


@pytest.mark.parametrize("options", PAYING)
def test_payments_against_brute_force(options: Options) -> None:
    """The decisions reach exactly the sets of cards that pay, and a claim is offered iff there is one."""
    board = made_up(
        "A-B 3",
        "B-C 2 red",
        "C-D 3 gray ferry 1",
        "D-E 3 red ferry 2",
        "E-F 2 red tunnel",
        "F-G 3",
        "G-H 2 gray ferry 2",
        marked=("F-G",),
    )
    rng = Random(3)
    for _ in range(12):
        hand = "".join(rng.choices("RRRGGGLLB", k=rng.randint(1, 8)))
        game = position("europe", board, hands=(hand,), deck="PPPPPP", **options)
        for route in board.tracks:
            found = payments(game, claim(game, route.id))
            assert found == every_payment(game, route.id), (hand, route.id)


# Scoring


def plain_longest_trail(edges: list[Edge]) -> int:
    """Depth-first search without any cleverness."""

    def search(city: int, left: list[Edge]) -> int:
        best = 0
        for i, (a, b, length) in enumerate(left):
            if city in (a, b):
                best = max(best, length + search(a + b - city, left[:i] + left[i + 1 :]))
        return best

    return max((search(city, edges) for a, b, _ in edges for city in (a, b)), default=0)


def test_longest_trail_against_plain_search() -> None:
    rng = Random(1)
    for _ in range(400):
        cities = rng.randint(4, 8)
        edges = []
        for _ in range(rng.randint(0, 8)):
            a, b = rng.sample(range(cities), 2)
            edges.append((a, b, rng.choice([1, 2, 2, 3, 4, 6])))
        assert longest_trail(edges) == plain_longest_trail(edges), edges


def test_borrowing_against_plain_search() -> None:
    """Against a search that borrows tracks, not parts of the network, and rebuilds everything."""
    rng = Random(2)
    for _ in range(150):
        pairs = rng.sample([(a, b) for a in range(7) for b in range(a)], 12)
        names = [f"{a}-{b} 1" for a, b in pairs]
        chosen = rng.sample(
            [(a, b) for a, b in itertools.combinations(sorted({c for p in pairs for c in p}), 2)], 4
        )
        board = made_up(*names, tickets=tuple(f"{a}-{b} {rng.randint(1, 12)}" for a, b in chosen))
        preset = rng.choice(["europe", "europe-zh"])
        game = position(preset, board)
        game.owner = [rng.choice([-1, ANN, BO, BO]) for _ in names]
        game.tickets[ANN] = list(range(4))
        game.station_cities[ANN] = rng.sample(range(len(board.cities)), rng.randint(0, 3))
        game.stations_left[ANN] = 3 - len(game.station_cities[ANN])
        best = (-999, 0, 0)
        options = [
            [-1, *[t for t in board.tracks_of[city] if game.owner[t] == BO]]
            for city in game.station_cities[ANN]
        ]
        for borrowed in itertools.product(*options):
            tracks = {t for t, owner in enumerate(game.owner) if owner == ANN} | {*borrowed} - {-1}
            part = component_of_city(board, tracks)
            done = [part[ticket.a] == part[ticket.b] for ticket in board.tickets]
            value = sum(t.points if ok else -t.points for t, ok in zip(board.tickets, done, strict=True))
            unused = game.stations_left[ANN] + (borrowed.count(-1) if preset == "europe-zh" else 0)
            best = max(best, (value + 4 * unused, sum(done), borrowed.count(-1)))
        ann = score_game(game).seats[ANN]
        assert (ann.tickets_won - ann.tickets_lost + ann.stations_points, ann.completed) == best[:2]


def test_ranks_share_the_better_place() -> None:
    game = position("europe", made_up("A-B 1"), players=3, tie_breaks=[])
    game.points = [5, 5, 3]
    score = score_game(game)
    assert [seat.rank for seat in score.seats] == [1, 1, 3]
    assert score.decided_by == -1
    game.points = [5, 4, 4]
    score = score_game(game)
    assert [seat.rank for seat in score.seats] == [1, 2, 2]
    assert score.decided_by == 0


def test_no_bonus_for_nothing() -> None:
    """Ruling 9."""
    for preset in (*EUROPE, *NORDIC):
        seats = score_game(position(preset)).seats
        assert [seat.longest_path_bonus + seat.globetrotter for seat in seats] == [0, 0]


def test_make_board_orders_tracks_by_length() -> None:
    board = make_board(
        [Track("x", 0, 1, 3, -1), Track("y", 0, 1, 1, -1), Track("z", 1, 2, 3, -1)], ["a", "b", "c"], []
    )
    assert [t.id for t in board.tracks] == ["y", "x", "z"]
    assert board.tracks_of == [[0, 1], [0, 1, 2], [2]]
    game = position("europe", board, players=2)
    own(game, ANN, "y")
    assert game.owner == [ANN, -1, -1]
