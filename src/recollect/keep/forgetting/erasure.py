"""Physical erasure, for privacy: confirm, retract as for any deletion, remove from every version and the file."""

import hashlib
import hmac
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect.errors import Refused
from recollect.keep import identity_files as identity
from recollect.keep.document_versions import block_tombstones
from recollect.keep.forgetting.targets import (
    ErasureSet,
    ErasureTargets,
    erasure_set_of,
    find_by_tombstones,
    find_targets,
)
from recollect.keep.graph.extraction_queue import job_id
from recollect.keep.graph.nodes import DESCRIPTION, SOURCE_MEMORY
from recollect.keep.memories.memory_store import load_memory, remove_memory
from recollect.keep.memory_index.mentions import link_new_names
from recollect.keep.memory_index.stored_memory import is_memory
from recollect.keep.snapshot_store import file_subject, memory_subject
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.model.spelling_variants import index_keys
from recollect.search.hidden_sentences import sentences_stating
from recollect.store import erasure_queries as queries
from recollect.store.activity_queries import workspace_created_at
from recollect.store.change import Change
from recollect.store.erasure_queries import IndexedName, add_tombstones, erase_body, erase_rows
from recollect.store.fact_index import index_facts
from recollect.store.fact_vectors import embed_facts_again
from recollect.store.job_queries import drop_job
from recollect.store.replication_queries import RowChange, apply_row
from recollect.store.tables import ENTITY, NAME
from recollect.store.view import View
from recollect.text.fold import fold_case
from recollect.text.tokens import name_tokens
from recollect.when.instant import SECOND, Instant
from recollect.write.retract import delete_entity, retract_document, retract_fact
from recollect.write.tombstones import (
    document_tombstones,
    entity_tombstone,
    fact_id_tombstone,
    fact_tombstone,
    partly_erased_tombstone,
    sentence_tombstone,
)
from recollect.write.undo import ERASE


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """How much was erased, and which documents may still contain some of its words."""

    documents: int
    facts: int
    entities: int
    still_in: tuple[str, ...]
    tx: int
    is_file_clean: bool
    """Whether the files were rewritten; otherwise traces remain, in SQLite until its current readers have finished."""
    remaining_documents: tuple[DocumentId, ...] = ()
    """The documents of `still_in` by id."""


def forget(memory: Memory, ids: Sequence[str], *, rewrite_tables: bool = False) -> ErasureResult:
    """Erase everything that these ids name, with what depends on it alone."""
    return _erase(memory, lambda view: find_targets(view, ids), rewrite_tables=rewrite_tables)


def forget_by_tombstones(memory: Memory, tombstones: Collection[str]) -> ErasureResult | None:
    """Erase what another device erased; None if nothing of it is here."""
    with memory.read() as view:
        targets = find_by_tombstones(view, tombstones)
    return _erase(memory, lambda _: targets, then=_send_ends_again) if any(targets) else None


def _keep_ends(_: Change, __: ErasureSet) -> None:
    pass


def _send_ends_again(change: Change, doomed: ErasureSet) -> None:
    """Send the entities that remain here to devices that erased them because they do not know the other facts here."""
    ends = queries.ends_of(change, doomed.facts) | queries.entities_mentioned(change, doomed.documents)
    for entity in sorted(ends - doomed.entities):
        rows = [(ENTITY, (entity,)), *((NAME, (each.folded, entity, each.kind)) for each in change.names_of(entity))]
        for table, key in rows:
            version = change.open_version(table, key)
            if version is not None:
                apply_row(change, RowChange(table, key, version.content))


