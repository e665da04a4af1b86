"""`remember` as an agent calls it."""

from typing import Any
from uuid import UUID

import pytest

from recollect.ingest.notes.fact_request import parse_fact
from recollect.ingest.notes.remember import record_held_fact
from recollect.memory import Memory
from recollect.reason.unread import find_unread, scan_passages
from recollect.settings import Settings
from recollect.store.review_queries import held_facts
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.entity_refs import NamedRef, create
from tests.conftest import MovingClock
from tests.support.facts import entity_named
from tests.write.test_undo import state, take_back

USES_PNPM = {"subject": "acme-web", "predicate": "uses", "value": "pnpm"}


def remember(memory: Memory, **arguments: Any) -> dict[str, Any]:
    tool = find_surface("recollect").find("remember")
    answer = call(tool, lambda each: memory.as_actor("recollect", each.name), arguments)
    assert not answer.is_error, answer.structured
    assert "null" not in answer.texts[0].lower().split()
    return dict(answer.structured)


def refusal(memory: Memory, **arguments: Any) -> dict[str, Any]:
    tool = find_surface("recollect").find("remember")
    answer = call(tool, lambda each: memory.as_actor("recollect", each.name), arguments)
    assert answer.is_error
    error: dict[str, Any] = answer.structured["error"]
    assert error["next"]
    if "example" in error:
        remember(memory, **error["example"], **({} if "dry_run" in error["example"] else {"dry_run": True}))
    return error


def test_the_result_has_the_documented_shape(memory: Memory, clock: MovingClock) -> None:
    first = remember(memory, facts=[{**USES_PNPM, "value": "npm"}], source="chat")
    clock.set("2026-06-10T12:00:00Z")
    result = remember(memory, facts=[{**USES_PNPM, "replaces": True}], source="chat")
    [fact] = result["facts"]
    old = first["facts"][0]["id"]
    assert {key: fact[key] for key in fact if key not in ("id", "replaced")} == {
        "text": "acme-web uses pnpm",
        "state": "current",
        "since": "2026-06-10",
        "source": "chat",
        "date": "2026-06-10",
        "outcome": "replaced",
        "predicate": "uses",
    }
    assert [(each["id"], each["state"], each["until"]) for each in fact["replaced"]] == [(old, "ended", "2026-06-09")]
    assert [(each["name"], each["type"], each["link"]) for each in result["entities"]] == [
        ("acme-web", "unknown", "linked")
    ]
    assert result["not_understood"] == []
    assert result["undo"] == 2


def test_two_words_for_one_relation_leave_one_current_value(memory: Memory, clock: MovingClock) -> None:
    remember(memory, text="My manager is Ana.")
    clock.set("2026-06-10T12:00:00Z")
    [fact] = remember(memory, text="I report to Bob.")["facts"]
    assert (fact["predicate"], fact["outcome"]) == ("reports_to", "replaced")
    assert [(each["text"], each["state"]) for each in fact["replaced"]] == [("I report to Ana", "ended")]


def test_the_manager_of_a_club_is_not_whom_it_reports_to(memory: Memory) -> None:
    [fact] = remember(memory, text="Leeds United's manager is Daniel Farke.")["facts"]
    assert fact["predicate"] == "manager"


def test_a_note_that_tells_an_end_is_not_outdated_by_it(memory: Memory, clock: MovingClock) -> None:
    remember(memory, text="I work at Acme.")
    clock.set("2026-06-10T12:00:00Z")
    remember(memory, text="I left Acme.")
    found = answer_of(memory, "recall", query="Acme").structured["results"]
    assert [(each["text"], each.get("state")) for each in found] == [
        ("I work at Acme", "ended"),
        ("I left Acme.", None),
    ]


def test_a_note_whose_new_value_was_wrong_is_outdated(memory: Memory, clock: MovingClock) -> None:
    remember(memory, text="Leo's budget is 5000.")
    clock.set("2026-06-10T12:00:00Z")
    [fact] = remember(memory, text="Leo's budget is 6000.")["facts"]
    answer_of(memory, "correct", fact=fact["id"], mode="wrong", value="6500")
    found = answer_of(memory, "recall", query="Leo's budget").structured["results"]
    assert [(each["text"], each.get("state")) for each in found] == [
        ("Leo's budget is 6500", "current"),
        ("Leo's budget is 5000", "ended"),
        ("Leo's budget is 6000.", "outdated"),
    ]


