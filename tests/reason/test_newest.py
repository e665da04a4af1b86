"""The gist of a fact says what the whole of it says."""

from typing import Any

import pytest
from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.model.history import period
from recollect.model.ids import EntityId
from recollect.reason.entity_overview import newest_facts
from recollect.store.fact_rows import FactFilter, FactRow, FactSummaryRow


@pytest.fixture
def told(memory: Memory) -> Memory:
    """Facts with bounds and without, with a literal, an object, nothing at all; one replaced, one said twice."""
    tell(memory, fact("Ada", "employee", "Engine", valid_from="1970", valid_until="1980~"), id="r1")
    tell(memory, fact("Ada", "employee", "Engine", valid_from="1990"), fact("Engine", "owner", "Ada"), id="r2")
    tell(memory, fact("Ada", "opinion", {"literal": "fine"}, "Ada thinks it is fine", "ASSERTED"), id="r3")
    tell(memory, fact("Ada", "opinion", {"literal": "fine"}, "Ada thinks it is poor", "ASSERTED"), id="r4")
    tell(
        memory, fact("Ada", "commitment", None, "Ada will call", "ASSERTED", valid_until="2020-05"), id="r5", url="u:r"
    )
    tell(memory, fact("Ada", "commitment", None, "Ada will call", "ASSERTED"), id="r6", url="https://a.example/r6")
    return memory


def of_seen(seen: FactRow) -> tuple[Any, ...]:
    whole, span = seen.fact, period(seen.fact)
    texts = (each and each.text for each in (whole.valid_from, whole.valid_until))
    marks = (whole.certainty, whole.stale, whole.disputed, whole.replaced_by, whole.source_count, whole.confidence)
    kind = (whole.subject, whole.predicate, whole.label, whole.fact_type, whole.object, whole.literal)
    return (seen.order, seen.text, span, *texts, *marks, *kind, *seen[1:10])


def of_gist(gist: FactSummaryRow) -> tuple[Any, ...]:
    texts = (gist.valid_from, gist.valid_until)
    stale, disputed = gist.stale == 1, gist.disputed == 1
    marks = (gist.certainty, stale, disputed, gist.replaced_by, gist.source_count, gist.confidence)
    kind = (gist.subject, gist.predicate, gist.label, gist.fact_type, gist.object, gist.literal)
    return (gist.order, gist.text, gist.period, *texts, *marks, *kind, *gist[22:])


def ada(memory: Memory) -> EntityId:
    with memory.read() as view:
        [row] = view.names_matching("ada")
        return row.entity


@pytest.mark.parametrize("every", [False, True])
def test_the_gist_of_each_fact_is_that_of_the_whole(told: Memory, every: bool) -> None:
    with told.read() as view:
        wanted = FactFilter(view.world.present, every=every)
        whole = view.facts_about(ada(told), wanted)
        assert len(whole) > 3
        assert [of_gist(each) for each in newest_facts(view, ada(told), wanted).facts] == [
            of_seen(each) for each in whole
        ]


def test_the_newest_are_the_same_whether_all_are_read_or_only_they(told: Memory) -> None:
    with told.read() as view:
        everything = newest_facts(view, ada(told), FactFilter(view.world.present, every=True))
        newest = newest_facts(view, ada(told), FactFilter(view.world.present, every=True, limit=2))
    assert (newest.facts, newest.count) == (everything.facts[:2], len(everything.facts))
    assert newest.is_cut
    assert not everything.is_cut
