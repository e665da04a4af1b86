"""Predicates of a workspace: their names in everyday writing, their meaning, and their first use.

The single-valued rule applies only to writes through the everyday surface; the vocabulary itself does not mark them.
A workspace may decide otherwise for any predicate.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

from recollect.errors import Refused
from recollect.model.fact import Claim, Label
from recollect.model.ids import EntityId
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import (
    ALIAS_SECTION,
    LIFELONG,
    PREDICATE_LIMIT,
    SINGLE_VALUED,
    VALUES_SECTION,
    Predicate,
    PredicateUsage,
    Target,
    TypeScope,
    built_in_predicates,
    resolve_predicate,
)
from recollect.store.change import Change
from recollect.store.view import View

_BUILT_IN_USAGE = PredicateUsage()


def claim(
    change: Change,
    subject: EntityId,
    object_: EntityId | None,
    literal: str | None,
    predicate: str | None = None,
    label: Label | None = None,
    fact_type: str | None = None,
) -> Claim:
    """The claim that these words make here; a predicate used for the first time enters the vocabulary."""
    target = target_of(object_, literal)
    meant = cached_meaning(change, predicate, label, fact_type, target)
    if meant is None:
        meant = _first_meaning(change, predicate, label, fact_type, target)
    policies = (change.recent.world or change.world).policies
    policy = policies.get(meant.name, meant.policy) if policies else meant.policy
    return Claim._make((subject, meant.name, meant.label, meant.fact_type, object_, literal, meant.symmetric, policy))


def cached_meaning(
    change: Change, predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate | None:
    """What the words mean here, if they do so everywhere or were looked up before."""
    known = _built_in_meaning(predicate, label, fact_type, target)
    return change.recent.meanings.get((predicate, label, fact_type, target)) if known is None else known


def target_of(object_: EntityId | None, literal: str | None) -> Target:
    """What kind of thing a claim points at."""
    return "entity" if object_ is not None else "literal" if literal is not None else "none"


def _first_meaning(
    change: Change, predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate:
    usage = change.predicate_usage(to_snake_case(predicate or fact_type or ""))
    meant = resolve_predicate(predicate, label, fact_type, target, usage)
    if usage.first_surface is None:
        # Who uses it first may decide what it means from then on, so that is looked up once more.
        change.use_predicate(meant.name)
    else:
        change.recent.meanings[predicate, label, fact_type, target] = meant
    return meant


@lru_cache(1024)
def _built_in_meaning(
    predicate: str | None, label: Label | None, fact_type: str | None, target: Target
) -> Predicate | None:
    """The meaning of a predicate in every workspace; none if it depends on the workspace."""
    if to_snake_case(predicate or fact_type or "") not in built_in_predicates():
        return None
    return resolve_predicate(predicate, label, fact_type, target, _BUILT_IN_USAGE)


_HOMES_OF_ONE = frozenset(
    f"{each}_lives_in" for each in "mother mum mom father dad wife husband spouse partner".split()
)
"""Where somebody lives of whom one has no second."""
_SINGLE_VALUED_PREFIXES = ("favorite_", "favourite_", "default_", "current_", "preferred_")
_SINGLE_VALUED_HEADS = SINGLE_VALUED - {"name", "age", "lives_in", "reports_to"}
"""Attributes of which a compound has one value, too: the grant deadline as any deadline, but not every pet's name."""
_ONE_OF_SEVERAL = frozenset(
    "additional alternate alternative another backup earlier emergency extra former further last old older other past "
    "previous second secondary third".split()
)
"""Words that tell an attribute from the one that counts, so that there may be any number of it."""
_SYNONYMS: Mapping[str, str] = {
    "works_at": "works_for work_at work_for employed_by employed_at is_employed_by is_employed_at "
    "working_at working_for employer current_employer workplace place_of_work",
    "lives_in": "resides_in live_in living_in is_living_in residence place_of_residence city_of_residence "
    "home home_city current_city lives_at",
    "spouse_of": "married_to is_married_to spouse husband wife husband_of wife_of wed_to",
    "sibling_of": "sibling is_sibling_of brother_of sister_of",
    "friend_of": "friend friends_with is_friends_with is_a_friend_of",
    "reports_to": "boss line_manager managed_by is_managed_by supervised_by report_to reporting_to",
    "works_with": "colleague colleague_of coworker coworker_of co_worker co_worker_of",
    "member_of": "is_member_of is_a_member_of",
    "part_of": "is_part_of",
    "located_in": "is_located_in situated_in",
    "depends_on": "is_dependent_on dependent_on",
    "blocked_by": "is_blocked_by",
    "speaks": "speaks_language is_fluent_in fluent_in",
    "dislikes": "hates does_not_like doesnt_like",
    "skilled_at": "is_skilled_at skilled_in good_at is_good_at",
    "interested_in": "is_interested_in",
    "allergic_to": "is_allergic_to allergy allergies has_allergy_to has_allergy",
    "uses": "is_using using",
    "prefers": "preference_is",
    "birthday": "birth_date birthdate date_of_birth dob birth_day is_born_on",
    "born_in": "birthplace birth_place place_of_birth was_born_in is_born_in",
    "phone": "phone_number telephone telephone_number mobile mobile_number mobile_phone cell_phone cell tel",
    "email": "email_address e_mail e_mail_address mail_address",
    "address": "home_address postal_address street_address current_address residential_address",
    "deadline": "due due_date is_due due_on",
    "commitment": "todo to_do action_item",
    "pending_decision": "decision_pending open_decision to_decide",
    "completion": "completed done finished",
    "resolution": "resolved",
    "cancellation": "cancelled canceled",
}


