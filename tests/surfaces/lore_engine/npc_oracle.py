"""What a character knows, worked out the slow way: every fact of a small world looked at, all times whole years."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.store.view import View

NEVER, ALWAYS = -(10**9), 10**9
SELF = {"member_of", "located_in", "rules", "possesses", "allied_with", "participated_in", "witnessed"}
LIFE = SELF - {"participated_in", "witnessed"}
SYMMETRIC = {"allied_with"}
GROUPS = {"faction"}
_YEAR = re.compile(r"second_tide\.year_(\d+)")


class Told(NamedTuple):
    """A fact as the oracle sees it; an open bound is none."""

    id: str
    subject: str
    name: str
    object: str | None
    start: int | None
    end: int | None
    level: str
    known_to: tuple[str, ...]


class Known(NamedTuple):
    how: str
    since: int
    until: int


@dataclass
class Oracle:
    """All facts of a world, and who and what its entities are."""

    facts: list[Told]
    types: dict[str, str]

    def birth(self, name: str) -> int | None:
        found = [each.start for each in self.facts if each.name == "born" and each.subject == name]
        return min((year for year in found if year is not None), default=None)

    def death(self, name: str) -> int | None:
        found = [each.start for each in self.facts if each.name == "died" and each.subject == name]
        return max((year for year in found if year is not None), default=None)

    def time(self, event: str) -> int | None:
        found = [each.start for each in self.facts if each.name == "occurred_during" and each.subject == event]
        return min((year for year in found if year is not None), default=None)

    def held(self, fact: Told) -> tuple[int, int]:
        """From when until when, by the life rule."""
        start, end = fact.start, fact.end
        if fact.name in LIFE:
            who = [fact.subject] + ([fact.object] if fact.name in SYMMETRIC and fact.object else [])
            births = [year for each in who if (year := self.birth(each)) is not None]
            deaths = [year for each in who if (year := self.death(each)) is not None]
            start = start if start is not None else max(births, default=None)
            end = end if end is not None else min(deaths, default=None)
        return NEVER if start is None else start, ALWAYS if end is None else end

    def has_begun(self, fact: Told, t: int, *, is_now: bool) -> bool:
        if fact.start is not None and fact.start > t:
            return False
        for end in (fact.subject, fact.object):
            if end is None:
                continue
            birth = self.birth(end)
            if birth is not None and birth > t:
                return False
            if self.types.get(end) == "event":
                time = self.time(end)
                if time is None and not is_now:
                    return False
                if time is not None and time > t:
                    return False
        return True

    def knows(self, npc: str, at: int, *, is_now: bool) -> dict[str, tuple[str, int | None]]:
        """By fact, the strongest way it is known and the end that may be shown."""
        birth, death = self.birth(npc), self.death(npc)
        if birth is not None and at < birth:
            return {}
        t = at if death is None else min(at, death)
        found = {}
        for fact in self.facts:
            if not self.has_begun(fact, t, is_now=is_now):
                continue
            ways = [way for way in self.ways(npc, fact, t, is_now=is_now) if way.since <= t]
            if fact.level == "secret":
                open_ways = {"self", "told"}
                if fact.name in ("occurred_at", "occurred_during"):
                    open_ways |= {"participated", "witnessed"}
                ways = [way for way in ways if way.how in open_ways]
            if ways:
                shown = fact.end is not None and fact.end <= t and any(fact.end <= way.until for way in ways)
                found[fact.id] = (min(ways, key=lambda way: ORDER.index(way.how)).how, fact.end if shown else None)
        return found

    def ways(self, npc: str, fact: Told, t: int, *, is_now: bool) -> list[Known]:
        start = NEVER if fact.start is None else fact.start
        found = []
        if fact.name in SELF and (fact.subject == npc or (fact.name in SYMMETRIC and fact.object == npc)):
            found.append(Known("self", start, t))
        event = self._event_of(fact)
        if event is not None:
            found += self._by_event(npc, event, t, is_now=is_now)
        if fact.name == "located_in" and fact.subject != npc:
            for stay in self._stays(npc):
                mine, theirs = self.held(stay), self.held(fact)
                if stay.object == fact.object and max(mine[0], theirs[0]) < min(mine[1], theirs[1]):
                    found.append(Known("co_located", max(mine[0], theirs[0]), mine[1]))
        if fact.level == "public":
            found.append(Known("public", start, t))
        if fact.level == "common":
            found += self._common(npc, fact, start)
        return found

    def _event_of(self, fact: Told) -> str | None:
        if fact.name in ("occurred_at", "occurred_during"):
            return fact.subject
        return fact.object if fact.name == "participated_in" else None

    def _by_event(self, npc: str, event: str, t: int, *, is_now: bool) -> list[Known]:
        time = self.time(event)
        span = (NEVER, NEVER) if time is None else (time, time)
        found = []
        for name, how in (("participated_in", "participated"), ("witnessed", "witnessed")):
            mine = [each for each in self.facts if each.name == name and (each.subject, each.object) == (npc, event)]
            if any(self.has_begun(each, t, is_now=is_now) for each in mine):
                found.append(Known(how, *span))
        for stay in self._stays(npc):
            start, end = self.held(stay)
            there = any(
                each.name == "occurred_at" and (each.subject, each.object) == (event, stay.object)
                for each in self.facts
                if each.level != "secret"
            )
            if there and time is not None and start < time < end:
                found.append(Known("co_located", *span))
        return found

    def _stays(self, npc: str) -> list[Told]:
        return [each for each in self.facts if each.name == "located_in" and each.subject == npc]

    def _common(self, npc: str, fact: Told, start: int) -> list[Known]:
        groups = fact.known_to or tuple(
            end for end in (fact.subject, fact.object) if end is not None and self.types.get(end) in GROUPS
        )
        found = [Known("common", start, ALWAYS)] if npc in groups else []
        for joined in self.facts:
            if joined.name == "member_of" and joined.subject == npc and joined.object in groups:
                first, last = self.held(joined)
                since = max(start, first)
                if first <= last and since <= last:
                    found.append(Known("common", since, last))
        return found


ORDER = ("self", "participated", "witnessed", "co_located", "told", "common", "public")


def oracle_of(view: View, names: dict[EntityId, str], facts: list[Fact]) -> Oracle:
    """An oracle for the live facts of a world; `names` are its entities by id."""
    types = {entity.name: entity.type for entity in view.entities(names).values()}
    told = [
        Told(
            fact.id,
            names[fact.subject],
            fact.predicate,
            names[fact.object] if fact.object else None,
            _year(fact.valid_from),
            _year(fact.valid_until),
            str(fact.attributes.get("visibility", "private")),
            tuple(fact.attributes.get("known_to", ())),
        )
        for fact in facts
    ]
    return Oracle(told, types)


def _year(time: object) -> int | None:
    found = _YEAR.fullmatch(str(time)) if time is not None else None
    return int(found[1]) if found else None
