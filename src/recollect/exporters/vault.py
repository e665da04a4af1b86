"""The graph as a vault: a Markdown page per entity, with front matter, observations and linked relations.

The lines are those of basic-memory, so its reader takes a vault back in with the same entities and relations.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from yaml import safe_dump

from recollect.exporters.graph import ExportedEntity, ExportedFact, ExportedFile, ExportedGraph
from recollect.ingest.observation_notes import NO_VALUE, OBSERVATION, PAGE_KEYS
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.model.similarity import to_snake_case

_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f]+')
_LONGEST_NAME = 120


def vault_files(graph: ExportedGraph) -> Iterator[ExportedFile]:
    """A page per entity in a folder of its type, and the folder that makes it a vault of Obsidian."""
    yield ExportedFile(".obsidian/app.json", "{}\n")
    titles = _titles(graph)
    paths = _paths(graph, titles)
    for id_, facts in graph.facts_by_subject().items():
        yield ExportedFile(f"{paths[id_]}.md", _page(graph.entities[id_], paths[id_], facts, titles))


def _titles(graph: ExportedGraph) -> dict[EntityId, str]:
    """The name of each entity in links; equal names get a number."""
    titles: dict[EntityId, str] = {}
    taken: set[str] = set()
    for entity in graph.entities.values():
        plain = " ".join(re.sub(r"[\[\]|#^]", " ", entity.name).split()) or entity.id
        title, number = plain, 1
        while fold(title) in taken:
            number += 1
            title = f"{plain} ({number})"
        if number > 1:
            graph.left_out["entities numbered, since they share a name"] += 1
        taken.add(fold(title))
        titles[entity.id] = title
    return titles


def _paths(graph: ExportedGraph, titles: dict[EntityId, str]) -> dict[EntityId, str]:
    """Where each page lies, without its suffix; names that a file system takes for one get a number."""
    paths: dict[EntityId, str] = {}
    taken: set[str] = set()
    for id_, title in titles.items():
        folder = to_snake_case(graph.entities[id_].type) or "unknown"
        plain = _NOT_IN_NAMES.sub(" ", title).strip(" .")[:_LONGEST_NAME].strip() or str(id_)
        name, number = plain, 1
        while f"{folder}/{name}".lower() in taken:
            number += 1
            name = f"{plain} {number}"
        taken.add(f"{folder}/{name}".lower())
        paths[id_] = f"{folder}/{name}"
    return paths


def _page(entity: ExportedEntity, path: str, facts: Sequence[ExportedFact], titles: dict[EntityId, str]) -> str:
    title = titles[entity.id]
    parts = [f"---\n{_front_matter(entity, title, path)}---\n\n# {title}\n"]
    observations = [_observation(each) for each in facts if each.object is None]
    relations = [_relation(each, titles[each.object]) for each in facts if each.object is not None]
    for heading, lines in (("Observations", observations), ("Relations", relations)):
        if lines:
            parts.append(f"## {heading}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _front_matter(entity: ExportedEntity, title: str, path: str) -> str:
    front: dict[str, Any] = {"title": title, "type": entity.type, "permalink": path.lower().replace(" ", "-")}
    aliases = [*([entity.name] if entity.name != title else []), *entity.aliases]
    front |= {"aliases": aliases} if aliases else {}
    front["created"] = entity.known_since
    front |= {key: value for key, value in entity.properties.items() if key not in PAGE_KEYS}
    return str(safe_dump(front, allow_unicode=True, sort_keys=False))


def _observation(fact: ExportedFact) -> str:
    category = fact.attributes.get("category") if fact.predicate == OBSERVATION else None
    return f"- [{category or fact.predicate}] {fact.words or NO_VALUE}{_context(fact)}"


def _relation(fact: ExportedFact, target: str) -> str:
    return f"- {fact.predicate} [[{target}]]{_context(fact)}"


def _context(fact: ExportedFact) -> str:
    """When a fact holds, or else the context it came with, in the parentheses at the end of its line."""
    bounds = (("from", fact.valid_from), ("until", fact.valid_until))
    said = " ".join(f"{word} {time}" for word, time in bounds if time)
    said = said or str(fact.attributes.get("context") or "")
    # What stands in parentheses at the end would be taken for the time.
    return f" ({said})" if said or fact.words.endswith(")") else ""
