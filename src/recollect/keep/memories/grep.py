"""Memories that hold exact words, whatever the script; every one is read."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.keep.artifacts.versions import documents_of, texts_of
from recollect.keep.memories.entry import KIND, draft_of, is_memory
from recollect.keep.memories.index import Entry, is_caught_up
from recollect.keep.memories.listing import Where
from recollect.keep.memories.words import is_stop
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.model.scripts import LETTER
from recollect.store.view import View

AT_ONCE = 500
AROUND = 150
LEAST = 0.1
CUT = "…"
_PARTS = re.compile(r'"([^"]*)"|([^\s"]+)')
_WORD = re.compile(rf"(?:{LETTER}|\d)+(?:['’_-](?:{LETTER}|\d)+)*")


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that holds some of the terms."""

    document: DocumentId
    key: str
    last_day: int
    score: float
    matched: tuple[str, ...]
    context: str


@dataclass(frozen=True, slots=True)
class Grepped:
    """The best matches, and how many memories were looked at."""

    matches: list[Match]
    scanned: int


def terms_of(query: str) -> tuple[str, ...]:
    """The words of a query without those that say nothing, and each quoted text as one term."""
    quoted: list[str] = []
    words: list[str] = []
    for text, part in _PARTS.findall(query):
        if _WORD.search(text):
            quoted.append(flat(text))
        words += [flat(word) for word in _WORD.findall(part)]
    telling = [word for word in words if not is_stop(word)]
    return tuple(dict.fromkeys([*quoted, *(telling if telling or quoted else words)]))


def grep(view: View, query: str, where: Where, most: int) -> Grepped:
    """The memories that hold most of the terms: by score, then the later period, then id."""
    terms = terms_of(query)
    found: list[Match] = []
    scanned = 0
    for document, key, last_day, text in _read(view, where):
        scanned += 1
        folded = flat(text)
        matched = tuple(term for term in terms if term in folded)
        if matched and len(matched) / len(terms) >= LEAST:
            found.append(Match(document, key, last_day, round(len(matched) / len(terms), 3), matched, text))
    found = sorted(found, key=lambda each: (-each.score, -each.last_day, each.key))[:most]
    shown = [
        Match(each.document, each.key, each.last_day, each.score, each.matched, context(each.context, each.matched))
        for each in found
    ]
    return Grepped(shown, scanned)


def _read(view: View, where: Where) -> Iterator[tuple[DocumentId, str, int, str]]:
    if is_caught_up(view):
        asked, behind = where.parameters(), 0
        while rows := view.rows("entries_with_text", **asked, behind=behind, limit=AT_ONCE):
            for *columns, text in rows:
                entry = Entry._make(columns)
                yield entry.document, entry.key, entry.last_day, text
            behind = rows[-1][0]
        return
    known = [each for each in documents_of(view, KIND) if is_memory(each) and not each.deleted]
    wanted = [each for each in known if where.admits(draft_of(each))]
    texts = texts_of(view, wanted)
    for document in wanted:
        yield document.id, document.key, draft_of(document).period.days[1], texts[document.id]


def flat(text: str) -> str:
    """The text as names are folded, nothing kept of it."""
    return " ".join(text.lower().split()) if text.isascii() else fold.__wrapped__(text)


def context(text: str, terms: tuple[str, ...]) -> str:
    """The surroundings of the first match, as the text has them."""
    folded, places = _mapped(text)
    starts = [(folded.find(term), term) for term in terms if term in folded]
    if not starts:
        return text[: 2 * AROUND] + (CUT if len(text) > 2 * AROUND else "")
    at, term = min(starts)
    start, stop = places[at], places[min(at + len(term), len(places) - 1)]
    low, high = max(0, start - AROUND), min(len(text), stop + AROUND)
    return f"{CUT if low else ''}{text[low:high]}{CUT if high < len(text) else ''}"


def _mapped(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its letters and its end the place in the text it came from."""
    letters: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        piece = " " if text[at].isspace() else unicodedata.normalize("NFKC", text[at:end]).casefold()
        if piece != " " or (letters and letters[-1] != " "):
            letters += piece
            places += [at] * len(piece)
        at = end
    return "".join(letters), [*places, len(text)]
