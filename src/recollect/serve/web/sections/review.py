"""Review: open questions, the most harmful first, with the evidence for both sides; decided with buttons or keys."""

from dataclasses import dataclass, replace
from typing import get_args

from recollect.errors import NotKnown
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, FactId, format_document_id, format_entity_id
from recollect.reason.activity import last_not_undone
from recollect.reason.review.evidence import (
    EntityEvidence,
    Evidence,
    SourceEvidence,
    Suggestion,
    find_evidence,
    suggest_decision,
)
from recollect.reason.review.questions import REVIEW_KINDS, PredicateUse, ReviewKind, ReviewPart, ReviewQuestion, Risk
from recollect.reason.review.queue import list_questions
from recollect.serve.web.framework.cards import contract_state, find_entities, mark_changes
from recollect.serve.web.framework.pages import (
    SURFACE,
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
    whole_number,
)
from recollect.store.activity_queries import ActivityFilter
from recollect.store.view import View
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.remember import remember
from recollect.surfaces.recollect.review import question_text, review
from recollect.surfaces.recollect.unread import UnreadPassageView, unread
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews, entity_view
from recollect.when.instant import format_date, local_day
from recollect.when.span import Span

PAGE_SIZE = 20
MOST_SHOWN = 200
MOST_BULK = 200
UNREAD_SHOWN = 3
MOST_UNREAD = 100
LEAST_CERTAINTY = 0.5
LABELS = {
    "keep_a": "Keep A",
    "keep_b": "Keep B",
    "both": "Both are true",
    "merge": "The same: merge",
    "not_same": "Not the same",
    "new": "Something new",
    "dismiss": "Dismiss",
}
CHOICES_OF_FACTS = frozenset({"keep_a", "keep_b", "both"})
_HARM = {
    Risk.SINGLE_VALUE: "only one can be true",
    Risk.DISPUTE: "disputed",
    Risk.EQUAL_TIME: "stated at the same time",
    Risk.HELD_FACT: "waits to be recorded",
    Risk.CLOSING: "an item may be done",
    Risk.SAME_NAME: "the same name",
    Risk.NEAR_NAME: "nearly the same name",
    Risk.PREDICATES: "two spellings of a predicate",
    Risk.ERROR: "a rule is broken",
    Risk.WARNING: "a rule warns",
}


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    name: str
    quote: str | None
    document: str | None
    author: str | None
    date: str
    confidence: float


