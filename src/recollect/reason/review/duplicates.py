"""Duplicates: two entities with the same or nearly the same name, and two predicates that are spelled alike."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from rapidfuzz.distance import OSA

from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.names import ANY_TYPE, PEOPLE, Name, digits, fold
from recollect.model.review_ids import ReviewId, pair_id
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.review.questions import DUPLICATE_CHOICES, PredicateUse, ReviewQuestion, Risk
from recollect.resolve.port import NameIndex
from recollect.resolve.resolver import fuzzy_candidates
from recollect.resolve.suggestions import suggest
from recollect.resolve.typos import typo_distance
from recollect.store import review_queries
from recollect.store.view import View
from recollect.text.stems import stem
from recollect.text.tokens import name_key, name_tokens

MAX_SHARED_KEYS = 500
MAX_SCANNED = 200
"""Of this many newest entities the nearly equal names are looked up; equal names are found whatever their age."""
COMMON_VARIANT = 200
"""A spelling variant that more words of names share does not make those names candidates."""
MOST_SHARING_WORD = 100
"""A word that more names share, such as a common first name, does not make those names candidates."""
_MAX_PREDICATES = 2000
_MAX_SHARING = 5
SHORTEST_MISSPELLED = 5
"""Words that are shorter are often different names if one letter differs."""
_DISTINGUISHING = ("gedcom_id", "disambiguator")
_NAMED_IN_PARTS = PEOPLE | {UNKNOWN_TYPE, "organization"}


class SimilarNameIndex:
    """The entities with names near those of the newest ones, as of a transaction: looking them up takes a while."""

    def __init__(self) -> None:
        self._found: tuple[int, dict[EntityId, set[EntityId]]] | None = None

    def of_newest(
        self, view: View, names: NameIndex, newest: Sequence[Entity], *, may_lag: bool = False
    ) -> dict[EntityId, set[EntityId]]:
        """As found before, if no name was added or removed since, or if that does not matter."""
        found = self._found
        if may_lag and found is not None:
            return found[1]
        if not view.is_latest:
            return _near_each(names, newest)
        if found is None or found[0] > view.last_tx or review_queries.have_names_changed(view, found[0]):
            found = view.last_tx, _near_each(names, newest)
            self._found = found
        return found[1]


def find_duplicates(
    view: View, names: NameIndex, known: SimilarNameIndex, *, may_lag: bool = False
) -> Iterator[ReviewQuestion]:
    """Pairs of entities with equal names, then those near the names of the newest entities; each pair once."""
    seen: set[ReviewId] = set()
    for question in (*_equal_names(view), *_near_newest(view, names, known, may_lag=may_lag)):
        if question.id not in seen:
            seen.add(question.id)
            yield question


def find_duplicates_of(view: View, names: NameIndex, entity: Entity) -> Iterator[ReviewQuestion]:
    """The entities whose names are near one of this entity's."""
    spellings = {row.spelling for row in view.names_of(entity.id) if row.kind in ("name", "alias")}
    found = {near for spelling in spellings for near in _near_names(names, entity, spelling)}
    for other in view.entities(found).values():
        if are_possible_duplicates(entity, other):
            yield duplicate_question(entity, other)


def duplicate_question(one: Entity, other: Entity) -> ReviewQuestion:
    """The question whether two entities are one; `a` is the one that would survive."""
    a, b = sorted((one, other), key=_survivor_order)
    risk = Risk.SAME_NAME if a.folded == b.folded else Risk.NEAR_NAME
    return ReviewQuestion(pair_id("duplicate", a.id, b.id), "duplicate", DUPLICATE_CHOICES, risk, a, b)


def _survivor_order(entity: Entity) -> tuple[bool, bool, bool, EntityId]:
    """The owner first, then what has a type and was confirmed, then the older one."""
    is_owner = entity.properties.get("concept_role") == "self" or entity.type == "self"
    return not is_owner, entity.type == UNKNOWN_TYPE, entity.provisional, entity.id


def are_possible_duplicates(one: Entity, other: Entity) -> bool:
    """Whether two entities with near names may be the same: live, of one type, and nothing tells them apart."""
    if one.id == other.id or not one.is_live or not other.is_live:
        return False
    known = {"person" if each.type in PEOPLE else each.type for each in (one, other)} - {UNKNOWN_TYPE}
    if len(known) > 1:
        return False
    return not any(key in one.properties and key in other.properties for key in _DISTINGUISHING)


def _equal_names(view: View) -> Iterator[ReviewQuestion]:
    by_key: dict[str, set[EntityId]] = defaultdict(set)
    for row in review_queries.names_shared(view, MAX_SHARED_KEYS):
        by_key[row.key].add(row.entity)
    groups = [sorted(entities)[:_MAX_SHARING] for entities in by_key.values() if len(entities) > 1]
    entities = view.entities({entity for group in groups for entity in group})
    for group in groups:
        yield from _pairs([entities[each] for each in group if each in entities])


def _pairs(entities: Sequence[Entity]) -> Iterator[ReviewQuestion]:
    for one, other in combinations(entities, 2):
        if are_possible_duplicates(one, other):
            yield duplicate_question(one, other)


def _near_newest(view: View, names: NameIndex, known: SimilarNameIndex, *, may_lag: bool) -> Iterator[ReviewQuestion]:
    newest = review_queries.newest_entities(view, MAX_SCANNED)
    near = known.of_newest(view, names, newest, may_lag=may_lag)
    others = view.entities({other for found in near.values() for other in found})
    for entity in newest:
        for other in near.get(entity.id, ()):
            if other in others and are_possible_duplicates(entity, others[other]):
                yield duplicate_question(entity, others[other])


