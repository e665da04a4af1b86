"""A fact and the note it comes from in one ranking."""

from collections.abc import Sequence

import pytest
from tests.ingest.notes.remembering import tell

from recollect.memory import Memory
from recollect.search import fact_search, recall
from recollect.search.fact_search import FactHit
from recollect.search.recall import ALL_KINDS, RecallKind, RecallRequest


def scores(memory: Memory, question: str, *kinds: RecallKind) -> list[tuple[str, float]]:
    with memory.read() as view:
        asked = RecallRequest(question, view.world.present, kinds=frozenset(kinds) or ALL_KINDS)
        return [(type(each).__name__, each.score) for each in recall.recall(memory, view, asked)]


def test_a_fact_that_says_all_of_its_note_stands_for_it_at_the_better_rank(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, "I will repaint the shed.")
    tell(memory, "The shed is behind the quince, which nobody picks.")

    def far(*given: object) -> Sequence[FactHit]:
        return [each._replace(text=0.0, cosine=0.3) for each in fact_search.find_facts(*given)]  # type: ignore[arg-type]

    monkeypatch.setattr(recall, "find_facts", far)
    of_notes = max(score for _, score in scores(memory, "repaint the shed", "notes"))
    assert scores(memory, "repaint the shed")[0] == ("RecalledFact", of_notes)
