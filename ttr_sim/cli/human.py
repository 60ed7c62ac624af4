"""A person at the terminal as a bot: what the seat may know is shown, what is typed is its choice."""

from collections.abc import Callable, Iterator
from shutil import get_terminal_size
from typing import ClassVar

import click

from ttr_sim.board_facts import Pair, distances
from ttr_sim.bot.api import Bot
from ttr_sim.cli.color import Paint
from ttr_sim.engine import actions
from ttr_sim.engine.view import View

HELP = """\
  a number     take that choice            map          all tracks that are not taken
  a text       only the choices with it    map TEXT     tracks and stations at a city
  (nothing)    show the choices again      state        all that you may know
  help         this text                   quit         leave the game"""
_GROUPS = {
    "draw": ("take", "blind", "tickets"),
    "claim": ("claim",),
    "station": ("station",),
    "choose": ("pass", "pay", "sets", "card", "extra", "take_back", "keep"),
}
_MANY = 12  # more stations than these are shown when asked for


class Quit(BaseException):
    """The person leaves; no error of a bot, so that nothing takes it for one."""


class Human(Bot):
    """Asks a person. `names` are the labels of all seats, `paint` colours texts; both are set before a game."""

    names: ClassVar[list[str]] = []
    paint: ClassVar[Paint] = Paint(False)

    def start(self, view: View) -> None:
        """Say who plays."""
        self._board, self._rules, self._seat = view.board, view.rules, view.seat
        self._news: list[str] = []
        self._chosen = -1

    def saw(self, seat: int, action: int) -> None:
        """Take note of what happened without this person choosing it, to be told before the next choice."""
        if seat == self._seat and action == actions.public(self._chosen):
            self._chosen = -1
            return
        forced = " (the only choice)" if seat == self._seat else ""
        self._news.append(f"  {self._who(seat)}: {self.paint.cards(self._public(action))}{forced}")

    def end(self, view: View) -> None:
        """Tell what happened last."""
        self._tell_news()

    def choose(self, view: View) -> int:
        """Show the position and the choices until one of them is taken. Raises Quit."""
        self._tell_news()
        for line in self._position(view):
            click.echo(line)
        choices = {number: (a, self._text(view, a)) for number, a in enumerate(view.legal, 1)}
        self._show(choices, brief=True)
        while True:
            text = self._read()
            if text.isascii() and text.isdigit() and int(text) in choices:
                self._chosen = choices[int(text)][0]
                return self._chosen
            self._obey(text, view, choices)

    def _read(self) -> str:
        try:
            return input(f"{self._who(self._seat)} > ").strip()
        except EOFError:
            click.echo()
            raise Quit from None

    def _obey(self, text: str, view: View, choices: dict[int, tuple[int, str]]) -> None:
        word, _, rest = text.partition(" ")
        commands: dict[str, Callable[[], object]] = {
            "": lambda: self._show(choices),
            "help": lambda: click.echo(HELP),
            "?": lambda: click.echo(HELP),
            "state": lambda: click.echo(self.paint.cards(view.text())),
            "map": lambda: self._map(view, rest.strip()),
        }
        if word in ("quit", "exit", "q"):
            raise Quit
        if word in commands:
            commands[word]()
        elif text.lstrip("-").isdigit():
            click.echo(f"the choices are 1 to {len(choices)}; help tells what else can be typed")
        else:
            found = {n: c for n, c in choices.items() if text.casefold() in c[1].casefold()}
            if found:
                self._show(found)
            else:
                click.echo(f"no choice has {text!r} in it; help tells what can be typed")

    def _show(self, choices: dict[int, tuple[int, str]], brief: bool = False) -> None:
        """Print choices by kind, side by side as far as the terminal is wide; `brief` leaves out many stations."""
        for group, kinds in _GROUPS.items():
            those = {n: text for n, (action, text) in choices.items() if actions.decode(action)[0] in kinds}
            if not those:
                continue
            if brief and group == "station" and len(those) > _MANY:
                click.echo(f"  {group:8}{min(those):>3} to {max(those)}: type a part of the city's name")
                continue
            width = max(map(len, those.values())) + 6
            columns = 1 if group == "choose" else max(1, (get_terminal_size().columns - 10) // width)
            texts = [
                f"{self.paint.strong(f'{n:>3}')} {self.paint.cards(text)}{' ' * (width - 4 - len(text))}"
                for n, text in those.items()
            ]
            for first in range(0, len(texts), columns):
                line = "".join(texts[first : first + columns]).rstrip()
                click.echo(f"  {group if first == 0 else '':8}{line}")

    def _text(self, view: View, action: int) -> str:
        """A choice as text; of a track its colour too."""
        kind, number, _ = actions.decode(action)
        text = view.describe(action)
        if kind == "claim":
            color = view.board.tracks[number].color
            text = text.removeprefix("claim ")
            return text if color in text else text.replace(" (", f" {color} (")
        return text.removeprefix("station in ")

    def _position(self, view: View) -> Iterator[str]:
        left = "" if view.turns_left is None else f" · {view.turns_left} turns left"
        yield ""
        yield self.paint.strong(f"── {self._who(view.seat)}{left} ──")
        yield f"  hand    {self.paint.cards(actions.cards_text(view.hand))}"
        yield f"  market  {self.paint.cards(actions.cards_text(view.market))} · deck {view.deck_size}"
        if view.phase == "TUNNEL":
            revealed = actions.cards_text([int(n) for n in view.record["pend_revealed"]])
            extra = int(view.record["pend_extra"])
            yield f"  tunnel  {self.paint.cards(revealed)} revealed: {extra} more card{'s' * (extra != 1)} to pay"
        for name, tickets in (("tickets", view.tickets), ("offered", view.offer)):
            if tickets:
                yield f"  {name} {', '.join(self._ticket(view, ticket) for ticket in tickets)}"
        for seat in range(view.players):
            known = view.known_cards(seat)
            shown = f" (seen {actions.cards_text(known)})" if seat != view.seat and any(known) else ""
            yield self.paint.cards(
                f"  {self._who(seat)}: {view.points[seat]} points, {view.trains[seat]} trains, "
                f"{view.hand_sizes[seat]} cards{shown}, {view.ticket_counts[seat]} tickets"
            )

    def _ticket(self, view: View, ticket: int) -> str:
        """A ticket, and how many spaces it still needs over own and open tracks."""
        row = view.board.tickets[ticket]
        lengths: dict[Pair, int] = {}
        own = view.owned(view.seat)
        for track in (*view.open, *own):
            at = view.board.tracks[track]
            pair = (min(at.a, at.b), max(at.a, at.b))
            lengths[pair] = min(lengths.get(pair, 99), 0 if track in own else at.length)
        need = distances(lengths, row.a).get(row.b)
        state = "cut off" if need is None else "done" if need == 0 else f"needs {need}"
        return f"{actions.ticket_name(view.board, ticket)} ({state})"

    def _map(self, view: View, text: str) -> None:
        """Print the open tracks; with a text, all tracks and stations at the cities with it in their names."""
        board, wanted = view.board, text.casefold()
        owner = {track: seat for seat in range(view.players) for track in view.owned(seat)}
        cities = {i for i, city in enumerate(board.cities) if wanted in city.name.casefold()}
        if not cities:
            click.echo(f"no city has {text!r} in its name")
            return
        for index, track in enumerate(board.tracks):
            if {track.a, track.b} & cities and (wanted or index not in owner):
                free = "open" if index in view.open else "closed"
                state = self._who(owner[index]) if index in owner else free
                kind = "" if track.kind == "normal" else f" {track.kind}"
                symbols = f", {track.locomotives} locomotives" if track.locomotives else ""
                line = f"{actions.track_name(board, index)}: {track.length} {track.color}{kind}{symbols}"
                click.echo(f"  {self.paint.cards(line)} · {state}")
        for seat in range(view.players):
            for city in view.station_cities(seat):
                if city in cities:
                    click.echo(f"  station in {board.cities[city].name} · {self._who(seat)}")

    def _tell_news(self) -> None:
        for line in self._news:
            click.echo(line)
        self._news.clear()

    def _who(self, seat: int) -> str:
        return self.paint.seat(seat, f"seat {seat} {self.names[seat]}")

    def _public(self, action: int) -> str:
        kind, number, _ = actions.decode(action)
        if kind == "keep":
            count = number.bit_count()
            return f"keep {count} ticket{'s' * (count != 1)}"
        return actions.describe(self._board, action, None, self._rules)
