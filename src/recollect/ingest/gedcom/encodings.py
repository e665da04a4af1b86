"""Decoding GEDCOM bytes: byte order marks, declared charsets and ANSEL."""

import codecs
import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

UNREADABLE = "\N{REPLACEMENT CHARACTER}"

_LETTERS = {
    0x88: "",
    0x89: "",
    0x8D: "\u200d",
    0x8E: "\u200c",
    0xA1: "Ł",
    0xA2: "Ø",
    0xA3: "Đ",
    0xA4: "Þ",
    0xA5: "Æ",
    0xA6: "Œ",
    0xA7: "ʹ",
    0xA8: "·",
    0xA9: "♭",
    0xAA: "®",
    0xAB: "±",
    0xAC: "Ơ",
    0xAD: "Ư",
    0xAE: "ʼ",
    0xB0: "ʻ",
    0xB1: "ł",
    0xB2: "ø",
    0xB3: "đ",
    0xB4: "þ",
    0xB5: "æ",
    0xB6: "œ",
    0xB7: "ʺ",
    0xB8: "ı",
    0xB9: "£",
    0xBA: "ð",
    0xBC: "ơ",
    0xBD: "ư",
    0xBE: "□",
    0xBF: "■",
    0xC0: "°",
    0xC1: "ℓ",
    0xC2: "℗",
    0xC3: "©",
    0xC4: "♯",
    0xC5: "¿",
    0xC6: "¡",
    0xC7: "ß",
    0xC8: "€",
    0xCD: "e",
    0xCE: "o",
    0xCF: "ß",
}
_MARKS = {
    0xE0: "\u0309",
    0xE1: "\u0300",
    0xE2: "\u0301",
    0xE3: "\u0302",
    0xE4: "\u0303",
    0xE5: "\u0304",
    0xE6: "\u0306",
    0xE7: "\u0307",
    0xE8: "\u0308",
    0xE9: "\u030c",
    0xEA: "\u030a",
    0xEB: "\ufe20",
    0xEC: "\ufe21",
    0xED: "\u0315",
    0xEE: "\u030b",
    0xEF: "\u0310",
    0xF0: "\u0327",
    0xF1: "\u0328",
    0xF2: "\u0323",
    0xF3: "\u0324",
    0xF4: "\u0325",
    0xF5: "\u0333",
    0xF6: "\u0332",
    0xF7: "\u0326",
    0xF8: "\u031c",
    0xF9: "\u032e",
    0xFA: "\ufe22",
    0xFB: "\ufe23",
    0xFC: "\u0338",
    0xFE: "\u0313",
}


def decode_ansel(content: bytes) -> str:
    """The text of ANSEL bytes, composed; what no table has is U+FFFD."""
    if content.isascii():
        return content.decode("ascii")
    found: list[str] = []
    marks = ""
    for byte in content:
        mark = _MARKS.get(byte)
        if mark is not None:
            marks += mark
            continue
        letter = chr(byte) if byte < 0x80 else _LETTERS.get(byte, UNREADABLE)
        found.append(_compose(letter, marks))
        marks = ""
    return unicodedata.normalize("NFC", "".join(found) + UNREADABLE * len(marks))


def _compose(letter: str, marks: str) -> str:
    """A letter with the marks that stood before it; a line's end takes none."""
    if letter in ("\r", "\n"):
        return UNREADABLE * len(marks) + letter
    return letter + marks


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
    said = _CHAR_LINE.search(content, 0, _HEAD_BYTES)
    name = " ".join(said[1].decode("ascii", "replace").upper().split()) if said else ""
    if name == "ANSEL":
        return _ansel_or_utf8
    return lambda raw: _decode_as(raw, _CODECS_BY_NAME[name]) if name in _CODECS_BY_NAME else _decode_by_guess(raw)


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


def _decode_by_guess(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_as(content, "cp1252")


def _decode_as(content: bytes, encoding: str) -> str:
    return content.decode(encoding, "replace")
