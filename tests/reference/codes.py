"""The integer codes of actions, as the reference model knows them."""

BLIND = 9
DRAW_TICKETS = 10
PASS = 11
CLAIM = 12
STATION = 140
PAY = 204
SETS = 294
CARD = 304
EXTRA = 313
TAKE_BACK = 323
KEEP = 324
N_CODES = 388

LOCO = 8
NO_COLOR = 8


def pay(color: int, locos: int) -> int:
    """Pay with this colour (8: none named) and so many locomotives."""
    return PAY + 10 * color + locos


def is_claim(code: int) -> bool:
    """Whether the code claims a track."""
    return CLAIM <= code < STATION


def is_station(code: int) -> bool:
    """Whether the code places a station."""
    return STATION <= code < PAY


def is_pay(code: int) -> bool:
    """Whether the code names colour and locomotives of a payment."""
    return PAY <= code < SETS


def is_extra(code: int) -> bool:
    """Whether the code pays the extra cards of a tunnel."""
    return EXTRA <= code < TAKE_BACK


def describe(code: int) -> str:
    """A short text for messages of failed comparisons."""
    if code < BLIND:
        return f"take face-up {code}"
    if code < CLAIM:
        return ("blind", "draw tickets", "pass")[code - BLIND]
    if code < STATION:
        return f"claim track {code - CLAIM}"
    if code < PAY:
        return f"station in city {code - STATION}"
    if code < SETS:
        color, locos = divmod(code - PAY, 10)
        return f"pay colour {color}, {locos} locomotives"
    if code < CARD:
        return f"{code - SETS} substitute sets"
    if code < EXTRA:
        return f"put card {code - CARD}"
    if code < TAKE_BACK:
        return f"extra with {code - EXTRA} locomotives"
    if code == TAKE_BACK:
        return "take back"
    return f"keep mask {code - KEEP:b}"
