"""`weekly_rollup`: the week, open blockers, next actions, summary."""

import pytest
from tests.conftest import MovingClock
from tests.support.calls import ask
from tests.surfaces.cognitive_graph.asking import Asking, entity, link, literal

from recollect.memory import Memory

KETTLE = entity("project", "Copper Kettle")
BOTTLE = entity("decision", "Bottle on site")
PERMIT = entity("concept", "Permit")
UNSIGNED = literal("supplier contract unsigned")


@pytest.mark.parametrize("project", [None, "Copper Kettle"])
def test_a_blocker_told_in_a_sentence_is_listed_until_a_sentence_resolves_it(
    memory: Memory, clock: MovingClock, project: str | None
) -> None:
    kettle = {"subject": {"name": "Copper Kettle", "type": "project"}, "predicate": "status", "value": "planned"}
    ask(memory, "recollect", "remember", facts=[kettle])
    ask(memory, "recollect", "remember", text="Copper Kettle is blocked by a missing permit.")
    [blocker] = ask(memory, "cognitive-graph", "weekly_rollup", project=project)["blockers"]
    assert (blocker["subject"]["name"], blocker["predicate"]) == ("Copper Kettle", "blocked_by")
    assert blocker["object"] == {"literal": "Copper Kettle is blocked by a missing permit."}
    clock.set("2026-06-01T10:00:00Z")
    ask(memory, "recollect", "remember", text="The missing permit is resolved.")
    assert ask(memory, "cognitive-graph", "weekly_rollup", project=project)["blockers"] == []


def test_an_empty_week_has_every_key(graph: Asking) -> None:
    said = graph.rollup(project=" ")
    assert said == {
        "project": None,
        "period": {"start": "2026-05-14", "end": "2026-05-20"},
        "summary": said["summary"],
        "decisions": [],
        "blockers": [],
        "next_actions": [],
        "generated_at": "2026-05-20T10:00:00Z",
    }
    assert all(part in said["summary"].lower() for part in ("all projects", "2026-05-14", "2026-05-20", "0"))


def test_a_summary_names_the_project_the_figures_and_the_latest_decision(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE)
    graph.record(KETTLE, "blocked_by", UNSIGNED)
    summary = graph.rollup(project="copper kettle")["summary"]
    assert summary == (
        "Copper Kettle, 2026-05-14 to 2026-05-20: 1 decision, 1 open blocker, 2 next actions. "
        "Latest decision: Bottle on site (2026-05-20)."
    )


def test_the_week_is_seven_local_days_with_both_ends(graph: Asking) -> None:
    graph.set_workspace("timezone", "America/New_York")
    for name, at in (
        ("too early", "2026-05-14T03:59:59Z"),
        ("first moment", "2026-05-14T04:00:00Z"),
        ("last moment", "2026-05-21T03:59:59Z"),
    ):
        graph.record(entity("decision", name), "belongs_to", KETTLE, at=at)
    for said in (graph.rollup(), graph.rollup(project="Copper Kettle")):
        assert said["period"] == {"start": "2026-05-14", "end": "2026-05-20"}
        assert [each["name"] for each in said["decisions"]] == ["last moment", "first moment"]


@pytest.mark.parametrize("as_of", ["2026-05-12", "2026-05-12T11:00:00Z", 1, "tx:1"])
def test_with_as_of_the_week_ends_on_that_day(graph: Asking, as_of: int | str) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-12T10:00:00Z")
    graph.record(KETTLE, "blocked_by", UNSIGNED, at="2026-05-20T10:00:00Z")
    said = graph.rollup(as_of=as_of)
    assert said["period"] == {"start": "2026-05-06", "end": "2026-05-12"}
    assert [each["name"] for each in said["decisions"]] == ["Bottle on site"]
    assert (said["blockers"], said["generated_at"]) == ([], "2026-05-20T10:00:00Z")


@pytest.mark.parametrize(
    ("as_of", "end"), [("0001-01-01", "0001-01-07"), ("9999-12-31", "9999-12-25"), (0, "2026-05-20")]
)
def test_the_ends_of_time_are_no_error(graph: Asking, as_of: int | str, end: str) -> None:
    assert graph.rollup(as_of=as_of)["period"]["end"] == end


def test_without_a_project_every_decision_counts_linked_or_not(graph: Asking) -> None:
    graph.record(entity("decision", "Unlinked"), "tagged", literal("x"))
    graph.record(entity("person", "Amara Vint"), "decided_in", literal("hire a cooper"))
    graph.record(entity("person", "Amara Vint"), "decided_in", entity("concept", "Glass"))
    graph.record(entity("source", "Minutes"), "decided_in", entity("project", "Other"))
    graph.record(entity("concept", "Oak"), "decided_in", entity("concept", "Pine"))
    graph.record(entity("person", "Amara Vint"), "decided_in", entity("project", "Other"))
    found = {each["name"]: each for each in graph.rollup()["decisions"]}
    assert sorted(found) == ["Glass", "Minutes", "Unlinked", "hire a cooper"]
    assert (found["Unlinked"]["decided_on"], found["Unlinked"]["confidence"]) == ("2026-05-20", 1.0)
    assert [ref["name"] for ref in found["hire a cooper"]["decided_by"]] == ["Amara Vint"]


