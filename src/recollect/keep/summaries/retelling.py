"""A summary told by a language model: its bullets hold no name, number or date that the sources do not have."""

import re
from collections.abc import Iterator, Sequence

from recollect.keep.memories.dates import Period
from recollect.keep.memories.words import is_stop, plain, words_of
from recollect.keep.summaries.extract import MOST
from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Model, ModelUnavailable
from recollect.llm.schema import TEXT, lists_of

LONGEST_SOURCES = 120_000
LONGEST_BULLET = 1000
SCHEMA = lists_of(60, bullets=TEXT)
SYSTEM = """You are an AI companion who sums up its own memories of one period ({granularity}, {period}) in the first
person. Write at most {most} bullets, each one sentence that begins with I, We, My or Our. Keep to what the memories
say: no name, number or date that is not in them. Keep tags such as [via:desk] where they belong to what you keep.

{rule}"""

_NUMBER = re.compile(r"\d+")
_CAPITAL = re.compile(r"(?<![\w'’])[^\W\d_][\w'’-]*")
_TAG = re.compile(r"\[(?:chat|via):[^\]\n]*\]")
_VIA = re.compile(r"\[via:[^\]\n]*\]")


def told(model: Model, period: Period, sources: Sequence[str]) -> list[str] | None:
    """The bullets of a summary that its sources bear out; none if the model fails or nothing is left."""
    text = "\n\n".join(sources)
    if len(text) > LONGEST_SOURCES:
        return None
    system = SYSTEM.format(granularity=period.granularity, period=period.text, most=MOST[period.granularity], rule=RULE)
    try:
        answer = answered(model, Ask(system, fenced(text, "MEMORIES"), SCHEMA))
    except ModelUnavailable:
        return None
    return borne_out(answer["bullets"], text)[: MOST[period.granularity]] or None


def borne_out(bullets: Sequence[str], text: str) -> list[str]:
    """Those bullets whose names, numbers and dates all stand in the text, each once, as one line."""
    known, numbers, tags = words_of(text), set(_NUMBER.findall(text)), set(_VIA.findall(text))
    clean = (_one_line(bullet, tags) for bullet in bullets)
    fitting = (
        bullet
        for bullet in clean
        if bullet and set(_NUMBER.findall(_TAG.sub("", bullet))) <= numbers and _names(bullet) <= known
    )
    return list(dict.fromkeys(fitting))


def _one_line(bullet: str, tags: set[str]) -> str:
    """A bullet without marker and made-up tags; nothing if it is too long or cannot be shown."""
    line = " ".join(_TAG.sub(lambda tag: tag[0] if tag[0] in tags else "", bullet).split()).lstrip("-*+• ")
    return line if len(line) <= LONGEST_BULLET and line.isprintable() else ""


def _names(bullet: str) -> set[str]:
    """The words that may be names: capitalised ones, but for function words."""
    return {word for name in _capitalised(_TAG.sub("", bullet)) for word in words_of(name) if not is_stop(word)}


def _capitalised(text: str) -> Iterator[str]:
    for found in _CAPITAL.finditer(text):
        word = found[0]
        if word[0].isupper() and not is_stop(plain(word)):
            yield word
