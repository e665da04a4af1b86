"""The sentence reader on the open reading set, whose labels were written by another hand.

    PYTHONPATH=src python -m training.measure_reader ../shared/data/reading/messy_dev.jsonl [--model FOLDER]

Sentences are cut at line breaks and full stops. An act counts as right if the record has a wanted or optional fact of
that act, or of one that the set accepts for it, with one of its words in the sentence. Assistants' turns, questions and
what is read as no act are left out.
"""

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from training.layers import READER
from training.sentence_reader import LocalSentenceReader, SentenceInput, SentenceReading, TextKind

_KNOWN = frozenset({"attribute", "event", "relation"})
ACCEPTED = {
    **dict.fromkeys(_KNOWN, _KNOWN),
    "preference": frozenset({"attribute"}),
    "completion": frozenset({"event"}),
    "cancellation": frozenset({"event", "decision"}),
}


def fold(text: str) -> str:
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(each for each in parts if not unicodedata.combining(each))


def sentences(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and not line.strip().startswith(">"):
            yield from (part.strip() for part in re.split(r"(?<=[.!?])\s+", line.strip()) if part.strip())


def inputs(record: Mapping[str, Any]) -> list[SentenceInput]:
    """The sentences of a record, each with the one before it."""
    if record["kind"] == "chat":
        turns = [("assistant" if role == "assistant" else "chat", text) for role, text in record["turns"]]
    else:
        turns = [(record["kind"], record.get("text") or re.sub("<[^>]+>", " ", record.get("html", "")))]
    made: list[SentenceInput] = []
    for kind, text in turns:
        for each in sentences(text):
            made.append(SentenceInput(each, cast("TextKind", kind), made[-1].text if made else ""))
    return made


def is_right(reading: SentenceReading, text: str, record: Mapping[str, Any]) -> bool:
    allowed = {reading.act.label} | ACCEPTED.get(reading.act.label, frozenset())
    for fact in (*record.get("facts", ()), *record.get("optional", ())):
        acts = {fact["act"]} if isinstance(fact["act"], str) else set(fact["act"])
        words = [form for word in fact["what"] for form in word.split("|")]
        if acts & allowed and any(re.search(rf"\b{re.escape(fold(form))}", fold(text)) for form in words):
            return True
    return False


def measure(path: Path, reader: LocalSentenceReader) -> Iterator[str]:
    counts: Counter[tuple[str, str]] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        asked = inputs(record) if record["kind"] != "set" else []
        for sentence, reading in zip(asked, reader.read(asked), strict=True):
            if sentence.kind == "assistant" or reading.act.label in {"none", "question"}:
                continue
            right = is_right(reading, sentence.text, record)
            for name in (reading.act.label, "all"):
                counts[name, "read"] += 1
                counts[name, "right"] += right
                counts[name, "sure"] += reading.is_sure
                counts[name, "sure and right"] += reading.is_sure and right
    for name in sorted({name for name, _ in counts}, key=lambda name: -counts[name, "read"]):
        likeliest = f"{counts[name, 'right']:4} of {counts[name, 'read']:4}"
        yield f"{name:13} right {likeliest}, sure {counts[name, 'sure and right']:4} of {counts[name, 'sure']:4}"


def main() -> None:
    parser = argparse.ArgumentParser(description="The sentence reader on the open reading set")
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", type=Path, default=READER)
    asked = parser.parse_args()
    print("\n".join(measure(asked.file, LocalSentenceReader(asked.model))))  # noqa: T201


if __name__ == "__main__":
    main()
