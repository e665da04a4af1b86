"""A hundred values that change, told by a client over stdio beside 10,000 facts about others.

python -m benchmarks.changed_values [folder]

Counts how often the newest value comes first when it is asked for, and which of the facts about others ended.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.peers import ours
from benchmarks.speaking import Server, running
from benchmarks.world import name
from recollect.change_listeners import open_memory
from recollect.indexing import index_all
from recollect.model.history import is_current
from recollect.model.ids import FACT_PREFIX, FactId
from recollect.settings import Settings

UNRELATED = 10_000
FACTS_PER_CALL = 20
CASES_PER_FORM = 20
TOWNS = ("Porto", "Bergen", "Graz", "Leeds", "Turku", "Ghent", "Malmo", "Siena", "Tartu", "Brno")
FIRMS = ("Acme", "Nordwind", "Halden", "Tidewell", "Palanor", "Fennick", "Quill", "Orsted", "Vantage", "Zephyr")
TRAITS = ("rent", "budget", "deadline", "status", "version")
OTHERS = ("lives_in", "works_at", "rent", "status")


class Case(NamedTuple):
    """What is told first, what is told later, and the question whose answer holds `newest`."""

    before: str
    after: str
    question: str
    newest: str


def cases() -> Iterator[Case]:
    """Five ways to tell that a value changed, about a hundred subjects."""
    for number in range(CASES_PER_FORM):
        trait, old, new = TRAITS[number % 5], f"v{number}a", f"v{number}b"
        town, firm = TOWNS[number % 10], FIRMS[number % 10]
        next_town, next_firm = TOWNS[(number + 3) % 10], FIRMS[(number + 3) % 10]
        one, two, three, four, five = (f"{letter}{word(number)}" for letter in ("Ar", "Be", "Co", "Du", "El"))
        asked = f"What is the {trait} of"
        yield Case(f"{one}'s {trait} is {old}.", f"{one}'s {trait} is now {new}.", f"{asked} {one}?", new)
        yield Case(f"The {trait} of {two} is {old}.", f"The {trait} of {two} is {new}.", f"{asked} {two}?", new)
        yield Case(
            f"{three} lives in {town}.", f"{three} moved to {next_town}.", f"Where does {three} live?", next_town
        )
        yield Case(
            f"{four} works at {firm}.", f"{four} now works at {next_firm}.", f"Where does {four} work?", next_firm
        )
        stated = [json.dumps({"subject": five, "predicate": trait, "value": value}) for value in (old, new)]
        yield Case(stated[0], stated[1], f"{asked} {five}?", new)


def word(number: int) -> str:
    """A syllable or two for each number, so that no name is near another."""
    return "".join("bdfgklmnprstvz"[each] + "aeiou"[each % 5] for each in divmod(number * 7 + 5, 14))


def main() -> None:
    with TemporaryDirectory(prefix="recollect-bench-") as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch)
        store = folder / "changed.db"
        own = ours(store)
        with running(own.command, own.environment) as server:
            server.greet()
            others = list(tell_of_others(server))
        embed_everything(store)
        with running(own.command, own.environment) as server:
            server.greet()
            first = sum(is_newest_first(server, case) for case in tqdm(list(tell_changes(server)), unit=" questions"))
        ended = count_ended(store, others)
    print(f"newest first in {first} of {5 * CASES_PER_FORM}; {ended} of {len(others)} facts about others ended")  # noqa: T201


def tell_of_others(server: Server) -> Iterator[FactId]:
    """Facts about other people by the same predicates."""
    for start in tqdm(range(0, UNRELATED, FACTS_PER_CALL), unit=" calls"):
        facts = [
            {"subject": name(at // 4), "predicate": OTHERS[at % 4], "value": other_value(at)}
            for at in range(start, start + FACTS_PER_CALL)
        ]
        told = server.call("remember", facts=facts, source="bench")["structuredContent"]["facts"]
        yield from (FactId(each["id"].removeprefix(FACT_PREFIX)) for each in told)


def other_value(number: int) -> str:
    values = (TOWNS[number % 10], FIRMS[number % 10], f"{500 + number}", f"stage {number}")
    return values[number % 4]


def embed_everything(store: Path) -> None:
    memory = open_memory(str(store), "default", Settings())
    try:
        index_all(memory)
    finally:
        memory.close()


def tell_changes(server: Server) -> list[Case]:
    """All first values, then all later ones."""
    found = list(cases())
    for told in (*(case.before for case in found), *(case.after for case in found)):
        stated = {"facts": [json.loads(told)]} if told.startswith("{") else {"text": told}
        server.call("remember", **stated)
    return found


def is_newest_first(server: Server, case: Case) -> bool:
    results = server.call("recall", query=case.question)["structuredContent"]["results"]
    is_right = bool(results) and case.newest in results[0]["text"]
    if not is_right:
        tqdm.write(f"{case.question} wants {case.newest}: {[each['text'] for each in results[:3]]}")
    return is_right


def count_ended(store: Path, facts: Sequence[FactId]) -> int:
    memory = open_memory(str(store), "default", Settings())
    try:
        with memory.read() as view:
            holding = {row.fact.id for row in view.fact_rows(facts) if is_current(row.fact, view.world.present)}
    finally:
        memory.close()
    return len(set(facts) - holding)


if __name__ == "__main__":
    main()
