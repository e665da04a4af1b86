"""Decoding GEDCOM bytes: byte order marks, declared charsets and ANSEL."""

import codecs
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

UNREADABLE = "\N{REPLACEMENT CHARACTER}"

# MARC 21 added these to ANSEL; the codec knows the standard of 1993 only.
_MARC_LETTERS = {0x88: "", 0x89: "", 0x8D: "\u200d", 0x8E: "\u200c", 0xC7: "ß", 0xC8: "€"}
_MARKS = re.compile(rb"([\xe0-\xfc\xfe]+)([\r\n]|\Z)?")
_ERROR_HANDLER = "recollect.gedcom.ansel"


def decode_ansel(content: bytes) -> str:
    """The text of ANSEL bytes in composed form; bytes that mean nothing become U+FFFD."""
    if content.isascii():
        return content.decode("ascii")
    _register_ansel()
    return unicodedata.normalize("NFC", _MARKS.sub(_prepare_marks, content).decode("gedcom", _ERROR_HANDLER))


def _prepare_marks(found: re.Match[bytes]) -> bytes:
    """Marks before a letter come innermost first, and the codec wants the outermost first; before a line end they
    are invalid."""
    if found[2] is None:
        return found[1][::-1]
    return b"\xff" * len(found[1]) + found[2]


@cache
def _register_ansel() -> None:
    import ansel

    ansel.register()
    codecs.register_error(_ERROR_HANDLER, _decode_marc_letter)


def _decode_marc_letter(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _MARC_LETTERS.get(error.object[error.start], UNREADABLE), error.end


_HEAD_BYTES = 16 * 1024
_CHAR_LINE = re.compile(rb"^[ \t]*1[ \t]+CHAR(?:ACTER)?[ \t]+([^\r\n]+)", re.MULTILINE | re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODECS_BY_NAME = {
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


class DecodedText(NamedTuple):
    """A text and how many of its characters could not be read."""

    text: str
    unreadable: int


def decode_gedcom(content: bytes) -> DecodedText:
    """The text of a family tree; anything unreadable becomes U+FFFD and is counted."""
    text = _choose_decoder(content)(content).replace("\0", UNREADABLE)
    return DecodedText(text, text.count(UNREADABLE))


def _choose_decoder(content: bytes) -> Callable[[bytes], str]:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return lambda raw: _decode_as(raw[len(bom) :], encoding)
    if content[:2] in ("0".encode("utf-16-le"), "0".encode("utf-16-be")):
        encoding = "utf-16-le" if content[:1] == b"0" else "utf-16-be"
        return lambda raw: _decode_as(raw, encoding)
    declared = _CHAR_LINE.search(content, 0, _HEAD_BYTES)
    name = " ".join(declared[1].decode("ascii", "replace").upper().split()) if declared else ""
    if name == "ANSEL":
        return _ansel_or_utf8
    return lambda raw: _decode_as(raw, _CODECS_BY_NAME[name]) if name in _CODECS_BY_NAME else _decode_by_guess(raw)


def _ansel_or_utf8(content: bytes) -> str:
    """ANSEL as declared, unless the bytes are valid UTF-8: many programs declare the wrong one."""
    if content.isascii():
        return content.decode("ascii")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return decode_ansel(content)
    # A mark before a plain letter is never valid UTF-8, but two ANSEL letters in a row can be.
    return text if not any("\u0080" <= letter <= "\u00a0" for letter in text) else decode_ansel(content)


def _decode_by_guess(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_as(content, "cp1252")


def _decode_as(content: bytes, encoding: str) -> str:
    return content.decode(encoding, "replace")
