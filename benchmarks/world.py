"""A made-up world of any size, as a bundle: the same size gives the same lines."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

PROBES = 20
FACTS_OF_A_PROBE = 20
NAMES_PER_LINE = 50

_FIRST = (
    "Ada Grace Alan Edsger Barbara Donald Leslie Tony Niklaus John Ken Dennis Bjarne Guido Linus Margaret Radia "
    "Frances Jean Katherine".split()
)
PARTS = "ba ke lo mi nu ra so ti vo we xa yu zen dor fin gal hul jar kor lam mor ner pol quin ros sel tur".split()
_CODES = "alder birch cedar dogwood elder fir ginkgo hazel ironwood juniper".split()
_TYPES = ("Person", "Company", "Project", "Topic")
_KINDS = (
    ("AFFILIATED", "employee"),
    ("ASSERTED", "opinion"),
    ("ASSERTED", "commitment"),
    ("TRANSITIONED", "status_change"),
    ("AFFILIATED", "owner"),
)
WORDS = len(PARTS) ** 3

Line = dict[str, Any]


def write_world(path: Path, facts: int, names: int) -> None:
    """Write a bundle of about this many facts and names, the entities to be asked for among the first."""
    write_lines(path, lines(facts, names))


def write_lines(path: Path, told: Iterable[Line]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for line in told:
            file.write(json.dumps(line) + "\n")


def lines(facts: int, names: int) -> Iterator[Line]:
    people = max(100, facts // 10)
    yield from (
        _line(f"probe-{probe}-{part}", *_about_probe(probe, part)) for probe in range(PROBES) for part in range(5)
    )
    random = Random(facts)
    count = max(0, (facts - PROBES * FACTS_OF_A_PROBE) // 4)
    yield from (_line(f"note-{number}", *_some(random, people)) for number in range(count))
    others = iter(range(people, names))
    while some := list(islice(others, NAMES_PER_LINE)):
        yield {"entities": [_entity(number) for number in some]}


def shaped(facts: int, per_line: int, *, records: bool) -> Iterator[Line]:
    """Lines with this many facts each, with or without a record."""
    random, people = Random(per_line), max(100, facts // 10)
    for number in range(facts // per_line):
        entities = [_entity(each) for each in random.sample(range(people), min(per_line, 20) + 1)]
        pairs = [random.sample(entities, 2) for _ in range(per_line)]
        told = [_fact(one, other, random.choice(_KINDS)) for one, other in pairs]
        line = _line(f"note-{number}", entities, told)
        yield line if records else {"facts": told}


def more_lines(record: str, count: int) -> Iterator[Line]:
    """Notes beyond those of any world, about people who are in every large one."""
    random = Random(record)
    yield from (_line(f"{record}-{number}", *_some(random, 10_000)) for number in range(count))


def probe_name(probe: int) -> str:
    return f"Wilhelmina {_CODES[probe // 10]}wick {_CODES[probe % 10]}stone".title()


def written_name(number: int) -> str:
    """One of the people that writes are about; never a probe, whose facts must stay as they are."""
    return name(100 + 4 * (number % PROBES))


def name(number: int) -> str:
    """A name of three words, another one for every number."""
    turn, rest = divmod(number, WORDS)
    return f"{_FIRST[number % len(_FIRST)]} {word(rest)} {word((turn * 31 + number * 7) % WORDS)}"


def word(number: int) -> str:
    size = len(PARTS)
    return (PARTS[number // size // size] + PARTS[number // size % size] + PARTS[number % size]).title()


def _entity(number: int) -> Line:
    return {"name": name(number), "type": _TYPES[number % 4]}


def _about_probe(probe: int, part: int) -> tuple[list[Line], list[Line]]:
    others = [_entity(number) for number in range(part * 4, part * 4 + 4)]
    me = {"name": probe_name(probe), "type": "Person"}
    return [me, *others], [_fact(me, other, _KINDS[part]) for other in others]


def _some(random: Random, people: int) -> tuple[list[Line], list[Line]]:
    entities = [_entity(number) for number in random.sample(range(100, 100 + people), 4)]
    pairs = [random.sample(entities, 2) for _ in range(4)]
    return entities, [_fact(one, other, random.choice(_KINDS)) for one, other in pairs]


def _fact(one: Line, other: Line, kind: tuple[str, str]) -> Line:
    label, fact_type = kind
    words = f"{one['name']} {fact_type.replace('_', ' ')} {other['name']}, as the note says"
    return {"edge_label": label, "fact_type": fact_type, "from": one["name"], "to": other["name"], "fact": words}


def _line(record: str, entities: list[Line], facts: list[Line]) -> Line:
    minute = sum(map(ord, record)) % 60
    at = f"2026-0{len(record) % 9 + 1}-{ord(record[-1]) % 28 + 1:02}T10:{minute:02}:00Z"
    return {
        "record": {"id": record, "type": "note", "title": f"About {record}", "source_at": at},
        "entities": entities,
        "facts": facts,
    }
