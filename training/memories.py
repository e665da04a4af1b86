"""Memories of invented people and the questions that look for them in other words.

`training/corpus/memories/*.txt`, one bank to a file: `=` a remembered sentence, `?` a question that it answers, `!` a
question that nothing in the bank answers. `training/corpus/FORMAT.md` describes the format.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

MEMORIES = Path(__file__).parent / "corpus" / "memories"
_HEADER = re.compile(r"^# domain: (?P<domain>[^;]+)(?:; owner: (?P<owner>.+))?$")


@dataclass(frozen=True, slots=True)
class Memory:
    """A remembered sentence and the questions that it answers."""

    text: str
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryBank:
    """One file; invalid lines are listed in `problems`."""

    name: str
    domain: str
    owner: str
    memories: tuple[Memory, ...]
    unanswered: tuple[str, ...]
    problems: tuple[str, ...] = ()


def load_banks(folder: Path = MEMORIES) -> list[MemoryBank]:
    """Every bank of a folder, ordered by file name."""
    return [parse_bank(path.read_text(encoding="utf-8"), path.stem) for path in sorted(folder.glob("*.txt"))]


def parse_bank(text: str, name: str = "") -> MemoryBank:
    """A bank from its text. An invalid line is skipped and reported; it never stops the rest."""
    header = {"domain": "", "owner": ""}
    memories: list[Memory] = []
    unanswered: list[str] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match line[:2], line[2:].strip():
            case "", _:
                pass
            case "# ", _ if found := _HEADER.match(line):
                header |= {key: value for key, value in found.groupdict().items() if value}
            case "= ", said if said:
                memories.append(Memory(said))
            case "? ", asked if asked and memories:
                memories[-1] = replace(memories[-1], questions=(*memories[-1].questions, asked))
            case "! ", asked if asked:
                unanswered.append(asked)
            case _:
                problems.append(f"line {number}: not understood: {line[:60]!r}")
    return MemoryBank(name, header["domain"], header["owner"], tuple(memories), tuple(unanswered), tuple(problems))


def bank_texts(banks: Sequence[MemoryBank]) -> Iterator[str]:
    """Every memory and every question."""
    for bank in banks:
        for memory in bank.memories:
            yield from (memory.text, *memory.questions)
        yield from bank.unanswered


def bank_totals(banks: Sequence[MemoryBank]) -> Counter[str]:
    """How many of everything there is; a question that is answered is a pair with its memory."""
    answered = sum(len(memory.questions) for bank in banks for memory in bank.memories)
    return Counter(
        {
            "banks of memories": len(banks),
            "domains": len({bank.domain for bank in banks}),
            "voices": len({bank.owner for bank in banks}),
            "memories": sum(len(bank.memories) for bank in banks),
            "questions": answered,
            "questions that nothing answers": sum(len(bank.unanswered) for bank in banks),
            "question-evidence pairs": answered,
            "problems": sum(len(bank.problems) for bank in banks),
        }
    )


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question to a bank; `gold` is the place of its memory, None where nothing answers it."""

    text: str
    bank: int
    gold: int | None


@dataclass(frozen=True, slots=True)
class BankPool:
    """The memories of several banks with the questions to each."""

    passages: tuple[str, ...]
    banks: tuple[int, ...]
    """By passage, the bank that it belongs to."""
    questions: tuple[BankQuestion, ...]


def bank_pool(banks: Sequence[MemoryBank], random: Random | None = None, most: int | None = None) -> BankPool:
    """Several banks side by side, with at most so many questions of each.

    With `random` some questions are in lower case and without a question mark.
    """
    passages: list[str] = []
    owners: list[int] = []
    questions: list[BankQuestion] = []
    for number, bank in enumerate(banks):
        asked: list[BankQuestion] = []
        for memory in bank.memories:
            asked += [BankQuestion(_varied(each, random), number, len(passages)) for each in memory.questions]
            passages.append(memory.text)
            owners.append(number)
        asked += [BankQuestion(_varied(each, random), number, None) for each in bank.unanswered]
        questions += random.sample(asked, most) if random and most and most < len(asked) else asked
    return BankPool(tuple(passages), tuple(owners), tuple(questions))


def _varied(question: str, random: Random | None) -> str:
    if random is None or random.random() < 0.7:
        return question
    return question.rstrip("?").lower() if random.random() < 0.5 else question.rstrip("?")
