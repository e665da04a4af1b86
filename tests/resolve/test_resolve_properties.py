"""What holds of the resolver for any names at all."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.resolve.names_in_memory import NamesInMemory, a_name

from recollect.model.names import ANY_TYPE, Name, NameKind, digits, fold
from recollect.resolve.port import TIE_MARGIN, NameQuery
from recollect.resolve.resolver import resolve, resolve_exact
from recollect.resolve.typos import typo_candidates, typo_distance
from recollect.text.tokens import name_tokens

WORDS = st.sampled_from(
    (
        "rob",
        "robert",
        "roberto",
        "roberta",
        "sara",
        "sarah",
        "mark",
        "marks",
        "phase",
        "1",
        "2",
        "12",
        "coper",
        "copper",
    )
)
SPELLINGS = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
KINDS: list[NameKind] = ["name", "alias"]
ROWS = st.builds(
    a_name,
    st.sampled_from("abcdef"),
    st.just("person"),
    SPELLINGS,
    st.sampled_from(KINDS),
)
INDEXES = st.lists(ROWS, max_size=10)


@given(INDEXES, SPELLINGS, st.randoms(use_true_random=False))
def test_the_order_in_which_names_arrived_does_not_matter(rows: list[Name], text: str, random: Random) -> None:
    shuffled = random.sample(rows, len(rows))
    assert resolve(NamesInMemory(shuffled), text) == resolve(NamesInMemory(rows), text)


@given(INDEXES, SPELLINGS)
def test_digits_never_differ_between_text_and_answer(rows: list[Name], text: str) -> None:
    assert {digits(each.name.folded) for each in resolve(NamesInMemory(rows), text).candidates} <= {digits(text)}


@given(INDEXES, SPELLINGS)
def test_an_entity_is_chosen_only_when_no_other_comes_near(rows: list[Name], text: str) -> None:
    found = resolve(NamesInMemory(rows), text)
    entities = [each.entity for each in found.candidates]
    assert len(set(entities)) == len(entities)
    assert (found.entity is not None) == (len(entities) == 1)
    assert all(found.score - each.score <= TIE_MARGIN + 1e-9 for each in found.candidates)


@given(INDEXES, SPELLINGS)
def test_what_a_writer_finds_a_reader_finds_too(rows: list[Name], text: str) -> None:
    exact = resolve_exact(NamesInMemory(rows), text)
    if exact.candidates:
        assert resolve(NamesInMemory(rows), text) == exact


@given(INDEXES, SPELLINGS)
def test_a_new_namesake_never_leaves_the_old_choice_standing(rows: list[Name], text: str) -> None:
    found = resolve(NamesInMemory(rows), text)
    if found.entity is not None:
        best = found.candidates[0].name
        twin = a_name("twin", best.type, best.spelling, best.kind)
        assert resolve(NamesInMemory([*rows, twin]), text).is_ambiguous


@given(INDEXES, SPELLINGS)
def test_the_index_finds_every_mistyped_name_that_comparing_with_all_would(rows: list[Name], text: str) -> None:
    query = NameQuery(text)
    found = {(each.name, each.score) for each in typo_candidates(NamesInMemory(rows), query, ANY_TYPE)}
    assert found == {(row, score) for row in rows if (score := _compared(text, row))}
    assert all(score >= 0.75 for _, score in found)


def _compared(text: str, row: Name) -> float:
    ours, theirs = name_tokens(fold(text)), name_tokens(row.folded)
    if len(ours) != len(theirs) or digits(text) != digits(row.folded):
        return 0.0
    edits = [typo_distance(one, other) for one, other in zip(ours, theirs, strict=True)]
    spent = [count for count in edits if count is not None]
    return 1 - sum(spent) / max(len(text), len(row.folded)) if len(spent) == len(edits) else 0.0
