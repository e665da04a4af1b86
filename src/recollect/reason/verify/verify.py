"""The verdict on a claim: everything that was considered, what each says to it, and what they add up to."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.model.certainty import SourceKind
from recollect.model.history import is_current
from recollect.model.ids import DocumentId, EntityId, say_fact
from recollect.model.names import ANY_TYPE
from recollect.model.vocabulary import built_in
from recollect.reason.verify.evidence import Reader, Sentence, Tell, Told, likely, sentences
from recollect.reason.verify.facts import Judged, judge, readings_of
from recollect.reason.verify.prose import Claim, judge_sentence
from recollect.reason.verify.reading import Reading
from recollect.reason.verify.stance import DECIDING, NEUTRAL, Reason, Sign
from recollect.reason.verify.statements import Statement, claim_form, is_stated_alike
from recollect.search.content_words import STOP_WORDS, words
from recollect.search.facts_by_words import facts_by_words
from recollect.search.near import nearest
from recollect.search.port import Index
from recollect.search.query import content_terms
from recollect.search.rare_first import text_scores
from recollect.store.found import Filter
from recollect.store.names import StoredNames
from recollect.store.seen import Seen, Wanted
from recollect.store.view import View
from recollect.when.instant import Instant, local_day, say_date
from recollect.when.period import Time

Verdict = Literal["corroborated", "contradicted", "mixed", "inconclusive"]
MOST_FACTS = 500
FACTS_BY_WORDS = 100
NAMES_BY_WORD = 20
DOCUMENTS_PER_ITEM = 3


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of evidence and what it says to the claim."""

    ref: str
    document: DocumentId | None
    text: str
    sign: Sign
    reason: Reason | None
    overlap: float
    source_kind: SourceKind
    confidence: float
    weight: float
    valid_from: str | None
    valid_until: str | None
    date: str
    at: Instant
    is_current: bool


@dataclass(frozen=True, slots=True)
class Verified:
    """All that was considered, newest first, then the weightiest."""

    items: tuple[Item, ...]

    def of(self, sign: Sign) -> list[Item]:
        return [item for item in self.items if item.sign == sign]

    @property
    def support(self) -> float:
        return sum(item.weight for item in self.of(1))

    @property
    def opposition(self) -> float:
        return sum(item.weight for item in self.of(-1))

    @property
    def verdict(self) -> Verdict:
        return verdict(self.support, self.opposition)


def verdict(support: float, opposition: float) -> Verdict:
    match support > 0, opposition > 0:
        case True, True:
            return "mixed"
        case True, False:
            return "corroborated"
        case False, True:
            return "contradicted"
        case _:
            return "inconclusive"


def weight(kind: SourceKind, confidence: float) -> float:
    """How far evidence counts: what was observed fully, what was inferred by its confidence, doubtful not at all."""
    return 1 if kind == "extracted" else confidence if kind == "inferred" else 0


@dataclass(frozen=True, slots=True)
class Library:
    """Where documents are looked for."""

    index: Index
    names: StoredNames
    embedder: Embedder | None
    tell: Tell


def verify(view: View, claim: str, at: Time, limit: int, library: Library) -> Verified:
    """What supports and what opposes a claim at a time."""
    reader = Reader(view)
    form = claim_form(claim)
    asked = reader.statements([Statement(form.text, form.is_denied)])[0]
    documents = _documents(library, claim, DOCUMENTS_PER_ITEM * limit)
    facts = _facts(view, asked, claim, library)
    judged = list(_judged_facts(view, reader, Claim(form, asked), facts, at))
    items = [_fact_item(view, seen, found, at) for seen, found in judged]
    told = library.tell([each for each in view.documents(documents).values() if not each.deleted])
    items += _sentence_items(view, reader, Claim(form, asked), told, [seen for seen, _ in judged])
    return Verified(tuple(sorted(items, key=lambda item: (-item.at, -item.weight, item.ref, item.text))))


def _documents(library: Library, claim: str, limit: int) -> list[DocumentId]:
    """The first by their vectors and the first by their words."""
    found: list[DocumentId] = []
    if library.embedder is not None:
        try:
            vector = library.embedder.embed([claim])[0]
            near = nearest(library.index, vector, library.embedder.model, Filter(), limit)
            found += [each.document for each in near][:limit]
        except EmbeddingFailed:
            pass
    best = text_scores(library.index, content_terms(claim), Filter()).best(4 * limit)
    chunks = library.index.chunks(best, Filter())
    by_words = dict.fromkeys(chunks[number].document for number in best if number in chunks)
    return list(dict.fromkeys([*found, *list(by_words)[:limit]]))


