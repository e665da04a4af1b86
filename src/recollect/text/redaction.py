"""What must not be stored of a text: private passages, secrets, and what memory itself put there."""

import re
from typing import NamedTuple

from recollect.text.fence import FENCE

REDACTED = "[redacted]"

_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)
_INJECTED = re.compile(rf"<{FENCE}\b[^>]*>.*?(?:</{FENCE}>|\Z)", re.DOTALL | re.IGNORECASE)
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_TOKEN = re.compile(
    r"""(?<![\w-])(?:
      sk-(?:ant-|proj-|live-|test-)?[A-Za-z0-9_-]{16,}    # model providers
    | [rs]k_(?:live|test)_[A-Za-z0-9]{16,}                # payment providers
    | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
    | xox[abeoprs]-[A-Za-z0-9-]{10,} | npm_[A-Za-z0-9]{30,} | pypi-[A-Za-z0-9_-]{30,} | hf_[A-Za-z0-9]{20,}
    | rcl_[A-Za-z0-9_-]{20,}
    | (?:AKIA|ASIA)[A-Z0-9]{16} | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{20,}
    | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    )""",
    re.VERBOSE,
)
_ASSIGNED = re.compile(
    r"""(?P<name>\b[\w.-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token
    |access[_-]?token|refresh[_-]?token|client[_-]?secret|_token)\b["']?\s*[:=]\s*["']?)
    (?P<value>[^\s"',;&<>()\[\]{}$]{6,})""",
    re.VERBOSE | re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<name>\b(?:Bearer|Basic)\s+)(?P<value>[A-Za-z0-9._~+/=-]{16,})")
_URL_PASSWORD = re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)(?P<value>[^\s/@]+)(?=@)", re.IGNORECASE)


class Redacted(NamedTuple):
    """A text that may be stored, and how many secrets were taken out of it."""

    text: str
    secrets: int = 0


def redact(text: str) -> Redacted:
    """The text without private passages, recalled memory and secrets."""
    text = _INJECTED.sub("", _PRIVATE.sub("", text))
    count = 0
    for pattern in (_KEY_BLOCK, _TOKEN):
        text, found = pattern.subn(REDACTED, text)
        count += found
    for pattern in (_BEARER, _URL_PASSWORD, _ASSIGNED):
        text, found = _redact_values(pattern, text)
        count += found
    return Redacted(text, count)


def _redact_values(pattern: re.Pattern[str], text: str) -> tuple[str, int]:
    count = 0

    def replaced(found: re.Match[str]) -> str:
        nonlocal count
        if REDACTED in found["value"]:
            return found[0]
        count += 1
        return found["name"] + REDACTED

    return pattern.sub(replaced, text), count
