"""A bot that does one wrong thing, in some of its games, for real."""

import ctypes
import os
import random
import signal
import sys
import threading
import time

import numpy as np

from ttr_sim.bot import Bot

_hoard = []


def _sleep(view):
    time.sleep(30)


def _loop(view):
    while True:
        pass


def _raise(view):
    raise ValueError("no idea")


def _interrupt(view):
    raise KeyboardInterrupt


def _memory(view):
    _hoard.append(bytearray(1 << 30))


def _leak(view):
    _hoard.append(np.ones(1 << 23))


def _exit(view):
    os._exit(5)


def _leave(view):
    sys.exit("enough")


def _kill(view):
    os.kill(os.getpid(), signal.SIGKILL)


def _crash(view):
    ctypes.string_at(0)


def _print(view):
    for _ in range(20):
        print("x" * 1_000_000)
        os.write(2, b"y" * 100_000)
        os.write(1, b"z" * 100_000)


def _random(view):
    random.seed(1)
    np.random.seed(1)


def _modify(view):
    view.record["trains"][0] = 0


def _thread(view):
    threading.Thread(target=_loop, args=(view,)).start()


class Faulty(Bot):
    def __init__(self, *, how: str = "", rate: float = 0.01) -> None:
        self.how, self.rate = how, rate

    def choose(self, view):
        if self.how and self.rng.random() < self.rate:
            answers = {"illegal": 387, "text": "draw", "float": 1.5}
            if self.how in answers:
                return answers[self.how]
            globals()[f"_{self.how}"](view)
        return view.legal[-1]


class Chancy(Bot):
    """Plays by the generators that everybody shares."""

    def choose(self, view):
        return view.legal[int(random.random() * len(view.legal) + np.random.random()) % len(view.legal)]
