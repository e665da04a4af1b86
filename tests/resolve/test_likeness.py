"""The embedding rung on a real store with the bundled model."""

from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.resolve.resolver import resolve


def _method(memory: Memory, text: str) -> tuple[str, bool]:
    with memory.read() as view:
        found = resolve(memory.names(view), text)
        return found.method, found.entity is not None


def test_a_name_near_in_meaning_is_found_by_embedding_and_a_person_never(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "contributor", "Database migration"),
        entities=[{"name": "Database migration", "type": "Project"}, {"name": "Ada Byron", "type": "Person"}],
        id="a",
    )
    assert _method(memory, "migrating the database") == ("embedding", True)
    assert _method(memory, "Lady Ada Byron of Lovelace") == ("none", False)
    assert _method(memory, "quarterly tax filing") == ("none", False)


def test_a_name_learned_later_is_found_too(memory: Memory) -> None:
    tell(memory, fact("Ada", "contributor", "Steam loom"), entities=[{"name": "Steam loom", "type": "Project"}], id="a")
    assert _method(memory, "migrating the database") == ("none", False)
    tell(
        memory,
        fact("Ada", "contributor", "Database migration"),
        entities=[{"name": "Database migration", "type": "Project"}],
        id="b",
    )
    assert _method(memory, "migrating the database") == ("embedding", True)