@dataclass(frozen=True, slots=True)
class SideCard:
    """One side of a question: a fact with its sources, or an entity with its names and some facts."""

    title: str
    fact: str | None = None
    entity: str | None = None
    state: str = "current"
    since: str | None = None
    until: str | None = None
    type: str = ""
    aliases: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    fact_count: int = 0
    sources: tuple[EvidenceCard, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceCard:
    choice: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class QuestionCard:
    id: str
    kind: ReviewKind
    question: str
    harm: str
    a: SideCard | None
    b: SideCard | None
    candidates: tuple[SideCard, ...]
    subjects: tuple[BriefEntity, ...]
    reasons_for: tuple[str, ...]
    reasons_against: tuple[str, ...]
    choices: tuple[ChoiceCard, ...]
    suggestion: Suggestion | None
    document: str | None = None
    """The document that looks like an attack."""
    change: str = ""
    """What became of the question after the moment that the page shows."""

    @property
    def suggested(self) -> str:
        return "" if self.suggestion is None else LABELS.get(self.suggestion.choice, self.suggestion.choice)


@dataclass(frozen=True, slots=True)
class ReviewPage(PageModel):
    questions: tuple[QuestionCard, ...]
    count: int
    kind: str
    about: str
    kinds: tuple[str, ...]
    shown: int
    certainty: str
    bulk: tuple[QuestionCard, ...]
    unread: tuple[UnreadPassageView, ...]
    unread_left: int
    last_decision: int | None = None
    """The visitor's newest decision that was not undone."""


def show(request: PageRequest) -> ReviewPage:
    page = _page_of(request)
    return page if request.clocks.is_now else _compare_pages(page, _page_of(request.of_now, MOST_SHOWN))


def _page_of(request: PageRequest, least: int = 0) -> ReviewPage:
    """The questions that were open at the moment of the request; at least the given number of them."""
    kind, about = (request.query.get(name, "").strip() for name in ("kind", "about"))
    chosen = next((each for each in REVIEW_KINDS if each == kind), None)
    certainty = _certainty(request.query.get("certainty", ""))
    shown = max(least, min(MOST_SHOWN, whole_number(request.query.get("shown", "")) or PAGE_SIZE))
    with request.read() as view:
        entity = find_entities(request, view, [about], "about").first if about else None
        limit = shown if certainty is None else MOST_BULK
        queue = list_questions(request.memory, view, chosen, entity, limit)
        questions = _Questions(view, queue.questions, request.at(view)).views()
        own = ActivityFilter(request.caller.actor, SURFACE, "review", limit=MOST_SHOWN)
        last = last_not_undone(view, own) if request.clocks.is_now else None
    bulk = [] if certainty is None else [each for each in questions if _is_certain(each, certainty)]
    wanted = min(MOST_UNREAD, whole_number(request.query.get("unread", "")) or UNREAD_SHOWN)
    passages = unread(request.memory, limit=wanted).value if request.clocks.is_now else None
    return ReviewPage(
        "Review",
        tuple(questions[:shown]),
        queue.count,
        kind,
        about,
        get_args(ReviewKind),
        shown,
        "" if certainty is None else f"{certainty:.2f}",
        tuple(bulk),
        () if passages is None else tuple(passages["passages"]),
        0 if passages is None else passages["left"],
        last,
    )


def _compare_pages(then: ReviewPage, now: ReviewPage) -> ReviewPage:
    """The questions of another moment, marked with what became of them, and after them those that came since."""
    return replace(then, questions=mark_changes(then.questions, now.questions, lambda each: each.id))


def _certainty(text: str) -> float | None:
    if not text:
        return None
    try:
        wanted = float(text)
    except ValueError:
        wanted = 0.0
    if not LEAST_CERTAINTY <= wanted <= 1:
        raise InvalidInput("certainty must be a number from 0.5 to 1", field="certainty")
    return wanted


def _is_certain(question: QuestionCard, least: float) -> bool:
    return question.suggestion is not None and question.suggestion.certainty >= least


class _Questions:
    """Questions as the page shows them, with a fixed number of reads for all of them."""

    def __init__(self, view: View, questions: list[ReviewQuestion], at: Span) -> None:
        self._view = view
        self._questions = questions
        self._evidence: Evidence = find_evidence(view, questions)
        in_cards = {fact for pair in self._evidence.pairs.values() for side in (pair.a, pair.b) for fact in side.facts}
        self._facts: dict[FactId, BriefFact] = FactViews(view, at).of([*self._evidence.facts, *in_cards])

    def views(self) -> list[QuestionCard]:
        return [self._view_of(each) for each in self._questions]

    def _view_of(self, question: ReviewQuestion) -> QuestionCard:
        pair = self._evidence.pairs.get(str(question.id))
        a, b = (self._side(question.a), self._side(question.b)) if pair is None else map(self._card, (pair.a, pair.b))
        sides = [self._side(each) for each in question.candidates]
        return QuestionCard(
            str(question.id),
            question.kind,
            question_text(question, self._facts).replace("`", ""),
            _HARM.get(question.risk, ""),
            a,
            b,
            tuple(each for each in sides if each is not None),
            tuple(map(entity_view, self._evidence.subjects.get(str(question.id), ()))),
            () if pair is None else pair.reasons_for,
            () if pair is None else pair.reasons_against,
            self._choices(question),
            suggest_decision(question, self._evidence),
            format_document_id(DocumentId(question.id.parts[0])) if question.id.type == "suspect" else None,
        )

    def _choices(self, question: ReviewQuestion) -> tuple[ChoiceCard, ...]:
        return tuple(
            ChoiceCard(choice, LABELS.get(choice) or self._candidate_label(question, choice), str(number))
            for number, choice in enumerate(question.choices, 1)
        )

    def _candidate_label(self, question: ReviewQuestion, choice: str) -> str:
        for part in question.candidates:
            side = self._side(part)
            if side is not None and choice in (side.entity, side.fact):
                return side.title
        return choice

    def _side(self, part: ReviewPart | None) -> SideCard | None:
        match part:
            case None:
                return None
            case Entity():
                return SideCard(part.name, entity=format_entity_id(part.id), type=part.type)
            case PredicateUse(name=name, facts=count):
                return SideCard(name.replace("_", " "), type="predicate", fact_count=count)
            case _:
                return self._fact_side(part)

    def _fact_side(self, id_: FactId) -> SideCard | None:
        fact = self._facts.get(id_)
        if fact is None:
            return None
        sources = tuple(self._source(each) for each in self._evidence.sources.get(id_, ()))
        bounds = fact.get("since"), fact.get("until")
        return SideCard(fact["text"], fact["id"], None, contract_state(fact["state"]), *bounds, sources=sources)

    def _card(self, side: EntityEvidence) -> SideCard:
        texts = tuple(self._facts[each]["text"] for each in side.facts if each in self._facts)
        return SideCard(
            side.entity.name,
            entity=format_entity_id(side.entity.id),
            type=side.entity.type,
            aliases=side.aliases,
            facts=texts,
            fact_count=side.fact_count,
        )

    def _source(self, source: SourceEvidence) -> EvidenceCard:
        document = None if source.document is None else format_document_id(source.document)
        date = format_date(local_day(source.source_at, self._view.world.zone))
        return EvidenceCard(source.name, source.quote, document, source.author, date, round(source.confidence, 2))


def decide(request: PageRequest) -> ActionResult:
    """Carry out one decision."""
    id_, choice = required_field(request, "id", 300), required_field(request, "choice", 100)
    result = review(request.acting("review"), decide={"id": id_, "choice": choice}).value
    # The facts that a merge moved are chance ones; what was decided between two facts are these.
    texts = "; ".join(fact["text"] for fact in result["facts"][:2]) if choice in CHOICES_OF_FACTS else ""
    message = f"Decided: {LABELS.get(choice, choice)}{f' ({texts})' if texts else ''}"
    return ActionResult(request.back("review"), message, result["undo"])


def accept_all(request: PageRequest) -> ActionResult:
    """Carry out the decisions that the preview listed, each as a transaction of its own."""
    memory, done = request.acting("review"), 0
    for sent in request.form.getlist("decision"):
        id_, _, choice = str(sent).partition("=")
        try:
            review(memory, decide={"id": id_, "choice": choice})
        except NotKnown:
            continue  # an earlier one of these decisions answered it
        done += 1
    if not done:
        raise InvalidInput("none of these questions is open any more", field="decision")
    plural = "decision" if done == 1 else "decisions"
    return ActionResult("review", f"Accepted {done} {plural}; each can be undone in Activity.")


def mark_read(request: PageRequest) -> ActionResult:
    """Note that a passage states nothing worth keeping."""
    result = remember(request.acting("review"), document=required_field(request, "document", 100), facts=[]).value
    return ActionResult(request.back("review"), "Marked as read", result.get("undo"))


SECTION = WebSection(
    "review",
    pages=(Page("review", "review", show, has_clock=True, updates_itself=True),),
    actions=(
        Action("review/decide", decide),
        Action("review/accept", accept_all),
        Action("review/read", mark_read),
    ),
    label="Review",
    group="Tend",
)
