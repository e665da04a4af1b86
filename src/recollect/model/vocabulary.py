"""The vocabulary: label, type, policy and constraints of each predicate, the same for every surface."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from recollect.errors import Refused
from recollect.model.fact import Label, Policy
from recollect.model.similarity import to_snake_case

ACCUMULATING = frozenset(
    "commitment promise decision pending_decision request blocker risk goal concern update reference".split()
)
PREDICATE_LIMIT = 100
ANY_ANCHOR = "other"  # belongs to each of the three labels, so it has no entry of its own
SINGLE_VALUED = frozenset(
    "name birthday age email phone address rent salary price cost budget status stage version deadline lives_in "
    "reports_to".split()
)
"""Attributes that have one value at a time in everyday writing; the vocabulary itself does not limit them."""
POLICY_SECTION = "predicate_policy."
"""Workspace settings `predicate_policy.<predicate>` hold the policies that differ from those of the vocabulary."""
VALUES_SECTION = "predicate_values."
"""Workspace settings `predicate_values.<predicate>` say that a predicate has `one` value at a time, or `many`."""
ALIAS_SECTION = "predicate_alias."
"""Workspace settings `predicate_alias.<alias>` hold the predicates that aliases were merged into."""
VALUE_COUNTS = ("one", "many")
LIFELONG = frozenset("born_in born_on birthday birth_year died_in died_on founded_in founded_on blood_type".split())
"""Attributes that have one value for good, so that two values contradict each other whichever came last."""
CAN_BE_OVERDUE = frozenset({"commitment", "promise", "goal", "request", "blocker", "blocked_by", "pending_decision"})
"""Types of the statements that are open until something closes them."""

_ANCHORS: Mapping[Label, str] = {
    "AFFILIATED": "employee contractor advisor board_member founder investor legal_counsel consultant owner "
    "contributor reviewer stakeholder subsidiary sub_project",
    "ASSERTED": "commitment promise decision evaluation opinion concern blocker request update risk goal reference",
    "TRANSITIONED": "status_change stage_change role_change ownership_change resolution completion cancellation",
}
_FEELINGS_AND_TIES = (
    "loves dislikes respects proud_of worried_about nostalgic_for intrigued_by frustrated_with feels_about avoids "
    "seeks family_of friend_of works_with met_through close_to estranged_from works_at lives_in studies grew_up_in "
    "attends values believes_in committed_to opposes skilled_at learning interested_in knows_about reminds_of "
    "similar_to contrasts_with associated_with mentions helps_with worsens"
)
_LORE_AFFILIATED = (
    "rules controls member_of belongs_to serves worships practices speaks located_in resided_in holds_title "
    "claims_title possesses allied_with enemy_of at_war_with spouse_of partner_of sibling_of parent_of descended_from "
    "cadet_of existed_during part_of capital_of concurrent_with occupation"
)
_LORE_TRANSITIONED = (
    "born died buried_at founded dissolved created inherited_by occurred_at occurred_during caused preceded "
    "participated_in witnessed baptised"
)
_SYMMETRIC = frozenset("allied_with enemy_of at_war_with spouse_of partner_of sibling_of concurrent_with".split())
_TRANSITIVE = frozenset({"descended_from", "part_of", "preceded"})
_POINT = frozenset("born died founded dissolved created inherited_by occurred_during".split())


class TypeScope(NamedTuple):
    """The entity types for which a predicate is single-valued; an empty set means all."""

    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()


_ONE_OBJECT: Mapping[str, TypeScope] = {
    "member_of": TypeScope(objects=frozenset({"lineage"})),
    "located_in": TypeScope(subjects=frozenset({"person", "item"})),
    "born": TypeScope(),
    "died": TypeScope(),
    "buried_at": TypeScope(),
    "occurred_during": TypeScope(),
}
_ONE_SUBJECT: Mapping[str, TypeScope] = {"possesses": TypeScope(), "capital_of": TypeScope()}


@dataclass(frozen=True, slots=True)
class Predicate:
    """One entry of the vocabulary."""

    name: str
    label: Label
    fact_type: str
    policy: Policy
    symmetric: bool = False
    transitive: bool = False
    point: bool = False
    one_object: TypeScope | None = None
    one_subject: TypeScope | None = None


class UnknownMeaning(Refused):
    code = "invalid_input"

    def __init__(self) -> None:
        super().__init__("a fact needs a predicate, or an edge_label with a fact_type", field="predicate")


@cache
def built_in_predicates() -> Mapping[str, Predicate]:
    """The predicates every workspace starts with, by name."""
    entries = [
        *(_anchor(name, label) for label, names in _ANCHORS.items() for name in names.split()),
        *(Predicate(name, "AFFILIATED", name, "supersede") for name in _FEELINGS_AND_TIES.split()),
        *(_lore(name, "AFFILIATED") for name in _LORE_AFFILIATED.split()),
        *(_lore(name, "TRANSITIONED") for name in _LORE_TRANSITIONED.split()),
        Predicate("mentioned_in", "ASSERTED", "reference", "supersede"),
        Predicate("decided_in", "ASSERTED", "decision", "supersede"),
        Predicate("blocked_by", "ASSERTED", "blocker", "supersede"),
        Predicate("tagged", "ASSERTED", "tagged", "supersede"),
        Predicate("pending_decision", "ASSERTED", "pending_decision", "supersede"),
        Predicate("resolved_by", "TRANSITIONED", "resolution", "accumulate"),
        Predicate("reports_to", "AFFILIATED", "reports_to", "supersede"),
        Predicate("depends_on", "AFFILIATED", "depends_on", "supersede"),
    ]
    return {entry.name: entry for entry in entries}


def _anchor(name: str, label: Label) -> Predicate:
    return Predicate(name, label, name, "accumulate" if label == "TRANSITIONED" else "supersede")


def _lore(name: str, label: Label) -> Predicate:
    return Predicate(
        name,
        label,
        name,
        "dispute",
        name in _SYMMETRIC,
        name in _TRANSITIVE,
        name in _POINT,
        _ONE_OBJECT.get(name),
        _ONE_SUBJECT.get(name),
    )


class PredicateUsage(NamedTuple):
    """How a workspace uses a predicate that is not built in."""

    policy: Policy | None = None
    first_surface: str | None = None
    symmetric: bool = False
    is_fictional: bool = False

    @property
    def unset_policy(self) -> Policy:
        if self.policy is not None:
            return self.policy
        return "dispute" if self.first_surface == "lore-engine" or self.is_fictional else "supersede"


Target = Literal["entity", "literal", "none"]


def resolve_predicate(
    predicate: str | None, label: Label | None, fact_type: str | None, target: Target, usage: PredicateUsage
) -> Predicate:
    """The predicate for what a writer gave: a predicate, a label with a type, or all three."""
    name = to_snake_case(predicate or fact_type or "")
    if not name or (predicate is None and label is None and name not in built_in_predicates()):
        raise UnknownMeaning
    known = built_in_predicates().get(name)
    if known is not None and label in (None, known.label) and fact_type in (None, known.fact_type):
        return known
    found_label = label or (known.label if known else "AFFILIATED" if target == "entity" else "ASSERTED")
    if fact_type is not None:
        found_type = to_snake_case(fact_type)
    else:
        found_type = known.fact_type if known and known.label == found_label else "other"
    policy = known.policy if known and known.policy == "dispute" else _policy(name, found_label, usage)
    symmetric = known.symmetric if known else usage.symmetric
    return Predicate(name, found_label, found_type, policy, symmetric)


def _policy(name: str, label: Label, usage: PredicateUsage) -> Policy:
    if label == "TRANSITIONED":
        return "accumulate"
    return "supersede" if name in built_in_predicates() or name == ANY_ANCHOR else usage.unset_policy