class BadPredicate(Refused):
    def __init__(self, predicate: str) -> None:
        why = "is blank" if not predicate.strip() else f"{predicate!r} has no letter or digit"
        if len(predicate) > PREDICATE_LIMIT:
            why = f"has {len(predicate)} characters, at most {PREDICATE_LIMIT} are allowed"
        super().__init__(f"predicate {why}; use a few words such as works_at or favourite_colour", field="predicate")


@lru_cache(1024)
def fold_predicate(text: str) -> str:
    """The lower_snake_case form; a blank or overlong one is refused."""
    folded = to_snake_case(text)
    if not folded or len(text.strip()) > PREDICATE_LIMIT or not any(each.isalnum() for each in folded):
        raise BadPredicate(text)
    return folded


def canonical_predicate(view: View, text: str) -> str:
    """The predicate that a text means here: by learned aliases, the vocabulary, then built-in synonyms."""
    folded = fold_predicate(text)
    learned = view.world.aliases
    seen = {folded}
    while folded in learned and learned[folded] not in seen:
        folded = learned[folded]
        seen.add(folded)
    return folded if folded in built_in_predicates() else _synonym_index().get(folded, folded)


def add_predicate_alias(change: Change, alias: str, predicate: str) -> None:
    """Let one predicate stand for another from now on; facts already recorded keep theirs."""
    change.put_setting(ALIAS_SECTION + fold_predicate(alias), fold_predicate(predicate))


@cache
def _synonym_index() -> Mapping[str, str]:
    return {synonym: name for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split()}


def decided_single_valued(view: View, predicate: str) -> bool | None:
    """Whether the workspace decided that a predicate has one value at a time; None if it decided nothing."""
    chosen = view.world.settings.get(VALUES_SECTION + predicate)
    return None if chosen is None else chosen == "one"


def is_single_valued(view: View, predicate: str) -> bool:
    """Whether an attribute has one value at a time, or for good: as the workspace decided, else as is usual."""
    decided = decided_single_valued(view, predicate)
    return _is_usually_single_valued(predicate) if decided is None else decided


@lru_cache(1024)
def _is_usually_single_valued(predicate: str) -> bool:
    is_attribute = predicate.startswith(_SINGLE_VALUED_PREFIXES) or predicate in _HOMES_OF_ONE
    return is_attribute or predicate in SINGLE_VALUED or predicate in LIFELONG or _is_compound_of_one_value(predicate)


def _is_compound_of_one_value(predicate: str) -> bool:
    """Whether the last word of an attribute is one with a single value: `flat_rent`, `grant_deadline`."""
    *ahead, head = predicate.split("_")
    return bool(ahead) and head in _SINGLE_VALUED_HEADS and _ONE_OF_SEVERAL.isdisjoint(ahead)


def marks_of(view: View, predicate: str) -> Predicate | None:
    """The entry of the vocabulary with its marks, as far as the workspace leaves them; none if it has none."""
    known, decided = built_in_predicates().get(predicate), decided_single_valued(view, predicate)
    if decided is None:
        return known
    if not decided:
        return replace(known, one_object=None, one_subject=None) if known is not None else None
    entry = known or Predicate(predicate, "AFFILIATED", "other", "dispute")
    is_marked = entry.one_object is not None or entry.one_subject is not None
    return entry if is_marked else replace(entry, one_object=TypeScope())


def has_one_value(view: View, predicate: str) -> bool:
    """Whether a subject has one value of this predicate at a time, or a value one subject."""
    marks = marks_of(view, predicate)
    is_marked = marks is not None and (marks.one_object is not None or marks.one_subject is not None)
    return is_marked or is_single_valued(view, predicate)
