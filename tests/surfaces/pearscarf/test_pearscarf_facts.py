"""Facts out: the fact object, formats, filters, limits."""

from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import (
    LEDGER,
    REVIEW,
    answer,
    ask,
    delete,
    fact,
    facts_of,
    harrow_bridge,
    known,
    on_one_engine,
    person,
    take_line,
    tell,
    texts_of,
)

from recollect.memory import Memory
from recollect.model.fact import Claim, Source, Statement
from recollect.model.ids import format_entity_id
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from recollect.write.retract import retract_fact

SEED_FIELDS = (
    "edge_label fact_type fact confidence source_at recorded_at valid_until source_record source_url stale replaced_by "
    "from_entity to_entity"
).split()
ADDED_FIELDS = (
    "id predicate literal day valid_from overdue partial disputed score quote extracted_by source_count source "
    "modality polarity time_text closed_by decided_by"
).split()


def by_hand(memory: Memory, make: Any, tool: str = "record_fact", **more: Any) -> None:
    """Record one bare statement through another surface."""
    with memory.as_actor("cognitive-graph", tool).write() as change:
        subject = find_or_create(change, NamedRef("Ada", "person")).entity.id
        made: Claim = make(change, subject)
        record_statement(change, Statement(made, change.now, "stated", "extracted", 1.0, **more))


def zone(memory: Memory, name: str) -> None:
    with memory.write() as change:
        change.put_setting("timezone", name)


def test_a_fact_has_all_its_fields(memory: Memory, clock: MovingClock) -> None:
    clock.set("2026-04-03T06:00:00Z")
    harrow_bridge(memory)
    answered = answer(memory, "get_facts", entity="Lumen Audit", edge_label="ASSERTED", fact_type="commitment")
    [shown] = answered["facts"]
    assert list(shown) == SEED_FIELDS + ADDED_FIELDS
    assert shown["id"].startswith("fact_")
    assert len(shown["id"]) == 31
    assert {**shown, "id": "…"} == {
        "edge_label": "ASSERTED",
        "fact_type": "commitment",
        "fact": LEDGER,
        "confidence": "stated",
        "source_at": "2026-04-02T09:15:00Z",
        "recorded_at": "2026-04-03T06:00:00Z",
        "valid_until": "2026-04-09",
        "source_record": "mail_31",
        "source_url": None,
        "stale": False,
        "replaced_by": None,
        "from_entity": {"name": "Odile Ferrant", "type": "Person"},
        "to_entity": {"name": "Lumen Audit", "type": "Project"},
        "id": "…",
        "predicate": "commitment",
        "literal": None,
        "day": None,
        "valid_from": None,
        "overdue": False,
        "partial": False,
        "disputed": False,
        "score": 0.9,
        "quote": None,
        "extracted_by": "given",
        "source_count": 1,
        "source": None,
        "modality": "asserted",
        "polarity": "positive",
        "time_text": None,
        "closed_by": None,
        "decided_by": "given",
    }
    entity = {"id": format_entity_id(known(memory, "Lumen Audit").id), "name": "Lumen Audit", "type": "Project"}
    assert {key: answered[key] for key in ("entity", "count", "truncated")} == {
        "entity": entity,
        "count": 1,
        "truncated": False,
    }


def test_the_source_shows_its_address_and_words(memory: Memory) -> None:
    record_ = {"id": "m1", "type": "email", "source_at": "2026-04-01T10:00:00.5+02:00", "url": "https://mail.example/7"}
    said = fact("Ada", "ASSERTED/goal", "Engine", "Ada wants an engine", quote="I want an engine")
    take_line(memory, {"record": record_, "facts": [said]})
    [shown] = facts_of(memory, "Ada")
    assert (shown["source_url"], shown["quote"]) == ("https://mail.example/7", "I want an engine")
    assert shown["source_at"] == "2026-04-01T08:00:00.500Z"


def test_a_line_without_a_record_names_the_tool(memory: Memory) -> None:
    tell(memory, fact("Ada", "ASSERTED/goal", "Engine", "Ada wants an engine", source_url="ftp://x.example/1"))
    [shown] = facts_of(memory, "Ada")
    assert (shown["source_record"], shown["source_url"]) == ("tool:cli.ingest", None)
    assert shown["source_at"] == shown["recorded_at"] == "2026-05-20T10:00:00Z"


def test_of_several_sources_the_newest_is_shown_and_the_best_confidence(memory: Memory) -> None:
    goal = fact("Ada", "ASSERTED/goal", "Engine", "Ada wants an engine")
    tell(memory, goal | {"confidence": 0.95}, record="old", at="2026-04-01")
    tell(memory, goal | {"confidence": 0.8}, record="new", at="2026-04-05")
    tell(memory, goal | {"confidence": 0.7}, record="late", at="2026-03-05")
    [shown] = facts_of(memory, "Ada")
    assert (shown["source_record"], shown["source_at"]) == ("new", "2026-04-05T00:00:00Z")
    assert (shown["score"], shown["source_count"], shown["confidence"]) == (0.95, 3, "stated")


