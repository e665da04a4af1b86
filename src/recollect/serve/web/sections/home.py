"""Home: how much is known, what was learned lately, what is due, and whether all is well."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise

from recollect.embed.cached import OFF
from recollect.indexing import count_pending_texts
from recollect.memory import Memory
from recollect.model.ids import FACT_PREFIX, FactId, read_id
from recollect.reason.activity import NO_COUNTS, count_rows, growth_between_moments
from recollect.reason.change_history import HistoryEntry, HistoryScope, history_of
from recollect.reason.items.item_list import ItemFilter, list_items
from recollect.reason.review.queue import list_questions
from recollect.serve.web.framework.cards import changes_since, fact_cards_of, source_name
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
)
from recollect.serve.web.sections.imports import JobLine, running_imports
from recollect.store.activity_queries import growth_between
from recollect.store.view import Counts, View
from recollect.surfaces.recollect.history import EntryView, entry_view
from recollect.surfaces.recollect.open_items import ItemView, OpenItemsResult, render_items
from recollect.surfaces.recollect.remember import TEXT_LIMIT, remember
from recollect.surfaces.recollect.views import FactViews
from recollect.when.instant import Instant, day_end, local_day
from recollect.write.owner import find_owner

DAYS = 14
LATEST = 60
TEXTS_BETWEEN = 4
"""So many times more changes are read than shown, since texts that were only kept are left out."""
LATEST_SINCE = 12
MOST_DUE = 8
MOST_OF_A_SOURCE = 6
SPARK_WIDTH, SPARK_HEIGHT = 100.0, 24.0


@dataclass(frozen=True, slots=True)
class CountCard:
    """A number with its growth over the last days, and the line of it as points of a drawing."""

    label: str
    count: int
    days: tuple[int, ...]
    points: str
    later: int = 0
    """By how much it grew after the moment that the page shows."""

    @property
    def lately(self) -> int:
        return sum(self.days)


@dataclass(frozen=True, slots=True)
class SourceGroup:
    source: str
    entries: tuple[EntryView, ...]
    more: int


@dataclass(frozen=True, slots=True)
class DayGroup:
    day: str
    sources: tuple[SourceGroup, ...]


@dataclass(frozen=True, slots=True)
class HealthLine:
    label: str
    text: str
    is_well: bool = True


@dataclass(frozen=True, slots=True)
class HomePage(PageModel):
    counts: tuple[CountCard, ...]
    days: tuple[DayGroup, ...]
    items: tuple[ItemView, ...]
    open_count: int
    overdue_count: int
    jobs: int
    imports: tuple[JobLine, ...]
    health: tuple[HealthLine, ...]
    owner: str | None
    is_empty: bool
    transaction: int
    """The last one that the page knows."""
    changes: Mapping[str, str] = field(default_factory=dict)
    """By fact, what became of it after the moment that the page shows."""
    since_added: tuple[EntryView, ...] = ()
    states: Mapping[str, str] = field(default_factory=dict)
    """By fact, its state at the moment that the page shows."""
    review_count: int = 0
    """How many questions wait for a decision."""


def show(request: PageRequest) -> HomePage:
    memory, is_now = request.memory, request.clocks.is_now
    with memory.read() as latest:
        totals = count_rows(memory, latest)
        health = tuple(_health(memory, latest)) if is_now else ()
    with request.read() as view:
        tx, owner = view.last_tx, find_owner(view)
        growth = _growth(memory, view)
        learned, due = _recent_changes(view, LATEST), _due(request, view)
        shown = [FactId(read_id(each, FACT_PREFIX)) for each in _facts_of(learned, due)]
        changes = {} if is_now else changes_since(memory, view, shown, request.at(view))
        states = {card.id: card.data_state for card in fact_cards_of(view, shown, request.at(view))}
        waiting = list_questions(memory, view, limit=1, may_lag=True).count
    later, added = (NO_COUNTS, ()) if is_now else _since(memory, tx)
    return HomePage(
        "Home",
        tuple(_count_cards(totals, growth, later)),
        tuple(_by_day(learned)),
        tuple(due["items"]),
        due["counts"]["open"],
        due["counts"]["overdue"],
        totals.jobs,
        running_imports(request) if is_now else (),
        health,
        None if owner is None else owner.name,
        is_now and not totals.facts and not totals.documents,
        tx,
        {fact: change for fact, change in changes.items() if change},
        added,
        states,
        waiting,
    )


def _recent_changes(view: View, limit: int) -> list[EntryView]:
    """What was learned and changed last, newest first, without texts from which nothing was learned."""
    found = history_of(view, "knowledge", HistoryScope(limit=limit * TEXTS_BETWEEN)).entries
    told = [each for each in reversed(found) if each.change != "confirmed" and not _is_only_kept(each)]
    return [entry_view(each) for each in told[:limit]]


def _is_only_kept(entry: HistoryEntry) -> bool:
    return entry.fact is None and entry.change == "learned"


def _due(request: PageRequest, view: View) -> OpenItemsResult:
    """The items that are due first, as they stood at the moment that the page shows."""
    # What was said in a world of its own has no place on its calendar.
    at = None if request.clocks.at is None or view.world.timeline.is_fictional else request.at(view)
    return render_items(FactViews(view, at), list_items(view, ItemFilter(limit=MOST_DUE, at=at)))


def _facts_of(learned: Sequence[EntryView], due: OpenItemsResult) -> list[str]:
    return [*(each["fact"] for each in learned if "fact" in each), *(each["id"] for each in due["items"])]


def _since(memory: Memory, tx: int) -> tuple[Counts, tuple[EntryView, ...]]:
    """By how much everything grew after a transaction, and what was learned last since then."""
    with memory.read() as latest:
        newest = [each for each in _recent_changes(latest, LATEST_SINCE) if each.get("transaction", 0) > tx]
        return growth_between(latest, tx, latest.last_tx), tuple(newest)


def _growth(memory: Memory, view: View) -> list[Counts]:
    """By how much the counts grew on each of the last days, the oldest first."""
    zone, last = view.world.zone, None if view.is_latest else view.transaction(view.last_tx)
    today = local_day(view.now if last is None else last.at, zone)
    ends = [view.last_tx_at(Instant(day_end(day, zone))) for day in range(today - DAYS, today + 1)]
    if view.is_latest:
        return growth_between_moments(memory, view, ends)
    known = [min(end, view.last_tx) for end in ends]
    return [growth_between(view, *pair) for pair in pairwise(known)]


def _count_cards(totals: Counts, growth: Sequence[Counts], later: Counts) -> Iterable[CountCard]:
    for name in ("entities", "facts", "documents"):
        days = tuple(int(getattr(each, name)) for each in growth)
        since = int(getattr(later, name))
        yield CountCard(name, int(getattr(totals, name)) - since, days, _spark(days), since)


def _spark(days: Sequence[int]) -> str:
    """The growth as points of a line: the sum up to each day."""
    sums = list(accumulate(days))
    low, height = min(0, *sums), max(1, max(sums) - min(0, *sums))
    steps = [SPARK_HEIGHT - 2 - (SPARK_HEIGHT - 4) * (total - low) / height for total in sums]
    return " ".join(f"{number * SPARK_WIDTH / (DAYS - 1):.1f},{y:.1f}" for number, y in enumerate(steps))


def _by_day(entries: Sequence[EntryView]) -> Iterable[DayGroup]:
    """Changes, the newest first, by day and source."""
    for day, of_day in groupby(entries, key=lambda entry: entry["when"][:10]):
        sources: dict[str, list[EntryView]] = {}
        for entry in of_day:
            sources.setdefault(source_name(entry.get("source")) or "", []).append(entry)
        yield DayGroup(day, tuple(_source_group(source, members) for source, members in sources.items()))


def _source_group(source: str, entries: Sequence[EntryView]) -> SourceGroup:
    return SourceGroup(source, tuple(entries[:MOST_OF_A_SOURCE]), max(0, len(entries) - MOST_OF_A_SOURCE))


def _health(memory: Memory, view: View) -> Iterable[HealthLine]:
    yield HealthLine("Store", "answers")
    embedder = memory.loaded_embedder
    if embedder is not None:
        waiting = count_pending_texts(view, embedder)
        yield HealthLine("Meaning", f"{waiting} texts wait for their vectors" if waiting else "every text is indexed")
    elif (memory.settings.text("embedding.model") or "").lower() in OFF:
        yield HealthLine("Meaning", "search by meaning is switched off", is_well=False)


@dataclass(frozen=True, slots=True)
class ReviewCountPage(PageModel):
    count: int


def show_review_count(request: PageRequest) -> ReviewCountPage:
    """Apart from the home page, which does not wait for the names that were added last."""
    with request.read() as view:
        return ReviewCountPage("To review", list_questions(request.memory, view, limit=1).count)


def tell(request: PageRequest) -> ActionResult:
    """Keep a text as an agent would be told it."""
    result = remember(request.acting("remember"), text=required_field(request, "text", TEXT_LIMIT)).value
    recorded = [each["text"] for each in result["facts"] if "id" in each]
    learned = f"Learned: {'; '.join(recorded[:3])}" if recorded else "Kept as a note"
    more = f" and {len(recorded) - 3} more" if len(recorded) > 3 else ""
    unread = result["not_understood"]
    rest = f". Kept as text only: {' '.join(unread[:2])}" if unread and recorded else ""
    return ActionResult(request.back(), f"{learned}{more}{rest}", result.get("undo"))


PAGES = (
    Page("home", "", show, has_clock=True, updates_itself=True),
    Page("review_count", "home/review", show_review_count, has_clock=True),
)
SECTION = WebSection("home", PAGES, (Action("remember", tell),), label="Home", group="Look")
