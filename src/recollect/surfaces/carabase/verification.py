"""`carabase_verify_hypothesis`: what supports and what opposes a claim."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from recollect.indexing import index_before_read
from recollect.keep.artifacts.artifact import (
    artifact_date,
    confidence_of,
    source_kind_of,
    source_label,
    summary_of,
    tier_of,
)
from recollect.keep.document_versions import texts_of
from recollect.llm.factory import remote_model
from recollect.llm.port import LanguageModel, ModelUnavailable
from recollect.memory import Memory
from recollect.model.certainty import SourceKind
from recollect.model.document import Document
from recollect.model.trust import SOURCE_TRUST, trust_in
from recollect.reason.verify.evidence import SourceText, find_named_entities
from recollect.reason.verify.parsed_statement import StatementSpan
from recollect.reason.verify.stance import Reason, Sign
from recollect.reason.verify.verification import (
    NLI_WEIGHT,
    EvidenceItem,
    EvidenceSources,
    Verdict,
    Verification,
    model_stances,
    verdict_of,
    verify_claim,
)
from recollect.reason.verify.word_lists import QUESTION_OPENERS
from recollect.search.passage_trust import passage_marks
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import artifact_uri, is_visible
from recollect.surfaces.carabase.hints import (
    Hint,
    HintedResult,
    format_options,
    hinted_answer,
    quote,
    suggest_call,
)
from recollect.surfaces.carabase.parameters import AtTimeText, choice_of, integer_between, parse_at_time, text_of
from recollect.surfaces.carabase.surface import CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.surfaces.views import TrustMarks, mark_trust, trust_details
from recollect.text.content_words import split_words
from recollect.text.fold import shorten
from recollect.text_models.entailment import EntailmentModel

MAX_EVIDENCE_LENGTH = 240

VerificationMode = Annotated[
    Literal["heuristic", "nli"], Field(description="By rules, or also by a model"), choice_of("heuristic", "nli")
]
ClaimText = Annotated[str, Field(min_length=1, max_length=1000, description="A statement to check"), text_of(1000)]
PerList = Annotated[int, Field(ge=1, le=50, description="How many for and how many against"), integer_between(1, 50)]


class EvidenceView(TrustMarks):
    ref: str
    uri: str | None
    text: str
    stance_reason: Reason
    overlap: float
    source_kind: SourceKind
    confidence: float
    weight: float
    valid_from: str | None
    valid_until: str | None
    date: str
    current: bool
    producer: Literal["heuristic", "nli"]
    decided_by: NotRequired[str]


class VerificationResult(HintedResult):
    claim: str
    verdict: Verdict
    corroborated_by: list[EvidenceView]
    contradicted_by: list[EvidenceView]
    considered: int
    support: float
    opposition: float
    mode_used: Literal["heuristic", "nli"]
    nli_verdict: NotRequired[Verdict]


class ClaimIsQuestion(CarabaseError):
    code = "CLAIM_IS_QUESTION"

    def __init__(self) -> None:
        super().__init__("this is a question; restate it as a statement that may be true or false", field="claim")


@surface.tool("read", example={"claim": "Brindle Foods does not supply Copperleaf"})
def carabase_verify_hypothesis(
    memory: Memory,
    claim: ClaimText,
    limit: PerList = 10,
    at_time: AtTimeText | None = None,
    mode: VerificationMode = "heuristic",
    as_of: AsOf = None,
) -> Result[VerificationResult]:
    """What supports and what opposes a claim, each piece with its reason, and a verdict.

    By rules, and where these are silent by a small bundled model; `nli` adds what a configured language model says of
    the rest and leaves the verdict as it is.
    """
    index_before_read(memory)
    with memory.read(as_of) as view:
        names = find_named_entities(view, [claim])[0]
    _check_statement(claim, names)
    with memory.read(as_of) as view:
        index = StoredPassageIndex(view, memory.cache.vectors)
        library = EvidenceSources(
            index,
            memory.names(view),
            memory.embedder,
            lambda held: _evidence_sources(view, held),
            _entailment_model(memory),
        )
        found = verify_claim(view, claim, parse_at_time(view, at_time), limit, library)
    model = _verification_model(memory) if mode == "nli" else None
    added = _model_stances(model, claim, found) if model is not None else None
    return _render_verdict(claim, limit, found, added, as_of)


def _check_statement(claim: str, names: Sequence[StatementSpan]) -> None:
    opening = split_words(claim)[:1]
    begins_name = any(each.start == 0 for each in names)
    if claim.endswith(("?", "？", "؟")) or (opening and opening[0] in QUESTION_OPENERS and not begins_name):
        raise ClaimIsQuestion


def _evidence_sources(view: View, documents: Sequence[Document]) -> list[SourceText]:
    """Documents as evidence: the body if it is stored, else the summary."""
    shown = [each for each in documents if is_visible(each, view)]
    texts = texts_of(view, shown)
    return [_evidence_source(view, each, texts.get(each.id)) for each in shown]


def _evidence_source(view: View, document: Document, body: str | None) -> SourceText:
    when = artifact_date(document, view.world.zone)
    text = body if tier_of(document, view.now) == 0 else summary_of(document)
    return SourceText(
        document.id,
        source_label(document),
        text or "",
        source_kind_of(document),
        confidence_of(document),
        when.text,
        when.last,
        trust_in(passage_marks(view, document)),
    )


def _entailment_model(memory: Memory) -> EntailmentModel | None:
    """The bundled model, which only this tool loads; none if it is switched off."""
    from recollect.text_models.pair_model import entailment_for

    return entailment_for(memory.settings)


def _verification_model(memory: Memory) -> LanguageModel | None:
    """The model configured for verification, else the general one."""
    settings = memory.settings
    name, url = settings.text("carabase.verify.model"), settings.text("llm.url")
    if name is None or url is None:
        return memory.model
    return remote_model(url, name, settings.text("llm.key"), settings.integer("llm.timeout", 60))


def _model_stances(model: LanguageModel, claim: str, found: Verification) -> list[tuple[EvidenceItem, Sign]] | None:
    try:
        return model_stances(model, claim, found.of(0))
    except ModelUnavailable:
        return None


def _render_verdict(
    claim: str, limit: int, found: Verification, added: list[tuple[EvidenceItem, Sign]] | None, as_of: AsOf
) -> Result[VerificationResult]:
    sides: dict[Sign, list[EvidenceView]] = {
        sign: [_render_evidence(item) for item in found.of(sign)[:limit]] for sign in (1, -1)
    }
    for item, sign in added or ():
        if len(sides[sign]) < limit:
            sides[sign].append(_render_evidence(item, by_model=True))
    value: dict[str, Any] = {
        "claim": claim,
        "verdict": found.verdict,
        "corroborated_by": sides[1],
        "contradicted_by": sides[-1],
        "considered": len(found.items),
        "support": found.support,
        "opposition": found.opposition,
        "mode_used": "heuristic" if added is None else "nli",
    }
    if added is not None:
        value["nli_verdict"] = _verdict_with_model(found, added)
    hint, trace = _hint_and_trace(claim, found) if found.verdict == "inconclusive" else (None, [])
    return hinted_answer(value, _render_lines(value), hint=hint, trace=trace, as_of=as_of)


def _verdict_with_model(found: Verification, added: Sequence[tuple[EvidenceItem, Sign]]) -> Verdict:
    support = found.support + NLI_WEIGHT * sum(sign > 0 for _, sign in added)
    return verdict_of(support, found.opposition + NLI_WEIGHT * sum(sign < 0 for _, sign in added))


def _render_evidence(item: EvidenceItem, *, by_model: bool = False) -> EvidenceView:
    shown: EvidenceView = {
        "ref": item.ref,
        "uri": None if item.document is None else artifact_uri(item.document),
        "text": shorten(item.text, MAX_EVIDENCE_LENGTH),
        "stance_reason": "nli" if by_model or item.reason is None else item.reason,
        "overlap": round(item.overlap, 4),
        "source_kind": item.source_kind,
        "confidence": round(item.confidence, 4),
        "weight": 0 if by_model else item.weight,
        "valid_from": item.valid_from,
        "valid_until": item.valid_until,
        "date": item.date,
        "current": item.is_current,
        "producer": "nli" if by_model or item.decided_by is not None else "heuristic",
    }
    if item.decided_by is not None:
        shown["decided_by"] = item.decided_by
    mark_trust(shown, {SOURCE_TRUST: item.trust}, item.text)
    return shown


def _render_lines(value: dict[str, Any]) -> list[str]:
    head = f"{value['verdict']}: {quote(value['claim'])} (for {value['support']:g}, against {value['opposition']:g})"
    lines = [head]
    for side, key in (("for", "corroborated_by"), ("against", "contradicted_by")):
        lines += [f"{side}: {_format_evidence(each)}" for each in value[key]]
    return lines


def _format_evidence(shown: EvidenceView) -> str:
    said = " ".join(shown["text"].split())
    doubt = "" if shown["source_kind"] == "extracted" else f" [{shown['source_kind']} {shown['confidence']:.2f}]"
    marks = "".join(f"; {each}" for each in trust_details(shown))
    return f"{said} ({shown['stance_reason']}; {shown['ref']}, {shown['date']}{marks}){doubt}"


def _hint_and_trace(claim: str, found: Verification) -> tuple[Hint, list[str]]:
    considered = len(found.items)
    choices = [
        "look for evidence with `carabase_search_semantic`",
        "restate the claim in the words of the sources and check it again",
    ]
    text = f"{considered} pieces of evidence were considered and none decides {quote(claim)}. {format_options(choices)}"
    trace = [f"verify {quote(claim)} → considered {considered}", "verdict → inconclusive"]
    return Hint("verifyInconclusive", text, (suggest_call("carabase_search_semantic", query=claim, k=10),)), trace
