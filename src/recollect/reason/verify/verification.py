"""Verifies a claim: gathers evidence, judges each piece, by a model where rules are silent, and sums up a verdict."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.llm.answers import DATA_RULE, ask_with_schema, delimit_text
from recollect.llm.port import Json, LanguageModel, ModelRequest
from recollect.model.certainty import SourceKind
from recollect.model.history import is_current
from recollect.model.ids import DocumentId, EntityId, format_fact_id
from recollect.model.names import ANY_TYPE
from recollect.model.trust import OWNER, Trust
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.verify.entailment import EntailedSentence, entailed_sentences
from recollect.reason.verify.evidence import (
    EvidenceSentence,
    LoadSourceTexts,
    StatementReader,
    filter_likely,
    split_sentences,
)
from recollect.reason.verify.exchanged_roles import is_doer_exchanged
from recollect.reason.verify.fact_evidence import Judgement, PredicateTraits, judge, readings_of
from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.reason.verify.sentence_evidence import AskedClaim, judge_sentence, stance_by_wording
from recollect.reason.verify.sentence_guards import is_rebuttal
from recollect.reason.verify.stance import DECIDING_OVERLAP, NEUTRAL, Reason, Sign
from recollect.reason.verify.statements import ClauseStatement, claim_form, is_stated_alike
from recollect.search.bm25 import bm25_scores
from recollect.search.document_search import nearest_documents
from recollect.search.fact_search import search_facts
from recollect.search.passage_index import PassageIndex
from recollect.search.question import question_terms
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.name_index import StoredNameIndex
from recollect.store.passage_filter import PassageFilter
from recollect.store.view import View
from recollect.text.content_words import split_words
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text_models.entailment import EntailmentModel
from recollect.when.instant import Instant, format_date, local_day
from recollect.when.period import Time
from recollect.write.predicates import decided_single_valued

Verdict = Literal["corroborated", "contradicted", "mixed", "inconclusive"]
MAX_FACTS = 500
MAX_FACTS_BY_WORDS = 100
MAX_NAMES_BY_WORD = 20
DOCUMENTS_PER_ITEM = 3
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|we|my|our|me|us|mine|ours)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A piece of evidence and its stance on the claim."""

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
    trust: Trust = OWNER
    decided_by: str | None = None
    """The model that decided the stance; none if rules did."""


@dataclass(frozen=True, slots=True)
class Verification:
    """All evidence considered, newest first, then by weight."""

    items: tuple[EvidenceItem, ...]

    def of(self, sign: Sign) -> list[EvidenceItem]:
        return [item for item in self.items if item.sign == sign]

    @property
    def support(self) -> float:
        return sum(item.weight for item in self.of(1))

    @property
    def opposition(self) -> float:
        return sum(item.weight for item in self.of(-1))

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.support, self.opposition)


def verdict_of(support: float, opposition: float) -> Verdict:
    match support > 0, opposition > 0:
        case True, True:
            return "mixed"
        case True, False:
            return "corroborated"
        case False, True:
            return "contradicted"
        case _:
            return "inconclusive"


def evidence_weight(kind: SourceKind, confidence: float) -> float:
    """The weight of evidence: 1 if extracted, its confidence if inferred, 0 otherwise."""
    return 1 if kind == "extracted" else confidence if kind == "inferred" else 0


@dataclass(frozen=True, slots=True)
class EvidenceSources:
    """Where documents are searched and how their texts are loaded."""

    index: PassageIndex
    names: StoredNameIndex
    embedder: Embedder | None
    tell: LoadSourceTexts
    entailment: EntailmentModel | None = None


def verify_claim(view: View, claim: str, at: Time, limit: int, library: EvidenceSources) -> Verification:
    """The evidence for and against a claim at a time."""
    reader = StatementReader(view)
    form = claim_form(claim)
    asked = reader.statements([ClauseStatement(form.text, form.is_denied)])[0]
    documents = _find_documents(library, claim, DOCUMENTS_PER_ITEM * limit)
    facts = _find_facts(view, asked, claim, library)
    judged = list(_judge_facts(view, reader, AskedClaim(form, asked), facts, at))
    items = [_fact_item(view, seen, found, at) for seen, found in judged]
    sources = library.tell([each for each in view.documents(documents).values() if not each.deleted])
    sentences = [sentence for each in sources for sentence in split_sentences(each)]
    items += _sentence_items(view, reader, AskedClaim(form, asked), sentences, [seen for seen, _ in judged])
    if library.entailment is not None and not any(item.sign for item in items):
        entailed = entailed_sentences(library.entailment, claim, AskedClaim(form, asked), sentences)
        decided = [*map(_entailed_item, entailed)]
        again = {(item.document, item.text) for item in decided}
        items = [item for item in items if (item.document, item.text) not in again] + decided
    return Verification(tuple(sorted(items, key=lambda item: (-item.at, -item.weight, item.ref, item.text))))


