"""The vocabulary, as a part of the settings: predicates, and what a workspace decided about each."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.model.fact import Label, Policy
from recollect.model.vocabulary import (
    POLICY_SECTION,
    PREDICATE_LIMIT,
    VALUE_COUNTS,
    VALUES_SECTION,
    built_in_predicates,
)
from recollect.serve.web.framework.forms import required_field
from recollect.serve.web.framework.pages import Action, Done, PageRequest
from recollect.serve.workspace_settings import POLICIES, PREDICATE_SECTIONS, put_setting
from recollect.store.change import Change
from recollect.store.listing_queries import list_predicates
from recollect.store.view import View
from recollect.write.predicates import ALIAS_SECTION, fold_predicate, has_one_value, learned_aliases

MOST_PREDICATES = 300
_KINDS: dict[Label, str] = {"AFFILIATED": "state", "ASSERTED": "statement", "TRANSITIONED": "event"}


@dataclass(frozen=True, slots=True)
class PredicateLine:
    """A predicate, what happens when two values of it disagree, and what this workspace decided about it."""

    name: str
    facts: int
    kind: str = ""
    policy: Policy | None = None
    """None if the predicate is not built in and nothing was chosen: the policy of the workspace holds."""
    is_single: bool = False
    own_policy: Policy | None = None
    own_values: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChosenPredicate:
    """The predicate that is looked at, and what can be decided about it."""

    line: PredicateLine
    usual_policy: Policy | None
    """Without a decision of this workspace; none if the policy of the workspace holds."""
    policies: tuple[str, ...] = POLICIES
    values: tuple[str, ...] = VALUE_COUNTS


def read_vocabulary(view: View) -> tuple[PredicateLine, ...]:
    """The predicates in use, most used first, then those with a decision, then the other built-in ones."""
    used = {each.predicate: each.facts for each in list_predicates(view)}
    settings = view.world.settings
    decided = {key.removeprefix(each) for each in PREDICATE_SECTIONS for key in settings if key.startswith(each)}
    names = dict.fromkeys((*used, *sorted(decided), *sorted(built_in_predicates())))
    aliases = _aliases(view)
    return tuple(_line(view, name, used.get(name, 0), aliases) for name in list(names)[:MOST_PREDICATES])


def read_predicate(view: View, asked: str) -> ChosenPredicate | None:
    """The predicate that an address names; none if it names none."""
    if not asked.strip():
        return None
    name = fold_predicate(asked)
    known = built_in_predicates().get(name)
    facts = next((each.facts for each in list_predicates(view) if each.predicate == name), 0)
    return ChosenPredicate(_line(view, name, facts, _aliases(view)), None if known is None else known.policy)


def _aliases(view: View) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for alias, predicate in sorted(learned_aliases(view).items()):
        found[predicate] = (*found.get(predicate, ()), alias)
    return found


def _line(view: View, name: str, facts: int, aliases: Mapping[str, tuple[str, ...]]) -> PredicateLine:
    known, own = built_in_predicates().get(name), view.world.policies.get(name)
    return PredicateLine(
        name,
        facts,
        "" if known is None else _KINDS[known.label],
        own or (None if known is None else known.policy),
        has_one_value(view, name),
        own,
        str(view.world.settings.get(VALUES_SECTION + name, "")),
        aliases.get(name, ()),
    )


def change_predicate(request: PageRequest) -> Done:
    """Decide about one predicate: its policy, how many values it has, and which other names it goes by."""
    name = fold_predicate(required_field(request, "predicate", PREDICATE_LIMIT))
    with request.acting("settings").write() as change:
        put_setting(change, POLICY_SECTION + name, request.text("policy") or None)
        put_setting(change, VALUES_SECTION + name, request.text("values") or None)
        _set_aliases(change, name, request.text("aliases"))
        tx = change.tx if change.has_changed else None
    said = f"{name.replace('_', ' ')}: {'saved' if tx else 'is so already'}"
    return Done(f"settings?predicate={name}#vocabulary", said, tx)


def _set_aliases(change: Change, name: str, text: str) -> None:
    """Make a predicate go by these names, separated by commas, and by no others."""
    wanted = {fold_predicate(each) for each in text.split(",") if each.strip()}
    for alias in sorted(set(_aliases(change).get(name, ())) - wanted):
        put_setting(change, ALIAS_SECTION + alias, None)
    for alias in sorted(wanted):
        put_setting(change, ALIAS_SECTION + alias, name)


VOCABULARY_ACTIONS = (Action("settings/predicate", change_predicate, scope="admin"),)
