"""Reading a remembered note again: nothing changes while the rules are the same, and what they find anew is added."""

import pytest
from tests.conftest import MovingClock
from tests.ingest.notes.free_sentences import SILENT, STATED
from tests.ingest.notes.remembering import request_of, states, tell
from tests.ingest.notes.test_undoing import TEXTS
from tests.write.test_undo import take_back

from recollect.ingest.extract.rules import load_rules
from recollect.ingest.notes import note_facts
from recollect.ingest.notes.remember import remember_all
from recollect.ingest.reread import NotReadByRules, RereadOutcome, reread
from recollect.memory import Memory
from recollect.model.document import REMEMBERED
from recollect.model.ids import DocumentId, FactId
from recollect.store.review_queries import drop_held_fact, held_facts
from recollect.write.entity_refs import NamedRef, create

SEQUEL = (
    "I will repaint the shed by Friday.",
    "I won't repaint the shed after all.",
    "Get legal to sign off the lease.",
    "Legal signed off the lease.",
    "Mette will deliver the model by Thursday.",
    "Mette can't make Thursday, she needs until Monday.",
    "I use vim. Lena uses npm and yarn.",
    "We switched from npm to pnpm.",
    "I stopped working at Halden in March.",
    "Since January I've been working for Brightwell.",
    "My name is Ada Brandt.",
    "I moved to Rome in March 2026.",
    "I live in Oslo now.",
    "My rent is 900 euros.",
    "My rent is 950 euros since April.",
    "I have sent the contract to Lena.",
)


def again(memory: Memory, note: DocumentId | None) -> tuple[RereadOutcome, int | None]:
    """What reading a note again did, and the transaction if it changed anything."""
    assert note is not None
    with memory.as_actor("web", "reread").write() as change:
        document = change.document(note)
        assert document is not None
        found = reread(change, document, load_rules(memory.settings))
        return found, change.tx if change.has_changed else None


def texts(memory: Memory, facts: tuple[FactId, ...]) -> list[str]:
    with memory.read() as view:
        rows = view.fact_rows(facts)
    return [f"{row.fact.predicate} {row.object_name or row.fact.literal or row.fact.words}" for row in rows]


@pytest.fixture
def earlier_rules(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Rules that read no states, until they are undone."""
    monkeypatch.setattr(note_facts, "requests_of", lambda *_: iter(()))
    return monkeypatch


@pytest.mark.large
def test_reading_notes_again_with_the_same_rules_changes_no_fact(memory: Memory, clock: MovingClock) -> None:
    told = []
    for number, text in enumerate((*TEXTS, *SEQUEL, *STATED, *SILENT, *TEXTS)):
        clock.set(f"2026-05-20T{10 + number // 60:02}:{number % 60:02}:00Z")
        told.append((text, tell(memory, text).note))
    wrong = {}
    for text, note in told:
        found, _ = again(memory, note)
        if found.added or found.changed or found.withdrawn:
            wrong[text] = [texts(memory, each) for each in (found.added, found.changed, found.withdrawn)]
    assert wrong == {}


def test_what_the_rules_read_by_now_is_added_and_undone(memory: Memory, earlier_rules: pytest.MonkeyPatch) -> None:
    note = tell(memory, "I live in Porto. I will pay the garage invoice by Friday.").note
    earlier_rules.undo()
    found, tx = again(memory, note)
    assert (texts(memory, found.added), len(found.kept), found.withdrawn) == (["lives_in Porto"], 1, ())
    assert tx is not None
    take_back(memory, tx)
    assert states(memory, "me", "lives_in") == {}
    found, _ = again(memory, note)
    assert texts(memory, found.added) == ["lives_in Porto"]
    assert again(memory, note)[1] is None


def test_what_the_rules_no_longer_read_is_withdrawn_with_the_ends_it_gave(
    memory: Memory, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, "I live in Porto since 2020.")
    clock.set("2026-06-20T10:00:00Z")
    note = tell(memory, "I live in Rome since June 2026.", {"subject": "me", "predicate": "likes", "value": "tea"}).note
    assert states(memory, "me", "lives_in") == {"Porto": "ended", "Rome": "current"}
    monkeypatch.setattr(note_facts, "requests_of", lambda *_: iter(()))
    found, _ = again(memory, note)
    assert (texts(memory, found.withdrawn), texts(memory, found.kept)) == (["lives_in Rome"], ["likes tea"])
    assert states(memory, "me", "lives_in")["Porto"] == "current"


def test_a_note_is_read_again_about_what_it_was_told_about(memory: Memory) -> None:
    with memory.write() as change:
        create(change, NamedRef("acme-web", "project"))
    told = [tell(memory, f"We use {each}.", about="acme-web").note for each in ("pnpm", "vite")]
    with memory.write() as change:  # as notes were stored before they said so
        document = change.document(told[1] or DocumentId(""))
        assert document is not None
        change.put_document(document._replace(properties={REMEMBERED: True}))
    assert [again(memory, note)[0].withdrawn for note in told] == [(), ()]
    assert set(states(memory, "acme-web", "uses")) == {"pnpm", "vite"}


def test_a_question_that_was_asked_is_not_asked_again(memory: Memory) -> None:
    with memory.write() as change:
        for address in ("a@x.example", "b@x.example"):
            create(change, NamedRef("Twin", "person", properties={"email": address}))
    note = tell(memory, "Twin lives in Porto.").note
    for _ in range(2):
        with memory.read() as view:
            held = held_facts(view, 10)
        assert len(held) <= 1
        assert again(memory, note)[1] is None
        with memory.write() as change:
            for each in held:
                drop_held_fact(change, each.id)


def test_the_text_of_a_stranger_is_not_trusted_more_when_it_is_read_again(
    memory: Memory, earlier_rules: pytest.MonkeyPatch
) -> None:
    with memory.as_actor("recollect", "remember").write() as change:
        request = request_of(change, "Lena lives in Porto.", (), None, None)._replace(source="https://x.example/page")
        note = remember_all(change, request).note
    earlier_rules.undo()
    [added] = again(memory, note)[0].added
    with memory.read() as view:
        fact = view.fact(added)
    assert fact is not None
    assert fact.trust == "untrusted"


def test_a_note_whose_text_was_not_kept_is_not_read_again(memory: Memory) -> None:
    note = tell(memory, "I live in Porto.").note
    with memory.write() as change:
        document = change.document(note or DocumentId(""))
        assert document is not None
        change.put_document(document._replace(content=None))
    with pytest.raises(NotReadByRules):
        again(memory, note)
