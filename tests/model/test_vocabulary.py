"""One vocabulary: every row of the table, by its label, its fact_type and its policy."""

import pytest

from recollect.model.vocabulary import Predicate, PredicateUsage, UnknownMeaning, built_in_predicates, resolve_predicate

PLAIN = PredicateUsage()

ANCHORS = {
    "AFFILIATED": "employee contractor advisor board_member founder investor legal_counsel consultant owner "
    "contributor reviewer stakeholder subsidiary sub_project",
    "ASSERTED": "commitment promise decision evaluation opinion concern blocker request update risk goal reference",
    "TRANSITIONED": "status_change stage_change role_change ownership_change resolution completion cancellation",
}
EDGE_TYPES = (
    "loves dislikes respects proud_of worried_about nostalgic_for intrigued_by frustrated_with feels_about avoids "
    "seeks family_of friend_of works_with met_through close_to estranged_from works_at lives_in studies grew_up_in "
    "attends values believes_in committed_to opposes skilled_at learning interested_in knows_about reminds_of "
    "similar_to contrasts_with associated_with mentions helps_with worsens"
).split()
LORE = (
    "rules controls member_of belongs_to serves worships practices speaks located_in resided_in holds_title "
    "claims_title possesses allied_with enemy_of at_war_with spouse_of partner_of sibling_of parent_of "
    "descended_from cadet_of existed_during part_of capital_of concurrent_with occupation"
).split()
LORE_EVENTS = (
    "born died buried_at founded dissolved created inherited_by occurred_at occurred_during caused preceded "
    "participated_in witnessed baptised"
).split()
SYMMETRIC = set("allied_with enemy_of at_war_with spouse_of partner_of sibling_of concurrent_with".split())
POINT = set("born died founded dissolved created inherited_by occurred_during".split())
TRANSITIVE = {"descended_from", "part_of", "preceded"}
ONE_OBJECT = {"member_of", "located_in", "born", "died", "buried_at", "occurred_during"}
ONE_SUBJECT = {"possesses", "capital_of"}


def shape(found: Predicate) -> tuple[str, str, str, str]:
    return found.name, found.label, found.fact_type, found.policy


def of_predicate(name: str, target: str = "entity", usage: PredicateUsage = PLAIN) -> tuple[str, str, str, str]:
    return shape(resolve_predicate(name, None, None, target, usage))  # type: ignore[arg-type]


@pytest.mark.parametrize("strict", [PredicateUsage(policy="dispute"), PredicateUsage(is_fictional=True), PLAIN])
@pytest.mark.parametrize(
    ("label", "name"), [(label, name) for label, names in ANCHORS.items() for name in names.split()]
)
def test_an_anchor_stands_under_its_label_whatever_the_workspace_says(
    label: str, name: str, strict: PredicateUsage
) -> None:
    policy = "accumulate" if label == "TRANSITIONED" else "supersede"
    assert of_predicate(name, usage=strict) == (name, label, name, policy)
    assert shape(resolve_predicate(None, label, name, "none", strict)) == (name, label, name, policy)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", ["entity", "literal", "none"])
@pytest.mark.parametrize(
    ("name", "label", "fact_type", "policy"),
    [
        ("mentioned_in", "ASSERTED", "reference", "supersede"),
        ("decided_in", "ASSERTED", "decision", "supersede"),
        ("blocked_by", "ASSERTED", "blocker", "supersede"),
        ("tagged", "ASSERTED", "tagged", "supersede"),
        ("resolved_by", "TRANSITIONED", "resolution", "accumulate"),
        ("reports_to", "AFFILIATED", "reports_to", "supersede"),
        ("depends_on", "AFFILIATED", "depends_on", "supersede"),
        ("belongs_to", "AFFILIATED", "belongs_to", "dispute"),
    ],
)
def test_the_predicates_of_the_cognitive_graph(name: str, label: str, fact_type: str, policy: str, target: str) -> None:
    assert of_predicate(name, target) == (name, label, fact_type, policy)


@pytest.mark.parametrize("name", EDGE_TYPES)
def test_an_edge_type_of_the_entity_core_is_an_affiliation_of_its_own_type(name: str) -> None:
    assert of_predicate(name, usage=PredicateUsage(policy="dispute")) == (name, "AFFILIATED", name, "supersede")


@pytest.mark.parametrize("name", LORE)
def test_a_relation_of_the_lore_engine_is_disputed_not_superseded(name: str) -> None:
    assert of_predicate(name, usage=PredicateUsage(policy="supersede")) == (name, "AFFILIATED", name, "dispute")


@pytest.mark.parametrize("name", LORE_EVENTS)
def test_a_relation_that_happens_is_a_transition_and_still_disputed(name: str) -> None:
    assert of_predicate(name, "none") == (name, "TRANSITIONED", name, "dispute")


