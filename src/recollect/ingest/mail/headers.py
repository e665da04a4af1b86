"""The headers of a mail as text, whatever their makers meant by them."""

import re
from base64 import b64decode
from binascii import Error
from codecs import lookup
from collections.abc import Iterator
from email.message import Message
from quopri import decodestring

from recollect.model.storable import UNSTORABLE

_WORD = re.compile(r"=\?([^?\s]+)\?([bqBQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
# Mail programs give the name of a small charset to text in one that holds more.
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
}


def storable(text: str) -> str:
    """The text without what no store can hold."""
    return UNSTORABLE.sub("\ufffd", text)


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
    named = _canonical(charset or "ascii")
    for wanted in (_WIDER.get(named), named):
        try:
            return content.decode(wanted or "ascii"), True
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    try:
        return content.decode("utf-8"), charset is None
    except UnicodeDecodeError:
        return content.decode("latin-1"), False


def _canonical(charset: str) -> str:
    try:
        return lookup(charset).name
    except (LookupError, ValueError):
        return charset
