"""What is weighed before a sentence closes an item."""

import pytest

from recollect.model.ids import EntityId, FactId
from recollect.reason.closing_evidence import ENOUGH, closing_evidence
from recollect.reason.closure_candidates import SaidText
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.reason.open_items import ItemFact
from recollect.when.instant import Instant

DAY = 86_400_000_000
ADA = LinkEnd(EntityId("ada"), "person", "Ada Brandt")
ITEM = ItemFact(
    FactId("f1"), "commitment", ADA, None, None, "Ada Brandt: send the evacuation plan for the Heron",
    AssertionMoment(Instant(0), 1), due=5 * DAY,
)  # fmt: skip


def said(author: str = "ada") -> SaidText:
    return SaidText("", EntityId(author), "", frozenset(), frozenset(), Instant(6 * DAY))


@pytest.mark.parametrize(
    ("sentence", "closing", "is_enough"),
    [
        ("The evacuation plan went out on Monday.", 0.3, True),
        ("We are in!!", 0.55, False),
        ("The brass plate for the Heron is screwed on.", 0.5, False),
        ("The evacuation plan is blue.", 0.05, False),
        ("That was it, all over.", 0.6, True),
    ],
)
def test_a_report_of_the_thing_itself_counts_more_than_the_model(
    sentence: str, closing: float, is_enough: bool
) -> None:
    assert (closing_evidence(ITEM, said(), sentence, closing) >= ENOUGH) is is_enough


def test_who_is_to_do_it_writes_of_much_else() -> None:
    told = "That is all over now."
    assert closing_evidence(ITEM, said("eve"), told, 0.5) > closing_evidence(ITEM, said(), told, 0.5)
