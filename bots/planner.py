"""planner: plans one network for all its tickets, values it by points and turns, and races.

Idea: turns are what is scarce: each one saved ends the game earlier for the others. A plan is a set of tracks that joins the
tickets, worth its points less the price of the turns it takes: claims, draws (by how many colours are still missing, for a
card that several colours can use comes sooner), tunnels and ferries. What trains and turns are left are filled with the
tracks that bring most a train. The network is a Steiner forest by repeated shortest paths, improved by planning anew without
one of its tracks while that is worth more (key-vertex removal, with tracks). Tickets are kept if they make the plan worth
more. It draws the card that makes the plan worth most, or blind when what may come is worth more than what lies open.

With the plan done it claims whatever track of the fill is at hand, and with few trains left the longest at hand instead of
drawing for a better one: each turn less is one less for the others' tickets. Among tracks of one length it takes rather no
tunnel, one that touches its own, and one that may be in a rival's way. Where one more completed ticket may win or deny the
bonus for most of them, or far behind, it draws tickets instead: then it has more to win than to lose by them.

Measured, 2 players, 8,000 games each (95 %): against greedy Europe 86.0 ± 0.7, Nordic 81.3 ± 0.8, USA 89.5 ± 0.7; against
itself on USA 108.5 ± 0.7 points (2,000). Against the planner of before, which drew no tickets once the game had begun,
Nordic 60.5 ± 1.2 (4,000), with the bonus in the choice of tickets 1.8 more; Europe 50.1, USA 50.0.

Where to look was found by playouts in worlds as `mcts` believes them: what the best other choice is worth, added up over all
positions of a game of Nordic, was 1.75 wins, 1.3 of them tickets not drawn. Drawing whenever some ticket seems worth its
turns: Nordic 27 to 52. On Europe and USA, which have no such bonus, more tickets do not pay: 48.9, 48.6 with "more" of -10.

What parts brought before, against the planner of that time (6,000 to 8,000 games each, ± 0.5 to 1.1):

- claims of the fill at hand: Europe 49.6, Nordic 53.2, USA 51.6. Before the plan is done: 49.1, 52.1, 51.3.
- then rather no tunnel: Europe 51.4; then rivals' tracks: Europe 51.8, Nordic 58.6 for 58.3.
- ferries that sets of cards may pay priced like others: Nordic 58.6 for 53.3; against greedy 80 for 76.
- then locomotives that count only where they may stand for a colour: Nordic 54.0 ± 1.3 against the planner without that.
- "rush" of -1.3, not -2.7: against greedy Europe 86.5 for 84.8, Nordic 79.5 for 81.1 (4,000 each, ± 1.1).
- earlier (2,000 each, against greedy): without claims at hand with few trains left Europe 76.4, Nordic 67.8, USA 85.0, with
  them 75.4, 75.9, 89.0; without the improvement of the network USA 79.9; tickets by the unimproved network Europe 74.0.

Without gain, and left out: claims outside the plan where they are worth more than their turn (Nordic 36 to 51), ferries at
hand as long as the best track of the fill (Nordic 1.5 less), a lead that makes it hurry, a higher price of ferries for
choosing tickets (Europe 48 for 52), the order of claims, waiting with a claim, a higher price of turns
against rivals with many tickets, cards for the fill that cost more once the plan is done.

Sources: Takahashi, Matsuyama, "An approximate solution for the Steiner problem in graphs", 1980 (shortest paths); Witter,
Lyford, FDG 2020 (long tracks). Parameters were found by playing (CMA-ES, Hansen 2001); where
to look, by the choices in which `mcts` and it differ.
"""

import numpy as np

from ttr_sim.bot import policy
from ttr_sim.bot.network import MIND, PARAMS
from ttr_sim.bot.network_choices import MEMORY, decide
from ttr_sim.bot.planning import PLAN
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import STATE
from ttr_sim.engine.scoring import SCORES


@kernel
def _decide(T, V, W, plans, minds, views, scores, params, memory):
    return decide(T, V, W, plans[0], minds[0], views, scores, params, memory)


@policy(params=PARAMS, memory=MEMORY)
def planner(T, V, W, params, memory):
    """A network for all tickets, valued by points and turns."""
    return _decide(
        T, V, W, np.zeros(1, PLAN), np.zeros(1, MIND), np.zeros(2, STATE), np.zeros(1, SCORES), params, memory
    )
