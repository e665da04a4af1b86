"""The training corpus: worlds of invented people as typed records.

    python -m training.corpus [--data ../shared/data] [--neighbours] [FOLDER]

prints totals and checks of the corpus. `training/corpus/FORMAT.md` describes the format.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

Item = TypeVar("Item")
WORLDS = Path(__file__).parent / "corpus" / "worlds"
ACTS = frozenset(
    "commitment request decision blocker completion cancellation concern goal preference question attribute relation "
    "event none".split()
)
MODALITIES = frozenset(
    "asked doubted conditional hoped planned considered attempted reported figurative habitual".split()
)
DOC_KINDS = frozenset({"chat", "assistant", "mail", "note", "meeting"})
QUESTION_KINDS = frozenset("single multi temporal open wrong_person update preference list".split())
VERDICTS = frozenset({"supports", "refutes", "neither"})
TRAPS = frozenset("none modality polarity time role value name".split())
SLOTS = frozenset("owner due what s p v time from until".split())
QUOTED_SLOTS = frozenset("due what v time from until".split())
_UNIT = re.compile(r"^(\d+)(?: (?!>)([^>]*?))?(?: (\d\d:\d\d))? > (.+)$")
_SLOT = re.compile(r'(\w+)=("([^"]*)"|\S+)')
_DOC = re.compile(r"^@doc (\S+) (\d{4}-\d\d-\d\d) (\w+)$")


@dataclass(frozen=True, slots=True)
class Label:
    """What a sentence does; `modality` is "asserted" where nothing else is annotated."""

    act: str
    is_negative: bool = False
    modality: str = "asserted"
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; its label is missing where the annotation was invalid."""

    text: str
    label: Label | None


@dataclass(frozen=True, slots=True)
class Unit:
    """A turn, a paragraph or a list item; `id` is DOCUMENT.NUMBER."""

    id: str
    speaker: str | None
    day: str
    time: str | None
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.sentences).replace("\\n", "\n")


@dataclass(frozen=True, slots=True)
class Doc:
    id: str
    day: str
    kind: str
    title: str | None = None
    author: str | None = None
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    evidence: tuple[str, ...]
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Statement:
    evidence: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    verdict: str
    evidence: tuple[str, ...]
    trap: str
    text: str


@dataclass(frozen=True, slots=True)
class World:
    """One file: its documents and what is asked and claimed about them; invalid lines are listed in `problems`."""

    name: str
    domain: str
    voices: tuple[str, ...]
    docs: tuple[Doc, ...]
    questions: tuple[Question, ...]
    statements: tuple[Statement, ...]
    claims: tuple[Claim, ...]
    problems: tuple[str, ...] = ()

    @property
    def units(self) -> dict[str, Unit]:
        return {unit.id: unit for doc in self.docs for unit in doc.units}


def load_worlds(folder: Path = WORLDS) -> list[World]:
    """Every world of a folder, ordered by file name."""
    return [parse_world(path.read_text(encoding="utf-8"), path.stem) for path in sorted(folder.glob("*.txt"))]