def _find_documents(library: EvidenceSources, claim: str, limit: int) -> list[DocumentId]:
    """The best documents by vector and the best by words."""
    found: list[DocumentId] = []
    if library.embedder is not None:
        try:
            vector = library.embedder.embed([claim])[0]
            near = nearest_documents(library.index, vector, library.embedder.model, PassageFilter(), limit)
            found += [each.document for each in near][:limit]
        except EmbeddingFailed:
            pass
    best = bm25_scores(library.index, question_terms(claim), PassageFilter()).best(4 * limit)
    chunks = library.index.chunks(best, PassageFilter())
    by_words = dict.fromkeys(chunks[number].document for number in best if number in chunks)
    return list(dict.fromkeys([*found, *list(by_words)[:limit]]))


def _find_facts(view: View, asked: ParsedStatement, claim: str, library: EvidenceSources) -> list[FactRow]:
    """Facts about an entity of the claim, in any state; without an entity, facts that share its words."""
    wanted = FactFilter(view.world.present, every=True, limit=MAX_FACTS)
    found: dict[str, FactRow] = {}
    for entity in asked.entities or _find_entities_by_words(library, claim):
        found |= {seen.fact.id: seen for seen in view.facts_about(entity, wanted)}
    live = [seen for seen in found.values() if not seen.fact.is_retracted and not seen.fact.is_pending]
    newest = sorted(live, key=lambda seen: (seen.fact.source_at, seen.fact.recorded_at, seen.fact.id), reverse=True)
    if asked.entities:
        return newest[:MAX_FACTS]
    by_words = [each.row for each in search_facts(view, claim, MAX_FACTS_BY_WORDS)]
    return list({seen.fact.id: seen for seen in (*by_words, *newest)}.values())[:MAX_FACTS_BY_WORDS]


def _find_entities_by_words(library: EvidenceSources, claim: str) -> list[EntityId]:
    spoken = [word for word in split_words(claim) if word not in STATEMENT_STOP_WORDS]
    names = (library.names.with_word(word, ANY_TYPE, MAX_NAMES_BY_WORD) for word in dict.fromkeys(spoken))
    return sorted({name.entity for found in names for name in found})


def _judge_facts(
    view: View, reader: StatementReader, claim: AskedClaim, facts: Sequence[FactRow], at: Time
) -> Iterator[tuple[FactRow, Judgement]]:
    reader.look_up_names(seen.text for seen in facts)
    for seen in facts:
        told = reader.told_at(seen.fact.source_at)
        text = told.parse(seen.text)
        asked = _count_weekdays(claim, told)
        found = judge(asked.reading, seen, text, told.parse, at.span, _traits_of(view, seen.fact.predicate))
        if not is_stated_alike(seen.text, claim.form):
            found = replace(found, stance=NEUTRAL)
        if found.stance.sign > 0 and (other := stance_by_wording(claim, ClauseStatement(seen.text))) is not None:
            found = replace(found, stance=other)
        if found.stance.sign > 0 and seen.fact.object is None:
            is_other = is_doer_exchanged(claim.reading, text) or _says_otherwise(claim, seen, told)
            found = replace(found, stance=NEUTRAL) if is_other else found
        if found.is_considered:
            yield seen, found


def _count_weekdays(claim: AskedClaim, told: StatementReader) -> AskedClaim:
    """The claim with its weekdays as those of a source: *on Friday* asks for the Friday that the source means."""
    if _WEEKDAY.search(claim.form.text) is None:
        return claim
    form = claim.form
    return replace(claim, reading=told.statements([ClauseStatement(form.text, form.is_denied)])[0])


def _says_otherwise(claim: AskedClaim, row: FactRow, reader: StatementReader) -> bool:
    """Whether a fact in the words of its source is read otherwise as a sentence; who *I* is only the fact tells."""
    quote = row.quote
    if not quote or quote not in row.text or _FIRST_PERSON.search(quote):
        return False
    return judge_sentence(claim, quote, reader.parse(quote), reader.statements).stance.sign <= 0


def _traits_of(view: View, predicate: str) -> PredicateTraits:
    is_symmetric = predicate not in built_in_predicates() and view.predicate_usage(predicate).symmetric
    return PredicateTraits(is_symmetric, decided_single_valued(view, predicate))