def _facts(view: View, asked: Reading, claim: str, library: Library) -> list[Seen]:
    """Facts that touch an entity of the claim, whatever their state; without one those that share its words."""
    wanted = Wanted(view.world.now.span, every=True, limit=MOST_FACTS)
    found: dict[str, Seen] = {}
    for entity in asked.entities or _entities_by_words(library, claim):
        found |= {seen.fact.id: seen for seen in view.facts_about(entity, wanted)}
    live = [seen for seen in found.values() if not seen.fact.is_retracted]
    newest = sorted(live, key=lambda seen: (seen.fact.source_at, seen.fact.recorded_at, seen.fact.id), reverse=True)
    if asked.entities:
        return newest[:MOST_FACTS]
    by_words = [each.seen for each in facts_by_words(view, claim, FACTS_BY_WORDS)]
    return list({seen.fact.id: seen for seen in (*by_words, *newest)}.values())[:FACTS_BY_WORDS]


def _entities_by_words(library: Library, claim: str) -> list[EntityId]:
    spoken = [word for word in words(claim) if word not in STOP_WORDS]
    names = (library.names.with_word(word, ANY_TYPE, NAMES_BY_WORD) for word in dict.fromkeys(spoken))
    return sorted({name.entity for found in names for name in found})


def _judged_facts(
    view: View, reader: Reader, claim: Claim, facts: Sequence[Seen], at: Time
) -> Iterator[tuple[Seen, Judged]]:
    for seen, text in zip(facts, reader.all([seen.text for seen in facts]), strict=True):
        is_symmetric = seen.fact.predicate not in built_in() and view.usage(seen.fact.predicate).symmetric
        found = judge(claim.reading, seen, text, reader.one, at.span, is_symmetric)
        if not is_stated_alike(seen.text, claim.form):
            found = replace(found, stance=NEUTRAL)
        if found.is_considered:
            yield seen, found


def _fact_item(view: View, seen: Seen, found: Judged, at: Time) -> Item:
    fact = seen.fact
    told = view.assertions(fact.id)
    document = next((each.document for each in reversed(told) if each.document is not None), None)
    return Item(
        f"fact:{say_fact(fact.id)}",
        document,
        seen.text,
        found.stance.sign,
        found.stance.reason,
        found.overlap,
        fact.source_kind,
        fact.confidence,
        weight(fact.source_kind, fact.confidence),
        None if fact.valid_from is None else fact.valid_from.text,
        None if fact.valid_until is None else fact.valid_until.text,
        say_date(local_day(fact.source_at, view.world.zone)),
        fact.source_at,
        is_current(fact, at.span),
    )


def _sentence_items(
    view: View, reader: Reader, claim: Claim, told: Iterable[Told], facts: Sequence[Seen]
) -> Iterator[Item]:
    found = likely(claim.reading, (sentence for each in told for sentence in sentences(each)))
    beside = _asserted(view, reader, facts)
    for sentence, reading in zip(found, reader.all([each.text for each in found]), strict=True):
        judged = judge_sentence(claim, sentence.text, reading, reader.statements)
        if judged.is_considered and not _repeats(reading, beside.get(sentence.told.document, ())):
            yield _sentence_item(sentence, judged)


def _asserted(view: View, reader: Reader, facts: Sequence[Seen]) -> dict[DocumentId, list[frozenset[str]]]:
    """By document the tokens of the facts it asserts."""
    found: dict[DocumentId, list[frozenset[str]]] = {}
    told = view.assertions_of([seen.fact.id for seen in facts])
    for seen in facts:
        text = reader.one(seen.text)
        tokens = [text.tokens, next(readings_of(seen, text, reader.one)).reading.tokens]
        for document in {each.document for each in told[seen.fact.id] if each.document is not None}:
            found.setdefault(document, []).extend(tokens)
    return found


def _repeats(reading: Reading, facts: Iterable[frozenset[str]]) -> bool:
    return any(fact and len(fact & reading.tokens) / len(fact) >= DECIDING for fact in facts)


def _sentence_item(sentence: Sentence, judged: Judged) -> Item:
    told = sentence.told
    return Item(
        told.label,
        told.document,
        sentence.text,
        judged.stance.sign,
        judged.stance.reason,
        judged.overlap,
        told.source_kind,
        told.confidence,
        weight(told.source_kind, told.confidence),
        None,
        None,
        told.date,
        told.at,
        True,
    )