def test_the_id_of_a_note_is_no_source_in_a_line_of_text(memory: Memory) -> None:
    note = remember(memory, text="Ingrid asked me to send the slides by Friday.")["note"]
    listed = answer_of(memory, "open_items", owner="me")
    assert (listed.structured["items"][0]["kind"], listed.structured["items"][0]["owner"]) == ("request", "Me")
    assert note not in listed.texts[0]
    assert note not in answer_of(memory, "history", clock="knowledge").texts[0]


def answer_of(memory: Memory, name: str, **arguments: Any) -> Answer:
    return call(find_surface("recollect").find(name), lambda each: memory.as_actor("recollect", each.name), arguments)


def test_a_created_entity_names_those_with_near_names(memory: Memory) -> None:
    remember(memory, facts=[{"subject": "Roberto Diaz", "predicate": "uses", "value": "vim"}])
    result = remember(memory, facts=[{"subject": "Robert Diaz", "predicate": "uses", "value": "vim"}])
    [entity] = result["entities"]
    assert entity["link"] == "created"
    assert [each["name"] for each in entity["similar"]] == ["Roberto Diaz"]


def test_the_owner_is_like_nobody(memory: Memory) -> None:
    remember(memory, facts=[{"subject": "Meridian", "predicate": "uses", "value": "vim"}])
    [owner] = remember(memory, facts=[{"subject": "me", "predicate": "uses", "value": "vim"}])["entities"]
    assert (owner["name"], "similar" in owner) == ("Me", False)


def test_a_dry_run_reports_the_same_and_stores_nothing(memory: Memory) -> None:
    before = state(memory)
    arguments = {"text": "I live in Porto. Is it nice?", "facts": [USES_PNPM, {"subject": "x"}], "about": "acme-web"}
    dry = remember(memory, **arguments, dry_run=True)
    assert state(memory) == before
    assert dry["dry_run"] is True
    assert "undo" not in dry
    wet = remember(memory, **arguments)
    assert [each["outcome"] for each in dry["facts"]] == [each["outcome"] for each in wet["facts"]]
    assert dry["not_understood"] == wet["not_understood"] == ["Is it nice?"]
    assert entity_named(memory, "acme-web") is not None


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({}, "invalid_input", "text"),
        ({"text": "   "}, "invalid_input", "text"),
        ({"facts": []}, "invalid_input", "text"),
        ({"note": "I live in Porto."}, "invalid_input", "note"),
        ({"text": 5}, "invalid_input", "text"),
        ({"text": "x" * 100_001}, "invalid_input", "text"),
        ({"facts": "uses pnpm"}, "invalid_input", "facts"),
        ({"facts": [USES_PNPM] * 51}, "invalid_input", "facts"),
        ({"facts": [USES_PNPM], "source": "x" * 2001}, "invalid_input", "source"),
        ({"facts": [USES_PNPM], "source_at": "someday"}, "invalid_input", "source_at"),
        ({"facts": [USES_PNPM], "source_at": "2031"}, "invalid_input", "source_at"),
        ({"facts": [USES_PNPM], "about": "x" * 201}, "invalid_input", "about"),
        ({"facts": [USES_PNPM], "about": "ent_01JZ0000000000000000000000"}, "not_found", "about"),
        ({"facts": [USES_PNPM], "document": "doc_01JZ0000000000000000000000"}, "not_found", "document"),
        ({"facts": [USES_PNPM], "dry_run": "yes"}, "invalid_input", "dry_run"),
        ({"facts": [{"subject": "Ada", "predicate": "uses"}]}, "invalid_input", "facts[0].value"),
        ({"facts": [{**USES_PNPM, "valid_from": "whenever"}]}, "invalid_input", "facts[0].valid_from"),
        ({"facts": [{**USES_PNPM, "quote": "we use pnpm"}]}, "quote_not_found", "facts[0].quote"),
        ({"facts": [{**USES_PNPM, "replaces": "fact_01JZ0000000000000000000000"}]}, "not_found", "facts[0].replaces"),
    ],
)
def test_a_bad_call_says_what_to_do_next_and_writes_nothing(
    memory: Memory, arguments: dict[str, Any], code: str, field: str
) -> None:
    error = refusal(memory, **arguments)
    assert (error["code"], error["field"]) == (code, field)
    with memory.read() as view:
        assert view.last_tx == 0


