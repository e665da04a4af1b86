"""Running an evaluation: every record into a store of its own, then the counting."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from recollect.errors import Unsupported
from recollect.ingest.bundle import ingest_bundle
from recollect.ingest.evaluation.dataset import Dataset, ResolutionCase
from recollect.ingest.evaluation.score import Cases, Extracted, Matching, match_facts, match_temporal
from recollect.ingest.extract.alone import Reader, reader_for
from recollect.ingest.extract.queue import model_next
from recollect.memory import Memory, open_memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.resolve.cascade import resolve
from recollect.settings import Settings
from recollect.store.seen import Wanted
from recollect.store.view import View

Extractor = Literal["rules", "model", "all"]
EXTRACTORS: tuple[Extractor, ...] = ("rules", "model", "all")
_MOST = 1_000_000


class NoModel(Unsupported):
    def __init__(self) -> None:
        super().__init__("no language model is set up; set llm.url, or evaluate with --extractor rules")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one evaluation found out."""

    dataset: str
    extractor: Extractor
    records: int
    matching: Matching
    noise: Cases
    resolution: Cases
    temporal: Cases
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


def evaluate(dataset: Dataset, settings: Settings, extractor: Extractor = "rules") -> Report:
    """Take in all records in their order, in a store that is thrown away, and count."""
    with _scratch(settings) as (memory, folder):
        if extractor != "rules" and memory.model is None:
            raise NoModel
        reader, skipped = _take(memory, folder, dataset, with_model=extractor != "rules")
        with memory.read() as view:
            extracted = list(_extracted(view, extractor))
            return Report(
                dataset.name,
                extractor,
                len(dataset.records),
                match_facts(dataset, extracted),
                _noise(view, dataset),
                _resolutions(memory, view, dataset.resolutions),
                match_temporal(dataset.temporal, extracted),
                reader.dropped,
                skipped,
            )


@contextmanager
def _scratch(settings: Settings) -> Iterator[tuple[Memory, Path]]:
    """A memory of its own: nothing of the user's is opened, and names are found without an embedder."""
    apart = replace(settings, environment={**settings.environment, "RECOLLECT_EMBEDDING_MODEL": "none"}, workspace={})
    with TemporaryDirectory(prefix="recollect-eval-") as folder:
        memory = open_memory(str(Path(folder) / "eval.db"), "default", apart)
        try:
            yield memory, Path(folder)
        finally:
            memory.close()


def _take(memory: Memory, folder: Path, dataset: Dataset, *, with_model: bool) -> tuple[Reader, list[str]]:
    path, reader = folder / "records.jsonl", reader_for(memory)
    reader.has_model = with_model
    lines = (json.dumps({"record": dict(each.record)}) for each in dataset.records)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    _, skipped = ingest_bundle(memory, path, reader=reader)
    while reader.has_model and (dropped := model_next(memory)) is not None:
        reader.dropped += dropped
    return reader, [f"record {each.line} was skipped: {each.reason}" for each in skipped]


def _extracted(view: View, extractor: Extractor) -> Iterator[Extracted]:
    keys: dict[str, str] = dict(view.rows("records_all"))
    facts = {fact.id: fact for entity in _entities(view) for fact in view.facts_touching(entity.id)}
    asserted = view.assertions_of(facts.keys())
    for seen in view.seen(facts.keys()):
        made = [each for each in asserted[seen.fact.id] if _counts(each.extracted_by, extractor)]
        if made and not seen.fact.is_retracted:
            records = frozenset(keys[each.document] for each in made if each.document in keys)
            target = fold(seen.object_name) if seen.object_name is not None else None
            yield Extracted(seen.fact, fold(seen.subject_name), target, seen.text, records)


def _counts(extracted_by: str, extractor: Extractor) -> bool:
    return extractor == "all" or extracted_by.startswith("model:") is (extractor == "model")


def _entities(view: View) -> list[Entity]:
    types = [row[0] for row in view.rows("types_all")]
    return view.entities_of_types(types, _MOST)


def _noise(view: View, dataset: Dataset) -> Cases:
    found = Cases()
    for each in dataset.records:
        if each.is_noise:
            document = view.document_named("record", each.key)
            wrote = document is not None and (view.mentioned(document.id) or view.assertions_from(document.id))
            found.cases += 1
            found.right += not wrote
    return found


def _resolutions(memory: Memory, view: View, cases: list[ResolutionCase]) -> Cases:
    found = Cases(len(cases))
    for case in cases:
        a, b = _reached(memory, view, case.a), _reached(memory, view, case.b)
        if a is None or b is None:
            continue
        if case.expected == "domain_inferred":
            found.right += _are_joined(view, a, b)
        else:
            found.right += (a == b) is (case.expected == "merge")
    return found


def _reached(memory: Memory, view: View, form: str) -> EntityId | None:
    entity = resolve(memory.names(view), form).entity
    return entity if entity is None or isinstance(entity, str) else entity.id


def _are_joined(view: View, a: EntityId, b: EntityId) -> bool:
    wanted = Wanted(view.world.now.span, label="AFFILIATED")
    return any(b in (seen.fact.subject, seen.fact.object) for seen in view.facts_about(a, wanted))
