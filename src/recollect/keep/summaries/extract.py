"""A summary made of the sources' own words: the same sources always give the same text."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.keep.identity.blocks import bare, blocks, without_chats, without_marker
from recollect.keep.memories.dates import Granularity, Period
from recollect.keep.memories.words import is_stop, words_of

MOST: dict[Granularity, int] = {"weekly": 12, "monthly": 15, "yearly": 20}
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*")
_BEFORE_SIGN = re.compile(r"[ \t]+([.,;:!?])")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class Line:
    """Something a source says, and the place of the source among all."""

    source: int
    text: str


def summary_text(period: Period, sources: Sequence[str]) -> str:
    """The title and the chosen bullets of the sources, in their order."""
    chosen = choose(said(sources), MOST[period.granularity])
    return titled(period, [line.text for line in chosen])


def titled(period: Period, bullets: Sequence[str]) -> str:
    """The bullets of a summary under its title."""
    title = f"# {period.granularity.capitalize()} Memory - {period.text}"
    return f"{title}\n\n" + "".join(f"- {text}\n" for text in bullets)


def said(sources: Sequence[str]) -> list[Line]:
    """The bullets of the sources, or sentences of one that has none; equal ones once."""
    seen: set[str] = set()
    lines: list[Line] = []
    for place, source in enumerate(sources):
        for text in _lines(source):
            key = bare(text).casefold()
            if key and key not in seen:
                seen.add(key)
                lines.append(Line(place, text))
    return lines


def _lines(source: str) -> Iterator[str]:
    found = list(blocks(source))
    bullets = [block.text for block in found if block.kind == "bullet"]
    if bullets:
        yield from (_cleaned(without_marker(text)) for text in bullets)
        return
    prose = [block for block in found if block.kind == "paragraph"]
    texts = [block.text for block in prose] or [block.heading or block.text for block in found]
    for text in texts:
        yield from (_cleaned(" ".join(part.split())) for part in _SENTENCE.split(text) if part.strip())


def _cleaned(text: str) -> str:
    """Without the tags of conversations and the spaces they leave behind."""
    lines = (_SPACES.sub(" ", _BEFORE_SIGN.sub(r"\1", line)).rstrip() for line in without_chats(text).split("\n"))
    return "\n".join(lines).strip()


def choose(lines: Sequence[Line], most: int) -> list[Line]:
    """At most so many, those that share most with the rest, and one of each source while there is room."""
    if len(lines) <= most:
        return list(lines)
    weights = _weights(lines)
    order = sorted(range(len(lines)), key=lambda at: (-weights[at], at))
    best_of_each: dict[int, int] = {}
    for at in order:
        best_of_each.setdefault(lines[at].source, at)
    chosen = list(best_of_each.values())[:most]
    chosen += [at for at in order if at not in set(chosen)][: most - len(chosen)]
    return [lines[at] for at in sorted(chosen)]


def _weights(lines: Sequence[Line]) -> list[float]:
    """How much of what all lines talk about each of them holds."""
    words = [{word for word in words_of(line.text) if not is_stop(word)} for line in lines]
    counts = Counter(word for each in words for word in each)
    return [round(sum(counts[word] - 1 for word in each) / (len(each) + 4), 9) for each in words]
