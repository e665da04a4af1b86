"""Four ways to tell the same sentences."""

from collections.abc import Sequence
from typing import Literal

from recollect.reason.lore.telling.sentences import Sentence

Style = Literal["bullet", "paragraph", "chronicle", "whispers"]
STYLES: tuple[Style, ...] = ("bullet", "paragraph", "chronicle", "whispers")

DOUBT = ", though the sources disagree"

# How a lasting thing reads where only its beginning is told.
BEGINNINGS = {
    "ruled": "came to rule",
    "controlled": "took control of",
    "was a member of": "joined",
    "belonged to": "came to belong to",
    "served": "entered the service of",
    "worshipped": "began to worship",
    "practised": "began to practise",
    "spoke": "began to speak",
    "was in": "came to",
    "lived in": "settled in",
    "held the title": "took the title",
    "claimed the title": "laid claim to the title",
    "possessed": "came to possess",
    "was allied with": "allied with",
    "was an enemy of": "became an enemy of",
    "was at war with": "went to war with",
    "was married to": "married",
    "was a partner of": "became a partner of",
    "was part of": "became part of",
    "was the capital of": "became the capital of",
}


def told_in(style: Style, numbered: Sequence[tuple[int, Sentence]]) -> str:
    """The sentences, each with its number, in the shape of a style."""
    match style:
        case "bullet":
            return "\n".join(f"- {plain(each, number)}" for number, each in numbered)
        case "chronicle":
            return "\n".join(_chronicled(each, number) for number, each in numbered)
        case "whispers":
            return " ".join(f"I heard that {plain(each, number)}" for number, each in numbered)
        case _:
            return " ".join(plain(each, number) for number, each in numbered)


def plain(sentence: Sentence, number: int) -> str:
    """One sentence with its time and its number."""
    return f"{sentence.said.statement}{_doubt(sentence)} [{number}]."


def _chronicled(sentence: Sentence, number: int) -> str:
    said, start = sentence.said, sentence.start
    if start is None:
        return f"At a time not recorded, {plain(sentence, number)}"
    if sentence.time.valid_until != start and sentence.relation.fact.valid_from == start:
        said = said._replace(deed=BEGINNINGS.get(said.deed, said.deed))
    return f"In {start}, {said.claim}{_doubt(sentence)} [{number}]."


def _doubt(sentence: Sentence) -> str:
    return DOUBT if sentence.disputed else ""
