"""The rules of the game, written to be read.

Every decision is explicit: `legal` lists the action codes of the seat to decide, `apply` carries one
out, and nothing is taken automatically (`advance` does that on request). State is in plain attributes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from . import codes
from .board import Board, Options
from .codes import LOCO, NO_COLOR
from .prices import Price, can_pay, price_of, set_numbers
from .rng import FIRST_RESHUFFLE, LONG_TICKETS, TICKET_DECK, TRAIN_CARDS, Stream

PHASES = ("KEEP_SETUP", "TURN", "DRAW", "PAY", "SETS", "FILLER", "SETCARDS", "TUNNEL", "KEEP", "OVER")

LOW = (1 << 64) - 1  # the bits of the first of two words

FINAL_ROUND, EXHAUSTED, ALL_PASSED, TURN_LIMIT = 1, 2, 3, 4


class IllegalAction(ValueError):
    """The action is not legal in this position."""


@dataclass
class Payment:
    """A claim or station being paid. Cards in `paid` have left the hand.

    So many `free_cards` and then `set_cards` still have to be chosen one by one.
    """

    track: int = -1
    city: int = -1
    color: int = NO_COLOR
    locos: int = 0
    sets: int = 0
    free_cards: int = 0
    set_cards: int = 0
    lowest_color: int = 0
    paid: list[int] = field(default_factory=lambda: [0] * 9)
    extra: int = 0
    revealed: list[int] = field(default_factory=lambda: [0] * 9)
    shown_before: list[int] = field(default_factory=lambda: [0] * 9)


class ReferenceGame:
    """One game. The constructor gives an undealt table; `new` deals."""

    def __init__(self, board: Board, options: Options, players: int, seed: int = 0) -> None:
        self.board = board
        self.options = options
        self.players = players
        self.seed = seed

        self.hands = [[0] * 9 for _ in range(players)]
        self.shown = [[0] * 9 for _ in range(players)]
        self.market = [0] * 9
        self.discards = [0] * 9
        self.deck: list[int] = []  # the top is the last
        self.reshuffles = 0

        self.owner = [-1] * len(board.tracks)
        self.closed = [False] * len(board.tracks)
        self.prices = [price_of(track, options) for track in board.tracks]
        self.tracks_by_price: dict[Price, list[int]] = {}
        for t, price in enumerate(self.prices):
            # Digging costs more only afterwards.
            self.tracks_by_price.setdefault(replace(price, tunnel=False), []).append(t)
        self.trains = [options["trains_per_player"]] * players
        self.points = [0] * players
        self.stations_left = [options["stations_per_player"]] * players
        self.station_cities: list[list[int]] = [[] for _ in range(players)]

        self.ticket_deck: list[int] = []  # the top is the first
        self.tickets: list[list[int]] = [[] for _ in range(players)]
        self.refused: list[list[int]] = [[] for _ in range(players)]
        self.offers: list[list[int]] = [[] for _ in range(players)]

        self.phase = "TURN"
        self.seat = 0
        self.drawn = 0
        self.first_blind = False
        self.pending: Payment | None = None
        self.turns_done = [0] * players
        self.passes = 0
        self.trigger = -1
        self.remaining = -1  # turns until the end, -1: nothing set
        self.reason = 0

    @classmethod
    def new(cls, board: Board, options: Options, players: int, seed: int) -> ReferenceGame:
        """Deal a game from its seed."""
        game = cls(board, options, players, seed)
        game.deck = [color for color in range(8) for _ in range(12)] + [LOCO] * 14
        Stream(seed, TRAIN_CARDS).shuffle(game.deck)
        for hand in game.hands:
            for _ in range(options["initial_hand"]):
                game.deal_card(hand)
        game.settle_market()
        game.deal_tickets()
        game.seat = -1
        game.next_setup_seat()
        return game

    # Cards

    def can_draw_blind(self) -> bool:
        """Whether a card can come from the deck, after a reshuffle if need be."""
        return bool(self.deck) or any(self.discards)

    def draw_card(self) -> int:
        """Take the top card of the deck; the discards become the deck when it is empty."""
        if not self.deck:
            self.deck = [color for color in range(9) for _ in range(self.discards[color])]
            self.discards = [0] * 9
            Stream(self.seed, FIRST_RESHUFFLE + self.reshuffles).shuffle(self.deck)
            self.reshuffles += 1
        return self.deck.pop()

    def deal_card(self, to: list[int]) -> None:
        """Draw a card into these counts, if there is one."""
        if self.can_draw_blind():
            to[self.draw_card()] += 1

    def fill_market(self) -> None:
        """Turn up cards until the market is full or no card is left."""
        while sum(self.market) < self.options["market_size"] and self.can_draw_blind():
            self.market[self.draw_card()] += 1

    def settle_market(self) -> None:
        """Fill the market, and refresh it as long as it shows three locomotives where that is the rule."""
        self.fill_market()
        if self.options["market_locomotives"] != "refresh_at_three":
            return
        while self.market[LOCO] >= 3 and self.refresh_can_help():
            for color in range(9):
                self.discards[color] += self.market[color]
                self.market[color] = 0
            self.fill_market()

    def refresh_can_help(self) -> bool:
        """Whether enough coloured cards exist outside the hands for a market with two locomotives."""
        colored = sum(self.market[:LOCO]) + sum(self.discards[:LOCO])
        colored += len(self.deck) - self.deck.count(LOCO)
        needed: int = self.options["market_size"] - 2
        return colored >= needed

    def market_is_closed(self) -> bool:
        """Whether nobody may take a face-up card."""
        return self.options["market_locomotives"] == "block_market_at_three" and self.market[LOCO] >= 3

    def discard_payment(self, payment: Payment) -> None:
        """Put the paid and the revealed cards onto the discards."""
        for color in range(9):
            self.discards[color] += payment.paid[color] + payment.revealed[color]

    def put(self, color: int, number: int) -> None:
        """Put cards of the hand into the payment; those taken face up are thought to go first."""
        hand, shown = self.hands[self.seat], self.shown[self.seat]
        hand[color] -= number
        shown[color] = max(0, shown[color] - number)
        self.payment().paid[color] += number

    # Tickets

    def deal_tickets(self) -> None:
        """Shuffle the tickets and deal the offers of the setup."""
        setup = self.options["tickets_setup"]
        numbers = range(len(self.board.tickets))
        long_pile: list[int] = []
        if self.options["ticket_pool"] == "split":
            long_pile = [t for t in numbers if self.board.tickets[t].long]
            self.ticket_deck = [t for t in numbers if not self.board.tickets[t].long]
            Stream(self.seed, LONG_TICKETS).shuffle(long_pile)
        else:
            self.ticket_deck = list(numbers)
        Stream(self.seed, TICKET_DECK).shuffle(self.ticket_deck)
        for seat in range(self.players):
            self.offers[seat] = long_pile[: setup["deal_long"]] + self.ticket_deck[: setup["deal"]]
            del long_pile[: setup["deal_long"]]
            del self.ticket_deck[: setup["deal"]]

    def next_setup_seat(self) -> None:
        """Let the next seat with an offer decide, or begin the first turn."""
        self.phase = "KEEP_SETUP"
        self.seat += 1
        while self.seat < self.players and not self.offers[self.seat]:
            self.seat += 1
        if self.seat == self.players:
            self.phase = "TURN"
            self.seat = 0

    def keep(self, mask: int) -> None:
        """Keep the offered tickets in the mask; the others go where the option says."""
        in_setup = self.phase == "KEEP_SETUP"
        from_long_pile = in_setup and self.options["ticket_pool"] == "split"
        back = self.options["setup_returned_tickets" if in_setup else "returned_tickets"] == "bottom"
        for i, ticket in enumerate(self.offers[self.seat]):
            if mask >> i & 1:
                self.tickets[self.seat].append(ticket)
            else:
                self.refused[self.seat].append(ticket)
                # A long ticket goes under the long pile, from which nobody draws again.
                if back and not (from_long_pile and self.board.tickets[ticket].long):
                    self.ticket_deck.append(ticket)
        self.offers[self.seat] = []

    # What is legal

    def legal(self) -> list[int]:
        """The legal action codes, ascending; empty only when the game is over."""
        return sorted(
            {
                "KEEP_SETUP": self.keep_actions,
                "TURN": self.turn_actions,
                "DRAW": self.draw_actions,
                "PAY": self.pay_actions,
                "SETS": self.sets_actions,
                "FILLER": self.filler_actions,
                "SETCARDS": self.set_card_actions,
                "TUNNEL": self.tunnel_actions,
                "KEEP": self.keep_actions,
                "OVER": list,
            }[self.phase]()
        )

    def keep_actions(self) -> list[int]:
        """Every choice of at least the least number of offered tickets."""
        setup = self.phase == "KEEP_SETUP"
        keep_min = self.options["tickets_setup" if setup else "draw_tickets"]["keep_min"]
        offered = len(self.offers[self.seat])
        least = max(1, min(keep_min, offered))
        return [codes.KEEP + mask for mask in range(1, 1 << offered) if mask.bit_count() >= least]

    def turn_actions(self) -> list[int]:
        """The main actions of a turn; passing only without any other."""
        actions = self.draw_actions()
        if self.ticket_deck:
            actions.append(codes.DRAW_TICKETS)
        actions += self.claim_actions()
        actions += self.station_actions()
        return actions or [codes.PASS]

    def draw_actions(self) -> list[int]:
        """The train cards that may be taken as the next card of a draw."""
        actions = []
        if not self.market_is_closed():
            actions += [color for color in range(8) if self.market[color]]
            if self.market[LOCO] and self.may_take_open_loco():
                actions.append(LOCO)
        if self.can_draw_blind():
            actions.append(codes.BLIND)
        return actions

    def may_take_open_loco(self) -> bool:
        """Whether a face-up locomotive may be the next card of the draw."""
        if self.drawn == 0:
            return True
        rule = self.options["second_draw_face_up_locomotive"]
        return rule == "allowed" or (rule == "allowed_after_blind" and self.first_blind)

    def claim_actions(self) -> list[int]:
        """The tracks that are open to the seat and that it can pay for."""
        actions = []
        hand = self.hands[self.seat]
        longest = min(self.trains[self.seat], sum(hand))
        mine = self.open_partners(self.seat)
        for price, tracks in self.tracks_by_price.items():
            if price.length <= longest and can_pay(price, hand):
                actions += [
                    codes.CLAIM + t
                    for t in tracks
                    if self.owner[t] == -1 and not self.closed[t] and t not in mine
                ]
        return actions

    def open_partners(self, seat: int) -> list[int]:
        """Open tracks that this seat may not have because it owns the parallel one."""
        return [
            t
            for t, partner in self.board.doubles
            if self.owner[partner] == seat and self.owner[t] == -1 and not self.closed[t]
        ]

    def station_actions(self) -> list[int]:
        """The cities without a station, if the seat has a station and its price."""
        seat = self.seat
        if self.stations_left[seat] == 0:
            return []
        hand = self.hands[seat]
        if max(hand[:LOCO]) + hand[LOCO] < self.station_price():
            return []
        taken = [city for cities in self.station_cities for city in cities]
        return [codes.STATION + city for city in range(len(self.board.cities)) if city not in taken]

    def station_price(self) -> int:
        """Cards for the next station of the seat."""
        if self.options["station_cost"] == "single_card":
            return 1
        return len(self.station_cities[self.seat]) + 1

    # What is legal in the middle of a payment

    def pay_actions(self) -> list[int]:
        """Colour and number of locomotives, as far as some number of sets completes them."""
        payment = self.payment()
        hand = self.hands[self.seat]
        actions = []
        for color in range(9):
            for locos in range(min(hand[LOCO], 9) + 1):
                if payment.track == -1:
                    coloured = self.station_price() - locos
                    payable = coloured == 0 if color == NO_COLOR else 0 < coloured <= hand[color]
                else:
                    payable = bool(set_numbers(self.prices[payment.track], hand, color, locos))
                if payable:
                    actions.append(codes.pay(color, locos))
        return actions

    def sets_actions(self) -> list[int]:
        """The numbers of substitute sets."""
        payment = self.payment()
        hand = [a + b for a, b in zip(self.hands[self.seat], payment.paid, strict=True)]
        price = self.prices[payment.track]
        return [codes.SETS + sets for sets in set_numbers(price, hand, payment.color, payment.locos)]

    def filler_actions(self) -> list[int]:
        """The next coloured card of a mixed ferry payment."""
        payment = self.payment()
        return self.next_card_actions(payment.lowest_color, LOCO, payment.free_cards)

    def set_card_actions(self) -> list[int]:
        """The next card of the substitute sets."""
        payment = self.payment()
        return self.next_card_actions(payment.lowest_color, LOCO + 1, payment.set_cards)

    def next_card_actions(self, first: int, end: int, needed: int) -> list[int]:
        """Cards of colours from `first` up of which, going on upwards, enough are left."""
        hand = self.hands[self.seat]
        return [
            codes.CARD + color
            for color in range(first, end)
            if hand[color] and sum(hand[color:end]) >= needed
        ]

    def tunnel_actions(self) -> list[int]:
        """Pay the extra cards with k locomotives, or take the payment back."""
        payment = self.payment()
        hand = self.hands[self.seat]
        actions = []
        for locos in range(min(payment.extra, hand[LOCO]) + 1):
            coloured = payment.extra - locos
            if coloured == 0 or (payment.color != NO_COLOR and coloured <= hand[payment.color]):
                actions.append(codes.EXTRA + locos)
        if not actions or self.options["tunnel_decline"] == "free":
            actions.append(codes.TAKE_BACK)
        return actions

    def payment(self) -> Payment:
        """The payment under way."""
        assert self.pending is not None
        return self.pending

    # Carrying out

    def apply(self, action: int) -> None:
        """Carry out one action of the seat to decide; it is not checked (see `step`)."""
        if self.phase in ("KEEP_SETUP", "KEEP"):
            self.apply_keep(action)
        elif action <= codes.BLIND:
            self.apply_draw(action)
        elif action == codes.DRAW_TICKETS:
            self.apply_draw_tickets()
        elif action == codes.PASS:
            self.passes += 1
            self.end_turn()
        elif codes.is_claim(action):
            self.begin_payment(Payment(track=action - codes.CLAIM))
        elif codes.is_station(action):
            self.begin_payment(Payment(city=action - codes.STATION))
        elif codes.is_pay(action):
            self.apply_pay(*divmod(action - codes.PAY, 10))
        elif action < codes.CARD:
            self.apply_sets(action - codes.SETS)
        elif action < codes.EXTRA:
            self.apply_card(action - codes.CARD)
        elif codes.is_extra(action):
            self.apply_extra(action - codes.EXTRA)
        else:
            self.apply_take_back()

    def step(self, action: int) -> None:
        """Carry out one action, if it is legal."""
        if action not in self.legal():
            raise IllegalAction(f"{codes.describe(action)} ({action}) in phase {self.phase}")
        self.apply(action)

    def advance(self) -> list[tuple[int, int]]:
        """Take decisions with one legal action until there is a choice; returns (seat, action) pairs."""
        return self.next_choice()[0]

    def next_choice(self) -> tuple[list[tuple[int, int]], list[int]]:
        """As `advance`; returns the actions taken and the legal actions of the choice."""
        taken = []
        legal = self.legal()
        while len(legal) == 1:
            taken.append((self.seat, legal[0]))
            self.apply(legal[0])
            legal = self.legal()
        return taken, legal

    def apply_keep(self, action: int) -> None:
        """Keep tickets, at the setup or as a turn."""
        self.keep(action - codes.KEEP)
        if self.phase == "KEEP_SETUP":
            self.next_setup_seat()
        else:
            self.end_turn()

    def apply_draw_tickets(self) -> None:
        """Look at the top tickets."""
        self.passes = 0
        number = self.options["draw_tickets"]["draw"]
        self.offers[self.seat] = self.ticket_deck[:number]
        del self.ticket_deck[:number]
        self.phase = "KEEP"

    def apply_draw(self, action: int) -> None:
        """Take one train card; the draw goes on if a further card may and can be taken."""
        self.passes = 0
        hand = self.hands[self.seat]
        ends_draw = False
        if action == codes.BLIND:
            hand[self.draw_card()] += 1
            self.first_blind = self.first_blind or self.drawn == 0
        else:
            self.market[action] -= 1
            hand[action] += 1
            self.shown[self.seat][action] += 1
            ends_draw = (
                action == LOCO and self.drawn == 0 and self.options["face_up_locomotive"] == "ends_draw"
            )
        self.drawn += 1
        self.settle_market()
        if ends_draw or self.drawn == self.options["cards_per_draw"] or not self.draw_actions():
            self.end_turn()
        else:
            self.phase = "DRAW"

    def begin_payment(self, payment: Payment) -> None:
        """Start to pay for a track or a station."""
        self.passes = 0
        payment.shown_before = list(self.shown[self.seat])
        self.pending = payment
        self.phase = "PAY"

    def apply_pay(self, color: int, locos: int) -> None:
        """Name colour and locomotives."""
        payment = self.payment()
        payment.color = color
        payment.locos = locos
        self.put(LOCO, locos)
        if payment.track == -1:
            self.choose_cards(self.station_price() - locos)
        elif self.prices[payment.track].set_size:
            self.phase = "SETS"
        else:
            self.choose_cards(self.prices[payment.track].length - locos)

    def apply_sets(self, sets: int) -> None:
        """Name the number of substitute sets."""
        payment = self.payment()
        price = self.prices[payment.track]
        payment.sets = sets
        payment.set_cards = sets * price.set_size
        self.choose_cards(price.length - payment.locos - sets)

    def choose_cards(self, coloured: int) -> None:
        """With the shape of the payment known, go on to the cards that are chosen one by one."""
        payment = self.payment()
        if payment.color == NO_COLOR:
            payment.free_cards = coloured
        else:
            self.put(payment.color, coloured)
        self.next_card_phase()

    def next_card_phase(self) -> None:
        """Choose the next single card, or carry out what is paid."""
        payment = self.payment()
        if payment.free_cards:
            self.phase = "FILLER"
        elif payment.set_cards:
            self.phase = "SETCARDS"
        elif payment.track == -1:
            self.place_station()
        elif self.prices[payment.track].tunnel:
            self.reveal_tunnel()
        else:
            self.own_track()

    def apply_card(self, color: int) -> None:
        """Put one card of free choice into the payment."""
        payment = self.payment()
        self.put(color, 1)
        payment.lowest_color = color
        if payment.free_cards:
            payment.free_cards -= 1
            if not payment.free_cards:
                payment.lowest_color = 0
        else:
            payment.set_cards -= 1
        self.next_card_phase()

    def place_station(self) -> None:
        """Place the station that is paid."""
        payment = self.payment()
        self.discard_payment(payment)
        self.stations_left[self.seat] -= 1
        self.station_cities[self.seat].append(payment.city)
        self.settle_market()
        self.end_turn()

    def own_track(self) -> None:
        """Give the seat the track that is paid, and discard the payment."""
        payment = self.payment()
        track = self.board.tracks[payment.track]
        self.discard_payment(payment)
        self.owner[payment.track] = self.seat
        self.trains[self.seat] -= track.length
        self.points[self.seat] += self.options["route_points"][str(track.length)]
        if track.partner != -1 and self.players < self.options["double_routes_min_players"]:
            self.closed[track.partner] = True
        self.settle_market()
        self.end_turn()

    def reveal_tunnel(self) -> None:
        """Turn up cards for the committed payment; go on to the extra cards if any are due."""
        payment = self.payment()
        for _ in range(self.options["tunnel_reveal"]):
            self.deal_card(payment.revealed)
        if payment.color != NO_COLOR:
            payment.extra += payment.revealed[payment.color]
        if self.options["tunnel_match"] == "color_or_loco":
            payment.extra += payment.revealed[LOCO]
        if payment.extra:
            self.phase = "TUNNEL"
        else:
            self.own_track()

    def apply_extra(self, locos: int) -> None:
        """Pay the extra cards of a tunnel."""
        payment = self.payment()
        self.put(LOCO, locos)
        if payment.color != NO_COLOR:
            self.put(payment.color, payment.extra - locos)
        self.own_track()

    def apply_take_back(self) -> None:
        """Take the payment for a tunnel back; everybody has seen it."""
        payment = self.payment()
        hand, shown = self.hands[self.seat], self.shown[self.seat]
        for color in range(9):
            hand[color] += payment.paid[color]
            shown[color] = max(payment.shown_before[color], payment.paid[color])
            self.discards[color] += payment.revealed[color]
        self.settle_market()
        self.end_turn()

    # Turns and the end

    def end_turn(self) -> None:
        """Finish the turn of the seat: end the game or let the next seat play."""
        seat, last_seat = self.seat, self.players - 1
        self.pending = None
        self.drawn = 0
        self.first_blind = False
        self.turns_done[seat] += 1
        if self.passes == self.players:
            self.finish(ALL_PASSED)
            return
        if self.remaining > 0:
            self.remaining -= 1
        if self.trigger == -1 and self.trains[seat] <= self.options["end_trigger_trains"]:
            self.trigger = seat
            turns = {
                "all_including_trigger": self.players,
                "others_only": self.players - 1,
                "complete_round": last_seat - seat,
            }[self.options["final_round"]]
            self.end_after(turns, FINAL_ROUND)
        if self.options["end_when_exhausted"] == "complete_round" and self.nothing_to_draw():
            self.end_after(last_seat - seat, EXHAUSTED)
        if self.remaining == 0:
            self.finish(self.reason)
        elif seat == last_seat and self.turns_done[seat] >= self.options["turn_limit"] > 0:
            self.finish(TURN_LIMIT)
        else:
            self.seat = (seat + 1) % self.players
            self.phase = "TURN"

    def end_after(self, turns: int, reason: int) -> None:
        """End the game after so many turns, unless it ends as early already."""
        if self.remaining == -1 or turns < self.remaining:
            self.remaining = turns
            self.reason = reason

    def nothing_to_draw(self) -> bool:
        """Whether no train card can be drawn by anybody."""
        return not self.can_draw_blind() and (not any(self.market) or self.market_is_closed())

    def finish(self, reason: int) -> None:
        """The game is over."""
        self.phase = "OVER"
        self.reason = reason

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.phase == "OVER"

    def snapshot(self) -> dict[str, list[int]]:
        """The whole state as plain numbers, under the names of the engine's record.

        Each value is a list, rows of seats one after the other. Sets of tickets and cities are integers with a bit for each
        member; sets of tracks are two such integers, the first for the tracks below 64.
        """
        open_tracks, own, blocked = masks_of(
            tuple(self.owner), tuple(self.closed), tuple(self.board.doubles), self.players
        )
        state = {
            "seed": [self.seed],
            "seat": [self.seat],
            "drawn": [self.drawn],
            "first_blind": [int(self.first_blind)],
            "passes": [self.passes],
            "trigger": [self.trigger],
            "remaining": [self.remaining],
            "reason": [self.reason],
            "hands": chained(self.hands),
            "shown": chained(self.shown),
            "hand_n": [sum(hand) for hand in self.hands],
            "ticket_n": [len(tickets) for tickets in self.tickets],
            "market": self.market,
            "market_n": [sum(self.market)],
            "discards": self.discards,
            "deck": self.deck,
            "reshuffles": [self.reshuffles],
            "open": open_tracks,
            "own": own,
            "blocked": blocked,
            "trains": self.trains,
            "stations": self.stations_left,
            "station_city": chained(self.station_cities),
            "station_mask": [mask_of(chained(self.station_cities))],
            "points": self.points,
            "tickets": [mask_of(tickets) for tickets in self.tickets],
            "refused": [mask_of(refused) for refused in self.refused],
            "offer": chained(self.offers),
            "offer_n": [len(offer) for offer in self.offers],
            "ticket_deck": self.ticket_deck,
            "turns": [sum(self.turns_done)],
            "turns_done": self.turns_done,
        }
        if self.pending:
            payment = self.pending
            state |= {
                "pend_track": [payment.track],
                "pend_city": [payment.city],
                "pend_locos": [payment.locos],
                "pend_sets": [payment.sets],
                "pend_left": [payment.free_cards or payment.set_cards],
                "pend_paid": payment.paid,
                "pend_extra": [payment.extra],
                "pend_revealed": payment.revealed,
            }
            if self.phase != "PAY":
                state["pend_color"] = [payment.color]
        return state


@lru_cache(maxsize=8)
def masks_of(
    owners: tuple[int, ...], closed: tuple[bool, ...], doubles: tuple[tuple[int, int], ...], players: int
) -> tuple[list[int], list[int], list[int]]:
    """The open tracks, those of each seat, and those open to all but a seat, as words."""
    open_tracks, own, blocked = 0, [0] * players, [0] * players
    for t, owner in enumerate(owners):
        if owner != -1:
            own[owner] |= 1 << t
        elif not closed[t]:
            open_tracks |= 1 << t
    for t, partner in doubles:
        if owners[partner] != -1 and open_tracks >> t & 1:
            blocked[owners[partner]] |= 1 << t
    return words_of([open_tracks]), words_of(own), words_of(blocked)


def chained(rows: list[list[int]]) -> list[int]:
    """The rows, one after the other."""
    return [number for row in rows for number in row]


def words_of(masks: list[int]) -> list[int]:
    """Each mask as two integers of 64 bits, the low one first."""
    return [word for mask in masks for word in (mask & LOW, mask >> 64)]


def mask_of(numbers: list[int]) -> int:
    """An integer with these bits set."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