def test_an_ambiguous_topic_is_an_error_with_candidates(memory: Memory) -> None:
    with memory.write() as change:
        create(change, NamedRef("Lena", "person", properties={"email": "a@x.example"}))
        create(change, NamedRef("Lena", "person", properties={"email": "b@x.example"}))
    error = refusal(memory, text="Lives in Porto.", about="Lena")
    assert error["code"] == "ambiguous"
    assert len(error["candidates"]) == 2


def test_refused_facts_do_not_lose_the_text_nor_the_others(memory: Memory) -> None:
    facts = [{**USES_PNPM, "quote": "nothing like it"}, {**USES_PNPM, "quote": "we use  PNPM"}]
    result = remember(memory, text="At acme-web we use pnpm.", facts=facts)
    assert [each["outcome"] for each in result["facts"]] == ["refused", "recorded"]
    assert result["facts"][0]["error"]["code"] == "quote_not_found"
    assert "id" not in result["facts"][0]
    assert "note" in result


def test_a_text_is_kept_without_an_embedder(memory: Memory) -> None:
    plain = memory.with_parts(settings=Settings(environment={"RECOLLECT_EMBEDDING_MODEL": "off"}))
    assert "note" in remember(plain, text="Deploys happen on Tuesdays.")


def test_facts_from_a_document_need_a_quote_and_mark_it_read(memory: Memory) -> None:
    note = remember(memory, text="Deploys happen on Tuesdays.", source_at="2026-01-05")["note"]
    scan_passages(memory)
    with memory.read() as view:
        assert len(find_unread(view, None, 5).passages) == 1
    fact = {"subject": "acme-web", "predicate": "deploy_day", "value": "Tuesday"}
    assert refusal(memory, document=note, facts=[fact])["field"] == "facts[0].quote"
    result = remember(memory, document=f"{note}#0", facts=[{**fact, "quote": "deploys happen on tuesdays"}])
    assert result["facts"][0]["date"] == "2026-01-05"
    assert "note" not in result
    with memory.read() as view:
        assert find_unread(view, None, 5).passages == []


def test_a_document_without_facts_is_marked_read(memory: Memory) -> None:
    note = remember(memory, text="Deploys happen on Tuesdays.")["note"]
    scan_passages(memory)
    result = remember(memory, document=note, facts=[])
    assert result["facts"] == []
    assert "undo" not in remember(memory, document=note, facts=[])
    with memory.read() as view:
        assert (find_unread(view, None, 5).passages, view.last_tx) == ([], result["undo"])
    take_back(memory, result["undo"])
    with memory.read() as view:
        assert len(find_unread(view, None, 5).passages) == 1


@pytest.mark.parametrize(("written", "date"), [("2026-03-10", "2026-03-10"), ("yesterday", "2026-05-19")])
def test_the_time_of_the_source_may_be_given_in_words(memory: Memory, written: str, date: str) -> None:
    assert remember(memory, facts=[USES_PNPM], source_at=written)["facts"][0]["date"] == date


def test_a_source_of_today_is_as_new_as_now(memory: Memory, clock: MovingClock) -> None:
    rent = {"subject": "me", "predicate": "rent", "value": 900}
    remember(memory, facts=[rent])
    clock.set("2026-05-20T15:00:00Z")
    result = remember(memory, facts=[{**rent, "value": 950}], source_at="2026-05-20")
    assert result["facts"][0]["outcome"] == "replaced"


def test_closed_items_are_listed(memory: Memory, clock: MovingClock) -> None:
    item = remember(memory, text="I will pay the garage invoice by Friday.")["facts"][0]
    clock.set("2026-05-21T10:00:00Z")
    result = remember(memory, text="I have paid the garage invoice.")
    assert [(each["id"], each["state"]) for each in result["closed"]] == [(item["id"], "done")]


