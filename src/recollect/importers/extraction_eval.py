"""Evaluation of extraction: every record into a scratch store, then scores."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from recollect.errors import Unsupported
from recollect.importers.bundle import import_bundle
from recollect.importers.extraction_scores import (
    CaseScore,
    EvaluatedFact,
    EvaluationDataset,
    FactMatching,
    ResolutionCase,
    match_facts,
    match_temporal,
)
from recollect.ingest.extract.queue import run_next_model_job
from recollect.ingest.extract.record_reader import RecordReader, make_record_reader
from recollect.memory import Memory, open_memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.resolve.resolver import resolve
from recollect.settings import Settings
from recollect.store import ingest_queries as queries
from recollect.store.entity_queries import entity_types
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View

ExtractorName = Literal["rules", "model", "all"]
_MAX_ENTITIES = 1_000_000


class NoModelConfigured(Unsupported):
    def __init__(self) -> None:
        super().__init__("no language model is set up; set llm.url, or evaluate with --extractor rules")


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything one evaluation found out."""

    dataset: str
    extractor: ExtractorName
    records: int
    matching: FactMatching
    noise: CaseScore
    resolution: CaseScore
    temporal: CaseScore
    dropped: int
    skipped: list[str]

    @property
    def f1(self) -> float:
        found: float = self.matching.facts.to_json()["f1"]
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "extractor": self.extractor,
            "records": self.records,
            "facts": self.matching.facts.to_json(),
            "per_label": {label: figures.to_json() for label, figures in self.matching.by_label.items()},
            "noise_rejection": self.noise.to_json("rejected"),
            "entity_resolution": self.resolution.to_json("correct"),
            "temporal": self.temporal.to_json("correct"),
            "dropped_ungrounded": self.dropped,
            "misses": self.matching.misses,
            "extras": self.matching.extras,
            "warnings": [*self.skipped, *self.matching.warnings],
        }


def evaluate(dataset: EvaluationDataset, settings: Settings, extractor: ExtractorName = "rules") -> EvaluationReport:
    """Take in all records in their order, in a store that is thrown away, and count."""
    with _scratch_memory(settings) as (memory, folder):
        if extractor != "rules" and memory.model is None:
            raise NoModelConfigured
        reader, skipped = _import_records(memory, folder, dataset, with_model=extractor != "rules")
        with memory.read() as view:
            extracted = list(_extracted_facts(view, extractor))
            return EvaluationReport(
                dataset.name,
                extractor,
                len(dataset.records),
                match_facts(dataset, extracted),
                _score_noise(view, dataset),
                _score_resolutions(memory, view, dataset.resolutions),
                match_temporal(dataset.temporal, extracted),
                reader.dropped,
                skipped,
            )


@contextmanager
def _scratch_memory(settings: Settings) -> Iterator[tuple[Memory, Path]]:
    """A memory of its own: nothing of the user's is opened, and names are found without an embedder."""
    apart = replace(settings, environment={**settings.environment, "RECOLLECT_EMBEDDING_MODEL": "none"}, workspace={})
    with (
        TemporaryDirectory(prefix="recollect-eval-") as folder,
        closing(open_memory(str(Path(folder) / "eval.db"), "default", apart)) as memory,
    ):
        yield memory, Path(folder)


def _import_records(
    memory: Memory, folder: Path, dataset: EvaluationDataset, *, with_model: bool
) -> tuple[RecordReader, list[str]]:
    path, reader = folder / "records.jsonl", make_record_reader(memory)
    reader.has_model = with_model
    lines = (json.dumps({"record": dict(each.record)}) for each in dataset.records)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    _, skipped = import_bundle(memory, path, reader=reader)
    while reader.has_model and (dropped := run_next_model_job(memory)) is not None:
        reader.dropped += dropped
    return reader, [f"record {each.line} was skipped: {each.reason}" for each in skipped]


def _extracted_facts(view: View, extractor: ExtractorName) -> Iterator[EvaluatedFact]:
    keys = queries.record_keys(view)
    facts = {fact.id: fact for entity in _all_entities(view) for fact in view.facts_touching(entity.id)}
    asserted = view.assertions_of(facts.keys())
    for seen in view.fact_rows(facts.keys()):
        made = [each for each in asserted[seen.fact.id] if _is_by_extractor(each.extracted_by, extractor)]
        if made and not seen.fact.is_retracted and not seen.fact.is_unasserted:
            records = frozenset(keys[each.document] for each in made if each.document in keys)
            target = fold(seen.object_name) if seen.object_name is not None else None
            yield EvaluatedFact(seen.fact, fold(seen.subject_name), target, seen.text, records)


def _is_by_extractor(extracted_by: str, extractor: ExtractorName) -> bool:
    return extractor == "all" or extracted_by.startswith("model:") is (extractor == "model")


def _all_entities(view: View) -> list[Entity]:
    return view.entities_of_types(entity_types(view), _MAX_ENTITIES)


def _score_noise(view: View, dataset: EvaluationDataset) -> CaseScore:
    found = CaseScore()
    for each in dataset.records:
        if each.is_noise:
            document = view.document_named("record", each.key)
            wrote = document is not None and (view.mentioned(document.id) or view.assertions_from(document.id))
            found.cases += 1
            found.correct += not wrote
    return found


def _score_resolutions(memory: Memory, view: View, cases: list[ResolutionCase]) -> CaseScore:
    found = CaseScore(len(cases))
    for case in cases:
        a, b = _resolve_form(memory, view, case.a), _resolve_form(memory, view, case.b)
        if a is None or b is None:
            continue
        if case.expected == "domain_inferred":
            found.correct += _are_affiliated(view, a, b)
        else:
            found.correct += (a == b) is (case.expected == "merge")
    return found


def _resolve_form(memory: Memory, view: View, form: str) -> EntityId | None:
    entity = resolve(memory.names(view), form).entity
    return entity if entity is None or isinstance(entity, str) else entity.id


def _are_affiliated(view: View, a: EntityId, b: EntityId) -> bool:
    wanted = FactFilter(view.world.present, label="AFFILIATED")
    return any(b in (seen.fact.subject, seen.fact.object) for seen in view.facts_about(a, wanted))
