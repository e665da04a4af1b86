"""Home: how much is known, what was learned lately, what is due, and whether all is well."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from recollect.embed.factory import OFF
from recollect.indexing import count_waiting_texts
from recollect.memory import Memory
from recollect.reason.activity import count_rows, growth_between_moments
from recollect.reason.review.queue import list_questions
from recollect.serve.web.framework.cards import source_name
from recollect.serve.web.framework.forms import required_field
from recollect.serve.web.framework.pages import Action, Done, Page, PageModel, PageRequest, WebSection
from recollect.serve.web.sections.imports import JobLine, running_imports
from recollect.store.view import Counts, View
from recollect.surfaces.recollect.history import EntryView, history
from recollect.surfaces.recollect.open_items import ItemView, open_items
from recollect.surfaces.recollect.remember import TEXT_LIMIT, remember
from recollect.when.instant import Instant, day_end, local_day
from recollect.write.owner import find_owner

DAYS = 14
LATEST = 60
MOST_OF_A_SOURCE = 6
SPARK_WIDTH, SPARK_HEIGHT = 100.0, 24.0


@dataclass(frozen=True, slots=True)
class CountCard:
    """A number with its growth over the last days, and the line of it as points of a drawing."""

    label: str
    count: int
    days: tuple[int, ...]
    points: str

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


def show(request: PageRequest) -> HomePage:
    memory = request.memory
    with memory.read() as view:
        totals, growth = count_rows(memory, view), _growth(memory, view)
        owner = find_owner(view)
        health = tuple(_health(memory, view))
    changes = history(memory, clock="knowledge", limit=LATEST).value["entries"]
    latest = [each for each in changes if each["change"] != "confirmed"]
    due = open_items(memory, limit=8).value
    return HomePage(
        "Home",
        tuple(_count_cards(totals, growth)),
        tuple(_by_day(latest)),
        tuple(due["items"]),
        due["counts"]["open"],
        due["counts"]["overdue"],
        totals.jobs,
        running_imports(request),
        health,
        None if owner is None else owner.name,
        not totals.facts and not totals.documents,
    )


def _growth(memory: Memory, view: View) -> list[Counts]:
    """By how much the counts grew on each of the last days, the oldest first."""
    today, zone = local_day(view.now, view.world.zone), view.world.zone
    ends = [view.last_tx_at(Instant(day_end(day, zone))) for day in range(today - DAYS, today + 1)]
    return growth_between_moments(memory, view, ends)


def _count_cards(totals: Counts, growth: Sequence[Counts]) -> Iterable[CountCard]:
    for name in ("entities", "facts", "documents"):
        days = tuple(int(getattr(each, name)) for each in growth)
        yield CountCard(name, int(getattr(totals, name)), days, _spark(days))


def _spark(days: Sequence[int]) -> str:
    """The growth as points of a line: the sum up to each day."""
    sums = list(accumulate(days))
    low, height = min(0, *sums), max(1, max(sums) - min(0, *sums))
    steps = [SPARK_HEIGHT - 2 - (SPARK_HEIGHT - 4) * (total - low) / height for total in sums]
    return " ".join(f"{number * SPARK_WIDTH / (DAYS - 1):.1f},{y:.1f}" for number, y in enumerate(steps))


def _by_day(entries: Sequence[EntryView]) -> Iterable[DayGroup]:
    """The latest changes by day and source, the newest day first."""
    newest_first = list(reversed(entries))
    for day, of_day in groupby(newest_first, key=lambda entry: entry["when"][:10]):
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
        waiting = count_waiting_texts(view, embedder)
        yield HealthLine("Meaning", f"{waiting} texts wait for their vectors" if waiting else "every text is indexed")
    elif (memory.settings.text("embedding.model") or "").lower() in OFF:
        yield HealthLine("Meaning", "search by meaning is switched off", is_well=False)


class _CountedQuestions:
    """The number of open questions as of a transaction: finding duplicates takes a while in a large store."""

    tx = -1
    count = 0


@dataclass(frozen=True, slots=True)
class ReviewCountPage(PageModel):
    count: int


def show_review_count(request: PageRequest) -> ReviewCountPage:
    """Apart from the home page, which does not wait for it."""
    counted = request.memory.cache.get_or_create(_CountedQuestions)
    with request.memory.read() as view:
        tx = view.last_tx
        if counted.tx != tx:
            counted.count, counted.tx = list_questions(request.memory, view, limit=1).count, tx
    return ReviewCountPage("To review", counted.count)


def tell(request: PageRequest) -> Done:
    """Keep a text as an agent would be told it."""
    result = remember(request.acting("remember"), text=required_field(request, "text", TEXT_LIMIT)).value
    recorded = [each["text"] for each in result["facts"] if "id" in each]
    learned = f"Learned: {'; '.join(recorded[:3])}" if recorded else "Kept as a note"
    more = f" and {len(recorded) - 3} more" if len(recorded) > 3 else ""
    unread = result["not_understood"]
    rest = f". Kept as text only: {' '.join(unread[:2])}" if unread and recorded else ""
    return Done(request.back(), f"{learned}{more}{rest}", result.get("undo"))


PAGES = (Page("home", "", show, updates_itself=True), Page("review_count", "home/review", show_review_count))
SECTION = WebSection("home", PAGES, (Action("remember", tell),), label="Home", group="Look")
