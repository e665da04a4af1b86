"""Everyday facts asked for in other words, through the tools `remember` and `recall`, with the bundled model.

python -m benchmarks.everyday evals/recall/everyday_development.jsonl [--misses]

Each line is a sentence with a question or several, or a question that no sentence answers, perhaps of some kind.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.memories import call_tool
from recollect.change_listeners import open_memory
from recollect.memory import Memory
from recollect.settings import Settings

FIRST = 3


class Asked(NamedTuple):
    """A question, the kind of what it asks for, and what recall answered."""

    kind: str
    question: str
    is_right: bool
    answers: Sequence[str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Everyday facts asked for in other words")
    parser.add_argument("file", type=Path)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    lines = [json.loads(line) for line in options.file.read_text("utf-8").splitlines()]
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        memory = open_memory(str(Path(folder) / "everyday.db"), "default", Settings())
        try:
            asked = [*ask_everything(memory, lines)]
        finally:
            memory.close()
    print(report(asked, with_misses=options.misses))  # noqa: T201 the report is what this is for


def ask_everything(memory: Memory, lines: Sequence[dict[str, Any]]) -> Iterator[Asked]:
    """Store every sentence, then ask: an answer is right among the first three, an unrelated question without any."""
    told = [line for line in lines if "sentence" in line]
    stored = [call_tool(memory, "remember", "recollect", text=line["sentence"]) for line in told]
    for line, remembered in zip(told, stored, strict=True):
        ids = {remembered["note"], *(each["id"] for each in remembered["facts"] if "id" in each)}
        for question in line.get("questions") or [line["question"]]:
            found = call_tool(memory, "recall", "recollect", query=question)["results"]
            is_right = any({each["id"], each.get("document")} & ids for each in found[:FIRST])
            yield Asked(line.get("kind", "plain"), question, is_right, [each["text"] for each in found[:FIRST]])
    for line in lines:
        if "unrelated" in line:
            found = call_tool(memory, "recall", "recollect", query=line["unrelated"])["results"]
            yield Asked(
                f"unrelated, {line.get('kind', 'any')}", line["unrelated"], not found, [each["text"] for each in found]
            )


def report(asked: Sequence[Asked], *, with_misses: bool) -> str:
    """The share of right answers by kind; on request every miss with what was answered instead."""
    totals, right = Counter(each.kind for each in asked), Counter(each.kind for each in asked if each.is_right)
    lines = [f"{kind:20} {right[kind]:3} of {total:3}" for kind, total in totals.items()]
    answered = [each for each in asked if not each.kind.startswith("unrelated")]
    lines.append(f"{'answered':20} {sum(each.is_right for each in answered):3} of {len(answered):3}")
    if with_misses:
        lines += [f"{each.kind}: {each.question} -> {list(each.answers)}" for each in asked if not each.is_right]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
