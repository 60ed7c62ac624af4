"""Imported once by the fork server: each worker then starts with the engine loaded and its kernels compiled."""

import logging

from ttr_sim.bot.warm import is_warm, use_engine
from ttr_sim.tournament import workers

__all__ = ["workers"]

try:
    if is_warm():  # else somebody compiles just now, and a second one would only take its time
        use_engine()
except Exception as error:  # a worker will meet it again, and say so
    logging.getLogger(__name__).debug("no preloaded engine: %s", error)