def test_a_concept_first_decided_long_ago_is_no_decision_of_this_week(graph: Asking) -> None:
    glass = entity("concept", "Glass")
    graph.record(entity("person", "Amara Vint"), "decided_in", glass, at="2026-04-01T10:00:00Z")
    graph.record(entity("person", "Bo Lund"), "decided_in", glass, at="2026-05-20T10:00:00Z")
    assert graph.rollup()["decisions"] == []


def test_a_blocker_of_any_age_shows_until_it_is_resolved(graph: Asking) -> None:
    said = graph.record(KETTLE, "blocked_by", UNSIGNED, at="2025-01-01T10:00:00Z", source="mail", confidence=0.6)
    graph.clock.set("2026-05-20T10:00:00Z")
    [blocker] = graph.rollup()["blockers"]
    assert blocker == {
        "id": said["fact_id"],
        "subject": said["subject"],
        "predicate": "blocked_by",
        "object": UNSIGNED,
        "confidence": 0.6,
        "recorded_at": "2025-01-01T10:00:00Z",
        "source": "mail",
    }
    graph.record(KETTLE, "resolved_by", literal("it was signed"))
    assert graph.blockers() == []
    assert graph.blockers(project="Copper Kettle") == []


def test_a_resolution_that_mentions_one_blocker_leaves_the_others(graph: Asking) -> None:
    for text in ("Supplier contract", "boiler leak", "supplier"):
        graph.record(KETTLE, "blocked_by", literal(text))
    graph.record(KETTLE, "resolved_by", literal("the SUPPLIER  contract: signed"))
    assert graph.blockers(project="Copper Kettle") == ["boiler leak"]


def test_part_of_a_word_is_no_mention(graph: Asking) -> None:
    graph.record(KETTLE, "blocked_by", literal("art"))
    graph.record(KETTLE, "blocked_by", literal("party"))
    graph.record(KETTLE, "resolved_by", literal("the party is over"))
    assert graph.blockers() == ["art"]


def test_a_resolution_of_the_blocking_thing_closes_it_for_everybody(graph: Asking) -> None:
    for name in ("Copper Kettle", "Tin Pot"):
        graph.record(entity("project", name), "blocked_by", PERMIT)
    graph.record(PERMIT, "resolved_by", entity("person", "Amara Vint"))
    assert graph.blockers() == []
    assert graph.blockers(project="Tin Pot") == []


def test_a_resolution_by_the_blocking_thing_itself_closes_that_one(graph: Asking) -> None:
    graph.record(KETTLE, "blocked_by", PERMIT)
    graph.record(KETTLE, "blocked_by", UNSIGNED)
    graph.record(KETTLE, "resolved_by", PERMIT)
    assert graph.blockers() == ["supplier contract unsigned"]


def test_recording_a_closed_blocker_again_opens_it_and_the_resolution_again_closes_it(graph: Asking) -> None:
    first = graph.record(KETTLE, "blocked_by", UNSIGNED)
    graph.record(KETTLE, "resolved_by", literal("signed"))
    again = graph.record(KETTLE, "blocked_by", UNSIGNED)
    assert again["fact_id"] == first["fact_id"]
    assert graph.blockers() == ["supplier contract unsigned"]
    graph.record(KETTLE, "resolved_by", literal("signed"))
    assert graph.blockers() == []


def test_an_earlier_resolution_closes_nothing_later(graph: Asking) -> None:
    graph.record(KETTLE, "resolved_by", literal("signed"))
    graph.record(KETTLE, "blocked_by", UNSIGNED)
    assert graph.blockers() == ["supplier contract unsigned"]


def test_a_late_report_of_an_old_blocker_goes_by_its_source(graph: Asking) -> None:
    graph.record(KETTLE, "resolved_by", literal("all is well"), at="2026-05-10T10:00:00Z")
    kettle = {"name": "Copper Kettle", "type": "Project"}
    graph.ingest(link(kettle, "blocked_by", UNSIGNED), at="2026-05-09T10:00:00Z")
    assert graph.blockers() == []


