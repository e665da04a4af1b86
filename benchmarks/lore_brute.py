"""Compares `was_true_at`, `state_at` and `timeline` with a plain scan of every fact, year by year.

Usage: python -m benchmarks.lore_brute [--questions 5000] [--rows 40621] [--folder DATA]

The facts are those of wikidata12k. They are told twice, once in real years and once in the years of an invented era on
the same axis; both must give what the scan gives. The scan knows nothing of ours but what is stored: names, predicates
and the years that the bounds are written in.
"""

# ruff: noqa: T201

import argparse
import os
import random
import re
import sys
import tarfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, open_memory
from recollect.model.names import fold
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

FILE = Path("temporal") / "wikidata12k.tar.xz"
Reckoning = Literal["real", "invented"]
Json = dict[str, Any]

# Which relation a property stands for, and between what; the rest keep their number and join anything.
_MEANINGS = {
    "P1376": ("capital_of", "Location", "Location"),
    "P131": ("part_of", "Location", "Location"),
    "P17": ("part_of", "Location", "Location"),
    "P150": ("contains", "Location", "Location"),
    "P190": ("allied_with", "Location", "Location"),
    "P6": ("ruled_by", "Location", "Person"),
    "P26": ("spouse_of", "Person", "Person"),
    "P463": ("member_of", "Person", "Faction"),
    "P102": ("member_of", "Person", "Faction"),
    "P54": ("member_of", "Person", "Faction"),
    "P108": ("employee", "Person", "Organization"),
    "P27": ("belongs_to", "Person", "Culture"),
    "P39": ("holds_title", "Person", "Title"),
    "P2962": ("holds_title", "Person", "Title"),
    "P551": ("located_in", "Person", "Location"),
    "P793": ("participated_in", "Person", "Event"),
    "P166": ("owns", "Person", "Item"),
}
# How the scan reads a stored predicate: the relation, and whether its ends are the other way round.
_READ_AS = {
    "contains": ("part_of", True),
    "ruled_by": ("rules", True),
    "owns": ("possesses", False),
}
_SYMMETRIC = frozenset({"allied_with", "spouse_of"})
_JOINING = frozenset({"member_of", "belongs_to"})
_GROUPS = frozenset({"Faction", "Culture", "Organization"})
_YEAR = re.compile(r"(?:age\.year_)?(\d+)(?:-.*)?")
_FACTS_PER_LINE = 100


class Told(NamedTuple):
    """A fact as the scan sees it: relation, ends and the years between which it held."""

    id: str
    relation: str
    subject: str
    object: str
    is_transition: bool
    first: int | None
    last: int | None

    def holds(self, year: int) -> bool:
        return (self.first is None or self.first <= year) and (self.last is None or year <= self.last)

    def shows(self, year: int) -> bool:
        """What happened before a year still shows in it."""
        return self.first is None or self.first <= year if self.is_transition else self.holds(year)

    @property
    def order(self) -> tuple[bool, int, float, str]:
        return self.first is None, self.first or 0, float("inf") if self.last is None else self.last, self.id


class Row(NamedTuple):
    subject: str
    predicate: str
    object: str
    first: int | None
    last: int | None


def data_file() -> Path:
    return Path(os.environ.get("RECOLLECT_DATA", Path(__file__).parents[2] / "shared" / "data")) / FILE


def read_rows(path: Path) -> tuple[list[Row], dict[str, str]]:
    """Every fact of the archive with real names, and what each name is."""
    with tarfile.open(path) as archive:
        files = {Path(member.name).stem: archive.extractfile(member) for member in archive if member.isfile()}
        texts = {name: file.read().decode() for name, file in files.items() if file is not None}
    names = {number: name for name, number in (line.split("\t") for line in texts["entity2id"].splitlines())}
    properties = {number: name for name, number in (line.split("\t") for line in texts["relation2id"].splitlines())}
    rows, types = list[Row](), dict[str, str]()
    for part in ("train", "valid", "test"):
        for line in texts[part].splitlines():
            one, property_, other, first, last = line.split("\t")
            meaning = _MEANINGS.get(properties[property_], (properties[property_].lower(), "Thing", "Thing"))
            types.setdefault(names[one], meaning[1])
            types.setdefault(names[other], meaning[2])
            rows.append(Row(names[one], meaning[0], names[other], _year(first), _year(last)))
    return rows, types


def _year(text: str) -> int | None:
    return int(text[:4]) if text[:4].isdigit() else None