def test_only_marks_make_a_predicate_symmetric_or_single_valued() -> None:
    every = built_in_predicates().values()
    assert {each.name for each in every if each.symmetric} == SYMMETRIC
    assert {each.name for each in every if each.transitive} == TRANSITIVE
    assert {each.name for each in every if each.point} == POINT
    assert {each.name for each in every if each.one_object is not None} == ONE_OBJECT
    assert {each.name for each in every if each.one_subject is not None} == ONE_SUBJECT


def test_a_mark_counts_only_between_the_types_it_names() -> None:
    member, located = built_in_predicates()["member_of"].one_object, built_in_predicates()["located_in"].one_object
    assert member is not None
    assert located is not None
    assert (member.subjects, member.objects) == (frozenset[str](), frozenset({"lineage"}))
    assert (located.subjects, located.objects) == (frozenset({"person", "item"}), frozenset[str]())


@pytest.mark.parametrize(("target", "label"), [("entity", "AFFILIATED"), ("literal", "ASSERTED"), ("none", "ASSERTED")])
def test_any_other_predicate_gets_its_label_from_its_object(target: str, label: str) -> None:
    assert of_predicate("admires", target) == ("admires", label, "other", "supersede")


@pytest.mark.parametrize(
    ("usage", "policy"),
    [
        (PredicateUsage(), "supersede"),
        (PredicateUsage(first_surface="pearscarf"), "supersede"),
        (PredicateUsage(first_surface="lore-engine"), "dispute"),
        (PredicateUsage(is_fictional=True), "dispute"),
        (PredicateUsage(first_surface="cli", is_fictional=True), "dispute"),
        (PredicateUsage(policy="supersede", first_surface="lore-engine"), "supersede"),
        (PredicateUsage(policy="supersede", is_fictional=True), "supersede"),
        (PredicateUsage(policy="dispute"), "dispute"),
        (PredicateUsage(policy="accumulate"), "accumulate"),
    ],
)
def test_any_other_predicate_follows_the_workspace_then_its_first_use(usage: PredicateUsage, policy: str) -> None:
    assert of_predicate("admires", usage=usage)[3] == policy


@pytest.mark.parametrize(
    "usage", [PredicateUsage(), PredicateUsage(policy="dispute"), PredicateUsage(first_surface="lore-engine")]
)
def test_any_other_transition_accumulates(usage: PredicateUsage) -> None:
    found = resolve_predicate("exploded", "TRANSITIONED", None, "none", usage)
    assert shape(found) == ("exploded", "TRANSITIONED", "other", "accumulate")


def test_any_other_predicate_is_symmetric_only_if_its_first_use_said_so() -> None:
    assert resolve_predicate("cousin_of", None, None, "entity", PredicateUsage(symmetric=True)).symmetric
    assert not resolve_predicate("cousin_of", None, None, "entity", PredicateUsage()).symmetric


@pytest.mark.parametrize("label", ANCHORS)
@pytest.mark.parametrize(
    "usage", [PredicateUsage(), PredicateUsage(policy="dispute"), PredicateUsage(is_fictional=True)]
)
def test_the_anchor_other_keeps_the_policy_of_its_label(label: str, usage: PredicateUsage) -> None:
    policy = "accumulate" if label == "TRANSITIONED" else "supersede"
    found = resolve_predicate(None, label, "other", "entity", usage)  # type: ignore[arg-type]
    assert shape(found) == ("other", label, "other", policy)


def test_a_label_and_a_type_alone_make_the_type_the_predicate() -> None:
    found = resolve_predicate(None, "ASSERTED", "Gut Feeling", "none", PLAIN)
    assert shape(found) == ("gut_feeling", "ASSERTED", "gut_feeling", "supersede")


def test_a_given_label_and_type_are_kept() -> None:
    assert shape(resolve_predicate("works_with", "ASSERTED", None, "entity", PLAIN)) == (
        "works_with",
        "ASSERTED",
        "other",
        "supersede",
    )
    assert shape(resolve_predicate("admires", "TRANSITIONED", "role_change", "entity", PLAIN)) == (
        "admires",
        "TRANSITIONED",
        "role_change",
        "accumulate",
    )
    assert resolve_predicate("spouse_of", "AFFILIATED", "marriage", "entity", PLAIN).symmetric


@pytest.mark.parametrize("spelling", ["WorksAt", "WORKS_AT", "works at", "works-at", " Works_At "])
def test_a_predicate_is_known_in_every_case(spelling: str) -> None:
    assert of_predicate(spelling) == ("works_at", "AFFILIATED", "works_at", "supersede")


@pytest.mark.parametrize(
    "given", [(None, None, None), (None, None, "no_such_type"), ("  ", None, None), (None, "ASSERTED", None)]
)
def test_a_fact_without_a_meaning_is_refused(given: tuple[str | None, str | None, str | None]) -> None:
    with pytest.raises(UnknownMeaning):
        resolve_predicate(*given, "entity", PLAIN)  # type: ignore[arg-type]
