"""The results of recall: facts and passages on one scale, their order, and what replaced past facts among them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.memory import Memory
from recollect.model.document import passage_body
from recollect.model.fact import Fact
from recollect.model.history import begins_after, is_current
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.sentence import claim_text
from recollect.search.hidden_sentences import hidden_facts, hidden_text, states_end, without_hidden
from recollect.search.index_terms import statement_stems
from recollect.search.unread_sentences import FEWEST_WORDS, READ_PASSAGES, unread_sentences
from recollect.store.fact_queries import facts_stated_in
from recollect.store.fact_rows import FactRow
from recollect.store.passage_filter import PassageFilter, PassageRow
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.text.tokens import words
from recollect.when.span import Span
from recollect.write.predicates import is_single_valued

OUTDATED_WEIGHT = 0.5
TAIL_SHARE = 0.35
OTHERS_SHARE = 0.75
NEARLY = 0.99

PassageKind = Literal["note", "document", "memory"]


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A fact; `is_named` if the question names one of its ends or means it."""

    row: FactRow
    score: float
    is_named: bool = False
    is_past: bool = False
    why: tuple[str, ...] = ()
    """The ways that led here, as in `HitExplanation.via`."""
    is_named_only: bool = False
    """Whether it shares no more than a name with a question that asks for more."""
    says_more: bool = False


@dataclass(frozen=True, slots=True)
class RecalledPassage:
    """A passage; `is_outdated` if none of the facts that its document states still stands, and all of it was read."""

    chunk: PassageRow
    kind: PassageKind
    score: float
    is_outdated: bool = False
    why: tuple[str, ...] = ()
    says_more: bool = False
    """Whether it has a word that the question asks for, and not just a name."""
    hidden: tuple[str, ...] = ()
    """Words of facts that somebody asked to hide."""
    is_named: bool = False
    """Whether it mentions what the question names."""

    @property
    def body(self) -> str:
        return without_hidden(passage_body(self.chunk), self.hidden)

    def below(self, score: float) -> "RecalledPassage":
        return replace(self, score=min(self.score, score * NEARLY))


Recalled = RecalledFact | RecalledPassage

PastFacts = Callable[[Sequence[Fact]], Collection[FactId]]
"""Those of some facts that are over although their bounds do not say so, such as items that were closed."""


MOST_PASSAGES = 200


MAX_ATTRIBUTES = 10
"""For this many attributes of the best results, the facts that followed are looked up."""
MAX_VALUES = 200
MAX_SUCCESSORS = 3


def kind_of(chunk: PassageRow) -> PassageKind:
    if chunk.kind == "memory":
        return "memory"
    return "note" if (chunk.kind, chunk.type) == ("record", "note") else "document"


def lower_outdated(passage: RecalledPassage) -> RecalledPassage:
    return replace(passage, is_outdated=True, score=passage.score * OUTDATED_WEIGHT)


def id_of(each: Recalled) -> FactId | int:
    return each.row.fact.id if isinstance(each, RecalledFact) else each.chunk.number


