"""Bit sets in 64-bit words and the SplitMix64 random streams, the same compiled and interpreted.

Bit sets are `np.uint64` throughout: Numba mixes uint64 with int64 to int64 or float64 without a word.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from ttr_sim.engine.jit import inlined, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
_LOW6 = np.uint64(63)
_SIX = np.uint64(6)
_HALF = np.uint64(32)
_POSITIVE = (1 << 63) - 1
GOLD = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)


def popcount(word: Any) -> int:
    """Number of set bits of a 64-bit word."""
    return int(word).bit_count()


def ctz(word: Any) -> int:
    """Index of the lowest set bit of a non-zero 64-bit word."""
    value = int(word)
    return (value & -value).bit_length() - 1


def top_bit(word: Any) -> int:
    """Index of the highest set bit of a non-zero 64-bit word."""
    return int(word).bit_length() - 1


@intrinsic
def _ctpop(typingctx, word):
    def codegen(context, builder, sig, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _cttz(typingctx, word):
    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), codegen


@intrinsic
def _top(typingctx, word):
    def codegen(context, builder, sig, args):
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), codegen


@overload(top_bit, inline="always")
def _top_bit(word):
    return lambda word: _top(word)


@overload(popcount, inline="always")
def _popcount(word):
    return lambda word: _ctpop(word)


@overload(ctz, inline="always")
def _ctz(word):
    return lambda word: _cttz(word)


@inlined
def natural(value):
    """An integer that is never negative, as an index: Numba then leaves out its test for one counted from the end."""
    return int(value) & _POSITIVE


@inlined
def bit(index):
    """The word with only bit `index` (0..63) set."""
    return ONE << np.uint64(index)


@inlined
def has(words, index):
    """Is `index` in the set `words` (array of uint64)?"""
    return (words[np.uint64(index) >> _SIX] >> (np.uint64(index) & _LOW6)) & ONE != ZERO


@inlined
def put(words, index):
    """Add `index` to the set `words` (array of uint64)."""
    words[np.uint64(index) >> _SIX] |= ONE << (np.uint64(index) & _LOW6)


@inlined
def drop(words, index):
    """Take `index` out of the set `words` (array of uint64)."""
    words[np.uint64(index) >> _SIX] &= ~(ONE << (np.uint64(index) & _LOW6))


@inlined
def nth_bit(word, n):
    """Index of the n-th (from 0) set bit of `word`; halving, because a loop over the bits is mispredicted."""
    at = 0
    for shift in (32, 16, 8, 4, 2, 1):
        below = popcount(word & ((ONE << np.uint64(shift)) - ONE))
        if n >= below:
            n -= below
            word >>= np.uint64(shift)
            at += shift
    return at


@inlined
def mix(z):
    """SplitMix64's finaliser (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014)."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@inlined
def stream(seed, k):
    """Start state of the k-th independent stream of `seed` (both uint64)."""
    return mix(mix(seed + GOLD) + k * GOLD)


@inlined
def scale(word, n):
    """A random 64-bit word made a number 0..n-1."""
    return np.int64(((word >> _HALF) * np.uint64(n)) >> _HALF)


@kernel
def shuffle(array, length, state):
    """Shuffle the first `length` items (Fisher-Yates from the end) with the stream starting at `state`."""
    for i in range(length - 1, 0, -1):
        state = state + GOLD
        j = scale(mix(state), i + 1)
        array[i], array[j] = array[j], array[i]
