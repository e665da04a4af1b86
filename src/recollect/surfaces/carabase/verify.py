"""`carabase_verify_hypothesis`: what supports and what opposes a claim."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.keep.artifacts.artifact import confidence_of, dated, source_kind_of, source_label, summary_of, tier_of
from recollect.keep.artifacts.versions import texts_of
from recollect.keep.indexing import index_before_read
from recollect.llm.choose import remote
from recollect.llm.port import Model, ModelUnavailable
from recollect.memory import Memory
from recollect.model.certainty import SourceKind
from recollect.model.document import Document
from recollect.reason.verify.evidence import Told, named_in
from recollect.reason.verify.lists import QUESTION_OPENERS
from recollect.reason.verify.nli import WEIGHT, stances
from recollect.reason.verify.reading import Stretch
from recollect.reason.verify.stance import Reason, Sign
from recollect.reason.verify.verify import Item, Library, Verdict, Verified, verdict, verify
from recollect.search.content_words import words
from recollect.store.index import StoredIndex
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import artifact_uri, is_shown
from recollect.surfaces.carabase.problems import Problem
from recollect.surfaces.carabase.shapes import AtTime, text, whole, word_of
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_at
from recollect.surfaces.carabase.trailers import Hint, Trailed, answer, call, clipped, options, quoted
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf

NAME = "carabase_verify_hypothesis"
LONGEST = 240

Mode = Annotated[
    Literal["heuristic", "nli"], Field(description="By rules, or also by a model"), word_of("heuristic", "nli")
]
ClaimText = Annotated[str, Field(min_length=1, max_length=1000, description="A statement to check"), text(1000)]
PerList = Annotated[int, Field(ge=1, le=50, description="How many for and how many against"), whole(1, 50)]


class EvidenceShown(TypedDict):
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


class HypothesisVerified(Trailed):
    claim: str
    verdict: Verdict
    corroborated_by: list[EvidenceShown]
    contradicted_by: list[EvidenceShown]
    considered: int
    support: float
    opposition: float
    mode_used: Literal["heuristic", "nli"]
    nli_verdict: NotRequired[Verdict]


class ClaimIsQuestion(Problem):
    code = "CLAIM_IS_QUESTION"

    def __init__(self) -> None:
        super().__init__("this is a question; restate it as a statement that may be true or false", field="claim")


@surface.tool("read", example={"claim": "Brindle Foods does not supply Copperleaf"})
def carabase_verify_hypothesis(
    memory: Memory,
    claim: ClaimText,
    limit: PerList = 10,
    at_time: AtTime | None = None,
    mode: Mode = "heuristic",
    as_of: AsOf = None,
) -> Result[HypothesisVerified]:
    """What supports and what opposes a claim, each piece with its reason, and a verdict.

    By rules alone; `nli` adds what a configured model says of the rest and leaves the verdict as it is.
    """
    index_before_read(memory)
    with memory.read(as_of) as view:
        names = named_in(view, [claim])[0]
    _check_statement(claim, names)
    with memory.read(as_of) as view:
        index = StoredIndex(view, memory.kept.matrices)
        library = Library(index, memory.names(view), memory.embedder, lambda held: _told(view, held))
        found = verify(view, claim, read_at(view, at_time), limit, library)
    model = _model(memory) if mode == "nli" else None
    added = _asked(model, claim, found) if model is not None else None
    return _answer(claim, limit, found, added, as_of)


def _check_statement(claim: str, names: Sequence[Stretch]) -> None:
    opening = words(claim)[:1]
    begins_name = any(each.start == 0 for each in names)
    if claim.endswith("?") or (opening and opening[0] in QUESTION_OPENERS and not begins_name):
        raise ClaimIsQuestion


def _told(view: View, documents: Sequence[Document]) -> list[Told]:
    """Documents as sources: the body where it is held, else the summary."""
    shown = [each for each in documents if is_shown(each, view)]
    texts = texts_of(view, shown)
    return [_source(view, each, texts.get(each.id)) for each in shown]


def _source(view: View, document: Document, body: str | None) -> Told:
    when = dated(document, view.world.zone)
    held = body if tier_of(document, view.now) == 0 else summary_of(document)
    return Told(
        document.id,
        source_label(document),
        held or "",
        source_kind_of(document),
        confidence_of(document),
        when.text,
        when.last,
    )


def _model(memory: Memory) -> Model | None:
    """The model set for this, at the endpoint of all others; else the one that is used everywhere."""
    settings = memory.settings
    name, url = settings.text("carabase.verify.model"), settings.text("llm.url")
    if name is None or url is None:
        return memory.model
    return remote(url, name, settings.text("llm.key"), settings.integer("llm.timeout", 60))


def _asked(model: Model, claim: str, found: Verified) -> list[tuple[Item, Sign]] | None:
    try:
        return stances(model, claim, found.of(0))
    except ModelUnavailable:
        return None


def _answer(
    claim: str, limit: int, found: Verified, added: list[tuple[Item, Sign]] | None, as_of: AsOf
) -> Result[HypothesisVerified]:
    sides: dict[Sign, list[EvidenceShown]] = {
        sign: [_shown(item) for item in found.of(sign)[:limit]] for sign in (1, -1)
    }
    for item, sign in added or ():
        if len(sides[sign]) < limit:
            sides[sign].append(_shown(item, by_model=True))
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
        value["nli_verdict"] = _with_model(found, added)
    hint, trace = _trailers(claim, found) if found.verdict == "inconclusive" else (None, [])
    return answer(value, _lines(value), hint=hint, trace=trace, as_of=as_of)


def _with_model(found: Verified, added: Sequence[tuple[Item, Sign]]) -> Verdict:
    support = found.support + WEIGHT * sum(sign > 0 for _, sign in added)
    return verdict(support, found.opposition + WEIGHT * sum(sign < 0 for _, sign in added))


def _shown(item: Item, *, by_model: bool = False) -> EvidenceShown:
    return {
        "ref": item.ref,
        "uri": None if item.document is None else artifact_uri(item.document),
        "text": clipped(item.text, LONGEST),
        "stance_reason": "nli" if by_model or item.reason is None else item.reason,
        "overlap": round(item.overlap, 4),
        "source_kind": item.source_kind,
        "confidence": round(item.confidence, 4),
        "weight": 0 if by_model else item.weight,
        "valid_from": item.valid_from,
        "valid_until": item.valid_until,
        "date": item.date,
        "current": item.is_current,
        "producer": "nli" if by_model else "heuristic",
    }


def _lines(value: dict[str, Any]) -> list[str]:
    head = f"{value['verdict']}: {quoted(value['claim'])} (for {value['support']:g}, against {value['opposition']:g})"
    lines = [head]
    for side, key in (("for", "corroborated_by"), ("against", "contradicted_by")):
        lines += [f"{side}: {_line(each)}" for each in value[key]]
    return lines


def _line(shown: EvidenceShown) -> str:
    said = " ".join(shown["text"].split())
    doubt = "" if shown["source_kind"] == "extracted" else f" [{shown['source_kind']} {shown['confidence']:.2f}]"
    return f"{said} ({shown['stance_reason']}; {shown['ref']}, {shown['date']}){doubt}"


def _trailers(claim: str, found: Verified) -> tuple[Hint, list[str]]:
    considered = len(found.items)
    choices = [
        "look for evidence with `carabase_search_semantic`",
        "restate the claim in the words of the sources and check it again",
    ]
    text = f"{considered} pieces of evidence were considered and none decides {quoted(claim)}. {options(choices)}"
    trace = [f"verify {quoted(claim)} → considered {considered}", "verdict → inconclusive"]
    return Hint("verifyInconclusive", text, (call("carabase_search_semantic", query=claim, k=10),)), trace
