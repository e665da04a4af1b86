"""From the bytes of a family tree to its text, by byte order mark or by what its head says."""

import codecs
import re
from collections.abc import Callable
from typing import NamedTuple

from recollect.ingest.gedcom.ansel import UNREADABLE, decode_ansel

_HEAD = 16 * 1024
_CHAR = re.compile(rb"^[ \t]*1[ \t]+CHAR(?:ACTER)?[ \t]+([^\r\n]+)", re.MULTILINE | re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMED = {
    "UTF-8": "utf-8",
    "UTF8": "utf-8",
    "ASCII": "ascii",
    "US-ASCII": "ascii",
    "ANSI": "cp1252",
    "WINDOWS-1252": "cp1252",
    "CP1252": "cp1252",
    "LATIN1": "cp1252",
    "ISO-8859-1": "cp1252",
    "ISO8859-1": "cp1252",
    "ISO-8859-15": "iso-8859-15",
    "WINDOWS-1250": "cp1250",
    "WINDOWS-1251": "cp1251",
    "IBMPC": "cp437",
    "IBM DOS": "cp850",
    "MSDOS": "cp850",
    "MS-DOS": "cp850",
    "MACINTOSH": "mac-roman",
}


class Decoded(NamedTuple):
    """A text and how many of its characters could not be read."""

    text: str
    unreadable: int


def decode(content: bytes) -> Decoded:
    """The text of a family tree; anything unreadable becomes U+FFFD and is counted."""
    text = _reader(content)(content).replace("\0", UNREADABLE)
    return Decoded(text, text.count(UNREADABLE))


def _reader(content: bytes) -> Callable[[bytes], str]:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return lambda raw: _decode(raw[len(bom) :], encoding)
    if content[:2] in ("0".encode("utf-16-le"), "0".encode("utf-16-be")):
        encoding = "utf-16-le" if content[:1] == b"0" else "utf-16-be"
        return lambda raw: _decode(raw, encoding)
    said = _CHAR.search(content, 0, _HEAD)
    name = " ".join(said[1].decode("ascii", "replace").upper().split()) if said else ""
    if name == "ANSEL":
        return _ansel_or_utf8
    return lambda raw: _decode(raw, _NAMED[name]) if name in _NAMED else _guessed(raw)


def _ansel_or_utf8(content: bytes) -> str:
    """ANSEL as the head says, unless every byte above ASCII belongs to a UTF-8 letter: many programs lie here."""
    if content.isascii():
        return content.decode("ascii")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return decode_ansel(content)
    # A mark before a plain letter is never valid UTF-8, but two ANSEL letters in a row can be.
    return text if not any("\u0080" <= letter <= "\u00a0" for letter in text) else decode_ansel(content)


def _guessed(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode(content, "cp1252")


def _decode(content: bytes, encoding: str) -> str:
    return content.decode(encoding, "replace")
