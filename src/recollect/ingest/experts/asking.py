"""Asking an expert about a record: is it worth reading, and what does it say."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Literal

from recollect.ingest.experts.loading import Expert, ExpertFailed
from recollect.ingest.problems import BadLine
from recollect.model.document import Document
from recollect.when.instant import say_instant

Relevancy = Literal["relevant", "noise", "uncertain"]
RELEVANCIES: tuple[Relevancy, ...] = ("relevant", "noise", "uncertain")


def check_schema(expert: Expert, type_: str, metadata: Mapping[str, Any]) -> None:
    """Refuse a record whose metadata breaks the schema of its type."""
    schema = expert.manifest.schemas.get(type_)
    if schema is None:
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    worst = best_match(Draft202012Validator(schema).iter_errors(dict(metadata)))
    if worst is not None:
        place = ".".join(["record.metadata", *(str(part) for part in worst.absolute_path)])
        raise BadLine(place, f"breaks the schema of {type_} ({worst.validator}), says expert {expert.manifest.name}")


def relevancy(expert: Expert, record: dict[str, Any]) -> Relevancy:
    """What the expert thinks of a record before reading it; without being asked, that it is relevant."""
    if not expert.manifest.asks_first:
        return "relevant"
    try:
        answer = expert.code.classify(deepcopy(record))  # type: ignore[attr-defined]  # loading saw to it
    except Exception as problem:
        raise ExpertFailed(expert.manifest.name, problem) from problem
    if answer not in RELEVANCIES:
        raise ExpertFailed(expert.manifest.name, ValueError(answer))
    found: Relevancy = answer
    return found


def extracted(expert: Expert, record: dict[str, Any], context: dict[str, Any]) -> Mapping[str, Any]:
    """What the expert finds in a record, in bundle form."""
    try:
        answer = expert.code.extract(deepcopy(record), deepcopy(context))
        found = {"entities": list(answer.get("entities") or ()), "facts": list(answer.get("facts") or ())}
    except Exception as problem:
        raise ExpertFailed(expert.manifest.name, problem) from problem
    return found


def record_of(document: Document, text: str | None) -> dict[str, Any]:
    """A record as an expert sees it."""
    return {
        "id": document.key,
        "type": document.type,
        "title": document.title,
        "source_at": say_instant(document.source_at),
        "url": document.url,
        "content": text,
        "metadata": deepcopy(dict(document.properties)),
    }
