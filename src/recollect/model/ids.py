"""128-bit ids ordered by time (UUIDv7), written as 26 Crockford base-32 digits."""

import threading
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple, NewType

from recollect.errors import Refused
from recollect.when.clock import Clock
from recollect.when.instant import Instant

EntityId = NewType("EntityId", str)
FactId = NewType("FactId", str)
AssertionId = NewType("AssertionId", str)
DocumentId = NewType("DocumentId", str)

ENTITY_PREFIX = "ent_"
FACT_PREFIX = "fact_"
DOCUMENT_PREFIX = "doc_"

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = tuple(a + b for a in _DIGITS for b in _DIGITS)
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)} | {"I": 1, "L": 1, "O": 0}
_HEX = frozenset("0123456789abcdef")
_SHORTEST_ID = 26
_COUNTER_BITS = 74
_LOW_BITS = 30
_STEP_BITS = 20
_LOW_END = 1 << _LOW_BITS
_HIGH_END = 1 << (_COUNTER_BITS - _LOW_BITS)
_VERSION_7 = 0x7 << 76
_VARIANT = 0x2 << 62


class BadId(Refused):
    code = "bad_id"

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not an id; pass one as it was printed, or as a UUID")


class _IdRange(NamedTuple):
    """Ids of one millisecond that share their first digits; the last six count up in steps of one size."""

    millisecond: int
    high: int
    head: str
    lows: Iterator[int]


class IdMaker:
    """Makes ids that increase within a process, even if the clock does not advance.

    Taking the next id of a range needs no lock, and nearly every id is one.
    """

    def __init__(self, clock: Clock, random: Random | None = None) -> None:
        self._clock = clock
        self._bits = (random or Random()).getrandbits
        self._lock = threading.Lock()
        self._range = self._begin(0)

    def __call__(self, at: Instant | None = None) -> str:
        """An id for this instant, by default now."""
        range_, two = self._range, _PAIRS
        millisecond = (self._clock.now() if at is None else at) // 1000
        while millisecond > range_.millisecond:
            range_ = self._range_after(range_, millisecond)
        while (low := next(range_.lows)) >= _LOW_END:
            range_ = self._range_after(range_, millisecond)
        return f"{range_.head}{two[low >> 20]}{two[low >> 10 & 1023]}{two[low & 1023]}"

    def many(self) -> Iterator[str]:
        """An endless stream of ids, for one thread that needs many."""
        two = _PAIRS
        while True:
            yield self()
            _, _, head, lows = self._range
            for low in lows:
                if low >= _LOW_END:
                    break
                yield f"{head}{two[low >> 20]}{two[low >> 10 & 1023]}{two[low & 1023]}"

    def _range_after(self, used: _IdRange, millisecond: int) -> _IdRange:
        """The next range, which another thread may have begun already."""
        with self._lock:
            if self._range is used:
                self._range = self._next(used, millisecond)
            return self._range

    def _next(self, used: _IdRange, millisecond: int) -> _IdRange:
        if millisecond > used.millisecond:
            return self._begin(millisecond)
        if used.high + 1 < _HIGH_END:
            return self._make_range(used.millisecond, used.high + 1, 0)
        return self._begin(used.millisecond + 1)

    def _begin(self, millisecond: int) -> _IdRange:
        counter = self._bits(_COUNTER_BITS - 1)
        return self._make_range(max(millisecond, 0), counter >> _LOW_BITS, counter % _LOW_END)

    def _make_range(self, millisecond: int, high: int, low: int) -> _IdRange:
        head = encode_id(_uuid7(millisecond, high << _LOW_BITS))[:20]
        return _IdRange(millisecond, high, head, count(low + self._bits(_STEP_BITS), 1 + self._bits(_STEP_BITS)))


def _uuid7(millisecond: int, counter: int) -> int:
    high, low = counter >> 62, counter & ((1 << 62) - 1)
    return (millisecond & ((1 << 48) - 1)) << 80 | _VERSION_7 | high << 64 | _VARIANT | low


def encode_id(value: int) -> str:
    """The 26 digits of a 128-bit number."""
    pairs = _PAIRS
    return "".join([pairs[value >> shift & 1023] for shift in range(120, -1, -10)])


def decode_id(digits: str) -> int:
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
        return encode_id(decode_id(digits))
    number = _read_uuid(bare)
    if number is None:
        raise BadId(text)
    return encode_id(number)


def parse_id(text: str, prefix: str = "", *, strict: bool = False) -> str | None:
    """The bare digits of an id, or None if the text spells none; `strict` keeps to what can only be an id."""
    if strict and not is_id(text, prefix):
        return None
    try:
        return read_id(text, prefix)
    except BadId:
        return None


def parse_entity_id(text: str, *, strict: bool = False) -> EntityId | None:
    found = parse_id(text, ENTITY_PREFIX, strict=strict)
    return None if found is None else EntityId(found)


def parse_fact_id(text: str, *, strict: bool = False) -> FactId | None:
    found = parse_id(text, FACT_PREFIX, strict=strict)
    return None if found is None else FactId(found)


def parse_document_id(text: str, prefix: str = "") -> DocumentId | None:
    """The id of a document, if the text can be nothing else."""
    found = parse_id(text, prefix, strict=True)
    return None if found is None else DocumentId(found)


def is_id(text: str, prefix: str = "") -> bool:
    """Whether the text can only be an id: digits with a prefix, or a UUID in canonical form."""
    if len(text) < _SHORTEST_ID:
        return False
    bare = text.strip()
    if prefix and bare[: len(prefix)].lower() == prefix:
        digits = bare[len(prefix) :].upper()
        return len(digits) == 26 and all(digit in _VALUES for digit in digits) and digits[0] <= "7"
    return len(bare) == 36 and _read_uuid(bare) is not None


def format_entity_id(entity: str) -> str:
    return ENTITY_PREFIX + entity


def format_fact_id(fact: str) -> str:
    return FACT_PREFIX + fact


def format_document_id(document: str) -> str:
    """A document's id as it is printed; with the prefix it is read too."""
    return format_uuid(document)


def format_uuid(value: str) -> str:
    digits = f"{decode_id(value):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _read_uuid(text: str) -> int | None:
    """The number of a UUID in any of its written forms, without `uuid`, which takes a hook long to import."""
    digits = text.lower().removeprefix("urn:").removeprefix("uuid:").strip("{}").replace("-", "")
    return int(digits, 16) if len(digits) == 32 and _HEX.issuperset(digits) else None
