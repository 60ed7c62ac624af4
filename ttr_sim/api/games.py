"""Single games: new ones, and those logged in a run; a Game shows its map in a notebook."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ttr_sim.api.pictures import game_svg, paragraph, picture, table
from ttr_sim.board import Board
from ttr_sim.engine import Game, Position, Result, View
from ttr_sim.errors import TtrError
from ttr_sim.results.logged import Part
from ttr_sim.results.replay import Step, kept_tickets, steps
from ttr_sim.rules import Rules

__all__ = ["Game", "LoggedGame", "Position", "Result", "View", "new_game"]

_PARTS = {
    "score": "score",
    "rank": "rank",
    "routes": "routes",
    "tickets_won": "tickets won",
    "tickets_lost": "tickets lost",
    "longest_bonus": "longest path",
    "globetrotter": "globetrotter",
    "all_trains": "all trains",
    "stations_points": "stations",
    "trains_left": "trains left",
}


def new_game(
    board: str | Path | Board | None = None,
    rules: str | Path | Rules | None = None,
    *,
    players: int = 2,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
) -> Game:
    """Deal a game to play by hand: `game.legal()`, `game.step(action)`, `game.view(seat)`, `game.result()`.

    Args:
        board: name, folder or Board; without it that of the rules, else europe.
        rules: name, TOML file or Rules; without it those named as the board.
        players: number of seats.
        seed: 0 to 2^64 - 1; it alone decides every card and ticket.
        options: options of the rules to change, by name.

    Raises:
        TtrError: something of this does not exist or does not fit.
    """
    from ttr_sim.tournament.ask import ask_setting

    setting = ask_setting(board, rules, options)
    return Game.new(setting.board, setting.rules, players, seed)


class LoggedGame:
    """A game of a run, from its log.

    Attributes:
        number, block, seed: which game it is, and the seed of its deal.
        bots: the labels of the bots, seat by seat.
        board, rules: what was played.
        actions: what the bots chose, as the codes of `ttr_sim.engine.actions`, in order.
        end: why it ended (see the column `end` of the table games).
        forfeit: (seat, reason) of the forfeit that ended it, or None.
    """

    def __init__(self, logged: Part, board: Board, rules: Rules) -> None:
        row = logged.games.to_pylist()[0]
        self.number: int = row["game"]
        self.block: int = row["block"]
        self.seed: int = row["seed"]
        self.bots: tuple[str, ...] = tuple(logged.seats.column("bot").to_pylist())
        self.board, self.rules = board, rules
        self.actions: tuple[int, ...] = tuple(row["actions"])
        self.end: str = row["end"]
        seat = row["forfeit_seat"]
        self.forfeit: tuple[int, str] | None = None if seat is None else (seat, row["forfeit_reason"] or "")

    def __len__(self) -> int:
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<game {self.number}: {' v '.join(self.bots)} on {self.board.name}, {len(self)} decisions>"

    def at(self, decisions: int) -> Game:
        """Return the position after so many decisions; a negative number counts from the end.

        Raises TtrError: the game has fewer.
        """
        count = decisions + len(self) if decisions < 0 else decisions
        if not 0 <= count <= len(self):
            raise TtrError(f"game {self.number} has {len(self)} decisions, not {decisions}")
        game = Game.new(self.board, self.rules, len(self.bots), self.seed)
        for action in islice(self.actions, count):
            game.step(action)
        return game

    @property
    def final(self) -> Game:
        """The position at the end."""
        return self.at(len(self))

    def steps(self) -> Iterator[Step]:
        """Yield every action, forced ones too, with seat, phase and a text (see `ttr_sim.results.replay.Step`)."""
        players = len(self.bots)
        yield from steps(Game.new(self.board, self.rules, players, self.seed, auto=False), self.actions)

    def _repr_html_(self) -> str:
        game = self.final
        result = game.result()
        who = [f"seat {seat} {bot}" for seat, bot in enumerate(self.bots)]
        rows: list[list[object]] = [
            [name, *(getattr(seat, key) for seat in result.seats)] for key, name in _PARTS.items()
        ]
        rows.append(["tickets", *(", ".join(kept_tickets(game, seat)) for seat in range(len(who)))])
        ended = f"seat {self.forfeit[0]} forfeits: {self.forfeit[1]}" if self.forfeit else self.end
        head = f"game {self.number}, {len(self)} decisions, ended by {ended}"
        return paragraph(head) + picture(game_svg(game), repr(self)) + table(["", *who], rows)


def _game_html(game: Game) -> str:
    """Show a position: the map, and what everybody may see of each seat."""
    state, result = game.state[0], game.result()
    columns = ("seat", "points for routes", "score as it stands", "trains", "stations", "cards", "tickets")
    fields = ("trains", "stations", "hand_n", "ticket_n")
    rows = [
        (seat, int(state["points"][seat]), result.seats[seat].score, *(int(state[f][seat]) for f in fields))
        for seat in range(game.players)
    ]
    head = "the game is over" if game.is_over else f"seat {game.seat} decides, {game.phase}"
    return paragraph(head) + picture(game_svg(game), repr(game)) + table(columns, rows)


# Here and not in the class, whose floor knows nothing of maps.
Game._repr_html_ = _game_html  # type: ignore[attr-defined]
