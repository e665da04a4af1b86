"""The words that an item shares with a report."""

from itertools import product

import pytest

from recollect.model.ids import EntityId, FactId
from recollect.reason import answer_index
from recollect.reason.answer_index import shared_terms
from recollect.reason.answer_words import is_akin, skeleton
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.reason.open_items import ItemFact
from recollect.when.instant import Instant

WORDS = (
    "contract kontrakt contr invoice inv address adresse app apply phone phon fone photo foto key keys quay card car "
    "roof rooftop ähnlich aehnlich ahnlich ßa yes is zone sone"
).split()


@pytest.mark.parametrize("mine", WORDS)
def test_no_word_that_is_akin_is_missed(monkeypatch: pytest.MonkeyPatch, mine: str) -> None:
    monkeypatch.setattr(answer_index, "terms_of", lambda _: frozenset({mine}))
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
        expected = {mine} if mine == other or is_akin(mine, other) else set()
        assert set(shared_terms(item, frozenset({other, "zzz"}))) == expected


def test_all_words_akin_begin_with_the_same_letter() -> None:
    akin = [(one, other) for one, other in product(WORDS, WORDS) if is_akin(one, other)]
    assert all(skeleton(one)[:1] == skeleton(other)[:1] for one, other in akin)
