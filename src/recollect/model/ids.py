"""128-bit ids ordered by time (UUIDv7), kept as 26 Crockford base-32 digits."""

import threading
from functools import lru_cache
from random import Random
from typing import NewType
from uuid import UUID

from recollect.errors import Refused
from recollect.when.clock import Clock
from recollect.when.instant import Instant

EntityId = NewType("EntityId", str)
FactId = NewType("FactId", str)
AssertionId = NewType("AssertionId", str)
DocumentId = NewType("DocumentId", str)

ENTITY_PREFIX = "ent_"
FACT_PREFIX = "fact_"

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(a + b for a in _DIGITS for b in _DIGITS)
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)} | {"I": 1, "L": 1, "O": 0}
_COUNTER_BITS = 74
_LOW_BITS = 30
_LOW_END = 1 << _LOW_BITS
_HIGH_END = 1 << (_COUNTER_BITS - _LOW_BITS)
_VERSION_7 = 0x7 << 76
_VARIANT = 0x2 << 62


class BadId(Refused):
    code = "bad_id"

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not an id; pass one as it was printed, or as a UUID")


class IdMaker:
    """Makes ids that grow within a process, also while the clock stands still.

    The digits of the millisecond and of the counter's high part rarely change from one id to the next.
    """

    def __init__(self, clock: Clock, random: Random | None = None) -> None:
        self._clock = clock
        self._bits = (random or Random()).getrandbits
        self._lock = threading.Lock()
        self._millisecond = 0
        self._turn(0, 0)

    def __call__(self, at: Instant | None = None) -> str:
        """An id of this instant, by default of now."""
        millisecond, two = (self._clock.now() if at is None else at) // 1000, _PAIRS
        with self._lock:
            if millisecond > self._millisecond:
                self._begin(millisecond)
            else:
                self._low += 1 + self._bits(24)
                if self._low >= _LOW_END:
                    self._carry()
            low, head = self._low, self._head
        return head + two[low >> 20] + two[low >> 10 & 1023] + two[low & 1023]

    def _begin(self, millisecond: int) -> None:
        self._millisecond, counter = max(millisecond, 0), self._bits(_COUNTER_BITS - 1)
        self._turn(counter >> _LOW_BITS, counter % _LOW_END)

    def _carry(self) -> None:
        if self._high + 1 < _HIGH_END:
            self._turn(self._high + 1, self._low - _LOW_END)
        else:
            self._begin(self._millisecond + 1)

    def _turn(self, high: int, low: int) -> None:
        self._high, self._low = high, low
        self._head = say_bits(_uuid7(self._millisecond, high << _LOW_BITS))[:20]


def _uuid7(millisecond: int, counter: int) -> int:
    high, low = counter >> 62, counter & ((1 << 62) - 1)
    return (millisecond & ((1 << 48) - 1)) << 80 | _VERSION_7 | high << 64 | _VARIANT | low


def say_bits(value: int) -> str:
    """The 26 digits of a 128-bit number."""
    pairs = _PAIRS
    return "".join([pairs[value >> shift & 1023] for shift in range(120, -1, -10)])


def read_bits(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value << 5 | _VALUES[digit]
    return value


def read_id(text: str, prefix: str = "") -> str:
    """The bare digits of an id given with its prefix, bare, or as a UUID."""
    bare = text.strip()
    if prefix and bare[: len(prefix)].lower() == prefix:
        bare = bare[len(prefix) :]
    digits = bare.upper()
    if len(digits) == 26 and all(digit in _VALUES for digit in digits) and digits[0] <= "7":
        return say_bits(read_bits(digits))
    try:
        return say_bits(UUID(bare).int)
    except ValueError:
        raise BadId(text) from None


@lru_cache(8192)
def is_id(text: str, prefix: str = "") -> bool:
    """Whether the text can only be meant as an id: prefixed digits, or a UUID in its usual form."""
    bare = text.strip()
    if prefix and bare[: len(prefix)].lower() == prefix:
        digits = bare[len(prefix) :].upper()
        return len(digits) == 26 and all(digit in _VALUES for digit in digits) and digits[0] <= "7"
    if len(bare) != 36:
        return False
    try:
        UUID(bare)
    except ValueError:
        return False
    return True


def say_entity(entity: str) -> str:
    return ENTITY_PREFIX + entity


def say_fact(fact: str) -> str:
    return FACT_PREFIX + fact


def say_uuid(value: str) -> str:
    return str(UUID(int=read_bits(value)))
