"""Erasure for privacy: withdrawn like any deletion, then removed from every version and from the file."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.keep import identity_files as identity
from recollect.keep.documents import block_tombstones
from recollect.keep.forgetting.targets import ErasureSet, ErasureTargets, erasure_set_of, find_targets
from recollect.keep.graph.extraction import normalize_quote
from recollect.keep.graph.extraction_queue import job_id
from recollect.keep.graph.nodes import DESCRIPTION, SOURCE_MEMORY
from recollect.keep.memories.memory_store import is_memory, load_memory, remove_memory
from recollect.keep.memory_index.mentions import link_new_names
from recollect.keep.snapshot_store import file_subject, memory_subject
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.names import tokens
from recollect.model.spelling_variants import index_keys
from recollect.store.change import Change
from recollect.store.erasure import add_tombstones, erase_body, erase_rows
from recollect.store.fact_index import index_facts
from recollect.store.view import View
from recollect.write.retract import delete_entity, retract_document, retract_fact
from recollect.write.tombstones import document_tombstones, entity_tombstone, fact_tombstone


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """How much was erased, and where words of it may still stand."""

    documents: int
    facts: int
    entities: int
    still_in: tuple[str, ...]
    tx: int
    is_file_clean: bool
    """Whether the file holds no trace already; else it does once those who read it now have ended."""


def forget(memory: Memory, ids: Sequence[str]) -> ErasureResult:
    """Erase everything that these ids name, with what rested on it alone."""
    with memory.write() as change:
        things = find_targets(change, ids)
        while link_new_names(change):
            pass
        doomed = erasure_set_of(change, things)
        add_tombstones(change, _tombstones(change, things, doomed))
        _withdraw_all(change, doomed)
        tx = change.tx
    with memory.write() as change:
        _erase_all(change, doomed)
    while _index_facts_again(memory):
        pass
    memory.write_cache.clear()
    memory.cache.vectors.clear()
    is_clean = memory.engine.compact()
    still = tuple(sorted(doomed.still_in))
    return ErasureResult(len(doomed.documents), len(doomed.facts), len(doomed.entities), still, tx, is_clean)


def _index_facts_again(memory: Memory) -> bool:
    with memory.write() as change:
        return index_facts(change)


def _tombstones(view: View, things: ErasureTargets, doomed: ErasureSet) -> list[str]:
    """Of what was named, and of the days that go with a conversation; a summary may be made anew."""
    found: list[str] = []
    for id_ in sorted(doomed.documents - doomed.rebuilt_summaries):
        texts = view.rows("document_texts_ever", document=id_)
        for kind, key in view.rows("document_ever", id=id_):
            found += document_tombstones(kind, key, [digest for digest, _ in texts])
            found += [each for _, text in texts if text and kind == "memory" for each in block_tombstones(text)]
    slots = view.rows("fact_slots_ever", ids=sorted(things.facts)) if things.facts else []
    found += [fact_tombstone(int(slot)) for (slot,) in slots]
    for entity in sorted(things.entities):
        found += [entity_tombstone(type_, folded) for type_, folded, _ in view.rows("entity_ever", id=entity)]
    return found


def _withdraw_all(change: Change, doomed: ErasureSet) -> None:
    """Withdraw and end everything, so that all that rests on it is settled as after any deletion."""
    for document in change.documents(doomed.documents).values():
        if not document.deleted:
            _withdraw_document(change, document)
    for fact in sorted(doomed.facts):
        retract_fact(change, fact)
    for entity in change.entities(doomed.entities).values():
        if entity.is_live:
            delete_entity(change, entity, "forgotten")


def _withdraw_document(change: Change, document: Document) -> None:
    if document.kind == identity.KIND:
        identity.remove_file(change, document)
    elif is_memory(document):
        remove_memory(change, load_memory(change, document))
    else:
        retract_document(change, document, "forgotten")


def _erase_all(change: Change, doomed: ErasureSet) -> None:
    texts = " ".join(normalize_quote(text) for id_ in sorted(doomed.documents) for text in _texts_ever(change, id_))
    _scrub_facts(change, doomed, texts)
    keys: set[str] = set()
    for id_ in sorted(doomed.documents):
        for kind, key in change.rows("document_ever", id=id_):
            keys.add(key)
            _erase_references(change, kind, key)
            if kind == "artifact":
                change.connection.run("commits_erase", {"ws": change.ws, "pattern": f'%"{id_}"%'})
        change.connection.run("memory_words_erase", {"ws": change.ws, "ids": [id_]})
        change.connection.run("job_drop", {"ws": change.ws, "id": job_id(id_)})
        erase_body(change, id_)
    for entity in sorted(doomed.entities):
        vectors = {"ws": change.ws, "low": f"{entity}:", "high": f"{entity};"}
        change.connection.run("node_vectors_erase", vectors)
    ids = doomed.documents | doomed.facts | doomed.entities | doomed.assertions | keys
    findings = change.rows("findings_naming", ids=sorted(ids))
    names = change.rows("names_ever_of", ids=sorted(doomed.entities)) if doomed.entities else []
    erase_rows(change, ids | {row[0] for row in findings})
    _erase_tokens(change, [(str(folded), str(key)) for folded, key in names])


def _texts_ever(view: View, document: DocumentId) -> list[str]:
    return [text for _, text in view.rows("document_texts_ever", document=document) if text]


def _erase_references(change: Change, kind: str, key: str) -> None:
    """The snapshots of a thing, and where nodes say that they come from it."""
    if kind not in ("memory", identity.KIND):
        return
    subject = memory_subject(key) if kind == "memory" else file_subject(*key.split("/", 1))
    change.connection.run("snapshots_erase", {"ws": change.ws, **subject._asdict()})
    pattern = f'%"{SOURCE_MEMORY}": {json.dumps(key)}%'
    for id_, tx_from, reason, held in change.rows("entities_learned_from", pattern=pattern):
        told = {SOURCE_MEMORY, DESCRIPTION} if reason == "extracted" else {SOURCE_MEMORY}
        left = {name: value for name, value in json.loads(held).items() if name not in told}
        row = {"ws": change.ws, "id": id_, "tx_from": tx_from, "properties": json.dumps(left, ensure_ascii=False)}
        change.connection.run("entity_scrub", row)


def _scrub_facts(change: Change, doomed: ErasureSet, texts: str) -> None:
    """Facts that stay do not quote what goes, nor name facts that go, in any version."""
    slots = {row[0] for row in change.rows("fact_slots_ever", ids=sorted(doomed.facts))} if doomed.facts else set()
    beside = {row[0] for row in change.rows("facts_in_slots_ever", slots=sorted(slots))} if slots else set()
    for fact in sorted(doomed.facts):
        change.connection.run("fact_unname", {"ws": change.ws, "id": fact, "ids": sorted(beside - doomed.facts)})
    weakened = sorted(doomed.weakened_facts)
    for id_, tx_from, words, evidence in change.rows("fact_words_ever", ids=weakened) if weakened else ():
        row = {"words": _unless_quoted(words, doomed, texts), "evidence": _unless_quoted(evidence, doomed, texts)}
        if (row["words"], row["evidence"]) != (words, evidence):
            change.connection.run("fact_scrub", {"ws": change.ws, "id": id_, "tx_from": tx_from, **row})


def _unless_quoted(text: str | None, doomed: ErasureSet, texts: str) -> str | None:
    return None if text is None or text in doomed.quotes or normalize_quote(text) in texts else text


def _erase_tokens(change: Change, names: Sequence[tuple[str, str]]) -> None:
    """The words of names that nobody has any more."""
    words = sorted({word for folded, _ in names for word in tokens(folded)})
    keys = sorted({key for _, key in names})
    if not words:
        return
    change.connection.run("name_words_erase", {"ws": change.ws, "tokens": words, "keys": keys})
    rows = [{"ws": change.ws, "variant": each, "token": word} for word in words for each in index_keys(word)]
    change.connection.run_many("token_variant_erase", rows)