def _fact_item(view: View, row: FactRow, found: Judgement, at: Time) -> EvidenceItem:
    fact = row.fact
    assertions = view.assertions(fact.id)
    document = next((each.document for each in reversed(assertions) if each.document is not None), None)
    return EvidenceItem(
        f"fact:{format_fact_id(fact.id)}",
        document,
        row.text,
        found.stance.sign,
        found.stance.reason,
        found.overlap,
        fact.source_kind,
        fact.confidence,
        evidence_weight(fact.source_kind, fact.confidence),
        None if fact.valid_from is None else fact.valid_from.text,
        None if fact.valid_until is None else fact.valid_until.text,
        format_date(local_day(fact.source_at, view.world.zone)),
        fact.source_at,
        is_current(fact, at.span),
        fact.trust,
    )


def _sentence_items(
    view: View,
    reader: StatementReader,
    claim: AskedClaim,
    sentences: Sequence[EvidenceSentence],
    facts: Sequence[FactRow],
) -> Iterator[EvidenceItem]:
    found = filter_likely(claim.reading, sentences)
    fact_tokens = _tokens_by_document(view, reader, facts)
    reader.look_up_names(each.text for each in found)
    for sentence in found:
        told = reader.told_at(sentence.source.at)
        reading = told.parse(sentence.text)
        judged = judge_sentence(_count_weekdays(claim, told), sentence.text, reading, told.statements)
        if is_rebuttal(sentence.following):
            judged = replace(judged, stance=NEUTRAL)
        if judged.is_considered and not _is_repeat(reading, fact_tokens.get(sentence.source.document, ())):
            yield _sentence_item(sentence, judged)


def _tokens_by_document(
    view: View, reader: StatementReader, facts: Sequence[FactRow]
) -> dict[DocumentId, list[frozenset[str]]]:
    """By document, the tokens of the facts it asserts."""
    found: dict[DocumentId, list[frozenset[str]]] = {}
    assertions = view.assertions_of([seen.fact.id for seen in facts])
    for seen in facts:
        text = reader.parse(seen.text)
        tokens = [text.tokens, next(readings_of(seen, text, reader.parse)).reading.tokens]
        for document in {each.document for each in assertions[seen.fact.id] if each.document is not None}:
            found.setdefault(document, []).extend(tokens)
    return found


def _is_repeat(reading: ParsedStatement, facts: Iterable[frozenset[str]]) -> bool:
    return any(fact and len(fact & reading.tokens) / len(fact) >= DECIDING_OVERLAP for fact in facts)


def _sentence_item(sentence: EvidenceSentence, judged: Judgement) -> EvidenceItem:
    source = sentence.source
    return EvidenceItem(
        source.label,
        source.document,
        sentence.text,
        judged.stance.sign,
        judged.stance.reason,
        judged.overlap,
        source.source_kind,
        source.confidence,
        evidence_weight(source.source_kind, source.confidence),
        None,
        None,
        source.date,
        source.at,
        True,
        source.trust,
    )


def _entailed_item(found: EntailedSentence) -> EvidenceItem:
    item = _sentence_item(found.sentence, found.judgement)
    return replace(item, weight=item.weight * found.probability, decided_by=found.model)


NLI_WEIGHT = 0.5
MAX_ITEMS = 50
_SIGNS: dict[str, Sign] = {"supports": 1, "opposes": -1, "neither": 0}
_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "stances": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "stance": {"enum": list(_SIGNS)}},
                "required": ["number", "stance"],
            },
        }
    },
    "required": ["stances"],
}
_SYSTEM = f"For each numbered piece of evidence say whether it supports the claim, opposes it, or neither. {DATA_RULE}"


def model_stances(model: LanguageModel, claim: str, items: Sequence[EvidenceItem]) -> list[tuple[EvidenceItem, Sign]]:
    """The items on which the model takes a side."""
    numbered = list(enumerate(items[:MAX_ITEMS], start=1))
    if not numbered:
        return []
    listed = "\n".join(f"{number}. {delimit_text(item.text, 'EVIDENCE')}" for number, item in numbered)
    answer = ask_with_schema(model, ModelRequest(_SYSTEM, f"{delimit_text(claim, 'CLAIM')}\n{listed}", _SCHEMA))
    signs = {each["number"]: _SIGNS[each["stance"]] for each in answer["stances"]}
    stances = ((item, signs.get(number, 0)) for number, item in numbered)
    return [(item, sign) for item, sign in stances if sign]