def test_a_held_fact_is_recorded_for_the_candidate_that_is_chosen(memory: Memory) -> None:
    with memory.write() as change:
        one = create(change, NamedRef("Lena", "person", properties={"email": "a@x.example"}))
        create(change, NamedRef("Lena", "person", properties={"email": "b@x.example"}))
    result = remember(memory, facts=[{"subject": "Lena", "predicate": "lives_in", "object": "Porto"}], source="chat")
    assert result["facts"][0]["outcome"] == "ambiguous"
    assert result["entities"] == [{"name": "Lena", "link": "ambiguous"}]
    with memory.write() as change:
        [held] = held_facts(change, 5)
        request = parse_fact(held.claim, "fact", lambda text, _: change.world.read(text))
        outcome = record_held_fact(change, held, request, one.id)
        assert outcome.outcome == "recorded"
        assert held_facts(change, 5) == []
        assert [fact.subject for fact in change.facts_touching(one.id)] == [one.id]


def test_an_erased_text_does_not_come_back(memory: Memory) -> None:
    from recollect.keep.forgetting.erasure import forget

    note = remember(memory, text="The heron nests behind the mill.")["note"]
    forget(memory, [note])
    error = refusal(memory, text="The heron nests behind the mill.")
    assert error["code"] == "invalid_input"


def recall(memory: Memory, **arguments: Any) -> dict[str, Any]:
    tool = find_surface("recollect").find("recall")
    return dict(call(tool, lambda each: memory.as_actor("recollect", each.name), arguments).structured)


def test_the_source_of_a_fact_read_from_a_note_is_the_id_of_the_note(memory: Memory) -> None:
    result = remember(memory, text="Kim works at Hooli.")
    assert str(UUID(result["note"])) == result["note"]
    assert result["facts"][0]["source"] == result["note"]


def test_an_email_address_given_as_a_fact_names_its_owner(memory: Memory) -> None:
    remember(memory, facts=[{"subject": "Kim", "predicate": "email", "value": "Kim@Example.org"}])
    wrong = remember(memory, text="Bo's email is bo@example.org.")["facts"][0]["id"]
    assert recall(memory, query="email", about="kim@example.org")["about"]["name"] == "Kim"
    linked = remember(memory, facts=[{"subject": "kim@example.org", "predicate": "likes", "value": "tea"}])
    assert [each["name"] for each in linked["entities"]] == ["Kim"]
    tool = find_surface("recollect").find("correct")
    call(tool, lambda each: memory.as_actor("recollect", each.name), {"fact": wrong, "mode": "wrong"})
    assert "about" not in recall(memory, query="email", about="bo@example.org")


def test_a_closing_fact_that_names_nothing_is_refused(memory: Memory) -> None:
    error = refusal(memory, facts=[{"subject": "Kim", "predicate": "completion"}])
    assert (error["code"], error["field"]) == ("invalid_input", "facts[0].value")


def test_the_description_and_schema_are_small() -> None:
    import json

    from recollect.surfaces.schema import brief_input_schema

    tool = find_surface("recollect").find("remember")
    assert len(json.dumps(brief_input_schema(tool))) + len(tool.description) < 2_600


def test_only_what_claims_a_fact_is_counted_as_its_source(memory: Memory) -> None:
    def correct(**arguments: Any) -> None:
        tool = find_surface("recollect").find("correct")
        assert not call(tool, lambda each: memory.as_actor("recollect", each.name), arguments).is_error

    for text in ("Pam uses jq.", "Flo uses Slack.", "Gil uses Emacs."):
        remember(memory, text=text, source_at="2026-03-01")
    correct(fact="Pam uses jq", mode="wrong")
    correct(fact="Gil uses Emacs", mode="ended")
    told = ("Flo no longer uses Slack.", "Gil no longer uses Emacs.", "Pam uses jq.")
    again = [remember(memory, text=text)["facts"][0] for text in told]
    shown = [(each["outcome"], each["state"], each["sources"]) for each in again]
    assert shown == [("confirmed", "ended", 1), ("confirmed", "ended", 1), ("confirmed", "current", 2)]


