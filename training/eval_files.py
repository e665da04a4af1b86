"""Worlds of the corpus as files for `recollect eval retrieval`.

    python -m training.eval_files {turns|spoken|mixed|sessions} [--pool N] [--all] [--folder FOLDER] > worlds.jsonl

`turns`: every unit is a document with its author, as chats are taken in. `spoken`: the
same without mails and notes. `mixed`: chats by turn, mails and notes
whole. `sessions`: every document whole. `--pool` puts so many worlds into one group, which asks more of the search.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from training.corpus import WORLDS, Doc, Unit, World, load_worlds

Line = dict[str, dict[str, object]]
SPOKEN = frozenset({"chat", "assistant", "meeting"})
WHOLE = {
    "turns": frozenset[str](),
    "spoken": frozenset[str](),
    "mixed": frozenset({"mail", "note"}),
    "sessions": SPOKEN | {"mail", "note"},
}
ASKED_AFTER = timedelta(days=30)


def lines(worlds: Sequence[World], layout: str, pool: int = 1, *, all_queries: bool = False) -> Iterator[Line]:
    """The documents and questions of all worlds, in groups of so many worlds."""
    for at, world in enumerate(_spoken(world) for world in worlds) if layout == "spoken" else enumerate(worlds):
        group = f"{layout}-{at // pool}"
        sources = {unit.id: _doc_id(world, doc, unit, layout) for doc in world.docs for unit in doc.units}
        for doc in sorted(world.docs, key=lambda doc: (doc.day, doc.id)):
            yield from ({"doc": {**fields, "group": group}} for fields in _docs(world, doc, layout))
        last = max(unit.day for unit in world.units.values())
        asked = (date.fromisoformat(last) + ASKED_AFTER).isoformat()
        for number, (kind, text, evidence) in enumerate(_asked(world, all_queries=all_queries)):
            gold = list(dict.fromkeys(sources[each] for each in evidence))
            fields = {"id": f"{world.name}/q{number}", "text": text, "gold": gold, "category": kind}
            yield {"query": {**fields, "group": group, "at": asked}}


def _spoken(world: World) -> World:
    """The conversations of a world and what is asked about them alone."""
    docs = tuple(doc for doc in world.docs if doc.kind in SPOKEN)
    known = {unit.id for doc in docs for unit in doc.units}
    return replace(
        world,
        docs=docs,
        questions=tuple(each for each in world.questions if known.issuperset(each.evidence)),
        statements=tuple(each for each in world.statements if known.issuperset(each.evidence)),
        claims=tuple(each for each in world.claims if known.issuperset(each.evidence)),
    )


def _doc_id(world: World, doc: Doc, unit: Unit, layout: str) -> str:
    return f"{world.name}/{doc.id if doc.kind in WHOLE[layout] else unit.id}"


def _asked(world: World, *, all_queries: bool) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    yield from ((each.kind, each.text, each.evidence) for each in world.questions)
    if all_queries:
        yield from (("statement", each.text, each.evidence) for each in world.statements)
        yield from (("claim", each.text, each.evidence) for each in world.claims if each.verdict == "supports")


def _docs(world: World, doc: Doc, layout: str) -> Iterator[dict[str, object]]:
    author = {"author": doc.author} if doc.author else {}
    title = {"title": doc.title} if doc.title and doc.kind in {"mail", "note", "meeting"} else {}
    if doc.kind in WHOLE[layout]:
        text = "\n\n".join(f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text for unit in doc.units)
        yield {"id": f"{world.name}/{doc.id}", "text": text, "source_at": _instant(doc.units[0]), **author, **title}
        return
    for unit in doc.units:
        said_by = {"author": unit.speaker} if unit.speaker else author
        shown = {} if doc.kind in SPOKEN else title
        yield {"id": f"{world.name}/{unit.id}", "text": unit.text, "source_at": _instant(unit), **said_by, **shown}


def _instant(unit: Unit) -> str:
    return f"{unit.day}T{unit.time or '12:00'}:00Z"


def main() -> None:
    parser = argparse.ArgumentParser(description="Worlds of the corpus as files for `recollect eval retrieval`")
    parser.add_argument("layout", choices=sorted(WHOLE))
    parser.add_argument("--pool", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=WORLDS)
    parser.add_argument("--all", action="store_true", help="statements and true claims as well as questions")
    asked = parser.parse_args()
    for line in lines(load_worlds(asked.folder), asked.layout, asked.pool, all_queries=asked.all):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
