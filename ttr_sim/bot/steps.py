"""The compiled ends of a game in which Python asks the bots."""

from ttr_sim.bot import driver
from ttr_sim.engine.jit import entry


@entry
def begin_record(played):
    """Empty played[0]."""
    driver.clear_played(played[0])


@entry
def summarise_game(tables, states, work, played):
    """Fill played[0] with what the game, finished or not, leaves behind."""
    driver.summarise(tables[0], states[0], work[0], played[0])