def current_first(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """The same facts; of one subject and predicate, those that hold come before those that are past.

    Among those that answer about as well, the one with the newest source comes first.
    """
    groups: dict[tuple[EntityId, str], list[int]] = {}
    for at, each in enumerate(facts):
        groups.setdefault(_attribute(each), []).append(at)
    ordered = list(facts)
    for places in groups.values():
        members = sorted((facts[at] for at in places), key=_order_in_group)
        scores = sorted((each.score for each in members), reverse=True)
        for at, each, score in zip(places, members, scores, strict=True):
            ordered[at] = replace(each, score=score)
    return ordered


def _order_in_group(each: RecalledFact) -> tuple[bool, float, int]:
    return each.is_past, -round(each.score, 1), -each.row.fact.source_at


def below_current_values(
    view: View, passages: Sequence[RecalledPassage], facts: Sequence[RecalledFact]
) -> list[RecalledPassage]:
    """The passages; one that states a past value stays below what holds now of the same subject and predicate."""
    current = {_attribute(each): each for each in reversed(facts) if not each.is_past}
    past = {each.row.fact.id: each for each in facts if each.is_past and _attribute(each) in current}
    stated = facts_stated_in(view, {each.chunk.document for each in passages}) if past else {}

    def shown(passage: RecalledPassage) -> RecalledPassage:
        told: Collection[FactId] = stated.get(passage.chunk.document, frozenset())
        words = statement_stems(passage.body)
        former = [past[fact] for fact in told if fact in past and _value_stems(past[fact].row) <= words]
        later = [current[_attribute(each)] for each in former]
        scores = [each.score for each in later if each.row.fact.id not in told]
        return passage.below(max(scores)) if scores else passage

    return [shown(each) for each in passages]


def _attribute(each: RecalledFact) -> tuple[EntityId, str]:
    return each.row.fact.subject, each.row.fact.predicate


def _value_stems(row: FactRow) -> frozenset[str]:
    return statement_stems(row.object_name or row.fact.literal or "")


def without_named_only(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """The facts that say more than a name, and those with another value of the same attribute."""
    attributes = {_attribute(each) for each in facts if not each.is_named_only}
    return [each for each in facts if not each.is_named_only or _attribute(each) in attributes]


def without_repeats(passages: Sequence[RecalledPassage], facts: Sequence[FactRow]) -> list[RecalledPassage]:
    """The passages that say something which no listed fact says; a denial is such a thing."""
    stated = frozenset[str]().union(*(statement_stems(all_words(each)) for each in facts)) if passages else frozenset()
    return [each for each in passages if not statement_stems(each.body) <= stated]


def all_words(row: FactRow) -> str:
    """The words of a fact as it is listed, and the names of its ends."""
    return f"{claim_text(row.fact, row.subject_name, row.object_name)} {row.subject_name} {row.object_name or ''}"


def without_tail(results: Sequence[Recalled]) -> list[Recalled]:
    """The results that are not far worse than the best; facts about others only if they are nearly as good."""
    best = max((each.score for each in results), default=0.0)
    has_named = any(isinstance(each, RecalledFact) and each.is_named for each in results)

    def least(each: Recalled) -> float:
        is_of_others = has_named and isinstance(each, RecalledFact) and not each.is_named
        return OTHERS_SHARE * best if is_of_others else TAIL_SHARE * best

    return [each for each in results if each.score >= least(each)]


def rank_key(each: Recalled) -> tuple[float, bool]:
    """By score, facts before passages; the sort is stable, so what is current stays before what is past."""
    return -round(each.score, 6), isinstance(each, RecalledPassage)


def past_among(facts: Sequence[Fact], at: Span, past_facts: PastFacts) -> set[FactId]:
    over = {fact.id for fact in facts if not is_current(fact, at) or begins_after(fact, at)}
    return over | set(past_facts([fact for fact in facts if fact.id not in over]))


def mark_passages(
    view: View, passages: Sequence[RecalledPassage], at: Span, past_facts: PastFacts
) -> list[RecalledPassage]:
    """The passages without what is hidden of them; those all read of which no fact still stands are outdated."""
    documents = {each.chunk.document for each in passages}
    stated = facts_stated_in(view, documents)
    rows = [row.fact for row in view.fact_rows({fact for each in stated.values() for fact in each})]
    coming = {fact.id for fact in rows if begins_after(fact, at) and not fact.stale}
    standing = ({fact.id for fact in rows} - past_among(rows, at, past_facts)) | coming
    hidden = hidden_text(view, documents, stated)
    shown = [each for each in passages if each.chunk.document not in hidden.documents]
    if hidden.words:
        redacted = (replace(each, hidden=hidden.words.get(each.chunk.document, ())) for each in shown)
        shown = [each for each in redacted if each.body]
    by_id = {fact.id: fact for fact in rows}
    outdated = {
        document
        for document, told in stated.items()
        if standing.isdisjoint(told) and not states_end(view, document, by_id)
    }
    over = [each for each in shown if each.chunk.document in outdated]
    unread = _with_unread_sentence(view, [each.chunk for each in over])
    return [
        lower_outdated(each) if each.chunk.document in outdated and each.chunk.number not in unread else each
        for each in shown
    ]


def _with_unread_sentence(view: View, passages: Sequence[PassageRow]) -> set[int]:
    """The numbers of the passages that tell something from which nothing was read: that may hold still."""
    documents = view.documents({each.document for each in passages})
    found = set()
    for passage in passages:
        document = documents.get(passage.document)
        if document is None or passage.seq in document.properties.get(READ_PASSAGES, ()):
            continue
        left = unread_sentences(document, passage_body(passage), view.assertions_from(document.id))
        if any(len(words(sentence)) >= FEWEST_WORDS for sentence in left):
            found.add(passage.number)
    return found


def recall_fact(view: View, fact: FactId, at: Span, past_facts: PastFacts) -> list[Recalled]:
    """The fact of an id, unless it was retracted or hidden."""
    rows = [row for row in view.fact_rows([fact]) if not row.fact.is_retracted]
    if not rows or hidden_facts(view, {fact}):
        return []
    past = past_among([row.fact for row in rows], at, past_facts)
    return [RecalledFact(row, 1.0, is_named=True, is_past=row.fact.id in past) for row in rows]


def recall_document(
    memory: Memory, view: View, document: DocumentId, seq: int | None, at: Span, past_facts: PastFacts
) -> list[Recalled]:
    """The first passages of a document, or the one that is meant."""
    index = StoredPassageIndex(view, memory.cache.vectors)
    numbers = index.chunk_numbers({document}, MOST_PASSAGES if seq is None else seq + 1)
    rows = sorted(index.chunks(numbers, PassageFilter()).values(), key=lambda row: row.seq)
    found = [RecalledPassage(row, kind_of(row), 1.0, is_named=True) for row in rows if seq in (None, row.seq)]
    return [*mark_passages(view, found, at, past_facts)]


def add_replacements(view: View, facts: Sequence[RecalledFact], at: Span) -> list[RecalledFact]:
    """The facts, and those that hold in place of past ones, with the score of the best that they follow."""
    found_ids = {each.row.fact.id for each in facts}
    added: dict[FactId, RecalledFact] = {}
    for past in _past_by_attribute(facts, at)[:MAX_ATTRIBUTES]:
        found = replacements(view, [each.row.fact for each in past], at)
        best = max(past, key=lambda each: each.score)
        for row in view.fact_rows({fact.id for fact in found} - found_ids):
            added[row.fact.id] = replace(best, row=row, is_past=False)
    return [*facts, *added.values()]


def _past_by_attribute(facts: Sequence[RecalledFact], at: Span) -> list[list[RecalledFact]]:
    groups: dict[tuple[EntityId, str], list[RecalledFact]] = {}
    for each in facts:
        fact = each.row.fact
        if each.is_past and fact.label == "AFFILIATED" and not begins_after(fact, at):
            groups.setdefault((fact.subject, fact.predicate), []).append(each)
    return list(groups.values())


def replacements(view: View, past: Sequence[Fact], at: Span) -> list[Fact]:
    """The facts of the attribute of some past ones that hold at a time in their place, the newest source first.

    All of an attribute with one value at a time; of others those that a chain of replacements leads to.
    """
    subject, predicate = past[0].subject, past[0].predicate
    values = view.facts_of_subject(subject, predicate, MAX_VALUES)
    current = [fact for fact in values if is_current(fact, at) and not begins_after(fact, at)]
    if not is_single_valued(view, predicate):
        following = _following(past, values)
        current = [fact for fact in current if fact.id in following]
    return sorted(current, key=lambda fact: -fact.source_at)[:MAX_SUCCESSORS]


def _following(past: Sequence[Fact], values: Sequence[Fact]) -> Collection[FactId]:
    """The facts that replaced past ones, those that replaced these, and so on."""
    found: dict[FactId, None] = {}
    waiting = list(past)
    while waiting:
        former = waiting.pop()
        for fact in values:
            if fact.id not in found and _replaces(fact, former):
                found[fact.id] = None
                waiting.append(fact)
    return found.keys()


def _replaces(fact: Fact, former: Fact) -> bool:
    """Whether a fact begins where another ended, as a stated replacement does."""
    start, end = fact.valid_from, former.valid_until
    follows = start is not None and end is not None and end.hi == start.lo - 1
    return follows or former.replaced_by == fact.id
