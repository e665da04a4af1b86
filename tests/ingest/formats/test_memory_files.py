"""Files of other memories: what comes of them, with times and sources; again changes nothing."""

from tests.ingest.formats.importing import FILES, Imported, documents

from recollect.exporters.graph import ExportedFact, ExportedGraph
from recollect.memory import Memory


def stated(memory: Memory) -> dict[tuple[str, str, str | None], ExportedFact]:
    """The facts that stand, by subject, predicate and object or value."""
    with memory.read() as view:
        graph = ExportedGraph(view)
        name = {id_: each.name for id_, each in graph.entities.items()}
        return {
            (name[each.subject], each.predicate, name[each.object] if each.object else each.value): each
            for each in graph.facts
        }


def types(memory: Memory) -> dict[str, str]:
    with memory.read() as view:
        return {each.name: each.type for each in ExportedGraph(view).entities.values()}


def test_notes_of_basic_memory_become_entities_and_facts(memory: Memory) -> None:
    taken = Imported(memory, FILES / "basic-memory")
    assert (taken.kinds, taken.counts, taken.skipped) == (["basic-memory"], (2, 2, 0), [])
    facts = stated(memory)
    assert set(facts) == {
        ("Mara Quint", "role", "Head of platform"),
        ("Login Service", "links_to", "Mara Quint"),
        ("Login Service", "observation", "Tokens live fifteen minutes #security"),
        ("Login Service", "observation", "Keep sessions out of the database"),
        ("Login Service", "depends_on", "User Store"),
        ("Login Service", "led_by", "Mara Quint"),
        ("Login Service", "relates_to", "Gateway"),
    }
    used = facts["Login Service", "depends_on", "User Store"]
    assert (used.valid_from, used.valid_until) == ("2025-01", "2025-06")
    decided = facts["Login Service", "observation", "Tokens live fifteen minutes #security"]
    assert (decided.attributes["category"], decided.attributes["context"]) == ("decision", "agreed in review")
    assert types(memory)["Login Service"] == "project"
    assert set(documents(memory)) == {"basic-memory:mara-quint", "basic-memory:work/login-service"}
    assert Imported(memory, FILES / "basic-memory").counts == (2, 0, 2)
