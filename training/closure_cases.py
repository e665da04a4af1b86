"""Closing cases of the corpus as typed records, and the pairs of item and message that the closure matcher learns from.

    python -m training.closure_cases [FOLDER]

prints totals and what is invalid. `training/corpus/FORMAT.md` describes the format.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

from recollect.text_models.closure import OUTCOMES, ClosurePair, LaterMessage, OpenItem, Role

CLOSURES = Path(__file__).parent / "corpus" / "closures"
_HEAD = (
    r"^(?P<id>\S+) (?P<day>\d{4}-\d\d-\d\d) (?P<medium>mail|chat|note|meeting|ticket) (?P<who>[^|]+?)"
    r" \| (?P<text>.+) \| "
)
_ITEM = re.compile(
    _HEAD + r"(?P<kind>commitment|request|blocker|goal|decision)(?: owner=(?P<owner>[^=]+?))?"
    r"(?: due=(?P<due>\d{4}-\d\d-\d\d))?$"
)
_MESSAGE = re.compile(_HEAD + r"(?P<labels>(?:none|(?:done|cancelled|progress|moved):.+))$")
_NAME = re.compile(r"\b[^\W\d_a-z][^\W\d_]{2,}\b")
_PLACES: dict[str, int] = {outcome: at for at, outcome in enumerate(OUTCOMES)}
_OTHER_ITEMS = 3
"""Items of other cases of the same people that each message is compared with."""
_STRANGE_ITEMS = 1
"""Items of other people."""


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody wrote on a day; an item has a kind, a message the outcomes of items by their ids."""

    id: str
    day: date
    author: str
    addressee: str
    text: str
    kind: str = ""
    owner: str = ""
    due: date | None = None
    outcomes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A stretch of life; `group` is the file, whose cases share their people."""

    group: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class PairExample:
    """A pair, its outcome by place in `OUTCOMES`, and which message of which group it belongs to."""

    pair: ClosurePair
    outcome: int
    group: str
    message: int


def load_cases(folder: Path = CLOSURES, problems: list[str] | None = None) -> list[Case]:
    """Every case of a folder, ordered by file name; invalid lines are added to `problems`."""
    found: list[Case] = []
    for path in sorted(folder.glob("*.txt")):
        lines: list[Line] = []
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if text == "@end":
                found.append(Case(path.stem, tuple(lines)))
            if text.startswith(("@", "#")) or not text.strip():
                lines = [] if text in ("@case", "@end") else lines
                continue
            line = parse_line(text)
            if line is not None:
                lines.append(line)
            elif problems is not None:
                problems.append(f"{path.name}:{number}: {text[:100]}")
    return found


def parse_line(text: str) -> Line | None:
    """An item or a message; none where the line is invalid."""
    found = _ITEM.match(text) or _MESSAGE.match(text)
    if found is None:
        return None
    given = found.groupdict()
    author, _, addressee = (part.strip() for part in given["who"].partition("->"))
    due = given.get("due")
    try:
        return Line(
            given["id"], date.fromisoformat(given["day"]), author, addressee, given["text"].replace("\\n", "\n"),
            given.get("kind") or "", given.get("owner") or "", date.fromisoformat(due) if due else None,
            tuple(_outcomes(given.get("labels") or "none")),
        )  # fmt: skip
    except ValueError:
        return None


def _outcomes(labels: str) -> Iterator[tuple[str, str]]:
    for label in re.split(r",\s*", labels):
        outcome, _, item = label.partition(":")
        if item:
            yield item.partition("@")[0].strip(), outcome


def pair_of(item: Line, said: Line) -> ClosurePair:
    """An item and a later line of the corpus as the model reads them."""
    owner = item.owner or ("" if item.kind in ("blocker", "request") else item.author)
    told = OpenItem(item.kind, item.text, item.author, owner, item.day, item.due)
    addressee = _role(said.addressee, item.author, owner) if said.addressee else None
    return ClosurePair(
        told, LaterMessage(said.text, said.author, _role(said.author, item.author, owner), addressee, said.day)
    )


def _role(name: str, asker: str, owner: str) -> Role:
    if owner and _is_same(name, owner):
        return "owner"
    return "asker" if _is_same(name, asker) else "other"


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold() or one.split()[0].casefold() == other.split()[0].casefold()


def pair_examples(cases: Sequence[Case], seed: int = 1, others: int = _OTHER_ITEMS) -> list[PairExample]:
    """Each message with the open items of its case, and some of other cases, which it has nothing to do with."""
    random = Random(seed)
    by_group: dict[str, list[Line]] = {}
    for case in cases:
        by_group.setdefault(case.group, []).extend(line for line in case.lines if line.kind)
    every = [item for items in by_group.values() for item in items]
    found: list[PairExample] = []
    for number, case in enumerate(cases):
        own = {id(line) for line in case.lines}
        beside = [item for item in by_group[case.group] if id(item) not in own]
        for place, said in enumerate(case.lines):
            drawn = random.sample(beside, min(others, len(beside)))
            drawn += random.sample(every, min(_STRANGE_ITEMS, len(every)))
            moved = [_shifted(item, said, random) for item in drawn if id(item) not in own]
            compared = (*_open_before(case, place), *((each, "unrelated") for each in moved))
            for item, outcome in compared:
                label = _PLACES[outcome]
                found.append(PairExample(pair_of(item, said), label, case.group, number * 1000 + place))
    return found


def with_other_names(cases: Sequence[Case], seed: int) -> list[Case]:
    """The same cases with other people: in each file every name is exchanged for one of another file."""
    random = Random(seed)
    people = {case.group: set[str]() for case in cases}
    for case in cases:
        for line in case.lines:
            people[case.group] |= set(_NAME.findall(" ".join((line.author, line.addressee, line.owner))))
    every = sorted(set().union(*people.values()))
    found: list[Case] = []
    for group, names in people.items():
        given = dict(zip(sorted(names), random.sample(every, len(names)), strict=True))
        exchanged = re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})\b")
        found += [_exchanged(case, exchanged, given) for case in cases if case.group == group]
    return found


def _exchanged(case: Case, names: re.Pattern[str], given: Mapping[str, str]) -> Case:
    def changed(text: str) -> str:
        return names.sub(lambda found: given[found[0]], text)

    lines = (
        replace(
            line,
            author=changed(line.author),
            addressee=changed(line.addressee),
            owner=changed(line.owner),
            text=changed(line.text),
        )
        for line in case.lines
    )
    return Case(case.group, tuple(lines))


def _open_before(case: Case, place: int) -> Iterator[tuple[Line, str]]:
    """The items of a case that are open when a message is written, each with what the message says of it."""
    said = case.lines[place]
    outcomes = dict(said.outcomes)
    closed = {
        item for line in case.lines[:place] for item, outcome in line.outcomes if outcome in ("done", "cancelled")
    }
    for item in case.lines[:place]:
        if item.kind and (item.id in outcomes or item.id not in closed):
            yield item, outcomes.get(item.id, "unrelated")


def _shifted(item: Line, said: Line, random: Random) -> Line:
    """An item of another case as if it had been told some days before the message."""
    by = said.day - timedelta(days=random.randint(0, 20)) - item.day
    return replace(item, day=item.day + by, due=item.due + by if item.due is not None else None)


def main() -> None:
    problems: list[str] = []
    cases = load_cases(Path(sys.argv[1]) if len(sys.argv) > 1 else CLOSURES, problems)
    pairs = pair_examples(cases)
    counts = Counter(OUTCOMES[each.outcome] for each in pairs)
    for problem in problems:
        print("invalid", problem)  # noqa: T201
    lines = [line for case in cases for line in case.lines]
    files, items = len({case.group for case in cases}), sum(bool(line.kind) for line in lines)
    print(f"{files} files, {len(cases)} cases, {items} items, {len(lines) - items} messages, {len(pairs)} pairs")  # noqa: T201
    print(dict(counts))  # noqa: T201


if __name__ == "__main__":
    main()
