"""How facts print on this surface."""

import re
from collections.abc import Sequence
from typing import Literal

from recollect.model.fact import LABELS, Fact
from recollect.model.history import is_partial
from recollect.model.ids import say_fact
from recollect.model.vocabulary import CAN_BE_OVERDUE
from recollect.store.seen import Seen
from recollect.store.view import View
from recollect.surfaces.pearscarf.results import EndShown, Facts, FactShown
from recollect.surfaces.pearscarf.who import say_type
from recollect.when.instant import local_day, say_date, say_instant
from recollect.when.period import Time

_ON_THE_WEB = re.compile(r"https?://[^\s/?#]\S*", re.IGNORECASE)


class Printer:
    """Prints facts as they look at one time of one world."""

    def __init__(self, view: View, at: Time) -> None:
        self._zone = view.world.zone
        self._at = at.span

    def facts(self, newest_first: Sequence[Seen], form: Literal["chronological", "clustered"]) -> Facts:
        """Oldest first in one list, or newest first under each label that has any."""
        shown = [self.fact(seen) for seen in newest_first]
        if form == "chronological":
            return shown[::-1]
        clusters = {label: [fact for fact in shown if fact["edge_label"] == label] for label in LABELS}
        return {label: facts for label, facts in clusters.items() if facts}

    def fact(self, seen: Seen) -> FactShown:
        fact = seen.fact
        until, since = fact.valid_until, fact.valid_from
        return {
            "edge_label": fact.label,
            "fact_type": fact.fact_type,
            "fact": seen.text,
            "confidence": fact.certainty,
            "source_at": say_instant(fact.source_at),
            "recorded_at": say_instant(fact.recorded_at),
            "valid_until": None if until is None else until.text,
            "source_record": seen.source_key,
            "source_url": _web_address(seen.source_url) or _web_address(seen.given),
            "stale": fact.stale,
            "replaced_by": None if fact.replaced_by is None else say_fact(fact.replaced_by),
            "from_entity": {"name": seen.subject_name, "type": say_type(seen.subject_type)},
            "to_entity": self._object(seen),
            "id": say_fact(fact.id),
            "predicate": fact.predicate,
            "literal": fact.literal,
            "day": self._day(fact) if fact.object is None else None,
            "valid_from": None if since is None else since.text,
            "overdue": until is not None and self._is_overdue(fact, until),
            "partial": fact.label == "AFFILIATED" and (since or until) is not None and is_partial(fact, self._at),
            "disputed": fact.disputed,
            "score": fact.confidence,
            "quote": seen.quote,
            "extracted_by": seen.extracted_by,
            "source_count": fact.source_count,
        }

    @staticmethod
    def _object(seen: Seen) -> EndShown | None:
        if seen.object_name is None or seen.object_type is None:
            return None
        return {"name": seen.object_name, "type": say_type(seen.object_type)}

    def _day(self, fact: Fact) -> str | None:
        """A fact without any object is anchored to the local day of its source."""
        return None if fact.literal is not None else say_date(local_day(fact.source_at, self._zone))

    def _is_overdue(self, fact: Fact, until: Time) -> bool:
        return (
            until.hi < self._at.lo
            and fact.fact_type in CAN_BE_OVERDUE
            and fact.label == "ASSERTED"
            and not fact.stale
            and not fact.is_retracted
        )


def _web_address(text: str | None) -> str | None:
    """The text if it is an address of the web."""
    return text if text is not None and _ON_THE_WEB.fullmatch(text) else None
