"""The random numbers of a game: SplitMix64, with a stream of its own for every shuffle."""

MASK = (1 << 64) - 1
GOLD = 0x9E3779B97F4A7C15

TRAIN_CARDS = 1
LONG_TICKETS = 2
TICKET_DECK = 3
FIRST_RESHUFFLE = 256


def mix(z: int) -> int:
    """The finishing function of SplitMix64, on 64-bit integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """Stream number `number` of the game with this seed."""

    def __init__(self, seed: int, number: int) -> None:
        self.state = mix((mix((seed + GOLD) & MASK) + number * GOLD) & MASK)

    def next(self) -> int:
        """The next 64-bit number."""
        self.state = (self.state + GOLD) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return ((self.next() >> 32) * n) >> 32

    def shuffle(self, items: list[int]) -> None:
        """Shuffle the list in place, from its last place down."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
