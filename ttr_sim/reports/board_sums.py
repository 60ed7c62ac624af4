"""Sums for the board: claims of tracks, the cities they reach, stations, and what each length brings."""

from typing import Any

import numpy as np

from ttr_sim.board import MAX_LENGTH
from ttr_sim.reports.pieces import Piece, Scene
from ttr_sim.results.events import DRAW
from ttr_sim.stats import RatioSums


class BoardSums:
    """What one scene tells about its tracks and cities; `lift` is how much more than expected their owners won.

    Of cities: `reach` counts seats with a track there, `used` the claimed tracks at it.
    """

    def __init__(self, scene: Scene, bots: int) -> None:
        board = scene.board
        tracks, cities = len(board.tracks), len(board.cities)
        self.claim, self.lift, self.round, self.extra = (RatioSums(tracks) for _ in range(4))
        self.bot_claim = RatioSums((bots, tracks))
        self.reach, self.reach_lift, self.reach_round, self.used = (RatioSums(cities) for _ in range(4))
        self.station, self.station_lift, self.station_round = (RatioSums(cities) for _ in range(3))
        self.length_claims, self.length_points, self.length_cards, self.length_lift = (
            RatioSums(MAX_LENGTH + 1) for _ in range(4)
        )
        self._length = np.array([track.length for track in board.tracks])
        self._points = np.array([scene.rules.route_points.get(n, 0) for n in range(MAX_LENGTH + 1)])
        self._at_city = np.zeros((tracks, cities), np.float32)
        for t, track in enumerate(board.tracks):
            self._at_city[t, [track.a, track.b]] = 1.0

    def add(self, piece: Piece, above: Any) -> None:
        """Add games played to their end; above: what their seats won more than expected."""
        tracks, cities = self._at_city.shape
        owner, rounds = piece["owner"][:, :tracks], piece["claim_round"][:, :tracks]
        claimed = owner >= 0
        games = piece.sums(np.ones((len(piece), 1)))
        claims = piece.sums(claimed)
        self.claim.add(claims, games)
        self.round.add(piece.sums(rounds), claims)
        lift, known = of_seat(above, owner)
        self.lift.add(piece.sums(lift), piece.sums(known))
        self.used.add(piece.sums(claimed @ self._at_city), games)
        bot = of_seat(piece["bot"], owner, nothing=-1)[0]
        for number, own in piece.by_bot():
            self.bot_claim.add(piece.sums(bot == number), piece.sums(own.sum(axis=1))[:, None], number)
        self._add_stations(piece, above, cities, games)
        self._add_cities(piece, above, owner, rounds)
        self._add_lengths(piece, owner, lift, known)

    def _add_stations(self, piece: Piece, above: Any, cities: int, games: Any) -> None:
        seat = piece["station_seat"][:, :cities]
        stations = piece.sums(seat >= 0)
        self.station.add(stations, games)
        self.station_round.add(piece.sums(piece["station_round"][:, :cities]), stations)
        lift, known = of_seat(above, seat)
        self.station_lift.add(piece.sums(lift), piece.sums(known))

    def _add_cities(self, piece: Piece, above: Any, owner: Any, rounds: Any) -> None:
        """A city is reached by a seat in the round of its first track there."""
        shape = len(piece), self._at_city.shape[1]
        reached, seen, lift, known = np.zeros((4, *shape), np.float32)
        for seat in range(piece.scene.players):
            own = owner == seat
            here = (own @ self._at_city) > 0
            reached += here
            seen += np.where(here, _first(own, rounds, self._at_city), 0)
            lift += np.where(here, np.nan_to_num(above[:, seat, None]), 0)
            known += here & ~np.isnan(above[:, seat, None])
        self.reach.add(piece.sums(reached), piece.sums(np.full((len(piece), 1), piece.scene.players)))
        self.reach_round.add(piece.sums(seen), piece.sums(reached))
        self.reach_lift.add(piece.sums(lift), piece.sums(known))

    def _add_lengths(self, piece: Piece, owner: Any, lift: Any, known: Any) -> None:
        """A claim costs its own turn and those in which its cards were drawn, at the seat's own pace of drawing."""
        drawn, draws = piece["cards_drawn"], piece["spent"][:, : piece.scene.players, DRAW]
        pace = np.divide(drawn, draws, out=np.full(drawn.shape, 2.0), where=draws > 0)
        cards = piece["paid"][:, : owner.shape[1]]
        turns = (1 + cards / of_seat(pace, owner, nothing=1.0)[0]) * (owner >= 0)
        seats = piece.sums(np.full(len(piece), piece.scene.players))
        for length in np.unique(self._length):
            which = self._length == length
            claims = piece.sums((owner[:, which] >= 0).sum(axis=1))
            self.length_claims.add(claims, seats, length)
            self.length_points.add(
                claims * self._points[length], piece.sums(turns[:, which].sum(axis=1)), length
            )
            self.length_cards.add(piece.sums(cards[:, which].sum(axis=1)), claims, length)
            self.length_lift.add(
                piece.sums(lift[:, which].sum(axis=1)), piece.sums(known[:, which].sum(axis=1)), length
            )


def of_seat(values: Any, seat: Any, nothing: float = 0.0) -> tuple[Any, Any]:
    """The value of the seats in `seat` (games, n; -1: nobody) and where there is one; values: (games, players)."""
    found = np.take_along_axis(values, np.maximum(seat, 0).astype(np.int64), axis=1)
    known = (seat >= 0) & ~np.isnan(found)
    return np.where(known, found, nothing), known


def _first(own: Any, rounds: Any, at_city: Any) -> Any:
    """The round of the first own track at every city, shape (games, cities); of those without one a big number."""
    when = np.where(own, rounds, 32767)
    return np.stack([when[:, column > 0].min(axis=1) for column in at_city.T], axis=1)