def test_a_fact_without_object_is_anchored_to_its_local_day(memory: Memory) -> None:
    zone(memory, "Asia/Tokyo")
    tell(memory, fact("Ada", "ASSERTED/goal", None, "Ada wants more"), record="r", at="2026-04-01T20:00:00Z")
    [shown] = facts_of(memory, "Ada")
    assert (shown["to_entity"], shown["literal"], shown["day"]) == (None, None, "2026-04-02")


def test_a_literal_is_no_entity_and_has_no_day(memory: Memory) -> None:
    tell(memory, fact("Ada", "ASSERTED/opinion", {"literal": "Tea, no milk"}))
    [shown] = facts_of(memory, "Ada")
    assert (shown["to_entity"], shown["literal"], shown["day"]) == (None, "Tea, no milk", None)
    assert shown["fact"] == "Ada opinion Tea, no milk"


def test_a_fact_of_another_surface_appears_with_label_type_text_and_source(memory: Memory) -> None:
    def reports(change: Any, ada: Any) -> Claim:
        return claim(
            change, ada, find_or_create(change, NamedRef("Charles", "person")).entity.id, None, predicate="reports_to"
        )

    by_hand(memory, reports, source=Source(given="https://notes.example/1"))
    [shown] = facts_of(memory, "Charles")
    told = {key: shown[key] for key in ("edge_label", "fact_type", "predicate", "fact", "confidence", "score")}
    assert told == {
        "edge_label": "AFFILIATED",
        "fact_type": "reports_to",
        "predicate": "reports_to",
        "fact": "Ada reports to Charles",
        "confidence": "stated",
        "score": 1.0,
    }
    assert shown["source_record"] == "tool:cognitive-graph.record_fact"
    assert shown["source_url"] == "https://notes.example/1"
    assert shown["source_at"] == "2026-05-20T10:00:00Z"


def test_an_edge_with_evidence_reads_as_its_evidence(memory: Memory) -> None:
    by_hand(
        memory,
        lambda change, ada: claim(change, ada, None, "steam", predicate="studies"),
        evidence="She reads on steam",
    )
    assert texts_of(memory, "Ada") == ["She reads on steam"]


def test_an_alias_told_as_a_fact_is_no_fact_here(memory: Memory) -> None:
    by_hand(memory, lambda change, ada: claim(change, ada, None, "alias:Countess", predicate="tagged"))
    by_hand(memory, lambda change, ada: claim(change, ada, None, "mathematics", predicate="tagged"))
    assert [shown["literal"] for shown in facts_of(memory, "Ada", include_stale=True)] == ["mathematics"]
    assert answer(memory, "get_facts", entity="Ada", limit=1)["count"] == 1


def test_a_fact_is_listed_for_subject_and_object_and_once_for_both(memory: Memory) -> None:
    tell(memory, fact("Ada", "ASSERTED/opinion", "Ada", "Ada thinks well of Ada"))
    tell(memory, fact("Ada", "ASSERTED/opinion", "Bob", "Ada thinks well of Bob"))
    assert sorted(texts_of(memory, "Ada")) == ["Ada thinks well of Ada", "Ada thinks well of Bob"]
    assert texts_of(memory, "Bob") == ["Ada thinks well of Bob"]


ORDERED = [
    ("2026-04-03", "AFFILIATED/advisor", "three"),
    ("2026-04-01", "TRANSITIONED/status_change", "one"),
    ("2026-04-02", "ASSERTED/goal", "two"),
    ("2026-04-04", "TRANSITIONED/completion", "four"),
]


def tell_out_of_order(memory: Memory) -> None:
    for at, kind, text in ORDERED:
        tell(memory, fact("Ada", kind, f"Thing {text}", text), record=text, at=at)


def test_chronological_is_ascending_and_clustered_descending(memory: Memory) -> None:
    tell_out_of_order(memory)
    assert texts_of(memory, "Ada") == ["one", "two", "three", "four"]
    clustered = answer(memory, "get_facts", entity="Ada", format="clustered")["facts"]
    texts = {label: [shown["fact"] for shown in facts] for label, facts in clustered.items()}
    assert list(texts.items()) == [("AFFILIATED", ["three"]), ("ASSERTED", ["two"]), ("TRANSITIONED", ["four", "one"])]


def test_equal_times_are_ordered_by_when_they_were_learned_and_then_by_id(memory: Memory, clock: MovingClock) -> None:
    for day, names in (("20", "cd"), ("18", "ab")):
        clock.set(f"2026-05-{day}T10:00:00Z")
        for name in names:
            tell(memory, fact("Ada", "ASSERTED/goal", name * 3, name), record=name, at="2026-04-01")
    assert texts_of(memory, "Ada") == ["a", "b", "c", "d"]
    clustered = answer(memory, "get_facts", entity="Ada", format="clustered")["facts"]
    assert [shown["fact"] for shown in clustered["ASSERTED"]] == ["d", "c", "b", "a"]


