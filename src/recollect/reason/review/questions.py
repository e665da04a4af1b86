"""Questions for review: what each is about, and which decisions are possible; conflicts and ambiguous facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args
from unicodedata import category

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import DocumentId, EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.review_ids import ACCEPTED, ReviewId, pair_id
from recollect.model.sentence import fact_sentence
from recollect.model.trust import suspicions_in, trust_in
from recollect.reason.checks.findings import FINDING_PREFIX, find_flags
from recollect.reason.entity_overview import OpenConflict, find_open_conflicts
from recollect.reason.items.item_lookup import ItemsWithClosings, judge_all_closings, judge_items_of
from recollect.store import finding_queries
from recollect.store.change import Change
from recollect.store.finding_queries import FindingQuery, FindingRow
from recollect.store.ingest_queries import suspect_documents
from recollect.store.review_queries import HeldFact, held_fact, held_facts
from recollect.store.view import View
from recollect.write.fact_edits import mark_obsolete
from recollect.write.predicates import has_one_value
from recollect.write.slot_conflicts import accept_both, resettle

ReviewKind = Literal["conflict", "duplicate", "ambiguous", "finding"]
REVIEW_KINDS: tuple[ReviewKind, ...] = get_args(ReviewKind)

KEEP_A, KEEP_B, BOTH, DISMISS = "keep_a", "keep_b", ACCEPTED, "dismiss"
MERGE, NOT_SAME = "merge", "not_same"
NEW = "new"
CONFLICT_CHOICES = (KEEP_A, KEEP_B, BOTH, DISMISS)
DUPLICATE_CHOICES = (MERGE, NOT_SAME, DISMISS)


class Risk:
    """How much harm an undecided question does; the lowest number is asked first."""

    SINGLE_VALUE = 0
    DISPUTE = 1
    EQUAL_TIME = 2
    HELD_FACT = 3
    CLOSING = 4
    SAME_NAME = 5
    NEAR_NAME = 6
    PREDICATES = 7
    ERROR = 8
    WARNING = 9


class PredicateUse(NamedTuple):
    """A predicate, and how many facts use it."""

    name: str
    facts: int


ReviewPart = FactId | Entity | PredicateUse


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """One question. `text` is what a held fact claims or a finding says; `about` is the fact in question."""

    id: ReviewId
    kind: ReviewKind
    choices: tuple[str, ...]
    risk: int
    a: ReviewPart | None = None
    b: ReviewPart | None = None
    candidates: tuple[ReviewPart, ...] = ()
    about: FactId | None = None
    text: str = ""

    @property
    def order(self) -> tuple[int, str]:
        return self.risk, str(self.id)


def find_conflicts(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The open conflicts, each as a question; `a` is the older fact."""
    for pair in find_open_conflicts(view, about):
        one, other = pair.one.fact, pair.other.fact
        yield ReviewQuestion(
            pair_id("conflict", one.id, other.id), "conflict", CONFLICT_CHOICES, _risk_of(view, pair), one.id, other.id
        )


def _risk_of(view: View, pair: OpenConflict) -> int:
    if not pair.is_disputed:
        return Risk.EQUAL_TIME
    return Risk.SINGLE_VALUE if has_one_value(view, pair.one.fact.predicate) else Risk.DISPUTE


def find_conflict(view: View, one: FactId, other: FactId) -> ReviewQuestion | None:
    """The question about two facts, if they still conflict."""
    wanted = pair_id("conflict", one, other)
    if not any({pair.one, pair.other} == {one, other} for pair in view.disputes_of(one)):
        return None
    fact = view.fact(one)
    found = find_conflicts(view, fact.subject) if fact is not None else iter(())
    return next((question for question in found if question.id == wanted), None)


def decide_conflict(change: Change, question: ReviewQuestion, choice: str) -> tuple[FactId, ...]:
    """Keep one fact, so that the other becomes stale, or both without dispute."""
    a, b = _fact(change, question.a), _fact(change, question.b)
    match choice:
        case c if c == KEEP_A:
            mark_obsolete(change, b, None)
        case c if c == KEEP_B:
            mark_obsolete(change, a, None)
        case c if c == BOTH:
            accept_both(change, a, b)
        case c if c == DISMISS:
            return ()
    return (a.id, b.id)


def _fact(change: Change, part: object) -> Fact:
    found = change.fact(FactId(str(part)))
    if found is None:
        raise LookupError(part)
    return found


_MAX_FINDINGS = 500
_LONGEST_SOURCE = 80
_CATEGORIES = ("contradiction", "anachronism", "ontology")
_GAPS = ("orphan",)
"""What the description of a world leaves out, such as the region of a city; nobody describes their own life so."""


