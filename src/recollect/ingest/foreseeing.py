"""What the next lines of a bundle will ask the store for, looked up in a handful of questions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.ingest.fact_part import FactPart
from recollect.ingest.line import Line
from recollect.model.fact import slot_of
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.foreseen import foresee_documents, foresee_lines, foresee_names, foresee_slots
from recollect.write.ends import IDENTIFIERS, End
from recollect.write.meaning import known_meaning, target_of


def foresee(change: Change, lines: Sequence[Line]) -> None:
    """Make the lines cheaper to take; it decides nothing, and a guess that fails costs one question."""
    taken = foresee_lines(change, [line.hash for line in lines])
    new = [line for line in lines if line.hash not in taken] if taken else lines
    records = [line.record for line in new if line.record is not None]
    foresee_documents(change, "record", {each.id for each in records if each.type != "memory"})
    foresee_documents(change, "memory", {each.id for each in records if each.type == "memory"})
    names = _names(new)
    foresee_names(change, names)
    made = change.recent.batch.made if change.recent.batch is not None else set[EntityId]()
    only = change.recent.only
    known = {name: found.id for name in names if (found := only(name)) is not None and found.id not in made}
    foresee_slots(change, set(_slots(change, (part for line in new for part in line.facts), known)))


def _names(lines: Iterable[Line]) -> set[str]:
    """All that lines call somebody by, folded."""
    names = set[str]()
    for line in lines:
        for end in line.entities:
            names.add(end.folded)
            if end.aliases or end.properties:
                names.update(map(fold, end.aliases))
                names.update(fold(value) for kind in IDENTIFIERS if isinstance(value := end.properties.get(kind), str))
        for subject, target, _, _, _, _ in line.facts:
            names.add(subject.folded)
            if isinstance(target, End):
                names.add(target.folded)
    return names


def _slots(change: Change, parts: Iterable[FactPart], known: Mapping[str, EntityId]) -> Iterator[int]:
    """The slots of facts whose ends and meaning are plain already; those of an entity that is new have nothing yet."""
    for subject_end, target, kind, _, _, _ in parts:
        subject = known.get(subject_end.folded)
        if subject is None:
            continue
        object_ = literal = None
        if isinstance(target, End):
            object_ = known.get(target.folded)
            if object_ is None:
                continue
        else:
            literal = target
        meant = known_meaning(change, kind.predicate, kind.label, kind.fact_type, target_of(object_, literal))
        if meant is not None:
            yield slot_of(subject, meant.label, meant.name, object_, literal, meant.symmetric)