def test_a_project_s_blockers_are_those_in_scope_or_at_its_door(graph: Asking) -> None:
    graph.record(entity("concept", "Boiler"), "belongs_to", KETTLE)
    graph.record(BOTTLE, "decided_in", KETTLE)
    graph.record(entity("concept", "Boiler"), "blocked_by", literal("member"), at="2026-05-20T11:00:00Z")
    graph.record(BOTTLE, "blocked_by", literal("decision"), at="2026-05-20T12:00:00Z")
    graph.record(entity("project", "Tin Pot"), "blocked_by", KETTLE, at="2026-05-20T13:00:00Z")
    graph.record(entity("project", "Tin Pot"), "blocked_by", literal("outside"), at="2026-05-20T14:00:00Z")
    assert graph.blockers(project="Copper Kettle") == ["Copper Kettle", "decision", "member"]
    graph.record(entity("project", "Tin Pot"), "resolved_by", literal("outside"))
    assert graph.blockers(project="Copper Kettle") == ["Copper Kettle", "decision", "member"]
    graph.record(entity("project", "Tin Pot"), "resolved_by", literal("everything"))
    assert graph.blockers(project="Copper Kettle") == ["decision", "member"]


def test_51_blockers_give_50_latest_first(graph: Asking) -> None:
    kettle = {"name": "Copper Kettle", "type": "Project"}
    graph.ingest(*(link(kettle, "blocked_by", literal(f"blocker {n}")) for n in range(50)), at="2026-05-01T10:00:00Z")
    graph.record(KETTLE, "blocked_by", literal("newest"))
    for more in ({}, {"project": "Copper Kettle"}):
        found = graph.blockers(**more)
        assert (len(found), found[0]) == (50, "newest")


def test_next_actions_keep_their_order(graph: Asking) -> None:
    graph.record(entity("concept", "Invoice"), "tagged", literal("next-action"))
    graph.record(entity("concept", "Label"), "tagged", literal("next-action"))
    graph.record(BOTTLE, "belongs_to", KETTLE)
    graph.record(KETTLE, "blocked_by", UNSIGNED)
    assert graph.rollup()["next_actions"] == [
        "Unblock Copper Kettle: supplier contract unsigned",
        "Follow up on the decision: Bottle on site",
        "Take the next action on Label",
        "Take the next action on Invoice",
    ]


@pytest.mark.parametrize("predicate", ["resolved_by", "depends_on", "blocked_by"])
def test_a_decision_that_something_touched_later_has_follow_up(graph: Asking, predicate: str) -> None:
    graph.record(BOTTLE, predicate, entity("concept", "Glass"), at="2026-05-18T10:00:00Z")
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-19T10:00:00Z")
    assert any("Bottle" in text and "Follow" in text for text in graph.rollup()["next_actions"])
    graph.record(entity("concept", "Glass"), predicate, BOTTLE)
    assert not any("Follow" in text for text in graph.rollup()["next_actions"])


def test_a_next_action_tag_is_follow_up_and_a_literal_decision_has_none(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE)
    graph.record(BOTTLE, "tagged", literal("next-action"))
    graph.record(KETTLE, "decided_in", literal("sell the boiler"))
    graph.record(KETTLE, "depends_on", entity("concept", "sell the boiler"))
    assert graph.rollup(project="Copper Kettle")["next_actions"] == [
        "Follow up on the decision: sell the boiler",
        "Take the next action on Bottle on site",
    ]


def test_a_tag_is_open_until_its_subject_gets_a_later_resolution(graph: Asking) -> None:
    invoice = entity("concept", "Invoice")
    graph.record(invoice, "resolved_by", literal("sent"), at="2025-01-01T10:00:00Z")
    graph.record(invoice, "tagged", literal("next-action"), at="2025-01-02T10:00:00Z")
    graph.record(entity("concept", "Label"), "tagged", literal("Next-action"))
    graph.clock.set("2026-05-20T10:00:00Z")
    assert graph.rollup()["next_actions"] == ["Take the next action on Invoice"]
    graph.record(invoice, "resolved_by", literal("sent"))
    assert graph.rollup()["next_actions"] == []


def test_with_a_project_only_tags_in_scope_count(graph: Asking) -> None:
    graph.record(entity("concept", "Boiler"), "belongs_to", KETTLE)
    graph.record(entity("concept", "Boiler"), "tagged", literal("next-action"))
    graph.record(entity("concept", "Invoice"), "tagged", literal("next-action"))
    assert graph.rollup(project="Copper Kettle")["next_actions"] == ["Take the next action on Boiler"]


def test_there_are_at_most_ten_actions_none_twice_each_within_500_characters(graph: Asking) -> None:
    for number in range(12):
        graph.record(KETTLE, "blocked_by", literal("x" * 600 + str(number % 11)))
    graph.record(KETTLE, "blocked_by", literal("y" * 1000))
    actions = graph.rollup()["next_actions"]
    assert len(actions) == 2
    assert all(len(text) == 500 and text.endswith("…") for text in actions)
    for number in range(12):
        graph.record(KETTLE, "blocked_by", literal(f"blocker {number}"))
    actions = graph.rollup()["next_actions"]
    assert len(actions) == len(set(actions)) == 10
