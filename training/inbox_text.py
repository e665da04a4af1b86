"""How labels of inboxes are compared with their texts."""

import re
import unicodedata
from collections.abc import Iterable

from training.inbox_files import Record


def bare(text: str) -> str:
    """The letters and digits of a text, without accents and case."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in plain if each.isalnum())


def says(text: str, wanted: Iterable[str]) -> bool:
    """Whether of each word given one of its spellings begins a word of the text."""
    plain = _plain(text)
    return all(
        any(re.search(rf"(?<!\w){re.escape(_plain(each))}", plain) for each in word.split("|")) for word in wanted
    )


def _plain(text: str) -> str:
    kept = unicodedata.normalize("NFKD", text.casefold()).replace("ł", "l")
    return "".join(each for each in kept if not unicodedata.combining(each)).replace("’", "'")


def acts_of(fact: Record) -> list[str]:
    return fact["act"] if isinstance(fact["act"], list) else [fact["act"]]
