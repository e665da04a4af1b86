"""What the next lines of a bundle will ask the store for, looked up in a handful of questions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.ingest.line import FactPart, Line
from recollect.model.fact import slot_of
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.foreseen import foresee_documents, foresee_lines, foresee_names, foresee_slots
from recollect.write.ends import IDENTIFIERS, End
from recollect.write.meaning import known_meaning, target_of


def foresee(change: Change, lines: Sequence[Line]) -> None:
    """Make the lines cheaper to take; it decides nothing, and a guess that fails costs one question."""
    foresee_lines(change, [line.hash for line in lines])
    new = [line for line in lines if not change.has_taken(line.hash)]
    records = [line.record for line in new if line.record is not None]
    foresee_documents(change, "record", {each.id for each in records if each.type != "memory"})
    foresee_documents(change, "memory", {each.id for each in records if each.type == "memory"})
    folded = {name: fold(name) for line in new for name in _names(line)}
    foresee_names(change, set(folded.values()))
    known = {name: found.id for name, key in folded.items() if (found := change.only_named(key)) is not None}
    foresee_slots(change, {slot for line in new for slot in _slots(change, line.facts, known)})


def _names(line: Line) -> Iterator[str]:
    for end in line.entities:
        yield end.name
        if end.aliases or end.properties:
            yield from end.aliases
            yield from (value for kind in IDENTIFIERS if isinstance(value := end.properties.get(kind), str))
    for part in line.facts:
        yield part.subject.name
        if isinstance(part.target, End):
            yield part.target.name


def _slots(change: Change, parts: Iterable[FactPart], known: Mapping[str, EntityId]) -> Iterator[int]:
    """The slots of facts whose ends and meaning are plain already; there is none yet behind a new name."""
    for part in parts:
        subject, target = known.get(part.subject.name), part.target
        if subject is None:
            continue
        object_ = literal = None
        if isinstance(target, End):
            object_ = known.get(target.name)
            if object_ is None:
                continue
        else:
            literal = target
        meant = known_meaning(change, part.predicate, part.label, part.fact_type, target_of(object_, literal))
        if meant is not None:
            yield slot_of(subject, meant.label, meant.name, object_, literal, meant.symmetric)