def find_findings(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The open findings that nobody has dismissed; those of one entity, if it is given. Gaps count in a world only."""
    categories = (*_CATEGORIES, *_GAPS) if view.world.timeline.is_fictional else _CATEGORIES
    if about is None:
        wanted = FindingQuery(categories)
        rows, _ = finding_queries.list_findings(view, "open", wanted, _MAX_FINDINGS)
    else:
        named = finding_queries.findings_naming(view, [about])
        rows = [row for row in named if row.category in categories]
    dismissed = find_flags(view, [row.id for row in rows])
    yield from (_question(row) for row in rows if row.id not in dismissed)


def find_finding(view: View, id_: str) -> ReviewQuestion | None:
    bare = id_.removeprefix(FINDING_PREFIX)
    return next((_question(row) for row in finding_queries.open_findings_by_id(view, [bare])), None)


def find_suspects(view: View) -> Iterator[ReviewQuestion]:
    """The documents that looked like an attack on a model when they were taken in."""
    documents = view.documents(suspect_documents(view))
    yield from (each for id_ in sorted(documents)[:_MAX_FINDINGS] for each in _suspect(documents[id_]))


def find_suspect(view: View, id_: str) -> ReviewQuestion | None:
    document = view.document(DocumentId(id_))
    return next(iter(_suspect(document)), None) if document is not None else None


def _suspect(document: Document) -> list[ReviewQuestion]:
    reasons = suspicions_in(document.properties)
    if document.deleted is not None or not reasons:
        return []
    # Characters that are not seen, or that turn the line around, may be what makes it suspect.
    seen = "".join(each for each in document.title or document.key if each.isspace() or category(each)[0] != "C")
    source, kind = " ".join(seen.split())[:_LONGEST_SOURCE], "document" if document.type == "generic" else document.type
    text = (
        f"{kind} “{source}” ({trust_in(document.properties)} source) looks like an attack: "
        f"{', '.join(reasons)}; `forget` it, or dismiss this"
    )
    return [ReviewQuestion(ReviewId("suspect", (document.id,)), "finding", (DISMISS,), Risk.WARNING, text=text)]


def _question(row: FindingRow) -> ReviewQuestion:
    risk = Risk.ERROR if row.severity == "error" else Risk.WARNING
    return ReviewQuestion(ReviewId("finding", (row.id,)), "finding", (DISMISS,), risk, text=row.message)


_MAX_HELD = 500


def find_held_facts(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The facts that wait until somebody says which entity is meant."""
    for held in held_facts(view, _MAX_HELD):
        if about is None or about in held.candidates:
            yield _held_question(view, held)


def find_held_fact(view: View, id_: str) -> ReviewQuestion | None:
    found = held_fact(view, id_)
    return None if found is None else _held_question(view, found)


def _held_question(view: View, held: HeldFact) -> ReviewQuestion:
    known = view.entities(held.candidates)
    entities = tuple(known[each] for each in held.candidates if each in known and known[each].is_live)
    choices = (*(format_entity_id(each.id) for each in entities), NEW, DISMISS)
    return ReviewQuestion(
        ReviewId("held", (held.id,)), "ambiguous", choices, Risk.HELD_FACT, candidates=entities, text=claim_text(held)
    )


def claim_text(held: HeldFact) -> str:
    """What a held fact claims, as a sentence."""
    claim = held.claim
    target = claim.get("value", claim.get("object"))
    return fact_sentence(_name_of(claim.get("subject")), str(claim.get("predicate", "")), _name_of(target))


def _name_of(end: object) -> str:
    return str(end.get("name") or end.get("id")) if isinstance(end, dict) else str(end)


def find_ambiguous_closings(view: View, about: EntityId | None = None) -> Iterator[ReviewQuestion]:
    """The reports of a completion that fit several items, of which at least one is still open."""
    items = judge_all_closings(view) if about is None else judge_items_of(view, {about})
    for closer in items.closings.ambiguous:
        question = _closing_question(items, closer)
        if question is not None:
            yield question


def find_ambiguous_closing(view: View, closer: FactId) -> ReviewQuestion | None:
    fact = view.fact(closer)
    if fact is None:
        return None
    ends = {fact.subject} if fact.object is None else {fact.subject, fact.object}
    items = judge_items_of(view, ends)
    return _closing_question(items if closer in items.closings.ambiguous else judge_all_closings(view), closer)


def _closing_question(items: ItemsWithClosings, closer: FactId) -> ReviewQuestion | None:
    fitting = items.closings.ambiguous.get(closer, ())
    still_open = tuple(item for item in fitting if item not in items.closings.closed)
    if not still_open:
        return None
    choices = (*map(format_fact_id, still_open), NEW, DISMISS)
    id_ = ReviewId("closing", (closer,))
    return ReviewQuestion(id_, "ambiguous", choices, Risk.CLOSING, candidates=still_open, about=closer)


def close_item(change: Change, closer: FactId, item: FactId) -> tuple[FactId, ...]:
    """Let a closing fact close one item, as if it had named it by id."""
    fact = change.fact(closer)
    if fact is None:
        raise LookupError(closer)
    resettle(change, change.put_fact(fact._replace(supersedes=item)))
    return (item, closer)
