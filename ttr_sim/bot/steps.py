"""The compiled steps of a game in which Python asks the bots."""

from ttr_sim.bot import driver
from ttr_sim.engine import faces
from ttr_sim.engine.jit import entry


@entry
def begin_record(work, played):
    """Empty played[0] and count the cards drawn while the game was dealt."""
    driver.clear_played(played[0])
    driver.count_drawn(work[0], played[0])


@entry
def step_and_look(tables, states, work, views, played, action):
    """Apply an action and the forced ones, then write the view of who decides next; returns the number of legal actions."""
    n = faces.step_game(tables, states, work, action)
    driver.count_drawn(work[0], played[0])
    faces.observe_game(tables, states, views, int(states[0].seat))
    return n


@entry
def summarise_game(tables, states, work, played):
    """Fill played[0] with what the game, finished or not, leaves behind."""
    driver.summarise(tables[0], states[0], work[0], played[0])
