"""Colours for values, in light and dark: CSS colours for what is filled, and for what is written on it.

Both scales can be told apart by the colour-blind: one goes from pale to strong blue, the other from orange to blue.
"""

_Rgb = tuple[float, float, float]

# Stops at equal distances, for light and for dark pages.
_SEQUENTIAL = (
    ("#eaf1f7", "#a9cbe3", "#4f94c4", "#1b5a94", "#0a2f5c"),
    ("#243441", "#2f5573", "#3f82b3", "#75b4e3", "#c5e4ff"),
)
_DIVERGING = (
    ("#a44a00", "#e08a3c", "#f0ece4", "#6fa3d0", "#1c5a9a"),
    ("#ff9d4d", "#a8622a", "#3b4046", "#3f76a8", "#7fc0ff"),
)
UNKNOWN = ("light-dark(#d8d5cd, #41474d)", "light-dark(#333, #ddd)")


def sequential(part: float) -> tuple[str, str]:
    """Colours (fill, ink) of a value, given as its part of the greatest one, 0 to 1."""
    return _both(_SEQUENTIAL, part)


def diverging(part: float) -> tuple[str, str]:
    """Colours (fill, ink) of a value between -1 and 1."""
    return _both(_DIVERGING, (part + 1) / 2)


def gradient(scale: str) -> str:
    """The CSS background of a scale ("sequential" or "diverging"), from left to right."""
    stops = _SEQUENTIAL if scale == "sequential" else _DIVERGING
    pairs = (f"light-dark({light}, {dark})" for light, dark in zip(*stops, strict=True))
    return f"linear-gradient(to right, {', '.join(pairs)})"


def _both(stops: tuple[tuple[str, ...], tuple[str, ...]], part: float) -> tuple[str, str]:
    light, dark = (_between(own, min(max(part, 0.0), 1.0)) for own in stops)
    fill = f"light-dark({_hex(light)}, {_hex(dark)})"
    return fill, f"light-dark({_ink(light)}, {_ink(dark)})"


def _between(stops: tuple[str, ...], part: float) -> _Rgb:
    place = part * (len(stops) - 1)
    left = min(int(place), len(stops) - 2)
    a, b = (tuple(int(stop[i : i + 2], 16) for i in (1, 3, 5)) for stop in stops[left : left + 2])
    red, green, blue = (x + (y - x) * (place - left) for x, y in zip(a, b, strict=True))
    return red, green, blue


def _hex(color: _Rgb) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in color)


def _ink(color: _Rgb) -> str:
    """Black or white, whichever has the greater contrast (relative luminance of WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (p / 255 for p in color)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#fff"
