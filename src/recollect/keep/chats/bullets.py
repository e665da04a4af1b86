"""What a day's memory says of a conversation: one bullet for each thing that the user said at some length."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from recollect.keep.chats.stored import Keyed
from recollect.keep.identity.blocks import Block, without_blocks
from recollect.keep.summaries.retelling import borne_out
from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Model, ModelUnavailable
from recollect.llm.schema import TEXT, lists_of
from recollect.model.document import content_hash

LEAST_WORDS = 4
LEAST_LETTERS = 8
LONGEST = 240
LONGEST_ASKED = 60_000
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s|(?<=[。！？])")
_TAG = re.compile(r"\[(?=(?:chat|via):)")
_IN_TAGS = re.compile(r"[\],%\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
SCHEMA = lists_of(40, bullets=TEXT | {"maxLength": 400})
SYSTEM = f"""You are an AI companion who notes what it remembers of one day's conversation with the user, in the first
person. Write few bullets, each one sentence that begins with I, We, My or Our. Keep to what was said: no name, number
or date that is not in it.

{RULE}"""


@dataclass(frozen=True, slots=True)
class Bullet:
    """One line of a day, and the messages it came from."""

    line: str
    messages: tuple[str, ...]

    @property
    def hash(self) -> str:
        return content_hash(self.line)


def bullets_of(messages: Sequence[Keyed], chat: str, instance: str, model: Model | None) -> list[Bullet]:
    """What the new messages of one conversation on one day come to; those that read alike are one."""
    told = _told(model, messages) if model is not None else None
    said = told if told is not None else [(text, (each.key,)) for each in messages if (text := extracted(each))]
    tail = f" [chat:{escaped(chat)}] [via:{instance}]"
    found: dict[str, tuple[str, ...]] = {}
    for text, keys in said:
        line = f"- {text}{tail}"
        found[line] = (*found.get(line, ()), *keys)
    return [Bullet(line, keys) for line, keys in found.items()]


def extracted(each: Keyed) -> str | None:
    """The first sentence of what a user said, if it was more than a word or two."""
    if each.message.role != "user":
        return None
    text = " ".join(each.message.content.split())
    is_long = len(text.split()) >= LEAST_WORDS or len(_UNSPACED.findall(text)) >= LEAST_LETTERS
    # A tag that a user wrote would be read as ours.
    return _TAG.sub("(", shortened(_SENTENCE.split(text, maxsplit=1)[0].strip())) if is_long else None


def shortened(text: str) -> str:
    """At most so many characters, cut at a word."""
    if len(text) <= LONGEST:
        return text
    cut = text[:LONGEST].rpartition(" ")[0] or text[: LONGEST - 1]
    return f"{cut.rstrip(' ,;:')[: LONGEST - 1]}…"


def escaped(chat: str) -> str:
    """An id that can stand in a tag."""
    return _IN_TAGS.sub(lambda found: quote(found[0], safe=""), chat)


def _told(model: Model, messages: Sequence[Keyed]) -> list[tuple[str, tuple[str, ...]]] | None:
    """What a model makes of the messages, as far as they bear it out; none if that is nothing."""
    text = "\n\n".join(f"{each.message.role}: {each.message.content}" for each in messages)
    if len(text) > LONGEST_ASKED:
        return None
    try:
        answer = answered(model, Ask(SYSTEM, fenced(text, "CONVERSATION"), SCHEMA))
    except ModelUnavailable:
        return None
    keys = tuple(each.key for each in messages)
    return [(_TAG.sub("(", line), keys) for line in borne_out(answer["bullets"], text)] or None


def without_bullets(text: str, hashes: Collection[str]) -> str:
    """A memory without the bullets that read exactly as we wrote them."""
    return without_blocks(text, lambda block: is_ours(block, hashes))


def is_ours(block: Block, hashes: Collection[str]) -> bool:
    return block.kind == "bullet" and content_hash(block.text) in hashes
