"""The forms in which `recollect export` writes a workspace for other programs, and where it writes them."""

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

from recollect.atomic_file import atomic_write, sync_folder
from recollect.exporters.family_tree import gedcom_lines
from recollect.exporters.graph import ExportedEntity, ExportedFact, ExportedFile, ExportedGraph, ExportRefused
from recollect.exporters.vault import vault_files
from recollect.ingest.memory_items import drop_empty_fields

_NODE_KEYS = ("name", "type", "aliases", "known_since", "properties")
_EDGE_KEYS = ("predicate", "text", "valid_from", "valid_until", "confidence", "source", "known_since")
# XML 1.0 has no form for these.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
VOCABULARY = "urn:recollect:vocabulary#"
"""What predicates and types are relative to in JSON-LD; predicates are free, so no public vocabulary has them."""


def graphml_lines(graph: ExportedGraph) -> Iterator[str]:
    """Entities as nodes and facts as edges; a value is a node of the type `value`."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield from _graphml_keys("node", (*_NODE_KEYS, "value"))
    yield from _graphml_keys("edge", _EDGE_KEYS)
    yield '<graph edgedefault="directed">\n'
    for entity in graph.entities.values():
        yield _graphml_item("node", f"id={_attribute(entity.id)}", _entity_row(entity))
    for fact in graph.facts:
        target = fact.object or f"value_{fact.id}"
        if fact.object is None:
            yield _graphml_item("node", f"id={_attribute(target)}", {"type": "value", "value": fact.value or ""})
        ends = f"id={_attribute(fact.id)} source={_attribute(fact.subject)} target={_attribute(target)}"
        yield _graphml_item("edge", ends, {key: getattr(fact, key) for key in _EDGE_KEYS})
    yield "</graph>\n</graphml>\n"


def _graphml_keys(kind: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        type_ = "double" if name == "confidence" else "string"
        yield f'<key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>\n'


def _graphml_item(kind: str, attributes: str, values: Mapping[str, Any]) -> str:
    data = "".join(
        f'<data key="{kind}_{key}">{escape(_NOT_XML.sub("", str(value)))}</data>'
        for key, value in values.items()
        if value not in (None, "")
    )
    return f"<{kind} {attributes}>{data}</{kind}>\n"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("", text))


def _entity_row(entity: ExportedEntity) -> dict[str, str]:
    """An entity as a row of texts; several aliases are separated by bars."""
    properties = json.dumps(dict(entity.properties), ensure_ascii=False, sort_keys=True) if entity.properties else ""
    values = (entity.name, entity.type, "|".join(entity.aliases), entity.known_since, properties)
    return dict(zip(_NODE_KEYS, values, strict=True))


def json_ld_lines(graph: ExportedGraph) -> Iterator[str]:
    """One JSON-LD document: entities, and facts as RDF statements, whose times and sources are their own."""
    yield f'{{"@context":{json.dumps(_CONTEXT)},\n"@graph":[\n'
    separator = ""
    for item in _json_ld_items(graph):
        yield separator + json.dumps(item, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"


_CONTEXT: dict[str, Any] = {
    "@vocab": VOCABULARY,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "name": "http://schema.org/name",
    "alternateName": "http://schema.org/alternateName",
    "subject": {"@id": "rdf:subject", "@type": "@id"},
    "predicate": {"@id": "rdf:predicate", "@type": "@vocab"},
    "object": {"@id": "rdf:object", "@type": "@id"},
    "value": "rdf:value",
    "text": "http://www.w3.org/2000/01/rdf-schema#comment",
    "properties": {"@id": "properties", "@type": "@json"},
}


def _json_ld_items(graph: ExportedGraph) -> Iterator[dict[str, Any]]:
    for entity in graph.entities.values():
        yield drop_empty_fields(
            {
                "@id": _urn(entity.id),
                "@type": entity.type,
                "name": entity.name,
                "alternateName": list(entity.aliases),
                "properties": dict(entity.properties),
                "known_since": entity.known_since,
            }
        )
    for fact in graph.facts:
        yield _json_ld_fact(fact)


def _json_ld_fact(fact: ExportedFact) -> dict[str, Any]:
    return drop_empty_fields(
        {
            "@id": _urn(fact.id),
            "@type": "rdf:Statement",
            "subject": _urn(fact.subject),
            "object": _urn(fact.object) if fact.object is not None else None,
            **{key: getattr(fact, key) for key in ("value", *_EDGE_KEYS)},
        }
    )


def _urn(id_: str) -> str:
    return f"urn:recollect:{id_}"


def csv_files(graph: ExportedGraph) -> Iterator[ExportedFile]:
    """Two tables: entities.csv and facts.csv, which names entities by id and by name."""
    entities = ({"id": each.id, **_entity_row(each)} for each in graph.entities.values())
    yield ExportedFile("entities.csv", _table(("id", *_NODE_KEYS), entities))
    yield ExportedFile("facts.csv", _table(_FACT_COLUMNS, map(_fact_row, graph.facts, _names(graph))))


_FACT_COLUMNS = ("id", "subject_id", "subject", "predicate", "object_id", "object", "value", *_EDGE_KEYS[1:])


def _names(graph: ExportedGraph) -> Iterator[tuple[str, str]]:
    for fact in graph.facts:
        yield graph.entities[fact.subject].name, graph.entities[fact.object].name if fact.object else ""


def _fact_row(fact: ExportedFact, names: tuple[str, str]) -> dict[str, Any]:
    subject, object_ = names
    ends = {"subject_id": fact.subject, "subject": subject, "object_id": fact.object, "object": object_}
    return {"id": fact.id, **ends, **{key: getattr(fact, key) for key in ("value", *_EDGE_KEYS)}}


def _table(columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> str:
    text = StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One form: it is written as lines of one file, or as several files in a folder or a ZIP."""

    description: str
    lines: Callable[[ExportedGraph], Iterator[str]] | None = None
    files: Callable[[ExportedGraph], Iterator[ExportedFile]] | None = None


EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    "graphml": ExportFormat("nodes and edges for graph programs", lines=graphml_lines),
    "json-ld": ExportFormat("entities and RDF statements as linked data", lines=json_ld_lines),
    "csv": ExportFormat("entities.csv and facts.csv, in a folder or a .zip", files=csv_files),
    "vault": ExportFormat("a Markdown page per entity, in a folder or a .zip", files=vault_files),
    "gedcom": ExportFormat("people and families, GEDCOM 5.5.1", lines=partial(gedcom_lines, version="5.5.1")),
    "gedcom7": ExportFormat("people and families, GEDCOM 7.0", lines=partial(gedcom_lines, version="7.0")),
}


def write_files(target: Path, files: Iterable[ExportedFile]) -> None:
    """Write the files of an export into a new ZIP or a new or empty folder that only its owner may read."""
    if str(target) == "-":
        raise ExportRefused("this format writes several files; name a folder or a .zip to write them to", field="file")
    if target.suffix.lower() == ".zip":
        _write_zip(target, files)
        return
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ExportRefused(f"{target} is not an empty folder; name a new folder or a .zip", field="file")
    _write_folder(target, files)


def _write_folder(target: Path, files: Iterable[ExportedFile]) -> None:
    """Write beside the target first, so that a failure leaves no half of a folder."""
    above = target.absolute().parent
    above.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{target.name}.", dir=above))
    try:
        for each in files:
            path = part / each.path
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text(each.text, encoding="utf-8", newline="")
        if hasattr(os, "sync"):
            # Once for all: a vault may have more pages than a disk has time for one by one.
            os.sync()
        if target.exists():
            target.rmdir()
        part.rename(target)
    except BaseException:
        rmtree(part, ignore_errors=True)
        raise
    sync_folder(above)


def _write_zip(target: Path, files: Iterable[ExportedFile]) -> None:
    with atomic_write(target) as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(each.path, each.text)
