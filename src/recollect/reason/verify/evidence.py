"""What may be told for or against a claim: facts and sentences, each with where it stands."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect.model.certainty import SourceKind
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.reason.verify.lists import antonyms
from recollect.reason.verify.reading import Reading, Stretch, read
from recollect.reason.verify.statements import Statement
from recollect.reason.verify.times import times_in, year_in
from recollect.resolve.spot import spot
from recollect.search.content_words import token_of, words
from recollect.store.view import View
from recollect.when.instant import Instant

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_QUOTED = re.compile(r"\s*>")
_BETWEEN = "\n¶\n"


@dataclass(frozen=True, slots=True)
class Told:
    """A document as a source: what is held of it, what it is called and how far it counts."""

    document: DocumentId
    label: str
    text: str
    source_kind: SourceKind
    confidence: float
    date: str
    at: Instant


Tell = Callable[[Sequence[Document]], list[Told]]


class Reader:
    """Reads texts as statements, as a view knows names and times."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[str, Reading] = {}

    def one(self, text: str) -> Reading:
        return self.all([text])[0]

    def all(self, texts: Sequence[str]) -> list[Reading]:
        """The readings of texts, their names found in one go."""
        wanted = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, names in zip(wanted, named_in(self._view, wanted), strict=True):
            self._known[text] = self._read(text, names)
        return [self._known[text] for text in texts]

    def statements(self, found: Sequence[Statement]) -> list[Reading]:
        """The readings of statements; one that is denied counts one negation more."""
        read = self.all([each.text for each in found])
        return [
            replace(reading, negators=reading.negators + each.is_denied)
            for each, reading in zip(found, read, strict=True)
        ]

    def _read(self, text: str, names: Sequence[Stretch]) -> Reading:
        zone = self._view.world.zone
        times = times_in(text, self._view.now, zone, names)
        return read(text, [*names, *times], lambda year: year_in(zone, year))


def named_in(view: View, texts: Sequence[str]) -> list[list[Stretch]]:
    """For each text the entities it names without doubt."""
    found: list[list[Stretch]] = [[] for _ in texts]
    starts: list[int] = []
    at = place = 0
    for text in texts:
        starts.append(at)
        at += len(text) + len(_BETWEEN)
    for each in spot(view, _BETWEEN.join(texts)) if texts else ():
        while place + 1 < len(starts) and starts[place + 1] <= each.start:
            place += 1
        if each.entity is not None:
            found[place].append(Stretch(each.start - starts[place], each.stop - starts[place], each.entity))
    return found


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document."""

    told: Told
    text: str


def sentences(told: Told) -> Iterator[Sentence]:
    """The sentences of a document; lines that quote another mail are left out."""
    for line in told.text.splitlines():
        if not _QUOTED.match(line):
            for part in _SENTENCE.split(line):
                if part.strip():
                    yield Sentence(told, part.strip())


def likely(claim: Reading, found: Iterable[Sentence]) -> list[Sentence]:
    """Those that can pass the gate, seen by their bare words: names, numbers and times are taken for granted."""
    plain = {token for token in claim.tokens if not token.startswith("@")}
    needed = claim.size / 2 - (claim.size - len(plain))
    return [each for each in found if _shared(plain, each.text) >= needed]


def _shared(plain: set[str], text: str) -> int:
    held = {token_of(word) for word in words(text)}
    return sum(token in held or bool(antonyms().get(token, frozenset()) & held) for token in plain)