def fill(memory: Memory, rows: Sequence[Row], types: dict[str, str], reckoning: Reckoning) -> None:
    """Tell a memory the facts, in real years or in those of an era that begins with the axis."""
    if reckoning == "invented":
        _take(memory, {"era": {"name": "Age", "start": 1, "end": None}})
    for start in range(0, len(rows), _FACTS_PER_LINE):
        facts = [_fact(row, types, reckoning) for row in rows[start : start + _FACTS_PER_LINE]]
        record = {"id": f"wd{start}", "type": "note", "title": f"wikidata {start}", "source_at": "2026-01-01"}
        _take(memory, {"record": record, "facts": [fact for fact in facts if fact is not None]})


def _take(memory: Memory, line: Json) -> None:
    with memory.as_actor("cli", "ingest").write() as change:
        write_line(change, parse_line(line))


def _fact(row: Row, types: dict[str, str], reckoning: Reckoning) -> Json | None:
    if row.subject == row.object or (row.first and row.last and row.first > row.last):
        return None
    ends = {"from": _end(row.subject, types), "to": _end(row.object, types), "predicate": row.predicate}
    times = {"valid_from": row.first, "valid_until": row.last}
    return ends | {key: written(year, reckoning) for key, year in times.items() if year is not None}


def _end(name: str, types: dict[str, str]) -> Json:
    return {"name": name, "type": types[name]}


def written(year: int, reckoning: Reckoning) -> str:
    return f"age.year_{year}" if reckoning == "invented" else f"{year:04}"


class Brute:
    """Answers by looking at every fact."""

    def __init__(self, memory: Memory, types: dict[str, str]) -> None:
        self._types = types
        self.every = list(self._scan(memory))
        self._by_end: dict[str, list[Told]] = {}
        self._by_name: dict[str, list[Told]] = {}
        for told in self.every:
            for end in {told.subject, told.object}:
                self._by_end.setdefault(end, []).append(told)

    def _scan(self, memory: Memory) -> Iterator[Told]:
        with memory.read() as view:
            ids = {
                name: view.names_matching(fold(name))[0].entity
                for name in self._types
                if view.names_matching(fold(name))
            }
            names = {entity: name for name, entity in ids.items()}
            seen = {fact.id: fact for entity in names for fact in view.facts_touching(entity)}
        for fact in seen.values():
            if fact.stale or fact.object is None:
                continue
            relation, swapped = _READ_AS.get(fact.predicate, (fact.predicate, False))
            one, other = names[fact.subject], names[fact.object]
            one, other = (other, one) if swapped else (one, other)
            bounds = (fact.valid_from, None if fact.label == "ASSERTED" else fact.valid_until)
            years = [None if bound is None else int(_year_of(bound.text)) for bound in bounds]
            yield Told(f"fact_{fact.id}", relation, one, other, fact.label == "TRANSITIONED", *years)

    def triple(self, relation: str, one: str, other: str) -> list[Told]:
        ways = {(one, other), (other, one)} if relation in _SYMMETRIC else {(one, other)}
        own = self._by_end.get(one, ())
        return [told for told in own if told.relation == relation and (told.subject, told.object) in ways]

    def timeline(self, entity: str) -> list[str]:
        return [told.id for told in sorted(self._by_end.get(entity, ()), key=lambda told: told.order)]

    def context(self, entity: str, year: int) -> set[str]:
        return {told.id for told in self._by_end.get(entity, ()) if told.shows(year)}

    def state(self, entity: str, year: int) -> dict[str, set[str]]:
        """Who rules a place and who is in it, or who are the members of a group."""
        kind, now = self._types[entity], [told for told in self._by_end.get(entity, ()) if told.holds(year)]
        if kind != "Location":
            joined = [told.subject for told in now if told.relation in _JOINING and told.object == entity]
            return {"ruling_persons": set(), "persons_present": self._persons(joined if kind in _GROUPS else ())}
        ruling = [told.subject for told in now if told.relation == "rules" and told.object == entity]
        places = self._within(entity, year)
        there = [told.subject for told in self._named("located_in") if told.holds(year) and told.object in places]
        return {"ruling_persons": self._persons(ruling), "persons_present": self._persons(there)}

    def _persons(self, names: Iterable[str]) -> set[str]:
        return {each for each in names if self._types[each] == "Person"}

    def _named(self, relation: str) -> list[Told]:
        if relation not in self._by_name:
            self._by_name[relation] = [told for told in self.every if told.relation == relation]
        return self._by_name[relation]

    def _within(self, place: str, year: int) -> set[str]:
        edges = [told for told in self._named("part_of") if told.holds(year)]
        found, level = {place}, {place}
        while level:
            level = {told.subject for told in edges if told.object in level} - found
            found |= level
        return found


def _year_of(text: str) -> str:
    match = _YEAR.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match[1]


class Question(NamedTuple):
    relation: str
    subject: str
    object: str
    year: int