def _erase(
    memory: Memory,
    find: Callable[[View], ErasureTargets],
    *,
    rewrite_tables: bool = False,
    then: Callable[[Change, ErasureSet], None] = _keep_ends,
) -> ErasureResult:
    memory = memory.with_parts(actor=replace(memory.actor, tool=ERASE))
    with memory.write() as change:
        targets = find(change)
        while link_new_names(change):
            pass
        doomed = erasure_set_of(change, targets)
        add_tombstones(change, _tombstones(change, targets, doomed))
        _retract_all(change, doomed)
        then(change, doomed)
        tx = change.tx
    with memory.write() as change:
        _erase_all(change, doomed)
    while _index_facts_batch(memory):
        pass
    memory.cache.writes.clear()
    memory.cache.vectors.clear()
    is_clean = memory.engine.compact(full=rewrite_tables)
    still, remaining = tuple(sorted(doomed.still_in)), tuple(sorted(doomed.remaining_documents))
    counts = len(doomed.documents), len(doomed.facts), len(doomed.entities)
    return ErasureResult(*counts, still, tx, is_clean, remaining)


def _index_facts_batch(memory: Memory) -> bool:
    with memory.write() as change:
        return index_facts(change)


def _tombstones(view: View, targets: ErasureTargets, doomed: ErasureSet) -> list[str]:
    """Tombstones of the targets and of the days erased with a conversation; a summary may be created again."""
    found: list[str] = []
    for document in sorted(doomed.documents - doomed.rebuilt_summaries):
        hashes = queries.document_hashes(view, document)
        for kind, key in queries.document_names(view, document):
            found += document_tombstones(kind, key, hashes)
            texts = queries.document_texts(view, document) if kind == "memory" else ()
            found += [tombstone for text in texts for tombstone in block_tombstones(text)]
    found += [fact_tombstone(slot) for slot in sorted(queries.fact_slots(view, targets.facts))]
    # A device that has not heard of the erasure may just have sent a fact about an erased entity to one that has.
    with_entities = queries.facts_touching(view, targets.entities)
    found += [fact_id_tombstone(each) for each in sorted(targets.facts | with_entities)]
    for entity in sorted(targets.entities):
        found += [entity_tombstone(name.type, name.folded) for name in queries.entity_names(view, entity)]
    return [*found, *_sentence_tombstones(view, targets, doomed)]


def _sentence_tombstones(view: View, targets: ErasureTargets, doomed: ErasureSet) -> Iterator[str]:
    """Tombstones of the sentences that state what is erased in documents that stay: they are shown no more."""
    names = [name.folded for entity in targets.entities for name in queries.entity_names(view, entity)]
    values = {row.fact.id: row.object_name or row.fact.literal or "" for row in view.fact_rows(doomed.facts)}
    for document in sorted(doomed.remaining_documents):
        stated = (each for each in queries.assertions_from(view, [document]) if each.fact in doomed.facts)
        words = [*names, *(each.quote or each.evidence or values.get(each.fact, "") for each in stated)]
        texts = queries.document_texts(view, document)
        stating = [plain for text in texts for plain in sentences_stating(text, words)]
        yield from map(sentence_tombstone, stating)
        yield from [partly_erased_tombstone(document)] if stating else ()


def _retract_all(change: Change, doomed: ErasureSet) -> None:
    """Retract everything first, so that dependent facts settle as after any deletion."""
    for document in change.documents(doomed.documents).values():
        if not document.deleted:
            _retract_document(change, document)
    for fact in sorted(doomed.facts):
        retract_fact(change, fact)
    for entity in change.entities(doomed.entities).values():
        if entity.is_live:
            delete_entity(change, entity, "forgotten")


def _retract_document(change: Change, document: Document) -> None:
    if document.kind == identity.KIND:
        identity.remove_file(change, document)
    elif is_memory(document):
        remove_memory(change, load_memory(change, document))
    else:
        retract_document(change, document, "forgotten")


def _erase_all(change: Change, doomed: ErasureSet) -> None:
    documents = sorted(doomed.documents)
    texts = " ".join(fold_case(text) for each in documents for text in queries.document_texts(change, each))
    _scrub_facts(change, doomed, texts)
    keys: set[str] = set()
    for document in documents:
        for kind, key in queries.document_names(change, document):
            keys.add(key)
            _erase_references(change, kind, key)
            if kind == "artifact":
                queries.erase_commits(change, document)
        queries.erase_memory_words(change, [document])
        drop_job(change, job_id(document))
        erase_body(change, document)
    for entity in sorted(doomed.entities):
        queries.erase_node_vectors(change, entity)
    ids = doomed.documents | doomed.facts | doomed.entities | doomed.assertions | keys
    names = queries.indexed_names(change, doomed.entities)
    erase_rows(change, ids | queries.finding_ids_naming(change, ids))
    _erase_tokens(change, names)


