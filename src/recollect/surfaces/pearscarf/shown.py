"""How facts print on this surface."""

from collections.abc import Collection, Sequence
from typing import Literal

from recollect.model.fact import LABELS
from recollect.model.ids import FactId, say_fact
from recollect.model.vocabulary import CAN_BE_OVERDUE
from recollect.model.web import web_address
from recollect.store.seen import Gist
from recollect.store.view import View
from recollect.surfaces.pearscarf.results import EndShown, Facts, FactShown
from recollect.surfaces.pearscarf.who import say_type
from recollect.when.instant import local_day, say_date, say_instant
from recollect.when.span import Span


class Printer:
    """Prints facts as they look at one time of one world; closed items are never overdue."""

    def __init__(self, view: View, at: Span, closed: Collection[FactId]) -> None:
        self._zone = view.world.zone
        self._at = at
        self._closed = closed

    def facts(self, newest_first: Sequence[Gist], form: Literal["chronological", "clustered"]) -> Facts:
        """Oldest first in one list, or newest first under each label that has any."""
        shown = [self.fact(each) for each in newest_first]
        if form == "chronological":
            return shown[::-1]
        clusters = {label: [fact for fact in shown if fact["edge_label"] == label] for label in LABELS}
        return {label: facts for label, facts in clusters.items() if facts}

    def fact(self, fact: Gist) -> FactShown:
        return {
            "edge_label": fact.label,
            "fact_type": fact.fact_type,
            "fact": fact.text,
            "confidence": fact.certainty,
            "source_at": say_instant(fact.source_at),
            "recorded_at": say_instant(fact.recorded_at),
            "valid_until": fact.valid_until,
            "source_record": fact.source_key,
            "source_url": web_address(fact.source_url) or web_address(fact.given),
            "source": fact.given,
            "stale": fact.stale == 1,
            "replaced_by": None if fact.replaced_by is None else say_fact(fact.replaced_by),
            "from_entity": {"name": fact.subject_name, "type": say_type(fact.subject_type)},
            "to_entity": _object(fact),
            "id": say_fact(fact.id),
            "predicate": fact.predicate,
            "literal": fact.literal,
            "day": self._day(fact) if fact.object_name is None else None,
            "valid_from": fact.valid_from,
            "overdue": fact.until_hi is not None and self._is_overdue(fact, fact.until_hi),
            "partial": fact.label == "AFFILIATED" and fact.is_bounded and self._is_partial(fact),
            "disputed": fact.disputed == 1,
            "score": fact.confidence,
            "quote": fact.quote,
            "extracted_by": fact.extracted_by,
            "source_count": fact.source_count,
        }

    def _day(self, fact: Gist) -> str | None:
        """A fact without any object is anchored to the local day of its source."""
        return None if fact.literal is not None else say_date(local_day(fact.source_at, self._zone))

    def _is_overdue(self, fact: Gist, until: int) -> bool:
        return (
            until < self._at.lo
            and fact.fact_type in CAN_BE_OVERDUE
            and fact.label == "ASSERTED"
            and not fact.stale
            and fact.id not in self._closed
            and fact.certainty != "retracted"
        )

    def _is_partial(self, fact: Gist) -> bool:
        return fact.period.overlaps(self._at) and not fact.period.covers(self._at)


def _object(fact: Gist) -> EndShown | None:
    if fact.object_name is None or fact.object_type is None:
        return None
    return {"name": fact.object_name, "type": say_type(fact.object_type)}
