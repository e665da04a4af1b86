"""Times that a workspace knows by name: when an event took place, how long somebody reigned or lived."""

import re
from collections.abc import Mapping

from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.store.view import View
from recollect.text.fold import fold_case
from recollect.when.period import Time

Ends = tuple[Time | None, Time | None]
_OF = re.compile(r"(?P<what>[\w-]+) of (?P<name>.+)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?P<name>.+?)['’]s? (?P<what>[\w-]+)", re.IGNORECASE)
_OWN = re.compile(
    r"(?:his|her|its) (?:own )?(?P<what>death|birth|founding|fall|destruction)|(?:he|she) died", re.IGNORECASE
)
_TOLD = re.compile(
    r"(?P<name>.+?) (?:(?P<reign>ruled|reigned|governed)(?: over)?|(?P<birth>was born)"
    r"|(?P<death>died|was (?:killed|slain|murdered|executed))"
    r"|(?P<accession>was crowned|(?:came to|took|ascended) the throne)"
    r"|(?P<abdication>abdicated|was (?:deposed|overthrown)))(?: (?:the )?(?P<place>[^,;]+))?",
    re.IGNORECASE,
)
_HAPPENED = re.compile(r" (?:came|happened|struck|took place|occurred|was (?:fought|signed))$", re.IGNORECASE)
_TOLD_TIMES = ("reign", "death", "birth", "accession", "abdication")
_STARTS = frozenset({"birth", "founding", "foundation", "creation"})
_ENDS = frozenset({"death", "dissolution", "destruction", "end"})
_REIGNS = frozenset({"reign", "rule", "days"})
_ACCESSIONS = frozenset({"accession", "coronation", "enthronement"})
_ABDICATIONS = frozenset({"abdication", "deposition", "overthrow"})
_LIVES = frozenset({"life", "lifetime"})


class NamedTimes:
    """What is known of the names in one sentence."""

    def __init__(self, view: View) -> None:
        self._lore = LoreReader(view)
        self._names: Mapping[str, EntityId] = {}
        self._own: EntityId | None = None
        self._death: Time | None = None

    def about(self, names: Mapping[str, EntityId], own: EntityId | None, death: Time | None = None) -> None:
        """Set what the names of a sentence mean, the one for *he*, *she* or *it*, and when that one died."""
        self._names, self._own, self._death = names, own, death

    def read(self, text: str) -> Ends | None:
        """The period of a named time; none if it is unknown."""
        event = self._find_entity(_HAPPENED.sub("", text))
        if event is not None:
            return self._event(event)
        own = _OWN.fullmatch(text)
        if own is not None:
            what = (own["what"] or "death").lower()
            if what == "death" and self._death is not None:
                return self._death, self._death
            return None if self._own is None else self._times_of(what, self._own)
        for pattern in (_OF, _POSSESSIVE):
            found = pattern.fullmatch(text)
            who = self._find_entity(found["name"]) if found else None
            if found is not None and who is not None:
                return self._times_of(found["what"].lower(), who)
        return self._times_in_clause(text)

    def _times_in_clause(self, text: str) -> Ends | None:
        """The times in a clause about a known entity: King Osric ruled Vale, King Osric died."""
        found = _TOLD.fullmatch(text)
        who = self._find_entity(found["name"]) if found else None
        if found is None or who is None or (found["place"] and self._find_entity(found["place"]) is None):
            return None
        return self._times_of(next(each for each in _TOLD_TIMES if found[each]), who)

    def _find_entity(self, text: str) -> EntityId | None:
        found = self._names.get(bare_name(text))
        name, _, place = text.rpartition(" of ")
        is_placed = found is None and bare_name(place) in self._names
        return self._names.get(bare_name(name)) if is_placed else found

    def _event(self, entity: EntityId) -> Ends | None:
        known = self._lore.entity(entity)
        if known is None or kind_of(known).type != "event":
            return None
        bounds = self._lore.event_time(entity)
        return None if bounds is None else (bounds.valid_from, bounds.valid_until or bounds.valid_from)

    def _times_of(self, what: str, entity: EntityId) -> Ends | None:
        if what in _REIGNS:
            return self._reign(entity)
        if what in _ACCESSIONS or what in _ABDICATIONS:
            reign = self._reign(entity)
            at = None if reign is None else reign[0 if what in _ACCESSIONS else 1]
            return None if at is None else (at, at)
        life = self._lore.existence(entity)
        if life.disputed:
            return None
        if what in _LIVES:
            return life.start, life.end
        time = life.start if what in _STARTS else life.end if what in _ENDS else None
        return None if time is None else (time, time)

    def _reign(self, entity: EntityId) -> Ends | None:
        """One reign, or several that began and ended together."""
        found = self._lore.relations_of([entity], ["rules"], "subject")
        intervals = self._lore.intervals(found).values()
        ends = {(each.valid_from, each.valid_until) for each in intervals}
        return next(iter(ends)) if len(ends) == 1 else None


def bare_name(text: str) -> str:
    """A name as lookup key: lower case, without its article."""
    return fold_case(text).removeprefix("the ")