def _erase_references(change: Change, kind: str, key: str) -> None:
    """Erase the snapshots of a memory or file, and its id where nodes name it as their source."""
    if kind not in ("memory", identity.KIND):
        return
    subject = memory_subject(key) if kind == "memory" else file_subject(*key.split("/", 1))
    queries.erase_snapshots(change, *subject)
    for version in queries.entities_with_source(change, SOURCE_MEMORY, key):
        dropped = {SOURCE_MEMORY, DESCRIPTION} if version.reason == "extracted" else {SOURCE_MEMORY}
        left = {name: value for name, value in version.properties.items() if name not in dropped}
        queries.rewrite_properties(change, version, left)


def _scrub_facts(change: Change, doomed: ErasureSet, texts: str) -> None:
    """Clear, in every version of the facts that stay, quotes of erased texts and references to erased facts."""
    same_slots = queries.facts_ever_in_slots(change, queries.fact_slots(change, doomed.facts))
    for fact in sorted(doomed.facts):
        queries.clear_references(change, fact, same_slots - doomed.facts)
    rewritten: set[FactId] = set()
    for version in queries.fact_texts(change, doomed.weakened_facts):
        words, evidence = (_unless_quoted(text, doomed, texts) for text in (version.words, version.evidence))
        if (words, evidence) != (version.words, version.evidence):
            queries.rewrite_fact_text(change, version._replace(words=words, evidence=evidence))
            rewritten.add(version.id)
    embed_facts_again(change, rewritten)


def _unless_quoted(text: str | None, doomed: ErasureSet, texts: str) -> str | None:
    return None if text is None or text in doomed.quotes or fold_case(text) in texts else text


def _erase_tokens(change: Change, names: Sequence[IndexedName]) -> None:
    """Remove the tokens of erased names from the name index where no other name has them."""
    words = {word for name in names for word in name_tokens(name.folded)}
    if words:
        queries.erase_name_words(change, words, {name.key for name in names})
        queries.erase_token_variants(change, [(key, word) for word in sorted(words) for key in index_keys(word)])


VALID_FOR = 10 * 60 * SECOND


class InvalidErasureToken(Refused):
    """A token that has expired or belongs to another target."""

    def __init__(self, why: str) -> None:
        super().__init__(f"confirm {why}; nothing was erased", field="confirm")


def issue_token(view: View, target: str, erased: ErasureSet) -> str:
    """A token that confirms the erasure of exactly these things for this target; it is stored nowhere."""
    expires = view.now + VALID_FOR
    return f"{expires:x}-{_digest(view, target, erased, expires)}"


def check_token(view: View, target: str, erased: ErasureSet, token: str) -> None:
    """Refuse a token of another target, of more or fewer things than would be erased now, or an expired one."""
    text, _, digest = token.strip().partition("-")
    try:
        expires = int(text, 16)
    except ValueError:
        raise InvalidErasureToken("is not a token of this tool") from None
    if not hmac.compare_digest(digest, _digest(view, target, erased, expires)):
        raise InvalidErasureToken("belongs to another target, or what would be erased has changed")
    if Instant(expires) < view.now:
        raise InvalidErasureToken("has expired")


def _digest(view: View, target: str, erased: ErasureSet, expires: int) -> str:
    """Not a credential: whoever may call the tool may also ask for a token."""
    things = [sorted(each) for each in (erased.documents, erased.facts, erased.entities)]
    key = f"{view.workspace.name}:{workspace_created_at(view)}".encode()
    return hmac.new(key, json.dumps([expires, target, things]).encode(), hashlib.sha256).hexdigest()[:16]
