"""Numbers, ordinals and years at an index of a sentence: the index after them and their value."""

from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import MONTHS, ONES, ORDINALS, SUFFIXES, TEENS, TENS

Number = tuple[int, int]

_SIGNS = ("$", "€", "£", "#")


def digits(s: TimeSentence, i: int, longest: int = 4) -> Number | None:
    """An integer in digits that is not part of a decimal, a clock time or a price."""
    word = s.word(i)
    if not word.isdecimal() or len(word) > longest:
        return None
    joined_before = s.word(i - 1) if s.is_joined(i) else ""
    if joined_before in _SIGNS or (s.word(i - 2).isdecimal() and s.is_joined(i - 1) and _splits(joined_before, word)):
        return None
    end = s.word(i + 2)
    if end.isdecimal() and s.is_joined(i + 1) and s.is_joined(i + 2) and _splits(s.word(i + 1), end):
        return None
    return (i + 1, int(word)) if s.word(i + 1) != "%" else None


def _splits(sign: str, following: str) -> bool:
    """Whether a sign between digits makes them one number or a clock time."""
    return sign in (".", ":") or (sign == "," and len(following) == 3)


def cardinal(s: TimeSentence, i: int) -> Number | None:
    """A number from one to ninety-nine in words."""
    word = s.word(i)
    if word in TENS:
        end = i + 2 if s.word(i + 1) == "-" else i + 1
        one = ONES.get(s.word(end))
        return (i + 1, TENS[word]) if one is None else (end + 1, TENS[word] + one)
    value = ONES.get(word) or TEENS.get(word)
    return None if value is None else (i + 1, value)


def count(s: TimeSentence, i: int) -> Number | None:
    """How many of something: digits, words, a, a few, a couple of."""
    word = s.word(i)
    if word in ("a", "an", "the") and s.word(i + 1) in ("few", "couple"):
        return count(s, i + 1)
    if word == "few":
        return i + 1, 3
    if word == "couple":
        return s.after(i + 1, "of"), 2
    if word in ("a", "an"):
        return i + 1, 1
    return digits(s, i, 4) or cardinal(s, i)


def ordinal(s: TimeSentence, i: int) -> Number | None:
    """A rank, as 21st or twenty-first."""
    word = s.word(i)
    if word.isdecimal() and len(word) <= 2 and s.word(i + 1) in SUFFIXES and s.is_joined(i + 1):
        return i + 2, int(word)
    if word in TENS:
        end = i + 2 if s.word(i + 1) == "-" else i + 1
        rank = ORDINALS.get(s.word(end), 10)
        return (end + 1, TENS[word] + rank) if rank < 10 else None
    return (i + 1, ORDINALS[word]) if word in ORDINALS else None


def day_of_month(s: TimeSentence, i: int) -> Number | None:
    """A number that can be a day of a month."""
    found = ordinal(s, i) or digits(s, i, 2) or cardinal(s, i)
    return found if found is not None and 1 <= found[1] <= 31 else None


def year(s: TimeSentence, i: int) -> Number | None:
    """A year in four digits or in words; not a number that something else follows closely."""
    found = digits(s, i)
    if found is not None and len(s.word(i)) == 4 and 1000 <= found[1] <= 2999:
        return found if not _runs_on(s, found[0]) else None
    return spoken_year(s, i)


def _runs_on(s: TimeSentence, i: int) -> bool:
    return s.is_joined(i) and s.word(i)[:1].isalpha() and s.word(i) not in ("q", "h")


def spoken_year(s: TimeSentence, i: int) -> Number | None:
    """A year in words: nineteen ninety nine, two thousand and eighteen."""
    return _thousands(s, i) or _hundreds(s, i) or _pair(s, i)


def _thousands(s: TimeSentence, i: int) -> Number | None:
    thousands = ONES.get(s.word(i))
    if thousands is None or s.word(i + 1) != "thousand":
        return None
    end, value = i + 2, thousands * 1000
    hundreds = ONES.get(s.word(end))
    if hundreds is not None and s.word(end + 1) == "hundred":
        end, value = end + 2, value + hundreds * 100
    rest = cardinal(s, s.after(end, "and"))
    return (end, value) if rest is None else (rest[0], value + rest[1])


def _hundreds(s: TimeSentence, i: int) -> Number | None:
    found = cardinal(s, i)
    if found is None or s.word(found[0]) != "hundred":
        return None
    rest = cardinal(s, s.after(found[0] + 1, "and"))
    value = found[1] * 100
    return (found[0] + 1, value) if rest is None else (rest[0], value + rest[1])


def _pair(s: TimeSentence, i: int) -> Number | None:
    century = TEENS.get(s.word(i)) or (20 if s.word(i) == "twenty" else None)
    if century is None or century < 11:
        return None
    end = s.after(i + 1, "-")
    if s.word(end) in ("zero", "oh", "o"):
        rest = cardinal(s, end + 1)
        return None if rest is None or rest[1] > 9 else (rest[0], century * 100 + rest[1])
    rest = cardinal(s, end)
    return None if rest is None or rest[1] < 10 else (rest[0], century * 100 + rest[1])


def short_year(s: TimeSentence, i: int) -> Number | None:
    """A year of two digits that cannot be a day: '99, or 99 after a month."""
    marked = s.word(i) in ("'", "’") and s.is_joined(i + 1)
    found = digits(s, i + 1 if marked else i, 2)
    if found is None or len(s.word(found[0] - 1)) != 2 or (found[1] <= 31 and not marked):
        return None
    return found[0], full_year(found[1])


def full_year(number: int) -> int:
    """The year that two digits mean: the nearest century around 2000."""
    return number if number > 99 else number + (2000 if number < 50 else 1900)


def month(s: TimeSentence, i: int) -> Number | None:
    """A month's name or short name, with its full stop."""
    word = s.word(i)
    if word not in MONTHS:
        return None
    is_short = word not in ("may", "june", "july") and len(word) <= 4
    stopped = s.word(i + 1) == "." and s.is_joined(i + 1)
    taken = stopped and (s.word(i + 2).isdecimal() or (is_short and s.word(i + 2) != ""))
    return (i + 2 if taken else i + 1), MONTHS[word]
