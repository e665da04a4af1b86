"""A statement as tokens: entities, words, numbers and dates, negations and tense."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.reason.verify.statement_numbers import BOUND_PHRASES, LONGEST_BOUND, StatementNumber
from recollect.reason.verify.word_lists import (
    CONNECTIVES,
    DIMENSIONS,
    MULTIPLIERS,
    NEGATING_PHRASES,
    NUMBER_WORDS,
    ORDINALS,
    PAST_WORDS,
    PRESENT_WORDS,
    SOFTENERS,
    quantifiers,
    tells_end,
)
from recollect.text.content_words import content_token
from recollect.text.lexicon import ARTICLES, FORMS_OF_BE
from recollect.text.negation import AFFIRMING, NEGATORS, contracted_verb
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.verbs import is_past_form
from recollect.when.gregorian import ymd
from recollect.when.instant import DAY, MAX, MIN, Instant

Tense = Literal["past", "present"]
_WORD = re.compile(
    r"(?P<number>(?:(?<!\S)[-−])?[$€£¥]?\d+(?:,\d{3})+(?:\.\d+)?|(?:(?<!\S)[-−])?[$€£¥]?\d+(?:\.\d+)?)(?P<scale>(?:k|m|bn)\b)?(?P<percent>\s?%)?"
    r"|(?P<word>[^\W\d_]+(?:(?<=n)['’]t\b)?)"
    r"|(?P<mark>['’]s\b)",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_AFFIRMING = re.compile(rf"(?:{AFFIRMING})\b")
_LONGEST_PHRASE = 6
_MARK = re.compile(r"(?:[,;:()—–]|-[LR][RS]B-)[\s\"“`]*$")
OWNER_MARK = "'s"
_BOUNDS = {"since": "start", "after": "start", "until": "end", "till": "end", "before": "end"}


@dataclass(frozen=True, slots=True)
class StatementPeriod:
    """A period named in a text; without a year it stands for that time of any year."""

    lo: Instant
    hi: Instant
    of_any_year: tuple[int, int] | None = None
    lead: str = ""
    is_future: bool = False
    """Whether it begins after now."""

    def overlaps(self, other: "StatementPeriod") -> bool:
        if self.of_any_year is not None or other.of_any_year is not None:
            return _same_time_of_year(self, other)
        return self.lo <= other.hi and other.lo <= self.hi

    @property
    def is_bound(self) -> bool:
        return self.lead in _BOUNDS

    def agrees(self, other: "StatementPeriod") -> bool | None:
        """Whether a stated time allows this one; none if a bound and a point cannot be compared."""
        if self.is_bound and other.is_bound:
            return self.overlaps(other) if _BOUNDS[self.lead] == _BOUNDS[other.lead] else None
        if self.is_bound:
            return None
        return self.overlaps(other.window())

    def window(self) -> "StatementPeriod":
        """The period that a bound such as `until 2018` leaves open."""
        match self.lead:
            case "since":
                return StatementPeriod(self.lo, Instant(MAX))
            case "after":
                return StatementPeriod(Instant(self.hi + 1), Instant(MAX))
            case "until" | "till":
                return StatementPeriod(Instant(MIN), self.hi)
            case "before":
                return StatementPeriod(Instant(MIN), Instant(self.lo - 1))
        return self


@dataclass(frozen=True, slots=True)
class StatementPiece:
    """One position of a statement: its folded words, and their token, if any."""

    word: str
    token: str | None = None
    entity: EntityId | None = None
    number: StatementNumber | None = None
    day: StatementPeriod | None = None
    is_capital: bool = False
    is_apart: bool = False
    """Whether a comma or another mark stands before it."""

    @property
    def is_name(self) -> bool:
        return self.is_capital or self.entity is not None

    @property
    def is_content(self) -> bool:
        return self.token is not None or self.number is not None or self.day is not None


@dataclass(frozen=True, slots=True)
class ConnectiveSides:
    """The tokens on both sides of a connective that contrasts them."""

    connective: str
    left: frozenset[str]
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """The contents of a statement that can be compared with another."""

    tokens: frozenset[str]
    entities: tuple[EntityId, ...] = ()
    numbers: tuple[StatementNumber, ...] = ()
    days: tuple[StatementPeriod, ...] = ()
    negators: int = 0
    negated: tuple[str, ...] = ()
    joined: tuple[ConnectiveSides, ...] = ()
    tense: Tense = "present"
    is_exchanged: bool = False
    order: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    placed_names: tuple[tuple[str, int], ...] = ()
    by_places: tuple[int, ...] = ()
    has_be: bool = False
    pieces: tuple[StatementPiece, ...] = ()
    tells_end: bool = False

    @property
    def size(self) -> int:
        return len(self.tokens) + len(self.numbers) + len(self.days)


@dataclass(frozen=True, slots=True)
class StatementSpan:
    """A span of a text that is an entity or a time."""

    start: int
    stop: int
    entity: EntityId | None = None
    day: StatementPeriod | None = None


YearOf = Callable[[int], StatementPeriod]


def entity_token(entity: EntityId) -> str:
    return f"@{entity}"


def parse_statement(text: str, spans: Sequence[StatementSpan], year: YearOf) -> ParsedStatement:
    """Parse a text with the spans of its names and times; `year` gives the period of a bare year."""
    pieces = list(_with_bounds(list(_pieces(text, spans, year))))
    kept, negated = _without_negators(pieces)
    entities = tuple(dict.fromkeys(piece.entity for piece in kept if piece.entity is not None))
    order = tuple(piece.token for piece in kept if piece.token is not None)
    return ParsedStatement(
        frozenset(order),
        entities,
        tuple(dict.fromkeys(piece.number for piece in kept if piece.number is not None)),
        tuple(dict.fromkeys(piece.day for piece in kept if piece.day is not None)),
        len(negated),
        tuple(negated),
        tuple(_find_connectives(kept)),
        tense_of([piece.word for piece in pieces]),
        _is_exchanged(pieces, entities),
        order,
        tuple(_find_names(kept)),
        _names_in_order(pieces),
        tuple(at for at, piece in enumerate(pieces) if piece.word == "by"),
        bool(FORMS_OF_BE.intersection(piece.word for piece in pieces)),
        tuple(kept),
        tells_end([piece.word for piece in pieces]),
    )


def _with_bounds(pieces: Sequence[StatementPiece]) -> Iterator[StatementPiece]:
    """The pieces with `at least` and the like as a part of the number after them."""
    at = 0
    while at < len(pieces):
        words = tuple(piece.word for piece in pieces[at : at + LONGEST_BOUND])
        phrase = next((words[:size] for size in range(LONGEST_BOUND, 0, -1) if words[:size] in BOUND_PHRASES), ())
        counted = pieces[at + len(phrase)] if phrase and at + len(phrase) < len(pieces) else None
        if counted is not None and counted.number is not None:
            yield replace(counted, number=replace(counted.number, bound=BOUND_PHRASES[phrase]))
            at += len(phrase) + 1
        else:
            yield pieces[at]
            at += 1


def _names_in_order(pieces: Sequence[StatementPiece]) -> tuple[tuple[str, int], ...]:
    """Every name with its first position."""
    found: dict[str, int] = {}
    for at in range(len(pieces)):
        if (name := _name_at(pieces, at)) is not None:
            found.setdefault(name, at)
    return tuple(found.items())


def _name_at(pieces: Sequence[StatementPiece], at: int) -> str | None:
    """The token of the entity here, or of the last word of a capitalised run that ends here."""
    piece = pieces[at]
    if piece.entity is not None:
        return piece.token
    is_last = at + 1 == len(pieces) or not pieces[at + 1].is_capital
    return piece.token if piece.is_capital and is_last else None


def _find_names(pieces: Sequence[StatementPiece]) -> Iterator[str]:
    """The last word of every run of capitalised words."""
    last: str | None = None
    for piece in pieces:
        if piece.is_capital and piece.token is not None and piece.token not in quantifiers():
            last = piece.token
        elif not piece.is_capital and last is not None:
            yield last
            last = None
    if last is not None:
        yield last


def tense_of(words: Sequence[str]) -> Tense:
    """The tense of a statement, by its tense words, else by its verb forms."""
    present = set(words)
    if present & PAST_WORDS or any(pair == ("used", "to") for pair in pairwise(words)):
        return "past"
    if present & PRESENT_WORDS:
        return "present"
    return "past" if any(map(is_past_form, words)) else "present"


def _pieces(text: str, spans: Sequence[StatementSpan], year: YearOf) -> Iterator[StatementPiece]:
    at = 0
    for span in sorted(spans, key=lambda each: each.start):
        if span.start < at:
            continue
        yield from _words(text, at, span.start, year)
        word = fold(text[span.start : span.stop])
        if span.entity is not None:
            yield StatementPiece(word, entity_token(span.entity), span.entity, is_apart=_is_apart(text, span.start))
        else:
            yield StatementPiece(word, day=span.day, is_apart=_is_apart(text, span.start))
        at = span.stop
    yield from _words(text, at, len(text), year)


def _words(text: str, start: int, stop: int, year: YearOf) -> Iterator[StatementPiece]:
    found = list(_WORD.finditer(text, start, stop))
    skip = False
    for place, match in enumerate(found):
        if skip or match["mark"]:
            if match["mark"]:
                yield StatementPiece(OWNER_MARK)
            skip = False
            continue
        following = list(_words_after(text, found[place : place + 3]))
        if match["number"]:
            number, skip = _number(match, following)
            day = year(int(number.value)) if _is_year(match, number, skip) else None
            found_pieces = [StatementPiece(fold(match[0]), number=None if day else number, day=day)]
        else:
            found_pieces = list(_word(fold(match["word"]), following, match["word"][0].isupper()))
        is_apart = _is_apart(text, match.start())
        yield from (replace(piece, is_apart=True) if is_apart else piece for piece in found_pieces)


def _words_after(text: str, found: Sequence[re.Match[str]]) -> Iterator[str]:
    """The words after the first match, up to a mark."""
    for before, each in pairwise(found):
        if not each["word"] or _is_apart(text, each.start()) or text[before.end() : each.start()].strip(" -"):
            return
        yield fold(each["word"])


def _word(word: str, following: Sequence[str], is_capital: bool) -> Iterator[StatementPiece]:
    is_counting = bool(following) and following[0] not in STATEMENT_STOP_WORDS
    if (verb := contracted_verb(word)) is not None:
        yield from _word(verb, (), False)
        yield StatementPiece("not")
    elif word in NUMBER_WORDS and is_counting:
        yield StatementPiece(word, number=StatementNumber(float(NUMBER_WORDS[word]), content_token(following[0])))
    elif word in ORDINALS and is_counting:
        yield StatementPiece(word, number=StatementNumber(float(ORDINALS[word]), "th"))
    else:
        yield StatementPiece(word, None if word in STATEMENT_STOP_WORDS else content_token(word), is_capital=is_capital)


def _is_apart(text: str, start: int) -> bool:
    return _MARK.search(text, max(0, start - 8), start) is not None


def _number(match: re.Match[str], following: Sequence[str]) -> tuple[StatementNumber, bool]:
    """The number with its unit, and whether the next word was a part of it."""
    digits = match["number"].lstrip("-−$€£¥")
    scale = MULTIPLIERS.get((match["scale"] or "").lower(), 1)
    value = float(digits.replace(",", "")) * (-scale if match["number"][0] in "-−" else scale)
    currency = match["number"].lstrip("-−")[0]
    sign = currency if currency in "$€£¥" else "%" if match["percent"] else None
    is_scaled = bool(following) and following[0] in MULTIPLIERS
    if is_scaled:
        value *= MULTIPLIERS[following[0]]
        following = following[1:]
    counted = content_token(following[0]) if following and following[0] not in STATEMENT_STOP_WORDS else None
    if counted is not None and following[1:] and following[1] in DIMENSIONS:
        counted = f"{counted} {DIMENSIONS[following[1]]}"
    return StatementNumber(value, sign or counted), is_scaled


def _is_year(match: re.Match[str], number: StatementNumber, is_scaled: bool) -> bool:
    is_plain = match["number"].isdecimal() and not match["scale"] and not match["percent"] and not is_scaled
    return is_plain and len(match["number"]) == 4 and _FIRST_YEAR <= number.value <= _LAST_YEAR


def _without_negators(pieces: Sequence[StatementPiece]) -> tuple[list[StatementPiece], list[str]]:
    """The other pieces, and for each negation the token that it negates (empty if none)."""
    kept: list[StatementPiece] = []
    negated: list[str] = []
    at = 0
    while at < len(pieces):
        words = tuple(piece.word for piece in pieces[at : at + _LONGEST_PHRASE])
        phrase = next((each for each in NEGATING_PHRASES if words[: len(each)] == each), None)
        if affirming := _AFFIRMING.match(" ".join(words)):
            at += len(affirming[0].split())
        elif phrase is not None or (pieces[at].entity is None and pieces[at].word in NEGATORS):
            at += len(phrase or ("not",))
            is_behind = phrase is not None and phrase[0] == "not"
            negated.append(_token_before(kept) if is_behind else _token_from(pieces, at))
        else:
            kept.append(pieces[at])
            at += 1
    return kept, negated


def _token_from(pieces: Sequence[StatementPiece], at: int) -> str:
    following = (piece for piece in pieces[at:] if piece.word not in NEGATORS and piece.word not in SOFTENERS)
    return next((piece.token for piece in following if piece.token is not None), "")


def _token_before(pieces: Sequence[StatementPiece]) -> str:
    return next((piece.token for piece in reversed(pieces) if piece.token is not None), "")


def _find_connectives(pieces: Sequence[StatementPiece]) -> Iterator[ConnectiveSides]:
    for at in range(len(pieces)):
        words = tuple(piece.word for piece in pieces[at : at + 2])
        connective = next((each for each in CONNECTIVES if words[: len(each)] == each), None)
        if connective is not None:
            left, right = _tokens(pieces[:at]), _tokens(pieces[at + len(connective) :])
            yield ConnectiveSides(_connective_name(connective, pieces, at), left - right, right - left)


def _connective_name(connective: tuple[str, ...], pieces: Sequence[StatementPiece], at: int) -> str:
    """A bare `than` is named with the comparative before it: faster than, taller than."""
    return f"{pieces[at - 1].word} than" if connective == ("than",) and at else connective[0]


def _tokens(pieces: Sequence[StatementPiece]) -> frozenset[str]:
    return frozenset(piece.token for piece in pieces if piece.token is not None)


def _is_exchanged(pieces: Sequence[StatementPiece], entities: Sequence[EntityId]) -> bool:
    """Whether the second entity is the agent: `by` precedes it, after a form of be."""
    if len(entities) < 2:
        return False
    at = next(place for place, piece in enumerate(pieces) if piece.entity == entities[1])
    before = [piece.word for piece in pieces[:at]]
    while before and before[-1] in ARTICLES:
        before.pop()
    return bool(before) and before[-1] == "by" and bool(FORMS_OF_BE.intersection(before))


def _same_time_of_year(one: StatementPeriod, other: StatementPeriod) -> bool:
    first, last = one.of_any_year or _times_of_year(one), other.of_any_year or _times_of_year(other)
    return first[0] <= last[1] and last[0] <= first[1]


def _times_of_year(day: StatementPeriod) -> tuple[int, int]:
    (year, month, dom), (last_year, last_month, last_dom) = ymd(day.lo // DAY), ymd(day.hi // DAY)
    if year != last_year:
        return 0, 1300
    return month * 100 + dom, last_month * 100 + last_dom
