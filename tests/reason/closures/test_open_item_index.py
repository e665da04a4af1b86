"""The words that an item shares with a report."""

from itertools import product

import pytest

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures import open_item_index
from recollect.reason.closures.closure_terms import (
    addressee_terms,
    cross_language_key,
    have_similar_stems,
    name_terms,
    stem_of,
)
from recollect.reason.closures.open_item_index import ItemWords, is_of_somebody_else, shared_terms
from recollect.reason.closures.open_items import ItemFact
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.when.instant import Instant

WORDS = (
    "contract kontrakt contr invoice inv address adresse app apply phone phon fone photo foto key keys quay card car "
    "roof rooftop ähnlich aehnlich ahnlich ßa yes is zone sone"
).split()


@pytest.mark.parametrize("mine", WORDS)
def test_no_word_that_is_akin_is_missed(monkeypatch: pytest.MonkeyPatch, mine: str) -> None:
    monkeypatch.setattr(open_item_index, "terms_of", lambda _: frozenset({mine}))
    item = ItemFact(
        FactId("f"),
        "commitment",
        LinkEnd(EntityId("e"), "person", "Ana"),
        None,
        None,
        "",
        AssertionMoment(Instant(0), 0),
    )
    for other in WORDS:
        expected = {mine} if mine == other or have_similar_stems(mine, other) else set()
        assert set(shared_terms(item, frozenset({other, "zzz"}))) == expected


def test_all_words_akin_begin_with_the_same_letter() -> None:
    akin = [(one, other) for one, other in product(WORDS, WORDS) if have_similar_stems(one, other)]
    assert all(cross_language_key(one)[:1] == cross_language_key(other)[:1] for one, other in akin)


ANA, JOOST, CLAIRE = (
    LinkEnd(EntityId(name), "person", full)
    for name, full in (("ana", "Ana Ruiz"), ("joost", "Joost Bakker"), ("claire", "Claire Dubois"))
)


def promise(key: str, by: LinkEnd, text: str) -> ItemFact:
    return ItemFact(FactId(key), "commitment", by, None, None, text, AssertionMoment(Instant(0), 0))


@pytest.mark.parametrize(
    ("told", "is_other"),
    [
        ("The contract for Joost is signed.", True),
        ("Joost's contract is signed.", True),
        ("The contract for Claire is signed.", False),
        ("The contract for Dubois is signed.", False),
        ("Joost says Claire's contract is signed.", False),
        ("The contract is signed.", False),
        ("Ana has the contract.", False),
    ],
)
def test_a_report_that_names_another_third_person_is_of_something_else(told: str, is_other: bool) -> None:
    item = promise("1", ANA, "get the contract from Claire")
    words = ItemWords([item, promise("2", JOOST, "sweep the hall"), promise("3", CLAIRE, "paint the door")])
    assert is_of_somebody_else(item, told, ANA.id, words) is is_other


def test_what_the_person_named_reports_is_of_what_they_are_named_for() -> None:
    item = promise("1", ANA, "get the contract from Claire")
    words = ItemWords([item, promise("2", JOOST, "sweep the hall"), promise("3", CLAIRE, "paint the door")])
    assert not is_of_somebody_else(item, "Joost has the contract.", CLAIRE.id, words)


def test_a_word_of_a_concept_is_no_short_form_of_another_word() -> None:
    assert not have_similar_stems(stem_of("money"), stem_of("paint"))


def test_a_name_is_told_by_its_capital_or_by_who_is_addressed() -> None:
    assert addressee_terms("Wilf, see below, can you draw the map") == {"wilf"}
    assert name_terms("Please give Wilf the map") == {"wilf"}
    assert name_terms("Danke, wir liefern die Pfeifen am Montag") == frozenset()
