"""Family trees in the store: namesakes, the same file again, changed and vanished records, whole real trees."""

from collections import Counter
from pathlib import Path

import pytest

from recollect.importers.lore import import_gedcom
from recollect.ingest.gedcom.encodings import decode_gedcom
from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import SourceResult, prepare_within, write_source
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.names import fold
from recollect.store.view import View

DATA = Path(__file__).parents[4] / "shared" / "data" / "gedcom"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the family trees of {DATA.name} are not on this machine")

HEAD = "0 HEAD\n"
JOHNS = "0 @I1@ INDI\n1 NAME John /Smith/\n1 BIRT\n2 DATE 1800\n0 @I2@ INDI\n1 NAME John /Smith/\n1 BIRT\n2 DATE 1850\n"


def take(memory: Memory, content: str, title: str = "tree") -> SourceResult:
    with memory.as_actor("lore-engine", "ingest").write() as change:
        return write_source(change, prepare_within(change, SourceInput(content, title, "gedcom")))


def people(view: View, name: str) -> list[Entity]:
    found = [view.entity(each.entity) for each in view.names_matching(fold(name)) if each.kind == "name"]
    return sorted((each for each in found if each is not None and each.is_live), key=lambda each: each.id)


def born(view: View, person: Entity) -> list[str]:
    facts = view.facts_of_subject(person.id, "born", 10)
    return [fact.valid_from.text for fact in facts if fact.valid_from is not None]


def test_namesakes_stay_apart(memory: Memory) -> None:
    with memory.write() as change:
        from recollect.write.entity_refs import NamedRef, find_or_create

        find_or_create(change, NamedRef("John Smith", "person"))
    kept = take(memory, HEAD + JOHNS)
    assert kept.counts.entities_created == 2
    take(memory, HEAD + JOHNS, "another tree")
    with memory.read() as view:
        ids = [each.properties.get("gedcom_id") for each in people(view, "John Smith")]
    assert ids == [None, "tree#I1", "tree#I2", "another tree#I1", "another tree#I2"]


def test_the_same_file_again_changes_nothing(memory: Memory) -> None:
    take(memory, HEAD + JOHNS)
    with memory.read() as view:
        before = view.last_tx
    again = take(memory, HEAD + JOHNS)
    with memory.read() as view:
        assert (again.created, again.updated, view.last_tx) == (False, False, before)


def test_changed_records_give_new_versions(memory: Memory) -> None:
    take(memory, HEAD + JOHNS)
    changed = JOHNS.replace("1850", "MAR 1851").replace(
        "John /Smith/\n1 BIRT\n2 DATE 1800", "Jon /Smith/\n1 BIRT\n2 DATE 1800"
    )
    kept = take(memory, HEAD + changed)
    counts = kept.counts
    assert (counts.entities_created, counts.relations_created, counts.assertions_withdrawn) == (0, 1, 1)
    with memory.read() as view:
        [first], [second] = people(view, "Jon Smith"), people(view, "John Smith")
        assert (born(view, first), born(view, second)) == (["1800"], ["1851-03"])
        assert view.aliases(first) == ["John Smith"]


def test_records_that_are_gone_are_withdrawn(memory: Memory) -> None:
    take(memory, HEAD + JOHNS)
    take(memory, HEAD + JOHNS[: JOHNS.index("0 @I2@")])
    with memory.read() as view:
        [left] = people(view, "John Smith")
        assert left.properties["gedcom_id"] == "tree#I1"
    with memory.read(as_of=1) as view:
        assert len(people(view, "John Smith")) == 2


def test_a_merged_person_is_known_again(memory: Memory) -> None:
    from recollect.write.merge import merge

    take(memory, HEAD + JOHNS)
    with memory.write() as change:
        one, other = people(change, "John Smith")
        merge(change, other, one)
    kept = take(memory, HEAD + JOHNS + "0 @I3@ INDI\n1 NAME Ann\n")
    assert kept.counts.entities_created == 1
    with memory.read() as view:
        assert len(people(view, "John Smith")) == 1


def test_two_births_that_disagree_are_disputed(memory: Memory) -> None:
    take(memory, HEAD + "0 @I1@ INDI\n1 NAME Ann\n1 BIRT\n2 DATE 1800\n1 BIRT\n2 DATE 1805\n")
    with memory.read() as view:
        assert len(view.disputes()) == 1


def test_censuses_without_a_place_stay_apart(memory: Memory) -> None:
    take(memory, HEAD + "0 @I1@ INDI\n1 NAME Ann\n1 CENS\n2 DATE 1841\n1 CENS\n2 DATE 1851\n1 EVEN\n2 TYPE Ordeal\n")
    with memory.read() as view:
        [ann] = people(view, "Ann")
        facts = view.facts_touching(ann.id)
    assert sorted(
        (fact.predicate, fact.label, fact.policy, fact.valid_from.text if fact.valid_from else "") for fact in facts
    ) == [
        ("cens", "TRANSITIONED", "dispute", "1841"),
        ("cens", "TRANSITIONED", "dispute", "1851"),
        ("ordeal", "TRANSITIONED", "dispute", ""),
    ]


@needs_data
@pytest.mark.parametrize(
    ("name", "persons", "relations"),
    [
        ("JapaneseImperialFamily", 187, {"parent_of": 196, "partner_of": 36}),
        (
            "royal92",
            3010,
            {"parent_of": 3724, "born": 1739, "died": 1692, "holds_title": 1398, "spouse_of": 555, "partner_of": 583},
        ),
    ],
)
def test_a_real_tree_loads_whole_and_twice_without_change(
    memory: Memory, tmp_path: Path, name: str, persons: int, relations: dict[str, int]
) -> None:
    path = DATA / f"{name}.ged"
    decoded = decode_gedcom(path.read_bytes())
    taken = import_gedcom(memory, path, None)
    assert (decoded.unreadable, taken.tally.changed, taken.skipped) == (0, 1, [])
    with memory.read() as view:
        [row] = view.rows("documents_titled", title=name, kind="lore_source")
        stored = [view.fact(each.fact) for each in view.assertions_from(row[0])]
        counted = Counter(fact.predicate for fact in stored if fact is not None)
        assert {key: counted[key] for key in relations} == relations
        known = view.entities(view.mentioned(row[0])).values()
        assert sum("gedcom_id" in each.properties for each in known) == persons
        before = view.last_tx
    assert import_gedcom(memory, path, None).tally.unchanged == 1
    with memory.read() as view:
        assert view.last_tx == before
    changed = tmp_path / path.name
    changed.write_bytes(path.read_bytes() + b"0 @I99999@ INDI\n1 NAME One More\n")
    again = import_gedcom(memory, changed, None)
    assert (again.tally.changed, again.tally.facts) == (1, 0)
    with memory.read() as view:
        assert len(people(view, "One More")) == 1
        assert len(view.assertions_from(row[0])) == len(stored)