def test_no_facts_are_an_empty_list_or_object(memory: Memory) -> None:
    tell(memory, entities=[person("Ada")])
    assert answer(memory, "get_facts", entity="Ada")["facts"] == []
    clustered = answer(memory, "get_facts", entity="Ada", format="clustered")
    assert (clustered["facts"], clustered["count"], clustered["truncated"]) == ({}, 0, False)


def test_filters_combine(memory: Memory) -> None:
    tell_out_of_order(memory)
    assert texts_of(memory, "Ada", edge_label="TRANSITIONED") == ["one", "four"]
    assert texts_of(memory, "Ada", fact_type="completion") == ["four"]
    assert texts_of(memory, "Ada", edge_label="ASSERTED", fact_type="completion") == []
    assert texts_of(memory, "Ada", edge_label="TRANSITIONED", since="2026-04-02", until="2026-04-04") == ["four"]
    assert texts_of(memory, "Ada", fact_type="nobody used this") == []


def test_the_newest_are_kept_and_then_ordered_as_usual(memory: Memory) -> None:
    tell_out_of_order(memory)
    answered = answer(memory, "get_facts", entity="Ada", limit=2)
    assert [shown["fact"] for shown in answered["facts"]] == ["three", "four"]
    assert (answered["count"], answered["truncated"]) == (4, True)
    whole = answer(memory, "get_facts", entity="Ada", limit=4)
    assert (whole["count"], whole["truncated"]) == (4, False)
    filtered = answer(memory, "get_facts", entity="Ada", limit=1, edge_label="TRANSITIONED", format="clustered")
    assert (filtered["count"], list(filtered["facts"])) == (2, ["TRANSITIONED"])


@on_one_engine
@pytest.mark.parametrize(
    ("bounds", "texts"),
    [
        ({"since": "2026-04-02"}, ["at midnight", "at noon"]),
        ({"since": "2026-04-02T04:00:00Z"}, ["at midnight", "at noon"]),
        ({"since": "2026-04-02T04:00:00+00:00"}, ["at midnight", "at noon"]),
        ({"since": "2026-04-02T00:00"}, ["at midnight", "at noon"]),
        ({"since": "2026-04-02T00:00:00.000001"}, ["at noon"]),
        ({"until": "2026-04-01"}, ["before midnight"]),
        ({"until": "2026-04-02"}, ["before midnight", "at midnight", "at noon"]),
        ({"until": "2026-04-02T04:00:00Z"}, ["before midnight", "at midnight"]),
        ({"since": "2026-04-02", "until": "2026-04-01"}, []),
        ({"since": "2027-01-01"}, []),
    ],
)
def test_bounds_are_inclusive_instants_in_the_workspace_s_zone(memory: Memory, bounds: Any, texts: list[str]) -> None:
    zone(memory, "America/New_York")
    for text, at in (
        ("before midnight", "2026-04-02T03:59:59.999999Z"),
        ("at midnight", "2026-04-02T04:00:00Z"),
        ("at noon", "2026-04-02T12:00:00-04:00"),
    ):
        tell(memory, fact("Ada", "TRANSITIONED/status_change", "Engine", text), record=text, at=at)
    assert texts_of(memory, "Ada", **bounds) == texts


def test_a_fact_with_a_deleted_end_is_shown_only_as_of_before(memory: Memory, clock: MovingClock) -> None:
    harrow_bridge(memory)
    clock.set("2026-05-21T10:00:00Z")
    delete(memory, "Odile Ferrant")
    assert texts_of(memory, "Lumen Audit", include_stale=True) == [REVIEW]
    assert answer(memory, "get_facts", entity="Lumen Audit", limit=1)["count"] == 1
    assert texts_of(memory, "Lumen Audit", as_of="2026-05-20") == [LEDGER, REVIEW]


def test_as_of_shows_what_was_known_then(memory: Memory, clock: MovingClock) -> None:
    harrow_bridge(memory)
    clock.set("2026-05-21T10:00:00Z")
    [ledger, _] = facts_of(memory, "Lumen Audit")
    with memory.write() as change:
        retract_fact(change, ledger["id"].removeprefix("fact_"))
    assert texts_of(memory, "Lumen Audit") == [REVIEW]
    assert facts_of(memory, "Lumen Audit", as_of=2)[0] == ledger
    assert texts_of(memory, "Lumen Audit", as_of=1) == [LEDGER]
    assert texts_of(memory, "Lumen Audit", as_of="tx:99") == [REVIEW]
    assert texts_of(memory, "Lumen Audit", as_of="2026-05-21T09:59:59Z") == [LEDGER, REVIEW]
    assert ask(memory, "get_facts", {"entity": "Lumen Audit", "as_of": 0}).structured["error"] == "not_found"
