"""What experts and models say of a record, as far as the record bears it out."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.ingest.fact_part import FactPart
from recollect.ingest.line import Line, line_of
from recollect.model.document import Document
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.write.ends import AmbiguousName, End, find

LEAST_SHARED = 0.6
_WORD = re.compile(r"[^\W\d_]{4,}")


class Grounded(NamedTuple):
    """The entities and facts that stand on the record, and how many did not."""

    entities: tuple[End, ...]
    facts: tuple[FactPart, ...]
    dropped: int


def ground(
    change: Change, document: Document, text: str | None, found: Mapping[str, Any], *, needs_quote: bool = False
) -> Grounded:
    """Keep what has its words in the record's title or content, and both ends declared or known."""
    said = fold(f"{document.title or ''}\n{text or ''}")
    given = list(found.get("entities") or ())
    entities = [end for item in given for line in _read("entities", item) for end in line.entities]
    declared = {fold(name) for end in entities for name in (end.name, *end.aliases)}
    claims = list(found.get("facts") or ())
    read = [part for item in claims for line in _read("facts", item) for part in line.facts]
    facts = [
        part for part in read if is_said(part, said, needs_quote=needs_quote) and _has_ends(change, part, declared)
    ]
    return Grounded(tuple(entities), tuple(facts), len(given) - len(entities) + len(claims) - len(facts))


def _read(key: str, item: Any) -> list[Line]:
    """An item in bundle form; none if it is not in that form."""
    try:
        return [line_of({key: [item]})]
    except Refused:
        return []


def is_said(part: FactPart, said: str, *, needs_quote: bool = False) -> bool:
    """Whether a fact stands on a folded text: by its quote, or by most of its longer words."""
    if part.details.quote is not None:
        return bool(fold(part.details.quote)) and fold(part.details.quote) in said
    words = set(_WORD.findall(fold(part.words or "")))
    if needs_quote or not words:
        return False
    known = set(_WORD.findall(said))
    return len(words & known) >= LEAST_SHARED * len(words)


def _has_ends(change: Change, part: FactPart, declared: set[str]) -> bool:
    ends = [part.subject, *([part.target] if isinstance(part.target, End) else [])]
    return all(end.folded in declared or _is_known(change, end) for end in ends)


def _is_known(change: Change, end: End) -> bool:
    try:
        return find(change, End(end.name, end.type)) is not None
    except AmbiguousName:
        return False
