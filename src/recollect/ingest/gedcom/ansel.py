"""ANSEL, the character set of older family trees: marks stand before the letter that they belong to."""

import unicodedata

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
        found.append(_joined(letter, marks))
        marks = ""
    return unicodedata.normalize("NFC", "".join(found) + UNREADABLE * len(marks))


def _joined(letter: str, marks: str) -> str:
    """A letter with the marks that stood before it; a line's end takes none."""
    if letter in ("\r", "\n"):
        return UNREADABLE * len(marks) + letter
    return letter + marks
