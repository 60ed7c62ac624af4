"""Imported once by the fork server: each worker then starts with the engine loaded and its kernels compiled."""

import logging

from ttr_sim.tournament import workers
from ttr_sim.tournament.warm import is_warm, warm_up

__all__ = ["workers"]

try:
    if is_warm():  # else somebody compiles just now, and a second one would only take its time
        warm_up()
except Exception as error:  # a worker will meet it again, and say so
    logging.getLogger(__name__).debug("no preloaded engine: %s", error)
