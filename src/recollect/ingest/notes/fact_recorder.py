"""Records facts one by one and says what became of each: recorded, confirmed, replaced, in conflict, or held."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter

from recollect.errors import RecollectError
from recollect.ingest.notes.fact_outcomes import EntityLink, FactOutcome, LinkKind, NoteOrigin, named_in_full
from recollect.ingest.notes.fact_request import (
    REPORT_PREDICATES,
    BadFact,
    ClaimRequest,
    EndRequest,
    UnknownReference,
    check_replaced,
    locate,
)
from recollect.ingest.notes.naming_facts import name_subject, with_name_as_value
from recollect.ingest.notes.value_conflicts import (
    NO_RIVALS,
    Rivals,
    declared_rivals,
    is_over_before,
    merge_rivals,
    replace_value,
    rival_values,
    settle_late_value,
    values_before,
    with_bounds,
)
from recollect.model.certainty import complete_confidence
from recollect.model.entity import Entity
from recollect.model.fact import DISPUTED, ENDS_ONLY, NOTHING, Assertion, Fact, Label, Statement
from recollect.model.history import is_current
from recollect.model.ids import FactId, format_fact_id
from recollect.model.names import fold
from recollect.model.sentence import fact_sentence
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.store.change import Change
from recollect.store.review_queries import EndRole, HeldClaim, HeldFact, hold_fact
from recollect.write.entity_refs import AmbiguousName, NamedRef, complete, create, find_named, find_or_create
from recollect.write.fact_draft import FactDraft, FactKind, statement_of
from recollect.write.fact_edits import mark_obsolete, restore_fact
from recollect.write.lookup import GUESSED
from recollect.write.owner import find_or_create_owner, find_owner
from recollect.write.predicates import canonical_predicate, is_single_valued
from recollect.write.record_statement import EndsBeforeItBegins, RecordedFact, count_sources, record_statement
from recollect.write.slot_conflicts import dispute_values
from recollect.write.source_reconciliation import SourceReconciliation
from recollect.write.tombstones import ErasedContent, check_entity

MAX_VALUES = 200
MAX_OTHERS = 3
_ITEMS_OR_REPORTS = ITEM_PREDICATES | REPORT_PREDICATES
_SOURCE_ORDER = itemgetter(*map(Fact._fields.index, ("source_at", "id")))


@dataclass
class FactRecorder:
    """Records the facts of one call in its transaction."""

    change: Change
    origin: NoteOrigin
    links: dict[str, EntityLink] = field(default_factory=dict)
    new_names: Sequence[str] = ()
    """Names that mean new entities, although others have them."""
    reconciliation: SourceReconciliation | None = None
    """What the note said when it was read before, if it is read again."""
    asked: Collection[HeldClaim] = ()
    """Claims of the note that were held for review before, whatever was decided about them."""

    def record(self, request: ClaimRequest) -> FactOutcome:
        """Record one fact; what cannot be recorded is refused or held, and nothing of it is written."""
        try:
            named = with_name_as_value(request.with_predicate(canonical_predicate(self.change, request.predicate)))
            self._check(named)
            return self._record_resolved(named)
        except RecollectError as problem:
            if isinstance(problem, ErasedContent) and request.is_read and self.reconciliation is None:
                raise  # a text that says what was erased is not kept either
            return FactOutcome("refused", request.predicate, request.as_text(), error=locate(problem, request))

    def record_draft(self, draft: FactDraft) -> RecordedFact | None:
        """Record a fact whose ends are resolved; none if the note said so before, perhaps in other words."""
        given = draft._replace(source=draft.source._replace(given=self.origin.given, url=self.origin.url))
        statement = statement_of(self.change, given)
        return None if self._is_repeated(statement) else record_statement(self.change, statement)

    def _is_repeated(self, statement: Statement) -> bool:
        """Whether the note said so before, of the same entity, of one it was moved from, or in other words."""
        before, said = self.reconciliation, (statement.claim.slot, statement.words)

        def was_said(assertion: Assertion, fact: Fact) -> bool:
            versions = self.change.fact_versions(fact.id) if assertion.quote == statement.source.quote else ()
            return any((each.slot, each.words) == said for each in versions)

        return before is not None and (
            before.repeats(statement) or before.keep(was_said) is not None or before.revises(statement)
        )

    def _check(self, request: ClaimRequest) -> None:
        """Refuse a fact that lacks a target, has two, or ends before it begins."""
        start, end = request.valid_from, request.valid_until
        if start is not None and end is not None and start.lo > end.hi:
            raise EndsBeforeItBegins(start.text, end.text)
        has_object, has_value = request.object is not None, request.value is not None
        if not has_object and not has_value and not request.says_what_it_closes:
            is_closing = request.predicate in REPORT_PREDICATES
            raise BadFact(
                f"{request.field} has neither object nor value",
                f"{request.field}.value",
                "Send the id of the item in `replaces`, or say in `value` what was done."
                if is_closing
                else "Send `object` for an entity, or `value` for anything else.",
            )
        if has_object and has_value and request.predicate not in _ITEMS_OR_REPORTS:
            raise BadFact(
                f"{request.field} has both object and value",
                f"{request.field}.value",
                "Send one of them; only items such as a commitment take both.",
            )

    def _fact_to_replace(self, request: ClaimRequest) -> Fact:
        id_ = FactId(str(request.replaces))
        found = self.change.fact(id_)
        if found is None or found.is_retracted:
            raise UnknownReference(
                f"{format_fact_id(id_)} is not a fact here",
                f"{request.field}.replaces",
                "Send the id of a current fact, or true.",
            )
        return found

    def _record_resolved(self, request: ClaimRequest) -> FactOutcome:
        ends: dict[EndRole, Entity | None] = {"subject": None, "object": None}
        given: tuple[tuple[EndRole, EndRequest | None], ...]
        given = ("subject", request.subject), ("object", request.object)
        for role, end in given:
            try:
                ends[role] = self._find(end, f"{request.field}.{role}") if end is not None else None
                if end is not None and ends[role] is None and request.is_read:
                    ends[role] = named_in_full(end, self.links.values())
            except AmbiguousName as problem:
                return self._hold(request, role, problem)
        if isinstance(request.replaces, str):
            check_replaced(request, self._fact_to_replace(request), ends["subject"])
        kept = self._find_kept(request, ends["subject"], ends["object"])
        if kept is not None:
            return self._confirmed(request, kept)
        subject = self._resolve(request.subject, ends["subject"])
        # Somebody may have any number of items, and none of them is a value that another could replace.
        is_item = request.predicate in _ITEMS_OR_REPORTS and request.replaces is not True
        is_known = ends["subject"] is not None and not is_item
        known = self.change.facts_of_subject(subject.id, request.predicate, MAX_VALUES) if is_known else []
        return self._record_with(request, subject, ends["object"], known)

    def _find_kept(self, request: ClaimRequest, subject: Entity | None, target: Entity | None) -> Fact | None:
        """The fact that the same words of the note gave when it was read before."""
        if self.reconciliation is None or subject is None:
            return None

        def is_claimed(version: Fact) -> bool:
            is_same_end = (version.subject, version.predicate) == (subject.id, request.predicate)
            return is_same_end and (
                request.target_text is None or self._same_value(request, target, [version]) is not None
            )

        def says_same(assertion: Assertion, fact: Fact) -> bool:
            # Somebody may have moved it to another entity since.
            return request.repeats(assertion) and any(map(is_claimed, self.change.fact_versions(fact.id)))

        return self.reconciliation.keep(says_same)

    def _find(self, end: EndRequest, field_: str) -> Entity | None:
        """The known entity of an end, or none if it has to be created."""
        if end.id is not None:
            found = self.change.survivor(end.id)
            if found is None:
                raise UnknownReference(f"{end.name!r} is not an entity here", field_, "Send a known id, or a name.")
            return found
        if end.is_owner:
            return find_owner(self.change)
        if end.name in self.new_names:
            return None
        known = find_named(self.change, end.name, None if end.is_guess else end.type)
        if known is None:
            check_entity(self.change, end.type or "unknown", fold(end.name))
        return known

    def _resolve(self, end: EndRequest, known: Entity | None) -> Entity:
        """The entity of an end, created if it is not known, and listed in the result."""
        if end.is_owner:
            entity = find_or_create_owner(self.change)
        elif known is not None:
            stated = NamedRef(end.name, end.type) if end.type and not end.is_guess else None
            entity = complete(self.change, known, stated) if stated is not None else known
        elif end.is_guess and end.type:
            entity = create(self.change, NamedRef(end.name, end.type, reason=GUESSED, stays_provisional=True))
        elif end.name in self.new_names:
            entity = create(self.change, NamedRef(end.name, end.type))
        else:
            entity = find_or_create(self.change, NamedRef(end.name, end.type)).entity
        before = self.links.get(entity.id)
        link: LinkKind = before.link if before is not None else "created" if known is None else "linked"
        self.links[entity.id] = EntityLink(entity.name, link, entity)
        return entity

    def _hold(self, request: ClaimRequest, role: EndRole, problem: AmbiguousName) -> FactOutcome:
        change, origin = self.change, self.origin
        name = request.subject.name if role == "subject" or request.object is None else request.object.name
        held = HeldFact(
            change.new_id(),
            name,
            role,
            tuple(each.id for each in problem.candidates),
            request.as_given(),
            origin.document.id if origin.document else None,
            origin.given,
            origin.source_at,
            change.now,
        )
        if held.claimed not in self.asked:
            hold_fact(change, held)
        self.links.setdefault(f"name {fold(name)}", EntityLink(name, "ambiguous"))
        return FactOutcome("ambiguous", request.predicate, request.as_text(), candidates=problem.candidates)

    def _record_with(
        self, request: ClaimRequest, subject: Entity, target: Entity | None, held: Sequence[Fact]
    ) -> FactOutcome:
        same = self._same_value(request, target, held)
        if same is not None and self._ends_as_it_begins(request, same):
            document = self.origin.document.id if self.origin.document else None
            mark_obsolete(self.change, same, self.origin.given, document)
            return self._confirmed(request, same)
        object_ = self._object_of(request, target, same)
        statement = self._statement(request, subject, object_, same)
        rivals = self._rivals(request, statement, held)
        if same is None or not is_current(same, self.change.world.present):
            statement = with_bounds(self.change, statement, rivals, same)
        recorded = record_statement(self.change, statement)
        # What was hidden comes back by a new source; a document that is read again is none.
        is_told_anew = self.reconciliation is None and not self.origin.needs_quote
        if recorded.fact.is_hidden and is_told_anew:
            restore_fact(self.change, recorded.fact, self.origin.given, {ENDS_ONLY: True})  # no source of its own
        named = name_subject(self.change, request, subject, statement.trust)
        if named is not None:
            self.links[named.id] = EntityLink(named.name, self.links[subject.id].link, named)
        return self._settle_rivals(request, recorded, rivals, held)

    def _ends_as_it_begins(self, request: ClaimRequest, fact: Fact) -> bool:
        """Whether a claim that something no longer holds leaves it no time at which it did: then it is stale."""
        start, end = fact.valid_from, request.valid_until
        is_over = request.has_ended and start is not None and end is not None and end.hi < start.lo
        return is_over and is_current(fact, self.change.world.present)

    def _same_value(self, request: ClaimRequest, target: Entity | None, held: Sequence[Fact]) -> Fact | None:
        """A fact with the same target: the same entity, or the same text in another form."""
        if target is not None:
            return self._current_first([fact for fact in held if fact.object == target.id])
        text = request.target_text
        if text is None or (request.object is not None and request.value is not None):
            return None
        folded = fold(text)
        return self._current_first([fact for fact in held if self._folded_value(fact) == folded])

    def _current_first(self, facts: Sequence[Fact]) -> Fact | None:
        """The fact that holds now, else the first."""
        return max(facts, key=lambda fact: is_current(fact, self.change.world.present), default=None)

    def _folded_value(self, fact: Fact) -> str:
        if fact.object is None:
            return fold(fact.literal or "")
        found = self.change.entity(fact.object)
        return "" if found is None else found.folded

    def _object_of(self, request: ClaimRequest, target: Entity | None, same: Fact | None) -> Entity | None:
        """The entity at the other end; a value that is known as a literal stays one."""
        if request.object is None:
            return self.change.entity(same.object) if same is not None and same.object is not None else None
        if target is None and same is not None:
            return self.change.entity(same.object) if same.object is not None else None
        return self._resolve(request.object, target)

    def _statement(
        self, request: ClaimRequest, subject: Entity, object_: Entity | None, same: Fact | None
    ) -> Statement:
        is_open = request.predicate not in built_in_predicates()
        label: Label | None = "AFFILIATED" if is_open else None
        literal = None
        if object_ is None:
            literal = same.literal if same is not None else request.target_text
        kind = FactKind(
            same.label if same is not None and is_open else label,
            None,
            request.predicate,
            complete_confidence(request.confidence),
        )
        draft = FactDraft(
            subject.id,
            None if object_ is None else object_.id,
            literal,
            kind,
            self.origin.source_at,
            self.origin.source(request),
            self._words(request, subject, object_),
            request.quote,
            request.valid_from,
            request.valid_until,
            supersedes=self._closed_item(request),
            attributes={ENDS_ONLY: True} if request.has_ended and same is not None else NOTHING,
        )
        return statement_of(self.change, draft)

    def _closed_item(self, request: ClaimRequest) -> FactId | None:
        """The item that a closing fact names by its id."""
        if not isinstance(request.replaces, str) or request.predicate not in REPORT_PREDICATES:
            return None
        item = self._fact_to_replace(request)
        return item.id if item.predicate in ITEM_PREDICATES else None

    def _words(self, request: ClaimRequest, subject: Entity, object_: Entity | None) -> str | None:
        """Items for somebody, and reports, are told apart by their words; other facts need none."""
        if request.predicate in REPORT_PREDICATES:
            return self._report_words(request, subject)
        if request.value is not None and object_ is not None and request.predicate in ITEM_PREDICATES:
            return fact_sentence(subject.name, request.predicate, request.value)
        return None

    def _report_words(self, request: ClaimRequest, subject: Entity) -> str:
        if request.is_read and request.quote is not None:
            said = " ".join(request.quote.split())
            return said if fold(said).startswith(fold(subject.name)) else f"{subject.name}: {said}"
        what = request.value or (request.object.name if request.object is not None else None)
        item = self._fact_to_replace(request) if isinstance(request.replaces, str) else None
        if what is None and item is not None:
            what = item.literal or item.words or item.evidence
        return fact_sentence(subject.name, request.predicate, what)

    def _rivals(self, request: ClaimRequest, statement: Statement, held: Sequence[Fact]) -> Rivals:
        """The facts that the new one replaces, disputes or comes too late for."""
        if statement.supersedes is not None:
            return NO_RIVALS
        declared = self._declared_replaced(request, statement, held)
        is_single = is_single_valued(self.change, request.predicate)
        among = rival_values(self.change, statement, held, declared) if is_single else NO_RIVALS
        return merge_rivals(declared_rivals(statement, declared), among) if declared else among

    def _declared_replaced(self, request: ClaimRequest, statement: Statement, held: Sequence[Fact]) -> Sequence[Fact]:
        """The facts that the words of the request say to be over."""
        if isinstance(request.replaces, str):
            named = self._fact_to_replace(request)
            return () if is_over_before(self.change, named, statement) else [named]
        meant = {fold(each) for each in (request.replaced_value, *request.denied_values) if each is not None}
        if not meant and not request.replaces:
            return ()
        return values_before(self.change, statement, held, lambda each: not meant or self._folded_value(each) in meant)

    def _settle_rivals(
        self, request: ClaimRequest, recorded: RecordedFact, rivals: Rivals, held: Sequence[Fact]
    ) -> FactOutcome:
        """Apply what the new fact means for the values beside it, and tell the outcome."""
        change, fact = self.change, recorded.fact
        document = self.origin.document.id if self.origin.document else None
        for old in rivals.replaced:
            replace_value(change, old, change.fact(fact.id) or fact, document)
        for other in rivals.disputed:
            dispute_values(change, change.fact(fact.id) or fact, change.fact(other.id) or other)
        settle_late_value(change, fact, rivals.newer, document)
        predicate, text = request.predicate, request.as_text()
        disputing = self._disputes_with(fact, is_sure=bool(rivals.disputed))
        if disputing:
            return FactOutcome("conflicts", predicate, text, fact.id, conflicts_with=disputing)
        closed = [fact.supersedes] if fact.supersedes is not None and fact.supersedes == request.replaces else []
        if rivals.replaced or closed:
            replaced = (*(old.id for old in rivals.replaced), *closed)
            values = {fold(each) for each in request.denied_values}
            denied = tuple(old.id for old in rivals.replaced if self._folded_value(old) in values)
            return FactOutcome("replaced", predicate, text, fact.id, replaced=replaced, denied=denied)
        if not recorded.is_new:
            return self._confirmed(request, fact)
        return FactOutcome("recorded", predicate, text, fact.id, self._other_values(request, fact, held))

    def _confirmed(self, request: ClaimRequest, fact: Fact) -> FactOutcome:
        sources, denied = count_sources(self.change, fact.id), (fact.id,) if request.is_denial else ()
        return FactOutcome("confirmed", request.predicate, request.as_text(), fact.id, sources=sources, denied=denied)

    def _disputes_with(self, fact: Fact, *, is_sure: bool) -> tuple[FactId, ...]:
        pairs = self.change.disputes_of(fact.id) if is_sure or fact.disputed else ()
        return tuple(pair.other if pair.one == fact.id else pair.one for pair in pairs if pair.reason == DISPUTED)

    def _other_values(self, request: ClaimRequest, fact: Fact, held: Sequence[Fact]) -> tuple[FactId, ...]:
        """Other current values of the same subject and predicate, newest first."""
        if request.predicate in _ITEMS_OR_REPORTS:
            return ()
        present, newest_first = self.change.world.present, sorted(held, key=_SOURCE_ORDER, reverse=True)
        beside = (each.id for each in newest_first if each.id != fact.id and is_current(each, present))
        return tuple(islice(beside, MAX_OTHERS))