def split_held_out(items: Sequence[Item], hold_out: int) -> tuple[list[Item], list[Item]]:
    """The worlds or banks to train on and so many others to measure with, spread over the list."""
    every = max(1, len(items) // hold_out) if hold_out else 0
    held = [at for at in range(len(items)) if every and at % every == every // 2][:hold_out]
    return [each for at, each in enumerate(items) if at not in held], [items[at] for at in held]


def parse_world(text: str, name: str = "") -> World:
    """A world from its text. An invalid line is skipped and reported; it never stops the rest."""
    parser = _WorldParser(name)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            parser.read(number, line.rstrip())
    return parser.world()


class _WorldParser:
    """State while reading a file line by line."""

    def __init__(self, name: str) -> None:
        self._header = {"world": name, "domain": ""}
        self._voices: list[str] = []
        self._docs: list[Doc] = []
        self._day = ""
        self._questions: list[Question] = []
        self._statements: list[Statement] = []
        self._claims: list[Claim] = []
        self._problems: list[str] = []

    def read(self, number: int, line: str) -> None:
        try:
            match line[0]:
                case "@":
                    self._directive(line)
                case "=":
                    self._labels(line[1:])
                case "?" | "+" | "!":
                    self._query(line)
                case _:
                    self._unit(line)
        except ValueError as problem:
            self._problems.append(f"line {number}: {problem}")

    def world(self) -> World:
        known = {unit.id for doc in self._docs for unit in doc.units}
        return World(
            self._header["world"],
            self._header["domain"],
            tuple(self._voices),
            tuple(self._docs),
            tuple(each for each in self._questions if self._has_evidence(each, known)),
            tuple(each for each in self._statements if self._has_evidence(each, known)),
            tuple(each for each in self._claims if self._has_evidence(each, known)),
            tuple(self._problems),
        )

    def _has_evidence(self, item: Question | Statement | Claim, known: set[str]) -> bool:
        missing = [each for each in item.evidence if each not in known]
        if missing:
            self._problems.append(f"{item.text!r}: no unit {missing[0]}")
        return not missing

    def _directive(self, line: str) -> None:
        word, _, rest = line[1:].partition(" ")
        match word:
            case "world" | "domain":
                self._header[word] = rest
            case "voice":
                self._voices.append(rest)
            case "doc":
                self._start_doc(line)
            case "day":
                self._day = rest
            case "title" | "subject":
                self._edit_doc(title=rest)
            case "from" | "by":
                self._edit_doc(author=rest)
            case "to" | "cc" | "present" | "end":
                pass
            case _:
                raise ValueError(f"unknown directive @{word}")

    def _start_doc(self, line: str) -> None:
        found = _DOC.match(line)
        if found is None or found[3] not in DOC_KINDS:
            raise ValueError("expected @doc ID YYYY-MM-DD KIND")
        self._day = found[2]
        self._docs.append(Doc(found[1], found[2], found[3]))

    def _edit_doc(self, *, title: str | None = None, author: str | None = None) -> None:
        doc = self._last_doc()
        self._docs[-1] = replace(doc, title=title or doc.title, author=author or doc.author)

    def _last_doc(self) -> Doc:
        if not self._docs:
            raise ValueError("this line belongs after @doc")
        return self._docs[-1]

    def _unit(self, line: str) -> None:
        found = _UNIT.match(line)
        if found is None:
            raise ValueError(f"not understood: {line[:60]!r}")
        doc = self._last_doc()
        sentences = tuple(Sentence(part.strip(), None) for part in found[4].split(" || "))
        unit = Unit(f"{doc.id}.{found[1]}", found[2] or None, self._day, found[3], sentences)
        self._docs[-1] = replace(doc, units=(*doc.units, unit))

    def _labels(self, line: str) -> None:
        doc = self._last_doc()
        if not doc.units or any(each.label for each in doc.units[-1].sentences):
            raise ValueError("labels without a unit")
        unit = doc.units[-1]
        parts = [part.strip() for part in line.split(" ; ")]
        if len(parts) != len(unit.sentences):
            raise ValueError(f"{len(unit.sentences)} sentences, {len(parts)} labels")
        labelled = tuple(self._labelled(each.text, part) for each, part in zip(unit.sentences, parts, strict=True))
        self._docs[-1] = replace(doc, units=(*doc.units[:-1], replace(unit, sentences=labelled)))

    def _labelled(self, sentence: str, text: str) -> Sentence:
        try:
            return Sentence(sentence, parse_label(text, sentence))
        except ValueError as problem:
            self._problems.append(f"{sentence!r}: {problem}")
            return Sentence(sentence, None)

    def _query(self, line: str) -> None:
        head, *parts = [part.strip() for part in line[1:].split(" >> ")]
        words = head.split()
        match line[0], words, parts:
            case "?", [kind, evidence], [text, answer] if kind in QUESTION_KINDS:
                self._questions.append(Question(kind, _ids(evidence), text, answer))
            case "+", [*evidence], [text] if evidence:
                self._statements.append(Statement(_ids("".join(evidence)), text))
            case "!", [verdict, evidence, trap], [text] if verdict in VERDICTS and trap in TRAPS:
                self._claims.append(Claim(verdict, _ids(evidence), trap, text))
            case _:
                raise ValueError(f"not understood: {line[:60]!r}")


def _ids(evidence: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in evidence.split(",") if each))


def parse_label(text: str, sentence: str) -> Label:
    """A label such as `commitment/planned owner=Ada due="by Friday"`; quoted slots must occur in the sentence."""
    head, _, rest = text.partition(" ")
    act, *marks = head.split("/")
    if act not in ACTS:
        raise ValueError(f"unknown act {act!r}")
    unknown = [mark for mark in marks if mark not in MODALITIES | {"negative", "asserted"}]
    if unknown:
        raise ValueError(f"unknown modality {unknown[0]!r}")
    slots = {key: quoted or raw.strip('"') for key, raw, quoted in _SLOT.findall(rest)}
    _check_slots(slots, sentence)
    modality = next((mark for mark in marks if mark in MODALITIES), "asserted")
    return Label(act, "negative" in marks, modality, slots)


def _check_slots(slots: Mapping[str, str], sentence: str) -> None:
    for key, value in slots.items():
        if key not in SLOTS:
            raise ValueError(f"unknown key {key!r}")
        if key in QUOTED_SLOTS and value.lower() not in sentence.lower():
            raise ValueError(f"{key}={value!r} does not occur in the sentence")


def totals(worlds: Sequence[World]) -> Counter[str]:
    """How many of everything there is."""
    found: Counter[str] = Counter(worlds=len(worlds), domains=len({world.domain for world in worlds}))
    for world in worlds:
        found["voices"] += len(world.voices)
        found["problems"] += len(world.problems)
        found["statements"] += len(world.statements)
        found["questions"] += len(world.questions)
        found["claims"] += len(world.claims)
        found["question-evidence pairs"] += sum(len(each.evidence) for each in world.questions)
        for doc in world.docs:
            found[f"documents: {doc.kind}"] += 1
            found["units"] += len(doc.units)
            found["sentences"] += sum(len(unit.sentences) for unit in doc.units)
    return found


def written_texts(worlds: Sequence[World]) -> Iterator[str]:
    """Every sentence, question, statement and claim."""
    for world in worlds:
        for unit in world.units.values():
            yield from (sentence.text for sentence in unit.sentences)
        for items in (world.questions, world.statements, world.claims):
            yield from (item.text for item in items)


def main() -> None:
    from training.corpus_checks import print_report

    print_report()


if __name__ == "__main__":
    main()
