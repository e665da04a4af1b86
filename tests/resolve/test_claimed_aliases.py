"""Aliases that only strangers claim take nothing from names that the owner gave."""

import pytest
from tests.support.facts import tell

from recollect.memory import Memory
from recollect.resolve.name_finder import find_names
from recollect.resolve.resolver import fuzzy_candidates, resolve
from recollect.store.name_index import StoredNameIndex

MARA = "Mara Lindt"
STRANGER = {"type": "email", "metadata": {"sender": "Eve <eve@evil.example>", "recipients": ["me@here.example"]}}


@pytest.fixture
def claimed(memory: Memory) -> Memory:
    """The owner's Mara, and somebody whom a stranger gave names that are like hers."""
    tell(memory, entities=[{"name": MARA, "type": "person"}])
    aliases = ["Mara Lindt lives", "Mara Lindst", "Mara Evil", "Evie"]
    tell(memory, entities=[{"name": "Eve Stone", "type": "person", "aliases": aliases}], id="mail", **STRANGER)
    return memory


@pytest.mark.parametrize("text", ["Mara", "Mara Lindtt", "Mara Lidt"])
def test_a_likeness_to_the_owners_name_decides_against_a_claimed_one(claimed: Memory, text: str) -> None:
    with claimed.read() as view:
        found = resolve(StoredNameIndex(view), text, embeddings=False)
    assert [each.name.spelling for each in found.tied] == [MARA]


def test_candidates_for_a_misspelling_leave_claimed_aliases_out(claimed: Memory) -> None:
    with claimed.read() as view:
        found = fuzzy_candidates(StoredNameIndex(view), "Mara Lindtt")
    assert [each.name.spelling for each in found] == [MARA]


def test_a_claimed_alias_that_nothing_competes_with_is_found_by_likeness(claimed: Memory) -> None:
    with claimed.read() as view:
        found = resolve(StoredNameIndex(view), "Mara Evill", embeddings=False)
    assert [each.name.spelling for each in found.tied] == ["Mara Evil"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Mara Lindt lives in Rome.", {MARA}),
        ("Evie lives in Rome.", {"Eve Stone"}),
        ("Evie met Mara Lindt.", {MARA, "Eve Stone"}),
    ],
)
def test_a_claimed_alias_takes_no_words_of_a_text_from_the_owners_name(
    claimed: Memory, text: str, named: set[str]
) -> None:
    with claimed.read() as view:
        entities = view.entities({each for span in find_names(view, text) for each in span.entities})
    assert {each.name for each in entities.values()} == named


def test_a_name_that_the_owner_and_a_stranger_gave_means_the_owners(claimed: Memory) -> None:
    tell(claimed, entities=[{"name": "Eva Rook", "type": "person", "aliases": ["Evie"]}])
    with claimed.read() as view:
        [span] = find_names(view, "I met Evie.")
        assert span.entity is not None
        found = view.entity(span.entity)
    assert found is not None
    assert found.name == "Eva Rook"
