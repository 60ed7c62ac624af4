"""The reference model in every scenario of the rules, under the presets each one mentions."""

from __future__ import annotations

import pytest

from . import codes
from .codes import LOCO
from .model import ALL_PASSED, EXHAUSTED, FINAL_ROUND, TURN_LIMIT, ReferenceGame
from .positions import (
    ANN,
    BO,
    CY,
    EUROPE,
    NORDIC,
    PRESETS,
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
    station,
    take,
    track,
)
from .scoring import SeatScore, longest_trail, rank_seats, score_game

ALL = list(PRESETS)
REFRESHING = ["europe", "usa", "europe-fa", "europe-en"]
CLOSING = ["europe-zh", "nordic-zh"]
WITH_STATIONS = ["europe", "europe-zh", "europe-en"]
COLOR_OR_LOCO = ["europe", "nordic", "europe-zh", "nordic-zh", "europe-en"]

presets = pytest.mark.parametrize("preset", ALL)


def only(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("preset", names)


# Drawing train cards


@presets
def test_s01_face_up_locomotive_first(preset: str) -> None:
    game = position(preset, market="LRGYK", deck="W PPPP")
    game.step(LOCO)
    assert game.hands[ANN] == counts("L")
    assert letters(game.market) == in_order("WRGYK")
    assert (game.seat, game.phase) == ((ANN, "DRAW") if preset == "nordic" else (BO, "TURN"))
    if preset == "nordic":
        game = position(preset, market="LLRGY")
        game.step(LOCO)
        assert LOCO in game.legal()


@presets
def test_s02_locomotive_after_a_face_up_card(preset: str) -> None:
    game = position(preset, market="RGYKB", deck="LW")
    game.step(take("R"))
    expected = sorted([take("G"), take("Y"), take("K"), take("B"), codes.BLIND])
    if preset == "nordic":
        expected = sorted([*expected, LOCO])
    assert game.legal() == expected


@presets
def test_s03_locomotive_after_a_blind_card(preset: str) -> None:
    game = position(preset, market="LGYKB", deck="W PPPP")
    game.step(codes.BLIND)
    assert (LOCO in game.legal()) == (preset in ("europe-en", "nordic"))
    if preset in ("europe-en", "nordic"):
        game.step(LOCO)
        assert (game.seat, game.phase) == (BO, "TURN")


@presets
def test_s04_blind_locomotive(preset: str) -> None:
    game = position(preset, deck="L PPPP")
    game.step(codes.BLIND)
    assert (game.seat, game.phase) == (ANN, "DRAW")
    assert game.hands[ANN] == counts("L")
    assert codes.BLIND in game.legal()


@presets
def test_s05_third_face_up_locomotive(preset: str) -> None:
    game = position(preset, market="LLRBG", deck="LWWYKPOPPPP")
    game.step(take("R"))
    if preset in REFRESHING:
        assert letters(game.market) == in_order("WWYKP")
        assert letters(game.discards) == in_order("LLLBG")
        assert game.legal() == sorted([take("W"), take("Y"), take("K"), take("P"), codes.BLIND])
        game.step(codes.BLIND)
        assert letters(game.hands[ANN]) == in_order("RO")
    else:
        assert letters(game.market) == in_order("LLLBG")
        if preset == "nordic":
            assert game.legal() == sorted([take("B"), take("G"), LOCO, codes.BLIND])
        else:
            assert game.legal() == [codes.BLIND]
            game.step(codes.BLIND)
            assert letters(game.hands[ANN]) == in_order("RW")


@only(*CLOSING)
def test_s06_closed_market_stays_closed(preset: str) -> None:
    game = position(preset, market="LLLBG")
    game.seat = BO
    assert not {*range(9)} & {*game.legal()}
    do(game, codes.BLIND)
    assert game.seat == ANN
    assert letters(game.market) == in_order("LLLBG")
    assert not {*range(9)} & {*game.legal()}


@only("europe")
def test_s07_second_refresh(preset: str) -> None:
    game = position(preset, market="LLRBG", deck="L LLLWY RRGBK PPPP")
    game.step(take("R"))
    assert letters(game.market) == in_order("RRGBK")
    assert len(game.deck) == 4
    assert sum(game.discards) == 10


@only("europe")
def test_s08_refresh_that_cannot_help(preset: str) -> None:
    game = position(preset, market="LLRBG", deck="L")
    game.step(take("R"))
    assert letters(game.market) == in_order("LLLBG")
    assert game.legal() == sorted([take("B"), take("G")])


@presets
def test_s09_deck_runs_out(preset: str) -> None:
    game = position(preset, market="PWBYO", deck="W", discards="RRRRGG")
    game.step(codes.BLIND)
    game.step(codes.BLIND)
    assert letters(game.hands[ANN]) in ("WR", "WG")
    assert len(game.deck) == 5
    assert sum(game.discards) == 0
    assert game.reshuffles == 1


@presets
def test_s10_only_one_card(preset: str) -> None:
    game = position(preset, market="LR", deck="")
    game.step(take("R"))
    if preset == "nordic":
        assert game.legal() == [LOCO]
        game.step(LOCO)
        assert letters(game.hands[ANN]) == in_order("RL")
    assert game.seat == BO


@presets
def test_s11_nothing_to_draw(preset: str) -> None:
    game = position(preset, hands=("RRRR",), market="", deck="", tickets_left=(0, 1, 2))
    legal = game.legal()
    assert not {*range(10)} & {*legal}
    assert codes.DRAW_TICKETS in legal
    assert any(map(codes.is_claim, legal))
    assert any(map(codes.is_station, legal)) == (preset in WITH_STATIONS)


@only("europe")
def test_s12_nobody_can_move(preset: str) -> None:
    game = position(preset, market="", deck="")
    assert game.legal() == [codes.PASS]
    game.step(codes.PASS)
    assert (game.seat, game.legal()) == (BO, [codes.PASS])
    game.step(codes.PASS)
    assert game.is_over
    assert game.reason == ALL_PASSED
    assert codes.PASS not in position(preset, market="", deck="", tickets_left=(0,)).legal()
    assert codes.PASS not in position(preset, market="L", deck="").legal()


# Paying


@presets
def test_s13_gray_route(preset: str) -> None:
    game = position(preset, made_up("A-B 3"), hands=("BBBRLLL",))
    found = payments(game, claim(game, "A-B"))
    assert ("BBL" in found) == (preset != "nordic")
    assert ("LLL" in found) == (preset != "nordic")
    assert "BBR" not in found
    assert "BBB" in found


@only(*NORDIC)
def test_s14_locomotives_by_kind_of_route(preset: str) -> None:
    game = position(preset, hands=("KKL",))
    assert payments(game, claim(game, "boden-kiruna-2")) == ({"KKL"} if preset == "nordic-zh" else set())
    assert payments(game, claim(game, "kiruna-narvik-2")) == {"L"}


@only(*EUROPE)
def test_s15_ferry(preset: str) -> None:
    game = position(preset, hands=("YYYYYRRLLLLLL",))
    game.trains[ANN] = 10
    palermo = claim(game, "palermo-smyrna")
    found = payments(game, palermo)
    assert {"YYYYLL", "YYYLLL", "LLLLLL"} <= found
    assert "YYYYYL" not in found
    assert (in_order("YYRRLL") in found) == (preset == "europe-fa")
    if preset != "europe-fa":
        pay_with(game, palermo, "YYYYLL")
        assert game.points[ANN] == 15


@only(*NORDIC)
def test_s16_three_cards_for_a_locomotive(preset: str) -> None:
    game = position(preset, hands=("OOOOORBWLLL",))
    found = payments(game, claim(game, "kristiansand-stavanger-1"))
    if preset == "nordic":
        for cards in ("OOL", "OORBW", "OLRBW", "OOOOO", "LLL"):
            assert in_order(cards) in found, cards
        assert in_order("OORB") not in found
    else:
        assert found == {"OOL", "OLL", "LLL"}


@only(*NORDIC)
def test_s17_murmansk_lieksa(preset: str) -> None:
    game = position(preset, hands=("G" * 9 + "PWBYOKRL",))
    murmansk = claim(game, "lieksa-murmansk")
    found = payments(game, murmansk)
    nordic = preset == "nordic"
    assert "G" * 9 in found
    assert (in_order("G" * 7 + "PWBYOKRL") in found) == nordic
    assert ("G" * 8 + "L" in found) == (not nordic)
    assert (in_order("G" * 8 + "LRBW") in found) == nordic
    assert in_order("G" * 8 + "RBW") not in found
    if not nordic:
        assert found == {"G" * 9, "G" * 8 + "L"}
    pay_with(game, murmansk, "G" * 9)
    assert game.trains[ANN] == 40 - 9
    assert game.points[ANN] == 27


# Tunnels


def yellow_tunnel(preset: str, hand: str, deck: str, discards: str = "") -> tuple[ReferenceGame, int]:
    """A position on the real board and the code for its yellow tunnel of two."""
    game = position(preset, hands=(hand,), deck=deck, discards=discards)
    return game, claim(game, "munchen-zurich" if preset in EUROPE else "andalsnes-lillehammer")


@only(*EUROPE, *NORDIC)
def test_s18_matching_cards(preset: str) -> None:
    game, tunnel = yellow_tunnel(preset, "YYYYLLR", "YLR PPP")
    pay_with(game, tunnel, "YY")
    assert game.phase == "TUNNEL"
    if preset == "europe-fa":
        assert game.legal() == [codes.EXTRA, codes.EXTRA + 1]
        return
    assert game.legal() == [codes.EXTRA, codes.EXTRA + 1, codes.EXTRA + 2, codes.TAKE_BACK]
    game.step(codes.EXTRA + 1)
    assert letters(game.hands[ANN]) == in_order("YRL")
    assert sum(game.discards) == 7
    assert game.trains[ANN] == game.options["trains_per_player"] - 2
    assert game.points[ANN] == 2
    assert game.owner[tunnel - codes.CLAIM] == ANN


@only(*EUROPE, *NORDIC)
def test_s19_locomotives_only(preset: str) -> None:
    game, tunnel = yellow_tunnel(preset, "LLLYY", "YLY PPP")
    pay_with(game, tunnel, "LL")
    if preset == "europe-fa":
        assert game.seat == BO
        assert letters(game.hands[ANN]) == in_order("LYY")
    else:
        assert game.legal() == [codes.EXTRA + 1, codes.TAKE_BACK]
        game.step(codes.EXTRA + 1)
        assert letters(game.hands[ANN]) == in_order("YY")
    assert game.owner[tunnel - codes.CLAIM] == ANN


@only(*EUROPE, *NORDIC)
def test_s20_failing_and_declining(preset: str) -> None:
    for rest in ("GG", "YY"):
        game, tunnel = yellow_tunnel(preset, "YY" + rest, "YLR PPP")
        pay_with(game, tunnel, "YY")
        if rest == "GG":
            assert game.legal() == [codes.TAKE_BACK]
        elif preset == "europe-fa":
            assert game.legal() == [codes.EXTRA]
            game.step(codes.EXTRA)
            assert game.owner[tunnel - codes.CLAIM] == ANN
            continue
        game.step(codes.TAKE_BACK)
        assert letters(game.hands[ANN]) == in_order("YY" + rest)
        assert letters(game.discards) == in_order("YLR")
        assert game.trains[ANN] == game.options["trains_per_player"]
        assert game.points[ANN] == 0
        assert (game.seat, game.phase) == (BO, "TURN")
        assert game.owner[tunnel - codes.CLAIM] == -1


@only(*EUROPE, *NORDIC)
def test_s21_too_few_cards(preset: str) -> None:
    game, tunnel = yellow_tunnel(preset, "YYYY", deck="Y", discards="Y")
    pay_with(game, tunnel, "YY")
    assert game.payment().revealed == counts("YY")
    assert game.payment().extra == 2
    game, tunnel = yellow_tunnel(preset, "YYYY", deck="")
    pay_with(game, tunnel, "YY")
    assert game.owner[tunnel - codes.CLAIM] == ANN
    assert letters(game.hands[ANN]) == "YY"
    assert game.seat == BO


@only(*COLOR_OR_LOCO, "europe-fa")
def test_s37_one_locomotive_short(preset: str) -> None:
    game, tunnel = yellow_tunnel(preset, "LLLGG", "LLG PPP")
    pay_with(game, tunnel, "LL")
    if preset == "europe-fa":
        assert game.owner[tunnel - codes.CLAIM] == ANN
    else:
        assert game.legal() == [codes.TAKE_BACK]
        game.step(codes.TAKE_BACK)
        assert letters(game.hands[ANN]) == in_order("LLLGG")
        assert game.owner[tunnel - codes.CLAIM] == -1
    assert game.seat == BO


@only(*NORDIC, *EUROPE)
def test_s39_what_may_fill_a_ferry(preset: str) -> None:
    if preset in NORDIC:
        game = position(preset, hands=("ORRL",))
        assert payments(game, claim(game, "kristiansand-stavanger-1")) == set()
    else:
        game = position(preset, hands=("YYYYPWBOKR",))
        assert claim(game, "palermo-smyrna") not in game.legal()


# Parallel routes, stations


@presets
def test_s22_parallel_routes(preset: str) -> None:
    names = {
        "europe": ("frankfurt-paris-1", "frankfurt-paris-2", "WWW"),
        "nordic": ("boden-umea-1", "boden-umea-2", "WWW"),
        "usa": ("boston-new_york-1", "boston-new_york-2", "YY"),
    }[PRESETS[preset]["board"]]
    least, most = PRESETS[preset]["players"]
    for players in range(least, most + 1):
        game = position(preset, players=players, hands=("WWWYYOOORRR",) * players)
        first, second = claim(game, names[0]), claim(game, names[1])
        pay_with(game, first, names[2])
        both_open = players >= {"nordic": 3, "nordic-zh": 2}.get(preset, 4)
        assert (second in game.legal()) == both_open
        assert first not in game.legal()
        game.seat = ANN
        assert second not in game.legal()


@only(*WITH_STATIONS)
def test_s23_price_of_stations(preset: str) -> None:
    game = position(preset, hands=("RRRBGGGLL",))
    increasing = preset != "europe-zh"
    assert {"R", "L"} <= payments(game, station(game, "roma"))
    pay_with(game, station(game, "roma"), "R")

    game.seat = ANN
    found = payments(game, station(game, "wien"))
    assert ("RR" in found) == ("RL" in found) == increasing
    assert ("R" in found) == (not increasing)
    assert "BR" not in found
    pay_with(game, station(game, "wien"), "RR" if increasing else "R")

    game.seat = ANN
    game.hands[ANN] = counts("GGGRLL")
    found = payments(game, station(game, "berlin"))
    assert ("GGG" in found) == ("GLL" in found) == increasing
    assert ("G" in found) == (not increasing)
    assert in_order("GGR") not in found


@only(*EUROPE, *NORDIC, "usa")
def test_s24_where_stations_may_stand(preset: str) -> None:
    game = position(preset, hands=("RRRRRR",))
    if preset not in WITH_STATIONS:
        assert not any(map(codes.is_station, game.legal()))
        return
    game.station_cities = [[game.board.cities.index("roma")], [game.board.cities.index("wien")]]
    game.stations_left = [2, 2]
    legal = game.legal()
    assert station(game, "wien") not in legal
    assert station(game, "roma") not in legal
    assert station(game, "berlin") in legal
    game.stations_left[ANN] = 0
    game.station_cities[ANN] += [0, 1]
    assert not any(map(codes.is_station, game.legal()))


def give_stations(game: ReferenceGame, seat: int, *cities: str) -> None:
    for city in cities:
        game.station_cities[seat].append(game.board.cities.index(city))
        game.stations_left[seat] -= 1


def tickets_and_station_points(score: SeatScore) -> int:
    return score.tickets_won - score.tickets_lost + score.stations_points


@only("europe")
def test_s25_best_use_of_stations(preset: str) -> None:
    game = position(preset, made_up("P-Q 1", "Q-R 1", "R-S 1", "Q-T 1", tickets=("P-R 7", "P-S 12", "P-T 9")))
    own(game, ANN, "P-Q")
    own(game, BO, "Q-R", "R-S", "Q-T")
    give_stations(game, ANN, "Q", "R")
    game.tickets[ANN] = [0, 1, 2]
    ann = score_game(game).seats[ANN]
    assert (ann.tickets_won, ann.tickets_lost, ann.stations_points) == (19, 9, 4)
    assert (ann.completed, ann.failed, ann.stations_placed) == (2, 1, 2)


@only(*WITH_STATIONS)
def test_s26_unplaced_against_unborrowed(preset: str) -> None:
    game = position(preset, made_up("A-B 1", "B-C 1", "D-E 1", tickets=("A-C 6",)))
    own(game, ANN, "A-B")
    own(game, BO, "B-C", "D-E")
    give_stations(game, ANN, "B", "D")
    game.tickets[ANN] = [0]
    ann = score_game(game).seats[ANN]
    assert ann.tickets_won == 6
    assert tickets_and_station_points(ann) == (14 if preset == "europe-zh" else 10)


@only("europe", "europe-zh")
@pytest.mark.parametrize("value", [5, 6, 7])
def test_s27_when_borrowing_does_not_pay(preset: str, value: int) -> None:
    game = position(preset, made_up("K-L 1", "L-M 1", "M-N 1", "N-O 1", tickets=(f"K-O {value}",)))
    own(game, ANN, "K-L")
    own(game, BO, "L-M", "M-N", "N-O")
    give_stations(game, ANN, "L", "M", "N")
    game.tickets[ANN] = [0]
    ann = score_game(game).seats[ANN]
    keeps_stations = preset == "europe-zh" and value == 5
    assert tickets_and_station_points(ann) == (7 if keeps_stations else value)
    assert (ann.completed, ann.failed) == ((0, 1) if keeps_stations else (1, 0))


# Longest path


def trail(*lines: str) -> int:
    return longest_trail([(t.a, t.b, t.length) for t in made_up(*lines).tracks])


def test_s28_path_with_a_loop() -> None:
    assert trail("A-B 2", "B-C 3", "C-A 4", "C-D 6") == 15


def test_s29_figure_of_eight_and_star() -> None:
    assert trail("A-B 2", "B-C 2", "C-A 2", "C-D 3", "D-E 3", "E-C 3") == 15
    assert trail("H-A 4", "H-B 3", "H-C 2", "H-D 6") == 10
    assert trail("A-B 8", "C-D 4", "D-E 4", "E-F 1") == 9


@only(*WITH_STATIONS)
def test_s30_stations_and_ties_in_the_longest_path(preset: str) -> None:
    game = position(preset, made_up("P-Q 5", "R-S 6", "Q-R 4", "X-Y 6"), players=3)
    own(game, ANN, "P-Q", "R-S")
    own(game, BO, "Q-R")
    own(game, CY, "X-Y")
    give_stations(game, ANN, "Q")
    seats = score_game(game).seats
    assert [score.longest for score in seats] == [6, 4, 6]
    assert [score.longest_path_bonus for score in seats] == [10, 0, 10]


# Tickets


@presets
def test_s31_ticket_action(preset: str) -> None:
    game = position(preset, tickets_left=tuple(range(1, 11)))
    game.step(codes.DRAW_TICKETS)
    assert game.legal() == [codes.KEEP + mask for mask in range(1, 8)]
    game.step(codes.KEEP + 0b010)
    assert game.tickets[ANN] == [2]
    assert game.ticket_deck == [4, 5, 6, 7, 8, 9, 10, *([] if preset == "nordic" else [1, 3])]
    assert game.refused[ANN] == [1, 3]

    game = position(preset, tickets_left=(1, 2))
    game.step(codes.DRAW_TICKETS)
    assert game.legal() == [codes.KEEP + mask for mask in (1, 2, 3)]

    game = position(preset, tickets_left=(1,))
    game.step(codes.DRAW_TICKETS)
    assert game.legal() == [codes.KEEP + 1]

    assert codes.DRAW_TICKETS not in position(preset).legal()


@presets
def test_s32_tickets_at_setup(preset: str) -> None:
    game = position(preset)
    game = ReferenceGame.new(game.board, game.options, 2, seed=5)
    long = [t for t, ticket in enumerate(game.board.tickets) if ticket.long]
    offers = [list(offer) for offer in game.offers]
    ann, bo = offers
    assert len(ann) == len(bo) == {"nordic": 5, "usa": 3}.get(PRESETS[preset]["board"], 4)
    split = preset in WITH_STATIONS
    if split:
        assert [ticket in long for ticket in ann] == [True, False, False, False]
        assert not {*long} & {*game.ticket_deck}
        assert len(game.ticket_deck) == 40 - 6
    else:
        assert len(game.ticket_deck) == len(game.board.tickets) - len(ann) - len(bo)
    assert all((code - codes.KEEP).bit_count() >= 2 for code in game.legal())
    assert len(game.legal()) == 2 ** len(ann) - 1 - len(ann)

    deck = list(game.ticket_deck)
    game.step(codes.KEEP + 0b110)  # the first offered, long in a split pool, is refused
    assert game.seat == BO
    game.step(codes.KEEP + 0b110)
    under = [ticket for offer in offers for i, ticket in enumerate(offer) if i not in (1, 2)]
    if preset == "europe-zh":
        under = [ticket for ticket in under if ticket not in long]
    elif preset not in ("nordic-zh", "usa"):
        under = []
    assert game.ticket_deck == deck + under
    assert (game.seat, game.phase) == (ANN, "TURN")


# The end of the game


@presets
def test_s33_last_turns(preset: str) -> None:
    game = position(preset, players=3, tickets_left=tuple(range(20)))
    ticket_turn = (codes.DRAW_TICKETS, codes.KEEP + 1)
    game.trains[BO] = 3
    game.seat = BO
    do(game, *ticket_turn)
    assert game.trigger == -1
    game.trains[BO] = 2
    game.seat = BO
    do(game, *ticket_turn)
    assert game.trigger == BO
    still_play = []
    while not game.is_over:
        still_play.append(game.seat)
        do(game, *ticket_turn)
    if preset == "europe-zh":
        assert still_play == [CY, ANN]
    elif preset in ("nordic-zh", "europe-fa"):
        assert still_play == [CY]
    else:
        assert still_play == [CY, ANN, BO]
    assert game.reason == FINAL_ROUND


def tied(completed: int, stations: int, longest: int, holds: bool) -> SeatScore:
    return SeatScore(
        routes=100,
        tickets_won=0,
        tickets_lost=0,
        completed=completed,
        failed=0,
        stations_points=0,
        stations_placed=stations,
        borrowing=0,
        longest=longest,
        longest_path_bonus=10 * holds,
        total=100,
    )


@presets
def test_s34_ties_on_points(preset: str) -> None:
    options = PRESETS[preset]
    seats = [tied(5, 3, 10, False), tied(4, 0, 20, True)]
    assert rank_seats(seats, [5, 0], options) == 1
    assert [score.rank for score in seats] == [1, 2]

    if preset in EUROPE:
        placed = (0, 0) if preset == "europe-fa" else (1, 2)
        seats = [tied(4, placed[0], 20, False), tied(4, placed[1], 24, True)]
        decided_by = rank_seats(seats, [5, 5], options)
        assert [score.rank for score in seats] == ([1, 2] if preset == "europe" else [2, 1])
        assert decided_by == (3 if preset == "europe-fa" else 2)
    if preset in NORDIC:
        seats = [tied(5, 0, 18, False), tied(5, 0, 21, False)]
        assert rank_seats(seats, [0, 2], options) == 2
        assert [score.rank for score in seats] == ([2, 1] if preset == "nordic" else [1, 2])


@presets
def test_s35_all_trains_used(preset: str) -> None:
    game = position(preset, players=3)
    game.trains = [0, 1, 0]
    bonus = 15 if preset == "europe-fa" else 0
    assert [score.all_trains_bonus for score in score_game(game).seats] == [bonus, 0, bonus]


@only(*NORDIC)
def test_s36_most_completed_tickets(preset: str) -> None:
    tickets = ("A-B 3",) * 5 + ("A-C 4",) * 3 + ("C-D 2",) * 5 + ("E-F 5",) * 3
    game = position(preset, made_up("A-B 1", "C-D 1", "E-F 1", tickets=tickets), players=3)
    own(game, ANN, "A-B")
    own(game, BO, "C-D")
    own(game, CY, "E-F")
    game.tickets = [list(range(8)), list(range(8, 13)), list(range(13, 16))]
    seats = score_game(game).seats
    assert [(score.completed, score.failed) for score in seats] == [(5, 3), (5, 0), (3, 0)]
    assert [score.globetrotter for score in seats] == [10, 10, 0]
    assert [tickets_and_station_points(score) for score in seats] == [3, 10, 15]


@presets
def test_s38_bonuses_of_the_board(preset: str) -> None:
    tickets = ("A-B 1",) * 2 + ("V-W 1",) * 6
    board = made_up("A-B 9", "B-C 9", "C-D 9", "D-E 3", "V-W 6", "W-X 6", tickets=tickets)
    game = position(preset, board)
    own(game, ANN, "A-B", "B-C", "C-D", "D-E")
    own(game, BO, "V-W", "W-X")
    game.tickets = [[0, 1], [2, 3, 4, 5, 6, 7]]
    ann, bo = score_game(game).seats
    assert (ann.longest, bo.longest) == (30, 12)
    bonuses = [(score.longest_path_bonus, score.globetrotter) for score in (ann, bo)]
    assert bonuses == ([(0, 0), (0, 10)] if preset in NORDIC else [(10, 0), (0, 0)])


@presets
def test_s40_nothing_left_to_draw(preset: str) -> None:
    for seat in (ANN, BO):
        game = position(preset, hands=("RRRR", "RRRR"), market="", deck="", tickets_left=(0, 1, 2, 3, 4, 5))
        game.seat = seat
        do(game, codes.DRAW_TICKETS, codes.KEEP + 0b111)
        if preset != "nordic-zh":
            assert not game.is_over
            assert game.remaining == -1
        elif seat == BO:
            assert game.is_over
            assert game.reason == EXHAUSTED
        else:
            assert (game.is_over, game.seat, game.remaining) == (False, BO, 1)
            do(game, codes.DRAW_TICKETS, codes.KEEP + 0b111)
            assert game.is_over
            assert game.reason == EXHAUSTED


@only("europe")
def test_s41_endless_attempts(preset: str) -> None:
    game = position(preset, made_up("A-B 2 yellow tunnel"), hands=("YY", "YY"), market="PWBKR", deck="YYY")
    game.stations_left = [0, 0]
    turns = 0
    while not game.is_over:
        pay_with(game, claim(game, "A-B"), "YY")
        assert game.legal() == [codes.TAKE_BACK]
        game.step(codes.TAKE_BACK)
        turns += 1
    assert turns == 600
    assert game.turns_done == [300, 300]
    assert game.reason == TURN_LIMIT
    assert game.owner[track(game, "A-B")] == -1
