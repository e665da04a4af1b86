"""Training examples of the sentence reader: sentences of the corpus with their context and labels.

Beside the worlds there are single sentences of acts and modalities that are rare in them, in `corpus/sentences/*.txt`,
one to a line: `LABEL | KIND | sentence` or `LABEL | KIND | them: sentence before >> sentence`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from recollect.text_models.sentence import ACTS, SentenceInput, TextKind
from training.corpus import Doc, Label, Unit, World, parse_label

MODALITIES = (
    "asserted", "asked", "doubted", "conditional", "hoped", "planned", "considered", "attempted", "reported",
    "figurative", "habitual",
)  # fmt: skip
OWNERS = ("none", "author", "named", "other")
SENTENCES = Path(__file__).parent / "corpus" / "sentences"
SLOT_ROLES = {
    "due": "time",
    "time": "time",
    "from": "time",
    "until": "time",
    "what": "object",
    "s": "subject",
    "v": "value",
}
SPAN_ROLES = ("time", "object", "subject", "value", "owner")
TAGS = ("O", *(f"{part}-{role}" for role in SPAN_ROLES for part in "BI"))


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as the reader gets it, its labels by place in `ACTS`, `MODALITIES` and `OWNERS`.

    `spans` are stretches of the sentence with a role; `group` is the world that it comes from.
    """

    sentence: SentenceInput
    act: int
    modality: int
    polarity: int
    owner: int
    spans: tuple[tuple[str, int, int], ...]
    group: str


def examples(worlds: Sequence[World]) -> list[Example]:
    """All labelled sentences of the worlds."""
    return [example for world in worlds for doc in world.docs for example in _doc_examples(world, doc)]


def _doc_examples(world: World, doc: Doc) -> Iterator[Example]:
    before: tuple[str, str | None] = ("", None)
    for unit in doc.units:
        author = unit.speaker or doc.author
        for each in unit.sentences:
            text = each.text.replace("\\n", "\n")
            if each.label is not None:
                by_other = before[0] != "" and before[1] != author
                sentence = SentenceInput(text, _kind(doc, unit), before[0], by_other)
                yield _example(sentence, each.label, author, world.name)
            before = text, author


def _kind(doc: Doc, unit: Unit) -> TextKind:
    if doc.kind == "assistant":
        return "assistant" if unit.speaker == "Assistant" else "chat"
    return cast("TextKind", doc.kind)


def _example(sentence: SentenceInput, label: Label, author: str | None, group: str) -> Example:
    return Example(
        sentence,
        ACTS.index(label.act),
        MODALITIES.index(label.modality),
        int(label.is_negative),
        OWNERS.index(_owner(label, author, sentence.text)),
        tuple(_spans(label, sentence.text)),
        group,
    )


def _owner(label: Label, author: str | None, text: str) -> str:
    owner = label.slots.get("owner")
    if owner is None:
        return "none"
    if author is not None and owner.split()[0] == author.split()[0]:
        return "author"
    return "named" if owner.split()[0].lower() in text.lower() else "other"


def _spans(label: Label, text: str) -> Iterator[tuple[str, int, int]]:
    folded = text.lower()
    found = {SLOT_ROLES[key]: value for key, value in label.slots.items() if key in SLOT_ROLES}
    if "owner" in label.slots:
        found["owner"] = label.slots["owner"].split()[0]
    for role, value in found.items():
        start = folded.find(value.lower())
        if start >= 0 and len(folded) == len(text):
            yield role, start, start + len(value)


def single_sentences(folder: Path = SENTENCES) -> list[Example]:
    """The sentences outside the worlds; each file is a group of its own."""
    return [
        _single(line, path.stem)
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.startswith("#")
    ]


def _single(line: str, group: str) -> Example:
    head, kind, rest = (part.strip() for part in line.split(" | ", 2))
    before, _, text = rest.rpartition(" >> ")
    by_other = before.startswith("them: ")
    sentence = SentenceInput(text, cast("TextKind", kind), before.removeprefix("them: ").removeprefix("me: "), by_other)
    return _example(sentence, parse_label(head, text), "me", group)