def questions(brute: Brute, count: int, seed: int = 1843) -> Iterator[Question]:
    """Triples that were told, at years around their bounds and far from them, and triples nobody told."""
    dice = random.Random(seed)
    for _ in range(count):
        told, other = dice.choice(brute.every), dice.choice(brute.every)
        near = [year + shift for year in (told.first, told.last) if year is not None for shift in (-1, 0, 1)]
        year = dice.choice([*near, dice.randint(1700, 2020)])
        object_ = other.object if dice.random() < 0.2 and other.object != told.subject else told.object
        yield Question(told.relation, told.subject, object_, year)


def disagreements(memory: Memory, brute: Brute, asked: Question, reckoning: Reckoning) -> list[str]:
    """What the tools say otherwise than the scan."""
    return [
        f"{tool} {asked}: {said}"
        for tool, said in (
            ("was_true_at", _was_true(memory, brute, asked, reckoning)),
            ("timeline", _timeline(memory, brute, asked)),
            ("state_at", _state(memory, brute, asked, reckoning)),
        )
        if said
    ]


def ask(memory: Memory, tool: str, **arguments: Any) -> Json:
    answer = call(find_surface("lore-engine").find(tool), lambda _: memory.as_actor("lore-engine", tool), arguments)
    if answer.is_error:
        raise RuntimeError(f"{tool} {arguments}: {answer.structured}")
    return answer.structured


def _was_true(memory: Memory, brute: Brute, asked: Question, reckoning: Reckoning) -> str:
    relation, one, other, year = asked
    said = ask(memory, "was_true_at", relation=relation, subject=one, object=other, at_time=written(year, reckoning))
    told = brute.triple(relation, one, other)
    expected = any(each.holds(year) for each in told)
    intervals = [each["relation_id"] for each in said["intervals"]]
    reason = "holds" if expected else "outside_interval" if told else "no_such_relation"
    if (said["was_true"], said["reason"]) != (expected, reason):
        return f"{said['was_true']} {said['reason']}, not {expected} {reason}"
    return "" if sorted(intervals) == sorted(each.id for each in told) else f"{intervals} are not all its intervals"


def _timeline(memory: Memory, brute: Brute, asked: Question) -> str:
    said = [each["relation_id"] for each in ask(memory, "timeline", entity=asked.subject, limit=1000)["result"]]
    expected = brute.timeline(asked.subject)
    return "" if said == expected else f"{said} instead of {expected}"


def _state(memory: Memory, brute: Brute, asked: Question, reckoning: Reckoning) -> str:
    entity, year = asked.object, asked.year
    said = ask(memory, "state_at", entity=entity, at_time=written(year, reckoning), limit=500)
    expected = brute.state(entity, year)
    for key in ("ruling_persons", "persons_present"):
        found = {each["name"] for each in said[key]}
        if found != expected[key]:
            return f"{key} {sorted(found ^ expected[key])}"
    shown = {
        each["relation_id"] for value in said["context"].values() if isinstance(value, list) for each in _ids(value)
    }
    held = brute.context(entity, year)
    is_right = shown < held if said["context"]["truncated"] else shown == held
    return "" if is_right else f"context {sorted(shown ^ held)}"


def _ids(entries: list[Any]) -> list[Json]:
    return [
        each if "relation_id" in each else {"relation_id": each["id"]}
        for each in entries
        if isinstance(each, dict) and ("relation_id" in each or "relation" in each)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lore_brute", description="Tools against a plain scan.")
    parser.add_argument("--questions", type=int, default=5000)
    parser.add_argument("--rows", type=int, default=None, help="take only so many facts")
    asked = parser.parse_args()
    path = data_file()
    if not path.exists():
        sys.exit(f"{path} is absent; set RECOLLECT_DATA to the folder that holds {FILE}")
    rows, types = read_rows(path)
    wrong = 0
    for reckoning in ("real", "invented"):
        with TemporaryDirectory(prefix="recollect-brute-") as folder:
            wrong += _compare(Path(folder), rows[: asked.rows], types, reckoning, asked.questions)
    sys.exit(wrong > 0)


def _compare(folder: Path, rows: Sequence[Row], types: dict[str, str], reckoning: Reckoning, count: int) -> int:
    memory = open_memory(str(folder / "brute.db"), settings=Settings())
    try:
        began = time.perf_counter()
        fill(memory, rows, types, reckoning)
        brute = Brute(memory, types)
        print(f"{reckoning} years: {len(brute.every)} facts in {time.perf_counter() - began:.0f} s")
        wrong = [said for each in questions(brute, count) for said in disagreements(memory, brute, each, reckoning)]
    finally:
        memory.close()
    print(*wrong[:10], f"{count} questions, {len(wrong)} answers differ from the scan", sep="\n")
    return len(wrong)


if __name__ == "__main__":
    main()
