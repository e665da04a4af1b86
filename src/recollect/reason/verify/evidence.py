"""What may be told for or against a claim: facts and sentences, each with where it stands."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect.model.certainty import SourceKind
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.reason.verify.parsed_statement import ParsedStatement, StatementSpan, parse_statement
from recollect.reason.verify.statement_times import find_statement_times, period_of_year
from recollect.reason.verify.statements import ClauseStatement
from recollect.reason.verify.word_lists import antonyms
from recollect.resolve.name_finder import find_names
from recollect.store.view import View
from recollect.text.content_words import content_token, split_words
from recollect.text.sentences import spans_in_block
from recollect.when.instant import Instant

_QUOTED_LINE = re.compile(r"\s*>")
_SEPARATOR = "\n¶\n"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document as a source: what is held of it, what it is called and how far it counts."""

    document: DocumentId
    label: str
    text: str
    source_kind: SourceKind
    confidence: float
    date: str
    at: Instant


LoadSourceTexts = Callable[[Sequence[Document]], list[SourceText]]


class StatementReader:
    """Reads texts as statements, as a view knows names and times."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[str, ParsedStatement] = {}

    def parse(self, text: str) -> ParsedStatement:
        return self.parse_all([text])[0]

    def parse_all(self, texts: Sequence[str]) -> list[ParsedStatement]:
        """The readings of texts, their names found in one go."""
        wanted = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, names in zip(wanted, find_named_entities(self._view, wanted), strict=True):
            self._known[text] = self._read(text, names)
        return [self._known[text] for text in texts]

    def statements(self, found: Sequence[ClauseStatement]) -> list[ParsedStatement]:
        """The readings of statements; one that is denied counts one negation more."""
        read = self.parse_all([each.text for each in found])
        return [
            replace(reading, negators=reading.negators + each.is_denied)
            for each, reading in zip(found, read, strict=True)
        ]

    def _read(self, text: str, names: Sequence[StatementSpan]) -> ParsedStatement:
        zone = self._view.world.zone
        times = find_statement_times(text, self._view.now, zone, names)
        return parse_statement(text, [*names, *times], lambda year: period_of_year(zone, year))


def find_named_entities(view: View, texts: Sequence[str]) -> list[list[StatementSpan]]:
    """For each text the entities it names without doubt."""
    found: list[list[StatementSpan]] = [[] for _ in texts]
    starts: list[int] = []
    at = place = 0
    for text in texts:
        starts.append(at)
        at += len(text) + len(_SEPARATOR)
    for each in find_names(view, _SEPARATOR.join(texts)) if texts else ():
        while place + 1 < len(starts) and starts[place + 1] <= each.start:
            place += 1
        if each.entity is not None:
            found[place].append(StatementSpan(each.start - starts[place], each.stop - starts[place], each.entity))
    return found


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of a document."""

    told: SourceText
    text: str


def split_sentences(told: SourceText) -> Iterator[EvidenceSentence]:
    """The sentences of a document; lines that quote another mail are left out."""
    for line in told.text.splitlines():
        if not _QUOTED_LINE.match(line):
            yield from (EvidenceSentence(told, line[start:stop]) for start, stop in spans_in_block(line))


def filter_likely(claim: ParsedStatement, found: Iterable[EvidenceSentence]) -> list[EvidenceSentence]:
    """Those that can pass the gate, seen by their bare words: names, numbers and times are taken for granted."""
    plain = {token for token in claim.tokens if not token.startswith("@")}
    needed = claim.size / 2 - (claim.size - len(plain))
    return [each for each in found if _count_shared(plain, each.text) >= needed]


def _count_shared(plain: set[str], text: str) -> int:
    held = {content_token(word) for word in split_words(text)}
    return sum(token in held or bool(antonyms().get(token, frozenset()) & held) for token in plain)
