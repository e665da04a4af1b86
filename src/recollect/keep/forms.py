"""Names that could become paths, and texts: matched in full against their form, refused otherwise, never repaired."""

import re
from typing import Literal, get_args
from unicodedata import category

Category = Literal["self", "user", "relationship", "custom"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

CONTENT_LIMIT = 1 << 20
AUTHOR_LIMIT = 200
UNKNOWN = "unknown"

FILENAME = re.compile(r"[A-Za-z0-9_-]{1,100}\.md", re.ASCII)
INSTANCE = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
INSTANCE_TYPE = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}", re.ASCII)
PROMPT_LABEL = re.compile(r"(?![xX][mM][lL])[A-Za-z_][A-Za-z0-9_.-]{0,63}", re.ASCII)
MEMORY_ID = re.compile(
    r"daily-\d{4}-\d\d-\d\d_(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
    r"|significant-\d{4}-\d\d-\d\d_[a-z0-9][a-z0-9_-]{0,79}"
    r"|weekly-\d{4}-W\d\d|monthly-\d{4}-\d\d|yearly-\d{4}",
    re.ASCII,
)
CHAT_ID = re.compile(r"[^\],\r\n\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]{1,200}")
AUTHOR = re.compile(r"[^\r\n\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]{1,200}")

_NOT_IN_INSTANCE = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)
_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_DOTS = re.compile(r"\.{2,}")


def is_form(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the whole text has this form."""
    return pattern.fullmatch(text) is not None


def is_visible(text: str) -> bool:
    """Whether there is anything to see in a text: more than space, and marks that take none."""
    return any(category(letter) not in _UNSEEN for letter in text.strip())


def normal_text(text: str) -> str:
    """The text with every line break as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def fit_instance(name: str | None) -> str:
    """The nearest instance id to a name that somebody gave, or `unknown`."""
    fit = _DOTS.sub(".", _NOT_IN_INSTANCE.sub("-", name or "")).lstrip("._-")[:64]
    return fit or UNKNOWN
