"""What was decided, as pure reasoning over links."""

from recollect.model.ids import EntityId, FactId
from recollect.reason.decisions import Decision, DecisionEntity, find_decided_things, find_decisions, has_follow_up
from recollect.reason.fact_links import AssertionMoment, AssertionSummary, FactLink, LinkEnd
from recollect.when.instant import Instant

PROJECT = LinkEnd(EntityId("P"), "project", "Copper Kettle")
BOTTLE = LinkEnd(EntityId("D"), "decision", "Bottle on site")
GLASS = LinkEnd(EntityId("C"), "concept", "Glass")
MINUTES = LinkEnd(EntityId("S"), "source", "Minutes")
AMARA = LinkEnd(EntityId("A"), "person", "Amara Vint")
BO = LinkEnd(EntityId("B"), "person", "Bo Lund")


def moment(at: int) -> AssertionMoment:
    return AssertionMoment(Instant(at), at)


def said(
    subject: LinkEnd, predicate: str, target: LinkEnd | str, at: int, sure: float = 1.0, by: str | None = None
) -> FactLink:
    """A fact said once; a text is a literal."""
    object_, literal = (target, None) if isinstance(target, LinkEnd) else (None, target)
    told = AssertionSummary(moment(at), sure, by)
    fact = FactId(f"{subject.id}-{predicate}-{at}")
    return FactLink(fact, predicate, subject, object_, literal, Instant(at), moment(at), told, 1)


def found(
    *links: FactLink, project: LinkEnd | None = PROJECT, entities: tuple[DecisionEntity, ...] = ()
) -> list[Decision]:
    told = {link.id: link.newest for link in links}
    return find_decisions(links, told, project=project.id if project else None, entities=entities)


def test_a_decision_is_dated_by_its_earliest_link_and_as_sure_as_its_surest() -> None:
    [decision] = found(
        said(BOTTLE, "belongs_to", PROJECT, 5, 0.4),
        said(AMARA, "decided_in", BOTTLE, 3, 0.9, "diary"),
        said(BOTTLE, "decided_in", "the board meeting", 4, 0.5, "minutes"),
    )
    assert decision == Decision("ent_D", BOTTLE, "Bottle on site", moment(3), (AMARA,), 0.9, "diary")


def test_a_source_of_the_project_s_own_facts_comes_first() -> None:
    [decision] = found(
        said(AMARA, "decided_in", BOTTLE, 1, by="diary"), said(BOTTLE, "belongs_to", PROJECT, 5, by="minutes")
    )
    assert decision.source == "minutes"


def test_people_who_decided_at_the_same_moment_come_by_name() -> None:
    [decision] = found(
        said(BOTTLE, "belongs_to", PROJECT, 1), said(BO, "decided_in", BOTTLE, 2), said(BOTTLE, "decided_in", AMARA, 2)
    )
    assert decision.decided_by == (AMARA, BO)


def test_a_concept_that_was_decided_does_not_decide_itself() -> None:
    [decision] = found(said(GLASS, "decided_in", PROJECT, 1), said(GLASS, "decided_in", GLASS, 2))
    assert (decision.id, decision.decided_by) == ("fact_C-decided_in-1", ())


def test_a_source_is_dated_by_the_facts_that_name_it_alone() -> None:
    [decision] = found(said(AMARA, "decided_in", MINUTES, 1), said(PROJECT, "decided_in", MINUTES, 3))
    assert (decision.first, decision.decided_by) == (moment(3), (AMARA,))


def test_without_a_project_facts_of_people_name_decisions_too() -> None:
    links = (said(AMARA, "decided_in", MINUTES, 1), said(PROJECT, "decided_in", MINUTES, 3))
    [decision] = found(*links, project=None)
    assert (decision.id, decision.first) == ("fact_A-decided_in-1", moment(1))


def test_an_unlinked_decision_is_dated_by_its_making() -> None:
    [decision] = found(project=None, entities=(DecisionEntity(BOTTLE, moment(7)),))
    assert (decision.first, decision.confidence, decision.source) == (moment(7), 1.0, None)


def test_the_things_of_a_project_are_its_decisions_and_what_names_one() -> None:
    links = [
        said(BOTTLE, "belongs_to", PROJECT, 1),
        said(GLASS, "belongs_to", PROJECT, 1),
        said(PROJECT, "decided_in", MINUTES, 2),
        said(AMARA, "decided_in", PROJECT, 3),
        said(GLASS, "decided_in", BOTTLE, 4),
    ]
    assert find_decided_things(links, PROJECT.id) == {BOTTLE, MINUTES}


def test_only_what_came_later_follows_up() -> None:
    [decision] = found(said(BOTTLE, "belongs_to", PROJECT, 5))
    assert not has_follow_up(decision, [said(BOTTLE, "depends_on", GLASS, 5), said(GLASS, "depends_on", PROJECT, 9)])
    assert has_follow_up(decision, [said(GLASS, "depends_on", BOTTLE, 6)])
