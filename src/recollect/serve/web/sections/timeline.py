"""Timeline: events and periods of one or several entities on an axis whose part is in the address."""

from dataclasses import dataclass, replace

from recollect.model.entity import Entity
from recollect.reason.timeline_lanes import Lane, span_of, timeline_lanes
from recollect.serve.web.framework.cards import FactCard, changes_since, fact_cards_of, find_or_central
from recollect.serve.web.framework.page_layout import recent_moments
from recollect.serve.web.framework.pages import Moment, Page, PageModel, PageRequest, WebSection
from recollect.serve.web.sections.timeline_layout import TimelineDrawing, ZoomLinks, lay_out, moment_text
from recollect.store.view import View
from recollect.surfaces.recollect.parameters import read_when
from recollect.surfaces.recollect.views import BriefEntity, entity_view
from recollect.when.ruler import day_label, era_bands, least_span, ruler_ticks
from recollect.when.span import Span

MAX_LANES = 8
MARKS = 11
MOST_ADDED = 60


@dataclass(frozen=True, slots=True)
class AboutView:
    """An entity of the timeline, and the address of the page without it."""

    entity: BriefEntity
    without: str


@dataclass(frozen=True, slots=True)
class TimelinePage(PageModel):
    about: tuple[AboutView, ...]
    predicate: str
    predicates: tuple[str, ...]
    first: str
    last: str
    drawing: TimelineDrawing
    links: ZoomLinks
    is_fictional: bool
    moments: tuple[Moment, ...] = ()
    since_added: tuple[FactCard, ...] = ()


def show(request: PageRequest) -> TimelinePage:
    names = [each for each in request.query.getlist("about") if each.strip()][:MAX_LANES]
    predicate = request.query.get("predicate", "").strip()
    with request.read() as view:
        entities, later = find_or_central(request, view, names, "about")
        every = timeline_lanes(view, entities)
        lanes = every if not predicate else timeline_lanes(view, entities, frozenset({predicate}))
        whole = span_of(every, view.world.present, least_span(view.world.timeline))
        span = _asked_span(request, view, whole)
        timeline = view.world.timeline
        changes = _changes(request, view, lanes)
        drawing = lay_out(
            lanes, span, ruler_ticks(timeline, span, MARKS), era_bands(timeline, span), request.at(view).lo, changes
        )
        addresses = _Addresses(request, view, entities, predicate, span, whole)
        return TimelinePage(
            f"{entities[0].name[:80]}: timeline" if entities else "Timeline",
            tuple(AboutView(entity_view(each), addresses.without(each)) for each in entities),
            predicate,
            tuple(sorted({item.predicate for lane in every for item in lane.items})),
            day_label(timeline, span.lo),
            day_label(timeline, span.hi),
            drawing,
            addresses.zoom(),
            timeline.is_fictional,
            () if any(lane.more for lane in every) else recent_moments(request, [each.id for each in entities]),
            _added_since(request, every, later),
        )


def _changes(request: PageRequest, view: View, lanes: list[Lane]) -> dict[str, str]:
    """What became since of the facts that the lanes show."""
    if request.clocks.is_now:
        return {}
    facts = [item.fact for lane in lanes for item in lane.items]
    return changes_since(request.memory, view, facts, request.at(view))


def _added_since(request: PageRequest, lanes: list[Lane], later: list[Entity]) -> tuple[FactCard, ...]:
    """The facts that are on these lanes now, and on those of later entities, and were not at the moment of the page."""
    if request.clocks.is_now:
        return ()
    known = {item.fact for lane in lanes for item in lane.items}
    with request.memory.read() as view:
        wanted = [*(lane.entity.id for lane in lanes), *(each.id for each in later)]
        entities = [found for each in wanted if (found := view.survivor(each)) is not None]
        current = [item.fact for lane in timeline_lanes(view, entities) for item in lane.items]
        cards = fact_cards_of(view, [each for each in current if each not in known][:MOST_ADDED])
    return tuple(replace(card, change="added") for card in cards)


def _asked_span(request: PageRequest, view: View, whole: Span) -> Span:
    """The part of the axis in the address, else all that has a date."""
    first, last = (request.query.get(name, "").strip() for name in ("from", "to"))
    lo = read_when(view.world, first, "from").lo if first else whole.lo
    hi = read_when(view.world, last, "to").hi if last else whole.hi
    lo, hi = min(lo, hi), max(lo, hi)
    return Span(lo, max(hi, lo + least_span(view.world.timeline)))


@dataclass(frozen=True, slots=True)
class _Addresses:
    """Addresses of this page with another part of the axis or other entities."""

    request: PageRequest
    view: View
    entities: list[Entity]
    predicate: str
    span: Span
    whole: Span

    def zoom(self) -> ZoomLinks:
        lo, hi = self.span.lo, self.span.hi
        length = hi - lo
        quarter, half = length // 4, length // 2
        is_least = length <= 2 * least_span(self.view.world.timeline)
        is_most = length > 4 * (self.whole.hi - self.whole.lo)
        return ZoomLinks(
            "" if is_least else self._part(lo + quarter, hi - quarter),
            "" if is_most else self._part(lo - half, hi + half),
            self._part(lo - half, hi - half),
            self._part(lo + half, hi + half),
            self._address(self.entities),
        )

    def without(self, entity: Entity) -> str:
        return self._address([each for each in self.entities if each.id != entity.id])

    def _part(self, lo: int, hi: int) -> str:
        first, last = (moment_text(self.view.world, each, "day") for each in (lo, hi))
        return self._address(self.entities, {"from": first, "to": last})

    def _address(self, entities: list[Entity], part: dict[str, str] | None = None) -> str:
        given = {"predicate": self.predicate, **(part or {})}
        about = [entity_view(each)["id"] for each in entities]
        address = self.request.href("timeline", **given)
        tail = "&".join(f"about={each}" for each in about)
        return f"{address}{'&' if '?' in address else '?'}{tail}" if tail else address


SECTION = WebSection(
    "timeline",
    pages=(Page("timeline", "timeline", show, has_clock=True),),
    label="Timeline",
    group="Look",
)
