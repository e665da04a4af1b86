"""Source texts as sentences and statements, with the names and times in them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import pairwise

from recollect.model.certainty import SourceKind
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.trust import OWNER, Trust
from recollect.reason.verify.bracketed_text import has_open_bracket
from recollect.reason.verify.parsed_statement import (
    ParsedStatement,
    StatementPeriod,
    StatementSpan,
    parse_statement,
)
from recollect.reason.verify.statements import ClauseStatement
from recollect.reason.verify.synonyms import synonyms
from recollect.reason.verify.word_lists import antonyms
from recollect.resolve.name_finder import find_names
from recollect.store.view import View
from recollect.text.content_words import content_token, split_words
from recollect.text.sentences import spans_in_block
from recollect.text.wiki_links import links_to_labels
from recollect.when.english.mentions import find_times
from recollect.when.english.words import MONTH_PATTERN
from recollect.when.gregorian import year_start, ymd
from recollect.when.instant import DAY, Instant, day_end, day_start, local_day

_QUOTED_LINE = re.compile(r"\s*>")
_STRUCK_OUT = re.compile(r"~~(?=\S)[^\n]{1,2000}?~~")
_SEPARATOR = "\n¶\n"
_LONGEST_BRACKET = 600
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(rf"\b(?:{MONTH_PATTERN})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document as a source: its text, label, kind and confidence."""

    document: DocumentId
    label: str
    text: str
    source_kind: SourceKind
    confidence: float
    date: str
    at: Instant
    trust: Trust = OWNER


LoadSourceTexts = Callable[[Sequence[Document]], list[SourceText]]


class StatementReader:
    """Parses texts as statements with the names and times of a view; each text once.

    Words such as *yesterday* count from the moment of the view, or from that of a source: see `told_at`.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._now = view.now
        self._known: dict[str, ParsedStatement] = {}
        self._names: dict[str, list[StatementSpan]] = {}
        self._by_day: dict[int, StatementReader] = {}

    def told_at(self, at: Instant) -> "StatementReader":
        """The reader of what was told at a moment; the names that are known are shared."""
        day = local_day(at, self._view.world.zone)
        if day not in self._by_day:
            reader = StatementReader(self._view)
            reader._now, reader._names = at, self._names
            self._by_day[day] = reader
        return self._by_day[day]

    def parse(self, text: str) -> ParsedStatement:
        return self.parse_all([text])[0]

    def parse_all(self, texts: Sequence[str]) -> list[ParsedStatement]:
        """The statements of these texts, with their names looked up together."""
        self.look_up_names(texts)
        for text in texts:
            if text not in self._known:
                self._known[text] = self._read(text, self._names[text])
        return [self._known[text] for text in texts]

    def look_up_names(self, texts: Iterable[str]) -> None:
        """Look up the names in all these texts at once; the readers of other days know them too."""
        wanted = [text for text in dict.fromkeys(texts) if text not in self._names]
        self._names.update(zip(wanted, find_named_entities(self._view, wanted), strict=True))

    def statements(self, found: Sequence[ClauseStatement]) -> list[ParsedStatement]:
        """The parsed statements of clauses; a denied one counts one more negation."""
        read = self.parse_all([each.text for each in found])
        return [
            replace(reading, negators=reading.negators + each.is_denied)
            for each, reading in zip(found, read, strict=True)
        ]

    def _read(self, text: str, names: Sequence[StatementSpan]) -> ParsedStatement:
        zone = self._view.world.zone
        times = find_statement_times(text, self._now, zone, names)
        return parse_statement(text, [*names, *times], lambda year: period_of_year(zone, year, self._now))


def find_named_entities(view: View, texts: Sequence[str]) -> list[list[StatementSpan]]:
    """For each text the entities it names unambiguously."""
    found: list[list[StatementSpan]] = [[] for _ in texts]
    starts: list[int] = []
    offset = index = 0
    for text in texts:
        starts.append(offset)
        offset += len(text) + len(_SEPARATOR)
    for each in find_names(view, _SEPARATOR.join(texts)) if texts else ():
        while index + 1 < len(starts) and starts[index + 1] <= each.start:
            index += 1
        if each.entity is not None:
            found[index].append(StatementSpan(each.start - starts[index], each.stop - starts[index], each.entity))
    return found


def find_statement_times(text: str, now: Instant, zone: tzinfo, names: Sequence[StatementSpan]) -> list[StatementSpan]:
    """The times in a text outside of its names; those without a year stand for a time of any year."""
    found = []
    for each in find_times(text, now, zone):
        if all(each.end <= other.start or each.start >= other.stop for other in names):
            is_yearless = _MONTH.search(each.text) is not None and _YEAR.search(each.text) is None
            of_any_year = _days_of_year(each.lo, each.hi, zone) if is_yearless else None
            is_future = each.lo > now and not is_yearless
            day = StatementPeriod(each.lo, each.hi, of_any_year, each.lead, is_future)
            found.append(StatementSpan(each.start, each.end, day=day))
    return found


def period_of_year(zone: tzinfo, year: int, now: Instant) -> StatementPeriod:
    lo, hi = day_start(year_start(year), zone), day_end(year_start(year + 1) - 1, zone)
    return StatementPeriod(lo, hi, is_future=lo > now)


def _days_of_year(lo: Instant, hi: Instant, zone: tzinfo) -> tuple[int, int] | None:
    (year, month, dom), (last_year, last_month, last_dom) = ymd(local_day(lo, zone)), ymd(local_day(hi, zone))
    if year != last_year or hi - lo > 40 * DAY:
        return None
    return month * 100 + dom, last_month * 100 + last_dom


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of a document, and the one after it."""

    source: SourceText
    text: str
    following: str = ""


def split_sentences(told: SourceText) -> Iterator[EvidenceSentence]:
    """The sentences of a document, without lines quoted from another mail and what is struck out."""
    for line in _STRUCK_OUT.sub(" ", links_to_labels(told.text)).splitlines():
        if not _QUOTED_LINE.match(line):
            found = list(_join_brackets(line[start:stop] for start, stop in spans_in_block(line)))
            yield from (EvidenceSentence(told, text, after) for text, after in pairwise([*found, ""]))


def _join_brackets(found: Iterable[str]) -> Iterator[str]:
    """The sentences, with a full stop in brackets as a part of its sentence: *the show (also Ward M.D.) is new*."""
    held = ""
    for text in found:
        held = f"{held} {text}" if held else text
        if not has_open_bracket(held) or len(held) > _LONGEST_BRACKET:
            yield held
            held = ""
    if held:
        yield held


def filter_likely(claim: ParsedStatement, found: Iterable[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentences that may share enough with the claim, by words alone; names, numbers and times are assumed."""
    plain = {token for token in claim.tokens if not token.startswith("@")}
    needed = claim.size / 2 - (claim.size - len(plain))
    return [each for each in found if _count_shared(plain, each.text) >= needed]


def _count_shared(plain: set[str], text: str) -> int:
    held = {content_token(word) for word in split_words(text)}
    return sum(token in held or bool((antonyms().get(token, frozenset()) | synonyms(token)) & held) for token in plain)
