"""An import: all parts of an archive taken over in one transaction."""

from dataclasses import dataclass

from recollect.keep.archive.entries import Archive
from recollect.keep.archive.facts_write import supersede, take_facts
from recollect.keep.archive.graph_read import read_facts, read_nodes
from recollect.keep.archive.graph_write import (
    GraphTaken,
    Importing,
    note_origins,
    take_nodes,
    withdraw_rest,
)
from recollect.keep.archive.writing import Mode, Taken, take_files, take_memories
from recollect.keep.memories.entry import KIND as MEMORY
from recollect.keep.memories.keeping import find_memory
from recollect.keep.reading.jobs import drop_extraction
from recollect.model.entity import Entity
from recollect.model.names import fold
from recollect.model.progress import Told, tell_nobody
from recollect.store.change import Change
from recollect.write.forgotten import of_entity


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of each part; none for one that was not touched."""

    files: Taken
    memories: Taken
    graph: GraphTaken | None
    nodes: tuple[Entity, ...]
    warnings: tuple[str, ...]


def take_archive(change: Change, archive: Archive, mode: Mode, tell: Told = tell_nobody) -> Imported:
    """Take over every part that the archive holds: nodes before the memories that name them, facts behind both."""
    ids = frozenset(memory.id for memory in archive.memories or ())
    is_whole = archive.memories is not None and mode == "overwrite"

    def has_memory(id_: str) -> bool:
        return id_ in ids or (not is_whole and find_memory(change, id_) is not None)

    importing = Importing(change, mode, list(archive.warnings), has_memory)
    graph = archive.graph
    nodes = [] if graph is None else read_nodes(graph, change.world, importing.warnings)
    edges = [] if graph is None else read_facts(graph, "edges", change.world, importing.warnings)
    statements = [] if graph is None else read_facts(graph, "statements", change.world, importing.warnings)
    take_nodes(importing, [each for each in nodes if not change.is_forgotten(of_entity(each.type, fold(each.label)))])
    files = Taken() if archive.files is None else take_files(change, archive.files, mode)
    memories = Taken() if archive.memories is None else take_memories(change, archive.memories, mode, tell)
    taken = take_facts(importing, edges)
    take_facts(importing, statements)
    supersede(importing, (*edges, *statements))
    removed = withdraw_rest(importing) if graph is not None and mode == "overwrite" else 0
    note_origins(importing)
    _pass_over_read(change, archive)
    made = tuple({entity.id: entity for entity in importing.nodes.values()}.values())
    told = None if graph is None else GraphTaken(len(nodes), taken, removed)
    return Imported(files, memories, told, made, tuple(importing.warnings))


def _pass_over_read(change: Change, archive: Archive) -> None:
    """A memory that the archive has assertions of was read elsewhere and need not be read again."""
    for memory in archive.memories or ():
        document = change.document_named(MEMORY, memory.id)
        if document is not None and change.assertions_from(document.id):
            drop_extraction(change, document)
