"""Finds a sentence in a text, ignoring white space, case, and kinds of quotation marks and dashes."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.text.fold import FoldedText

_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»‹›", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_END_MARKS = " .!?…;:,\"'()[]"
_OPENS = re.compile(r"(?:^|[.!?…:;\n][\"')\]”’»]*\s+|\n\s*)[\"'(\[“‘«>*#\-\s\d.)]*$")
_CLOSES = re.compile(r"[\"')\]”’»]*(?:\s*$|[.!?…;]|\s*\n)")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a sentence stands in a text, and whether it is a whole sentence there."""

    start: int
    stop: int
    is_whole: bool


def normalize_for_match(text: str) -> FoldedText:
    """The form in which sentences are compared: one kind of quote and dash, single spaces and none around dashes."""
    letters: list[str] = []
    offsets: list[int] = []
    for at, original in enumerate(text):
        for letter in _fold_letter(original):
            if letter == " " and (not letters or letters[-1] in " -"):
                continue
            if letter == "-":
                while letters and letters[-1] in " -":
                    letters.pop()
                    offsets.pop()
            letters.append(letter)
            offsets.append(at)
    return FoldedText("".join(letters), [*offsets, len(text)])


def _fold_letter(letter: str) -> str:
    plain = unicodedata.normalize("NFKD", letter.casefold()).translate(_SAME)
    return "".join(" " if each.isspace() else each for each in plain)


def occurrences(sentence: str, text: str) -> Iterator[Occurrence]:
    """The places of a text where the sentence stands, its own closing mark left aside."""
    target = normalize_for_match(sentence).text.strip(_END_MARKS)
    if not target:
        return
    found = normalize_for_match(text)
    at = found.text.find(target)
    while at >= 0:
        start, stop = found.offsets[at], found.offsets[at + len(target) - 1] + 1
        if not _cuts_a_word(text, start, stop):
            yield Occurrence(start, _with_mark(text, stop), _is_whole(text, start, stop))
        at = found.text.find(target, at + 1)


def _cuts_a_word(text: str, start: int, stop: int) -> bool:
    before, after = text[start - 1 : start] + text[start], text[stop - 1] + text[stop : stop + 1]
    return (start > 0 and before.isalnum()) or (stop < len(text) and after.isalnum())


def _with_mark(text: str, stop: int) -> int:
    return stop + 1 if text[stop : stop + 1] in tuple(".!?…") else stop


def _is_whole(text: str, start: int, stop: int) -> bool:
    before = text[max(0, start - 40) : start] if start > 40 else f"\n{text[:start]}"
    return _OPENS.search(before) is not None and _CLOSES.match(text, stop) is not None
