"""What is searched: parameters with their ranges, and the way between values and the unit interval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ttr_sim.bot.params import Param
from ttr_sim.bot.specs import BotSpec, parse_spec
from ttr_sim.errors import TtrError, unknown

Number = int | float
_DIGITS = 4  # significant digits of a value that is played, so that a spec says all of it


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter and the range searched, both ends included; whole: of whole numbers; log: in equal ratios."""

    name: str
    low: Number
    high: Number
    whole: bool
    log: bool

    def value(self, unit: float) -> Number:
        """The value at a place of [0, 1]."""
        unit = min(1.0, max(0.0, unit))
        if self.log:
            exact = self.low * (self.high / self.low) ** unit
            return self._inside(round(exact) if self.whole else _rounded(exact))
        if self.whole:  # every number has a cell of the same size
            return self._inside(math.floor(self.low + unit * (self.high - self.low + 1)))
        return self._inside(_rounded(self.low + unit * (self.high - self.low)))

    def unit(self, value: Number) -> float:
        """The place of a value in [0, 1]."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        if self.whole:
            return (value - self.low + 0.5) / (self.high - self.low + 1)
        return (value - self.low) / (self.high - self.low)

    def _inside(self, value: Number) -> Number:
        return min(self.high, max(self.low, value))

    def __str__(self) -> str:
        return f"{self.name}={self.low}:{self.high}{':log' * self.log}"


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def read_axes(texts: Sequence[str], spec: BotSpec, params: Mapping[str, Param]) -> list[Axis]:
    """Read ranges "name=low:high" or "name=low:high:log" for parameters of a bot. Raises TtrError."""
    if not texts:
        raise TtrError("--param must name what to tune, for example --param hurry=0:20")
    axes = [_read_axis(text, spec, params) for text in texts]
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise TtrError(f"--param {name}: is given twice")
    return axes


def _read_axis(text: str, spec: BotSpec, params: Mapping[str, Param]) -> Axis:
    name, equals, ends = text.partition("=")
    if not equals:
        raise TtrError(f"--param {text!r} must be name=low:high, for example hurry=0:20")
    if name not in params:
        raise unknown("parameter", name, params, f"--param: bot {spec.name}: ")
    param, where = params[name], f"--param {text}"
    if param.choices or not isinstance(param.default, (int, float)) or isinstance(param.default, bool):
        raise TtrError(f"{where}: {name} is {param.kind}; only numbers can be tuned")
    low, *rest = ends.split(":")
    if len(rest) not in (1, 2) or rest[1:] not in ([], ["log"]):
        raise TtrError(f"{where}: must be {name}=low:high or {name}=low:high:log")
    first, last = (param.read(end, where) for end in (low, rest[0]))
    assert not isinstance(first, str) and not isinstance(last, str)
    if not first < last or math.isinf(first) or math.isinf(last):
        raise TtrError(f"{where}: the low end must be below the high end")
    if rest[1:] and first <= 0:
        raise TtrError(f"{where}: a range with log must begin above 0")
    return Axis(name, first, last, isinstance(param.default, int), bool(rest[1:]))


def with_values(spec: BotSpec, values: Mapping[str, Number]) -> BotSpec:
    """The bot with other values of some parameters; its label says them. Raises TtrError when one does not fit."""
    kept = [part for part in spec.label.split(":") if part.partition("=")[0] not in values]
    return parse_spec(":".join([*kept, *(f"{name}={value}" for name, value in values.items())]))
