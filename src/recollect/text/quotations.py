"""What stands in a text without being said by its author: quotations, code, comments, struck-out words.

It is blanked out, so that places in the text stay the same.
"""

import re

from recollect.text.patterns import lazy_pattern

_FENCE = r"^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
_COMMENT = r"<!--(?:(?!<!--).)*?-->"
_QUOTED_LINE = r"^[ \t]*>[^\n]*$"
_QUOTATION = re.compile(
    rf"{_QUOTED_LINE}|{_FENCE}|{_COMMENT}"
    r"|\"[^\"\n]*(?:\n(?![ \t]*\n)[^\"\n]*)*\"|„[^„“”]*[“”]|“[^“”]*”|«[^«»]*»",
    re.MULTILINE | re.DOTALL,
)
_UNSAID = re.compile(
    rf"{_FENCE}|{_COMMENT}|%%.*?%%|~~(?=\S)[^\n]*?~~"
    r"|<(?:s|del|strike)>(?:(?!<(?:s|del|strike)>).)*?</(?:s|del|strike)>"
    rf"|{_QUOTED_LINE}"
    r"|^[ \t]*:?[A-Z_]{3,}:[ \t]*$"
    r"|(?<!\S)\^[a-zA-Z0-9-]+[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_CALLOUT = lazy_pattern(
    r"^[ \t]*>[ \t]*\[!(?!(?:quote|cite|example)\b)[\w-]+\][+-]?[^\n]*(?:\n[ \t]*>[^\n]*)*",
    re.MULTILINE | re.IGNORECASE,
)
"""A box in a note, `> [!todo]`: the writer's own words, though each line has the mark of a quotation."""
_CALLOUT_MARK = lazy_pattern(r"^[ \t]*>(?:[ \t]*\[![\w-]+\][+-]?)?", re.MULTILINE)
_QUOTED_WORDS = lazy_pattern(
    r"\"[^\"\n]{3,}\"|“[^“”]{3,}”|«[^«»]{3,}»|„[^„“”]{3,}[“”]|(?<!\w)'[^'\n]{12,}'(?!\w)|`[^`\s]+\s[^`\n]*\s[^`\n]*`"
)
_QUOTATION_MARK = re.compile("[\"“«„'`]")


def blank(text: str) -> str:
    """A text with every character but its line breaks replaced by a space."""
    return re.sub(r"[^\n]", " ", text)


def unquote_callouts(text: str) -> str:
    """The text with the marks of callouts blanked out, so that their lines are not taken for quotations."""
    if "[!" not in text:
        return text
    return _CALLOUT.sub(lambda found: _CALLOUT_MARK.sub(lambda mark: blank(mark[0]), found[0]), text)


def mask_quotations(text: str) -> str:
    """The text with what it quotes, in marks or in lines with `>`, and with code and comments blanked out."""
    return _QUOTATION.sub(lambda found: blank(found[0]), text)


def mask_unsaid(text: str) -> str:
    """The text with quoted lines, code, comments, struck-out words and ids of blocks (`^intro`) blanked out."""
    return _UNSAID.sub(lambda found: blank(found[0]), text)


def mask_quoted_words(sentence: str) -> str:
    """A sentence with quoted words blanked out; a word or two in quotation marks are only emphasized."""
    if _QUOTATION_MARK.search(sentence) is None:
        return sentence
    return _QUOTED_WORDS.sub(lambda found: " " * len(found[0]), sentence)
