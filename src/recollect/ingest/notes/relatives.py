"""People named by their relation to somebody: `my sister`, `Kim's boss`."""

from recollect.ingest.notes.value_conflicts import current_values
from recollect.model.entity import Entity
from recollect.reading.state_lexicon import PEOPLE_NOUNS
from recollect.store.change import Change
from recollect.text.patterns import lazy_pattern
from recollect.write.entity_refs import find_unambiguous
from recollect.write.owner import find_owner
from recollect.write.predicates import canonical_predicate

_RELATIVE = lazy_pattern(r"^(?:(?P<my>[Mm]y|[Oo]ur)|(?P<whose>.{1,60}?)(?:['’]s|(?<=s)['’])) (?P<noun>[a-z-]+)$")
MAX_RELATIVES = 50


def find_relative(change: Change, text: str) -> Entity | None:
    """The one person who is known to stand in this relation; none if it is nobody or several."""
    match = _RELATIVE.match(text)
    if match is None or match["noun"] not in PEOPLE_NOUNS:
        return None
    person = find_owner(change) if match["my"] else find_unambiguous(change, match["whose"])
    if person is None:
        return None
    related = change.facts_of_subject(person.id, canonical_predicate(change, match["noun"]), MAX_RELATIVES)
    found = {fact.object for fact in current_values(change, related, lambda fact: fact.object is not None)}
    only = found.pop() if len(found) == 1 else None
    return None if only is None else change.survivor(only)