def _near_each(names: NameIndex, entities: Sequence[Entity]) -> dict[EntityId, set[EntityId]]:
    return {entity.id: _near_names(names, entity, entity.name) for entity in entities}


def _near_names(names: NameIndex, entity: Entity, spelling: str) -> set[EntityId]:
    """The entities that a spelling names but for typing errors, and the one whose name it begins."""
    found = [candidate.name for candidate in fuzzy_candidates(names, spelling)]
    found += [
        *_longer_names(names, entity, spelling),
        *_one_letter_off(names, spelling),
        *_sharing_word(names, spelling),
    ]
    return {name.entity for name in found if name.kind in ("name", "alias")} - {entity.id}


def _longer_names(names: NameIndex, entity: Entity, spelling: str) -> list[Name]:
    """The names that begin with this one, such as that of Ada Brandt for Ada, if they are all of one entity."""
    if entity.type not in _NAMED_IN_PARTS:
        return []
    folded = fold(spelling)
    longer = names.starting_with(name_key(folded) + " ", digits(folded), ANY_TYPE, _MAX_SHARING)
    fitting = [name for name in longer if name.type in _NAMED_IN_PARTS and name.entity != entity.id]
    return fitting if len({name.entity for name in fitting}) == 1 else []


def _one_letter_off(names: NameIndex, spelling: str) -> list[Name]:
    """The names of several words of which one word has one other letter: Jonathan Meyer for Jonathan Meier."""
    if len(name_tokens(fold(spelling))) < 2:
        return []
    return [each.name for each in suggest(names, spelling) if _differ_by_letter(fold(spelling), each.name.folded)]


def _sharing_word(names: NameIndex, spelling: str) -> Iterator[Name]:
    """The names with a word of this one that differ by typing errors in the others, however common their variants."""
    mine = name_tokens(fold(spelling))
    for word in mine if len(mine) > 1 else ():
        others = names.with_word(word, ANY_TYPE, MOST_SHARING_WORD)
        if len(others) < MOST_SHARING_WORD:
            yield from (each for each in others if _differ_by_typos(mine, name_tokens(each.folded)))


def _differ_by_typos(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if len(mine) != len(theirs) or digits(" ".join(mine)) != digits(" ".join(theirs)):
        return False
    return all(typo_distance(*pair) is not None for pair in zip(mine, theirs, strict=True))


def _differ_by_letter(one: str, other: str) -> bool:
    mine, theirs = name_tokens(one), name_tokens(other)
    pairs = [pair for pair in zip(mine, theirs, strict=False) if pair[0] != pair[1]]
    if len(mine) != len(theirs) or len(pairs) != 1 or digits(one) != digits(other):
        return False
    return min(map(len, pairs[0])) >= SHORTEST_MISSPELLED and OSA.distance(*pairs[0]) == 1


def find_duplicate(view: View, one: EntityId, other: EntityId) -> ReviewQuestion | None:
    """The question about two entities, if both are live."""
    found = view.entities({one, other})
    if len(found) < 2 or not all(each.is_live for each in found.values()):
        return None
    return duplicate_question(found[one], found[other])


def find_duplicate_predicates(view: View) -> Iterator[ReviewQuestion]:
    """Pairs of predicates with facts whose names are nearly equal."""
    uses = {use.name: use for use in _predicate_uses(view)}
    aliases = view.world.aliases
    for one, other in sorted(_near_predicates(uses)):
        if one not in aliases and other not in aliases:
            yield predicate_question(uses[one], uses[other])


def predicate_question(one: PredicateUse, other: PredicateUse) -> ReviewQuestion:
    """The question whether two predicates mean the same; `a` is the one that would remain."""
    a, b = sorted((one, other), key=lambda use: (use.name not in built_in_predicates(), -use.facts, use.name))
    return ReviewQuestion(pair_id("predicates", a.name, b.name), "duplicate", DUPLICATE_CHOICES, Risk.PREDICATES, a, b)


def find_predicate_pair(view: View, one: str, other: str) -> ReviewQuestion | None:
    uses = {use.name: use for use in _predicate_uses(view)}
    return predicate_question(uses[one], uses[other]) if one in uses and other in uses else None


def _predicate_uses(view: View) -> list[PredicateUse]:
    return [PredicateUse(*row) for row in review_queries.predicate_uses(view, _MAX_PREDICATES)]


def _near_predicates(names: Collection[str]) -> set[tuple[str, str]]:
    """Pairs of names with equal word stems or within typing errors; built-in ones differ on purpose."""
    by_form: dict[tuple[int, str], list[str]] = defaultdict(list)
    for name in names:
        by_form[name.count("_"), name[:1]].append(name)
    return {
        (min(pair), max(pair))
        for group in by_form.values()
        for pair in combinations(group, 2)
        if not built_in_predicates().keys() >= set(pair) and _are_near(*pair)
    }


def _are_near(one: str, other: str) -> bool:
    words = list(zip(one.split("_"), other.split("_"), strict=True))
    return digits(one) == digits(other) and all(_is_near_word(*pair) for pair in words)


def _is_near_word(one: str, other: str) -> bool:
    return bool(one and other) and (stem(one) == stem(other) or typo_distance(one, other) is not None)


def proposal_among(view: View, entities: Iterable[Entity]) -> ReviewId | None:
    """The question whether two of these entities, which one name fits, are the same; none if that was decided."""
    for one, other in combinations(entities, 2):
        if are_possible_duplicates(one, other):
            found = duplicate_question(one, other).id
            if not review_queries.decisions_on(view, [str(found)]):
                return found
    return None
