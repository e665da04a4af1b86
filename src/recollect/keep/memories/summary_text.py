"""The text of a summary: extracted from its sources, or written by a model and checked against them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.keep.markdown import bullet_text, parse_blocks, strip_bullet_marker, strip_chat_tags
from recollect.keep.memory_formats import Granularity, MemoryPeriod
from recollect.llm.answers import DATA_RULE, TEXT, ask_with_schema, delimit_text, lists_of
from recollect.llm.port import LanguageModel, ModelRequest, ModelUnavailable
from recollect.text.fold import collapse_spaces, fold_for_search
from recollect.text.sentences import spans_in_block
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.text.tokens import bare_terms

MAX_BULLETS: dict[Granularity, int] = {"weekly": 12, "monthly": 15, "yearly": 20}
_BEFORE_SIGN = re.compile(r"(?<![ \t])[ \t]+([.,;:!?])")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A line of a source, and the index of that source."""

    source: int
    text: str


def extract_summary(period: MemoryPeriod, sources: Sequence[str]) -> str:
    """The title and the selected bullets of the sources, in order."""
    chosen = select_lines(summary_lines(sources), MAX_BULLETS[period.granularity])
    return render_summary(period, [line.text for line in chosen])


def render_summary(period: MemoryPeriod, bullets: Sequence[str]) -> str:
    """The bullets of a summary under its title."""
    title = f"# {period.granularity.capitalize()} Memory - {period.text}"
    return f"{title}\n\n" + "".join(f"- {text}\n" for text in bullets)


def summary_lines(sources: Sequence[str]) -> list[SummaryLine]:
    """The bullets of the sources, or the sentences of a source without bullets, without duplicates."""
    seen: set[str] = set()
    lines: list[SummaryLine] = []
    for place, source in enumerate(sources):
        for text in _lines_of_source(source):
            key = bullet_text(text).casefold()
            if key and key not in seen:
                seen.add(key)
                lines.append(SummaryLine(place, text))
    return lines


def _lines_of_source(source: str) -> Iterator[str]:
    found = list(parse_blocks(source))
    bullets = [block.text for block in found if block.kind == "bullet"]
    if bullets:
        yield from (_strip_tags(strip_bullet_marker(text)) for text in bullets)
        return
    prose = [block for block in found if block.kind == "paragraph"]
    texts = [block.text for block in prose] or [block.heading or block.text for block in found]
    for text in texts:
        yield from (_strip_tags(collapse_spaces(text[start:stop])) for start, stop in spans_in_block(text))


def _strip_tags(text: str) -> str:
    """The text without chat tags and the spaces around them."""
    lines = (_SPACES.sub(" ", _BEFORE_SIGN.sub(r"\1", line)).rstrip() for line in strip_chat_tags(text).split("\n"))
    return "\n".join(lines).strip()


def select_lines(lines: Sequence[SummaryLine], most: int) -> list[SummaryLine]:
    """At most `most` lines: the best of each source first, then those that share most with the rest."""
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


def _weights(lines: Sequence[SummaryLine]) -> list[float]:
    """How many of its words each line shares with the others, normalised by its length."""
    words = [{word for word in bare_terms(line.text) if word not in SEARCH_STOP_WORDS} for line in lines]
    counts = Counter(word for each in words for word in each)
    return [round(sum(counts[word] - 1 for word in each) / (len(each) + 4), 9) for each in words]


MAX_SOURCE_LENGTH = 120_000
MAX_BULLET_LENGTH = 1000
SCHEMA = lists_of(60, bullets=TEXT)
SYSTEM = """You are an AI companion who sums up its own memories of one period ({granularity}, {period}) in the first
person. Write at most {most} bullets, each one sentence that begins with I, We, My or Our. Keep to what the memories
say: no name, number or date that is not in them. Keep tags such as [via:desk] where they belong to what you keep.

{rule}"""

_NUMBER = re.compile(r"\d+")
_CAPITAL = re.compile(r"(?<![\w'’])[^\W\d_][\w'’-]*")
_TAG = re.compile(r"\[(?:chat|via):[^\[\]\n]*\]")
_VIA = re.compile(r"\[via:[^\[\]\n]*\]")


def summarize(model: LanguageModel, period: MemoryPeriod, sources: Sequence[str]) -> list[str] | None:
    """The model's bullets that the sources support; none if the model fails or nothing is left."""
    text = "\n\n".join(sources)
    if len(text) > MAX_SOURCE_LENGTH:
        return None
    system = SYSTEM.format(
        granularity=period.granularity, period=period.text, most=MAX_BULLETS[period.granularity], rule=DATA_RULE
    )
    try:
        answer = ask_with_schema(model, ModelRequest(system, delimit_text(text, "MEMORIES"), SCHEMA))
    except ModelUnavailable:
        return None
    return keep_grounded(answer["bullets"], text)[: MAX_BULLETS[period.granularity]] or None


def keep_grounded(bullets: Sequence[str], text: str) -> list[str]:
    """The bullets whose names, numbers and dates all occur in the text, each once, as one line."""
    known, numbers, tags = set(bare_terms(text)), set(_NUMBER.findall(text)), set(_VIA.findall(text))
    clean = (_clean_bullet(bullet, tags) for bullet in bullets)
    grounded = (
        bullet
        for bullet in clean
        if bullet and set(_NUMBER.findall(_TAG.sub("", bullet))) <= numbers and _name_words(bullet) <= known
    )
    return list(dict.fromkeys(grounded))


def _clean_bullet(bullet: str, tags: set[str]) -> str:
    """A bullet without marker and unknown tags; empty if it is too long or not printable."""
    line = " ".join(_TAG.sub(lambda tag: tag[0] if tag[0] in tags else "", bullet).split()).lstrip("-*+• ")
    return line if len(line) <= MAX_BULLET_LENGTH and line.isprintable() else ""


def _name_words(bullet: str) -> set[str]:
    """The words that may be names: capitalised ones that are not stop words."""
    return {
        word
        for name in _capitalised_words(_TAG.sub("", bullet))
        for word in bare_terms(name)
        if word not in SEARCH_STOP_WORDS
    }


def _capitalised_words(text: str) -> Iterator[str]:
    for found in _CAPITAL.finditer(text):
        word = found[0]
        if word[0].isupper() and fold_for_search(word) not in SEARCH_STOP_WORDS:
            yield word
