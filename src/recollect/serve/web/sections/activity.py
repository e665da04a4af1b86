"""Activity: every transaction with what it changed, and any two moments compared."""

from dataclasses import dataclass, replace

from recollect.model.ids import format_entity_id, format_fact_id
from recollect.reason.activity import ActivityEntry, ActivityLine, known_authors, list_activity
from recollect.reason.comparison import (
    OUTCOMES,
    ComparedEntity,
    ComparedFact,
    FieldDifference,
    KnowledgeDifference,
    Outcome,
    compare_moments,
)
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    number_field,
    whole_number,
)
from recollect.serve.web.framework.rendering import local_instant
from recollect.store.activity_queries import ActivityFilter
from recollect.store.view import View
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.parameters import find_entity, knowledge_moment, read_knowledge_time
from recollect.surfaces.recollect.undo import undo
from recollect.surfaces.recollect.views import BriefEntity, entity_view
from recollect.when.instant import Instant

PAGE_SIZE = 25
WEEK = 7 * 86_400_000_000
MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change of a transaction, with links to what it is about."""

    change: str
    text: str
    kind: str
    fact: str | None
    entity: str | None
    source: str | None
    differences: tuple[FieldDifference, ...]


@dataclass(frozen=True, slots=True)
class TransactionView:
    tx: int
    at: str
    day: str
    actor: str
    surface: str
    tool: str
    undoes: int | None
    undone_by: int | None
    can_be_undone: bool
    changes: tuple[ChangeView, ...]
    more: int


@dataclass(frozen=True, slots=True)
class ActivityPage(PageModel):
    transactions: tuple[TransactionView, ...]
    actors: tuple[str, ...]
    tools: tuple[str, ...]
    actor: str
    tool: str
    about: str
    entity: BriefEntity | None
    since: str
    until: str
    next_before: int | None
    last_tx: int


def show(request: PageRequest) -> ActivityPage:
    query = {name: request.query.get(name, "").strip() for name in ("actor", "tool", "about", "since", "until")}
    with request.memory.read() as view:
        entity = find_entity(request.memory, view, query["about"], "about") if query["about"] else None
        wanted = replace(_filter(request, view, query), entity=None if entity is None else entity.id)
        found = list_activity(view, wanted)
        authors = known_authors(view)
        transactions = tuple(_transaction(view, entry) for entry in found.entries)
        last = view.last_tx
    return ActivityPage(
        "Activity",
        transactions,
        tuple(sorted({each.actor for each in authors})),
        tuple(sorted({f"{each.surface}/{each.tool}" for each in authors})),
        query["actor"],
        query["tool"],
        query["about"],
        None if entity is None else entity_view(entity),
        query["since"],
        query["until"],
        found.next_before,
        last,
    )


def _filter(request: PageRequest, view: View, query: dict[str, str]) -> ActivityFilter:
    surface, _, tool = query["tool"].partition("/")
    wanted = ActivityFilter(query["actor"] or None, surface or None, tool or None, limit=PAGE_SIZE)
    if query["since"]:
        wanted = replace(wanted, since=read_knowledge_time(view.world, query["since"], "since").lo)
    if query["until"]:
        wanted = replace(wanted, until=read_knowledge_time(view.world, query["until"], "until").hi)
    before = whole_number(request.query.get("before", ""))
    return wanted if before is None else replace(wanted, before=before)


def _transaction(view: View, entry: ActivityEntry) -> TransactionView:
    tx, at = entry.tx, local_instant(entry.tx.at, view.world.zone)
    return TransactionView(
        tx.tx,
        at,
        at[:10],
        tx.actor,
        tx.surface,
        tx.tool,
        tx.undoes,
        entry.undone_by,
        entry.can_be_undone,
        tuple(map(_change, entry.lines)),
        entry.more,
    )


def _change(line: ActivityLine) -> ChangeView:
    fact = None if line.fact is None else format_fact_id(line.fact)
    entity = None if line.entity is None else format_entity_id(line.entity)
    return ChangeView(line.change, line.text, line.kind, fact, entity, line.source, line.differences)


def undo_several(request: PageRequest) -> ActionResult:
    """Take back the transactions that were ticked, the newest first; all or none."""
    sent = [str(each) for each in request.form.getlist("transaction")]
    numbers = sorted({number for each in sent if (number := whole_number(each)) is not None}, reverse=True)
    if not numbers:
        raise InvalidInput("tick at least one transaction", field="transaction")
    with request.acting("undo").nested() as memory:
        undone = [undo(memory, number).value["undo"] for number in numbers]
    named = ", ".join(map(str, numbers))
    return ActionResult(request.back("activity"), f"Undone: {named}", undone[-1] if len(undone) == 1 else None)


@dataclass(frozen=True, slots=True)
class ComparePage(PageModel):
    first: str
    last: str
    first_tx: int
    first_at: str | None
    last_tx: int
    last_at: str | None
    facts: dict[Outcome, tuple[ComparedFact, ...]]
    counts: dict[Outcome, int]
    entities: tuple[ComparedEntity, ...]
    is_cut: bool


def compare(request: PageRequest) -> ComparePage:
    """What was known at `from` against what was known at `to`; by default the last week, or the last changes."""
    first, last = (request.query.get(name, "").strip() for name in ("from", "to"))
    memory = request.memory
    with memory.read(knowledge_moment(memory, last or None)) as after:
        start: int | str | None = knowledge_moment(memory, first) if first else _a_week_before(after)
        with memory.read(start) as before:
            one, other = (before, after) if before.last_tx <= after.last_tx else (after, before)
            found = compare_moments(one, other)
            first_tx, last_tx = one.last_tx, other.last_tx
            first_at, last_at = _moment_of(one), _moment_of(other)
    return ComparePage(
        "Compare two moments",
        first,
        last,
        first_tx,
        first_at,
        last_tx,
        last_at,
        {outcome: _with_outcome(found, outcome) for outcome in OUTCOMES},
        {outcome: found.count(outcome) for outcome in OUTCOMES},
        tuple(replace(each, entity=format_entity_id(each.entity)) for each in found.entities[:MAX_SHOWN]),  # type: ignore[arg-type]
        found.is_cut,
    )


def _a_week_before(view: View) -> int:
    """The last transaction that was a week old; where nothing changed since, the tenth from the end."""
    moment = view.transaction(view.last_tx)
    start = 0 if moment is None else view.last_tx_at(Instant(view.now - WEEK))
    return start if start < view.last_tx else max(0, view.last_tx - 10)


def _moment_of(view: View) -> str | None:
    """When the last transaction that a view knows was made; none before the first one."""
    moment = view.transaction(view.last_tx)
    return None if moment is None else local_instant(moment.at, view.world.zone)


def _with_outcome(found: KnowledgeDifference, outcome: Outcome) -> tuple[ComparedFact, ...]:
    some = [each for each in found.facts if each.outcome == outcome][:MAX_SHOWN]
    return tuple(replace(each, fact=format_fact_id(each.fact)) for each in some)  # type: ignore[arg-type]


def undo_transaction(request: PageRequest) -> ActionResult:
    """Take back the transaction named in the form; undoing that brings it back."""
    result = undo(request.acting("undo"), number_field(request, "transaction")).value
    return ActionResult(
        request.back(), f"Undone: {'; '.join(result['changes']) or 'nothing is left of it'}", result["undo"]
    )


SECTION = WebSection(
    "activity",
    pages=(
        Page("activity", "activity", show),
        Page("activity", "activity/compare", compare, template="compare.html"),
    ),
    actions=(Action("undo", undo_transaction), Action("activity/undo", undo_several)),
    label="Activity",
    group="Tend",
)
