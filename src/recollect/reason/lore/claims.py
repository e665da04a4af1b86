"""Claims in free text: the entities, relations and times they name, and the relations for and against them."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.model.relations import relation_from_predicate, relation_kinds, spellings_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.resolve.name_finder import SHORTEST_NAME, NameSpan, find_names
from recollect.text.negation import negator_pattern
from recollect.text.stop_words import is_stop_word
from recollect.text.tokens import terms, words
from recollect.when.english.mentions import find_times, window
from recollect.when.instant import DAY
from recollect.when.period import Time, coverage

ClaimSupport = Literal["supports", "contradicts"]

FRIENDLY = frozenset({"allied_with"})
HOSTILE = frozenset({"enemy_of", "at_war_with"})
_TIME_PATTERN = re.compile(
    r"\[[^\[\]]{1,120}\.\.[^\[\]]{0,120}\]|(?<!\w)[^\W_]\w*(?:\.\w+)+~?|\d{4}(?:-\d{2}){0,2}~?|\d+\s+[A-Z][A-Z0-9]{0,7}\b|(?<!\w)\w+_\w+"
)
# Words that express a relation without being one of its names.
_RELATION_VERBS = {
    "rules": ("rule", "reign", "reigned", "govern", "governed"),
    "allied_with": ("allied", "alliance", "allies"),
    "enemy_of": ("enemy", "foe", "hostile"),
    "at_war_with": ("war", "warred"),
    "spouse_of": ("married", "wed", "spouse", "husband", "wife"),
    "member_of": ("member", "joined"),
    "possesses": ("possess", "owned", "held"),
    "participated_in": ("participated", "fought"),
    "resided_in": ("lived", "resided", "dwelt"),
    "parent_of": ("parent", "father", "mother", "son", "daughter", "child"),
    "sibling_of": ("brother", "sister", "sibling"),
    "caused": ("cause", "caused"),
    "founded": ("founded", "founder"),
    "born": ("born", "birthplace"),
    "died": ("died", "death"),
    "occurred_at": ("occurred", "happened"),
    "capital_of": ("capital",),
}
# Nouns that name one end: in "Halden ruler Mira" it stands for the name after it.
_RELATION_NOUNS = frozenset(
    "ruler member founder father mother parent son daughter child ancestor capital birthplace deathplace resident "
    "site participant".split()
)
_NEGATED = re.compile(negator_pattern(), re.IGNORECASE)
_BY, _OF = re.compile(r"\bby\b", re.IGNORECASE), re.compile(r"\b(?:of|to)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]|\W*whose\b", re.IGNORECASE)


class ParsedClaim(NamedTuple):
    """The parts of a claim; no relations stand for any."""

    text: str
    names: tuple[NameSpan, ...]
    relations: frozenset[str]
    times: tuple[Time, ...]

    @property
    def entities(self) -> tuple[EntityId, ...]:
        return tuple(dict.fromkeys(entity for each in self.names for entity in each.entities))


def parse_claim(lore: LoreReader, claim: str) -> ParsedClaim:
    """The entities, relations and times that a claim names."""
    names = [each for each in find_names(lore.view, claim, shortest=1) if _is_written_as_name(claim, each)]
    times, left = _extract_times(lore, _remove_names(claim, names))
    return ParsedClaim(claim, tuple(names), frozenset(_find_relations(lore, left)), tuple(times))


def _is_written_as_name(text: str, name: NameSpan) -> bool:
    """Whether a name is long enough, or begins with a capital or a letter of a script without them."""
    return name.stop - name.start >= SHORTEST_NAME or not text[name.start].islower()


def _remove_names(text: str, names: Sequence[NameSpan]) -> str:
    for each in reversed(names):
        text = f"{text[: each.start]} {text[each.stop :]}"
    return text


def _extract_times(lore: LoreReader, text: str) -> tuple[list[Time], str]:
    """The times in a text, and the text without them."""
    found: list[Time] = []
    left = text
    for era in sorted(lore.world.timeline.eras, key=lambda each: -len(each.name)):
        if " " in era.name and fold(era.name) in fold(left):
            left = re.sub(re.escape(era.name), " ", left, flags=re.IGNORECASE)
            found += [time for time in (lore.read(era.path),) if time is not None]
    for word in _TIME_PATTERN.findall(left):
        time = lore.read(re.sub(r"\s+", " ", word))
        if time is not None:
            found.append(time)
            left = left.replace(word, " ")
    if not found and not lore.is_fictional:
        found = [
            _spoken_time(*window(each, lore.world.clock))
            for each in find_times(left, lore.world.clock, lore.world.zone)
        ]
    return found, left


def _spoken_time(low: int, high: int) -> Time:
    return Time("", low, high, False, "day" if high - low <= DAY else "range")


def _find_relations(lore: LoreReader, text: str) -> Iterable[str]:
    """The relations whose names or verbs occur in a text."""
    in_text = _stems(text)
    for name in {*relation_kinds(), *(relation_from_predicate(each).name for each in lore.used_predicates())}:
        spellings = (*(each.replace("_", " ") for each in spellings_of(name).all), *_RELATION_VERBS.get(name, ()))
        if any((stems := _stems(each)) and stems <= in_text for each in spellings):
            yield name


def _stems(text: str) -> frozenset[str]:
    return frozenset(terms(" ".join(word for word in words(text) if not is_stop_word(word))))


def weigh_claim(lore: LoreReader, claimed: ParsedClaim) -> list[tuple[Relation, ClaimSupport]]:
    """The live relations between two of the named entities that support the claim or contradict it.

    A relation that the claim negates, or states the other way round, does neither.
    """
    if _is_negated(claimed.text):
        return []
    among = lore.among(claimed.entities) if len(claimed.entities) > 1 else []
    intervals = lore.intervals(among)
    found: list[tuple[Relation, ClaimSupport]] = []
    for each in among:
        holds = all(coverage(intervals[each.id], time) != "none" for time in claimed.times)
        if each.name in claimed.relations and not each.is_symmetric and _is_turned(claimed, each):
            continue
        if not claimed.relations or each.name in claimed.relations:
            found.append((each, "supports" if holds else "contradicts"))
        elif holds and _is_opposite(each.name, claimed.relations):
            found.append((each, "contradicts"))
    return found


def _is_opposite(name: str, claimed: Collection[str]) -> bool:
    wanted = set(claimed)
    return (name in HOSTILE and bool(wanted & FRIENDLY)) or (name in FRIENDLY and bool(wanted & HOSTILE))


def _is_negated(text: str) -> bool:
    return _NEGATED.search(text) is not None


def _is_turned(claimed: ParsedClaim, relation: Relation) -> bool:
    """Whether the claim names the ends of a relation in the other direction, as far as that can be told."""
    gaps = ((one, other, claimed.text[one.stop : other.start]) for one, other in pairwise(claimed.names))
    found = {
        (relation.subject in one.entities) != is_forward
        for one, other, gap in gaps
        if relation.object is not None and _are_ends(relation, one, other)
        if (is_forward := _is_forward(relation.name, gap)) is not None
    }
    return found == {True}


def _are_ends(relation: Relation, one: NameSpan, other: NameSpan) -> bool:
    return any(
        first in one.entities and second in other.entities for first, second in (relation.ends, relation.ends[::-1])
    )


def _is_forward(name: str, between: str) -> bool | None:
    """Whether the words between two names make the first one the subject; none if they leave it open."""
    forward, reverse = _direction_stems(name)
    in_text = _stems(between)
    is_forward, is_reverse = (any(each <= in_text for each in stems) for stems in (forward, reverse))
    has_of, is_owner = _OF.search(between) is not None, _POSSESSIVE.match(between) is not None
    is_apposition = not has_of and not is_owner and not _RELATION_NOUNS.isdisjoint(words(between))
    if is_forward == is_reverse or is_apposition:
        return None
    is_turned = (_BY.search(between) is not None) != (is_owner and not has_of)
    return is_forward != is_turned


@cache
def _direction_stems(name: str) -> tuple[frozenset[frozenset[str]], frozenset[frozenset[str]]]:
    """The words that put the subject first, and those that put the object first; without the passive of either."""
    spellings = spellings_of(name)
    forward, reverse = (
        frozenset(_stems(each.replace("_", " ")) for each in names if not each.endswith("_by"))
        for names in (spellings.forward, spellings.swapped)
    )
    verbs = frozenset(_stems(each) for each in _RELATION_VERBS.get(name, ())) - reverse
    return (forward | verbs) - {frozenset()}, reverse - {frozenset()}