def test_two_places_of_birth_contradict_each_other_whichever_source_is_newer(memory: Memory) -> None:
    remember(memory, text="Ada was born in Lyon.", source="letter", source_at="2026-05-01")
    [born] = remember(memory, text="Ada was born in Metz.", source="diary", source_at="2026-05-02")["facts"]
    assert (born["outcome"], born["state"]) == ("conflicts", "disputed")
    [other] = born["conflicts_with"]
    assert (other["text"], other["state"]) == ("Ada was born in Lyon", "disputed")
    [same] = remember(memory, facts=[{"subject": "Ada", "predicate": "birthplace", "object": "Metz"}])["facts"]
    assert same["id"] == born["id"]


def test_a_fact_is_listed_with_the_article_of_its_source_and_kept_without(memory: Memory) -> None:
    [boat] = remember(memory, text="Bo owns a sailing boat.")["facts"]
    assert boat["text"] == "Bo owns a sailing boat"
    [same] = remember(memory, facts=[{"subject": "Bo", "predicate": "owns", "value": "sailing boat"}])["facts"]
    assert (same["id"], same["outcome"]) == (boat["id"], "confirmed")


def test_a_fact_may_not_go_beyond_its_quote(memory: Memory) -> None:
    text = "Aina doubts that Folke owns the mill. Malte led the club from 2011 until 2019."
    doubted = {"subject": "Folke", "predicate": "owns", "object": "the mill", "quote": "Folke owns the mill"}
    bounded = {
        "subject": "Malte",
        "predicate": "leads",
        "object": "the club",
        "quote": "led the club from 2011 until 2019",
    }
    early = {**bounded, "valid_from": "1990"}
    result = remember(memory, text=text, facts=[doubted, bounded, early])["facts"]
    assert result[0]["error"]["message"] == "facts[0] goes beyond its quote: the quote is doubted, not asserted"
    assert (result[1]["state"], result[1]["until"]) == ("ended", "2019-12-31")
    assert "1990 is not in" in result[2]["error"]["message"]


def test_a_rule_may_be_told_as_one_though_it_asserts_nothing(memory: Memory) -> None:
    text = "Please always run the linter before committing. We should never deploy on Fridays."
    linter = {"subject": "acme-web", "predicate": "convention", "value": "run the linter before committing"}
    fridays = {"subject": "acme-web", "predicate": "rule", "value": "never deploy on Fridays"}
    facts = [
        {**linter, "quote": "always run the linter before committing"},
        {**fridays, "quote": "never deploy on Fridays"},
    ]
    assert [each["outcome"] for each in remember(memory, text=text, facts=facts)["facts"][:2]] == ["recorded"] * 2


def test_we_are_the_owner_or_what_the_facts_are_about(memory: Memory) -> None:
    ours = {"subject": "we", "predicate": "uses", "value": "ruff"}
    assert remember(memory, facts=[ours])["facts"][0]["text"] == "I use ruff"
    told = remember(memory, facts=[{**ours, "subject": "We"}], about="acme-web")
    assert told["facts"][0]["text"] == "acme-web uses ruff"
    country = remember(memory, facts=[{"subject": "US", "predicate": "currency", "value": "dollar"}])
    assert [each["name"] for each in country["entities"]] == ["US"]
    team = {"subject": {"name": "We", "type": "team"}, "predicate": "uses", "value": "vim"}
    assert [each["name"] for each in remember(memory, facts=[team])["entities"]] == ["We"]


def test_a_new_name_that_is_a_part_of_known_ones_is_told_with_them(memory: Memory) -> None:
    remember(memory, facts=[{"subject": "Anna Berg", "predicate": "works_at", "object": "Telia"}])
    remember(memory, facts=[{"subject": "Anna Holm", "predicate": "works_at", "object": "Telia"}])
    text = answer_of(memory, "remember", text="Anna moved to Malmö.").texts[0]
    [line] = [each for each in text.splitlines() if each.startswith("- new: ")]
    assert line.startswith("- new: Anna [ent_")
    assert "Anna Berg [ent_" in line
    assert "Anna Holm [ent_" in line
    assert "- new: " not in answer_of(memory, "remember", text="Anna lives in Lund.").texts[0]
