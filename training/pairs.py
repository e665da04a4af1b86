"""Training examples of the encoder: passages of a world as search would cut them, queries with their evidence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from training.corpus import Doc, Unit, World

MAX_PASSAGE = 900
LABELLED_ACTS = frozenset({"attribute", "relation"})
NAMES_DROPPED = 0.9
"""How often authors' names are taken out of a query. Search does so always; a turn seldom names its speaker, so a
query with the name in it would teach that names do not matter."""


@dataclass(frozen=True, slots=True)
class Query:
    """A text and the passages that answer it, by their place in the pool."""

    text: str
    gold: tuple[int, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Pool:
    """The passages of one world and the queries about them."""

    passages: tuple[str, ...]
    queries: tuple[Query, ...]


def build_pool(world: World, random: Random, *, vary: bool = True) -> Pool:
    """One draw of a world; without `vary` each turn or item is a passage and only questions are asked."""
    passages: list[str] = []
    places: dict[str, int] = {}
    for doc in world.docs:
        for text, units in _cut(doc, random, vary=vary):
            places |= dict.fromkeys(units, len(passages))
            passages.append(text)
    drawn = _varied_queries(world, random) if vary else _plain_questions(world)
    queries = [Query(text, _places(evidence, places), kind) for text, evidence, kind in drawn]
    return Pool(tuple(passages), tuple(queries))


def _places(evidence: Sequence[str], places: dict[str, int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(places[each] for each in evidence))


def _cut(doc: Doc, random: Random, *, vary: bool) -> Iterator[tuple[str, list[str]]]:
    """The passages of a document, each with the ids of the units in it."""
    title = doc.title if doc.kind in {"mail", "note", "meeting"} else None
    if not vary:
        yield from (("\n".join(filter(None, (title, unit.text))), [unit.id]) for unit in doc.units)
        return
    speakers = _speaker_style(doc, random)
    size = random.choice((1, 1, 1, 2, 3)) if doc.kind in {"mail", "note", "meeting"} else random.choice((1, 1, 1, 1, 2))
    shown = title if random.random() < 0.7 else None
    for start in range(0, len(doc.units), size):
        units = doc.units[start : start + size]
        body = "\n".join(_shown(unit, speakers) for unit in units)
        yield "\n".join(filter(None, (shown, body)))[:MAX_PASSAGE], [unit.id for unit in units]


def _speaker_style(doc: Doc, random: Random) -> str:
    if doc.kind == "assistant":
        return random.choice(("none", "role", "role", "name"))
    return random.choice(("none", "none", "none", "name"))


def _shown(unit: Unit, style: str) -> str:
    if unit.speaker is None or style == "none":
        return unit.text
    role = "assistant" if unit.speaker == "Assistant" else "user"
    return f"{role if style == 'role' else unit.speaker}: {unit.text}"


Drawn = tuple[str, tuple[str, ...], str]


def _questions(world: World) -> Iterator[Drawn]:
    return ((each.text, each.evidence, each.kind) for each in world.questions)


def _plain_questions(world: World) -> Iterator[Drawn]:
    authors = author_names(world)
    return ((without_names(text, authors), evidence, kind) for text, evidence, kind in _questions(world))


def _varied_queries(world: World, random: Random) -> Iterator[Drawn]:
    """Questions, statements, true claims and stored properties, mostly without the names of authors."""
    authors = author_names(world)
    for text, evidence, kind in _every_query(world):
        short = without_names(text, authors) if random.random() < NAMES_DROPPED else text
        yield short.lower() if random.random() < 0.1 else short, evidence, kind


def _every_query(world: World) -> Iterator[Drawn]:
    yield from _questions(world)
    yield from ((each.text, each.evidence, "statement") for each in world.statements)
    yield from ((each.text, each.evidence, "claim") for each in world.claims if each.verdict == "supports")
    for unit in world.units.values():
        for sentence in unit.sentences:
            if sentence.label and sentence.label.act in LABELLED_ACTS and {"s", "p"} <= sentence.label.slots.keys():
                yield f"{sentence.label.slots['s']} {sentence.label.slots['p']}", (unit.id,), "property"


def author_names(world: World) -> list[str]:
    """Everybody who speaks or writes, by full and by first name, the longest first."""
    units = {unit.speaker for unit in world.units.values() if unit.speaker}
    names = units | {doc.author for doc in world.docs if doc.author}
    return sorted({*names, *(name.split()[0] for name in names)}, key=lambda name: (-len(name), name))


def without_names(text: str, names: Sequence[str]) -> str:
    """The text without these names; as it is if little would be left."""
    left = text
    for name in names:
        left = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s?)?(?!\w)", " ", left)
    left = re.sub(r"\s+", " ", left).strip()
    return left if len(re.findall(r"\w+", left)) > 2 else text
