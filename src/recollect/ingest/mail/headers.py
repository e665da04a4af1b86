"""The headers of a mail as text, whatever their makers meant by them."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from email.message import Message
from quopri import decodestring

_WORD = re.compile(r"=\?([^?\s]+)\?([bqBQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text without what no store can hold."""
    return _UNSTORABLE.sub("\ufffd", text)


def raw_headers(message: Message) -> Iterator[tuple[str, str]]:
    """Names and values as they were written."""
    for name, value in message.raw_items():
        yield name.casefold(), str(value)


def header_text(raw: str) -> str:
    """A header's value: its encoded words decoded, its bare bytes read as UTF-8 or Latin-1, its folds undone."""
    text = _bare(raw)
    if "=?" in text:
        text = _WORD.sub(_decoded, _BETWEEN_WORDS.sub(r"\1", text))
    return storable(" ".join(text.split()))


def _bare(raw: str) -> str:
    if raw.isascii():
        return raw
    return decoded(raw.encode("utf-8", "surrogateescape"), "utf-8")[0]


def _decoded(word: re.Match[str]) -> str:
    charset, kind, text = word.groups()
    try:
        if kind in "bB":
            content = b64decode(text + "=" * (-len(text) % 4))
        else:
            content = decodestring(text.replace("_", " ").encode("ascii", "replace"))
    except (Error, ValueError):
        return word[0]
    return decoded(content, charset.partition("*")[0])[0]


def decoded(content: bytes, charset: str | None) -> tuple[str, bool]:
    """The text of some bytes, and whether its charset was right; if not, it is read as UTF-8, else as Latin-1."""
    for wanted in (charset, "utf-8"):
        try:
            return content.decode(wanted or "ascii"), wanted == charset or charset is None
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return content.decode("latin-1"), False
