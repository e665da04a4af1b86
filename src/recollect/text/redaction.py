"""What must not be stored of a text: private passages, secrets, and what memory itself put there."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from recollect.errors import Refused
from recollect.settings import BadSetting, Settings
from recollect.text.patterns import PatternGroup, lazy_pattern
from recollect.text.prompt_injection import MEMORY_TAG

REDACTED = "[redacted]"

_PRIVATE_TAG = re.compile(r"<\s*(?P<close>/?)\s*private(?![\w-])[^>]{0,2000}>", re.IGNORECASE)
_INJECTED = re.compile(rf"<{MEMORY_TAG}\b[^<>]*>.*?(?:</{MEMORY_TAG}>|\Z)", re.DOTALL | re.IGNORECASE)
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_TOKEN = lazy_pattern(
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
_ASSIGNED = lazy_pattern(
    r"""(?P<name>(?<![\w.-])[\w.-]{0,80}?(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token
    |access[_-]?token|refresh[_-]?token|client[_-]?secret|_token)\b["']?\s{0,9}[:=]\s{0,9}["']?)
    (?P<value>[^\s"',;&<>()\[\]{}$]{6,})""",
    re.VERBOSE | re.IGNORECASE,
)
_BEARER = lazy_pattern(r"(?P<name>\b(?:Bearer|Basic)\s+)(?P<value>[A-Za-z0-9._~+/=-]{16,})")
_URL_PASSWORD = lazy_pattern(
    r"(?P<name>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{0,200}:)(?P<value>[^\s/@]{1,200})(?=@)", re.IGNORECASE
)
_CARD = lazy_pattern(
    r"(?<![\w.-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|3\d\d\d|6(?:011|4[4-9]\d|5\d\d))(?:[ -]?\d){9,15}(?![\w-]|\.\d)"
)
"""Numbers that begin as those of payment cards do; the last digit tells whether they are."""


class RedactedText(NamedTuple):
    """A text that may be stored, and how many secrets were taken out of it."""

    text: str
    secrets: int = 0


SecretPolicy = Literal["keep", "mask", "refuse"]
SECRET_POLICIES: tuple[SecretPolicy, ...] = ("keep", "mask", "refuse")
SECRETS_SETTING = "secrets.policy"


class HoldsSecrets(Refused):
    code = "holds_secrets"

    def __init__(self, count: int) -> None:
        super().__init__(
            f"the text contains {count} secrets, such as keys or card numbers; remove them, or set {SECRETS_SETTING} "
            "to mask or keep"
        )


def secret_policy(settings: Settings, default: SecretPolicy = "keep") -> SecretPolicy:
    """What is done with secrets in ingested texts."""
    policy = settings.text(SECRETS_SETTING, default)
    found = next((each for each in SECRET_POLICIES if each == policy), None)
    if found is None:
        raise BadSetting(SECRETS_SETTING, policy, f"one of {', '.join(SECRET_POLICIES)}")
    return found


def apply_policy(text: str, policy: SecretPolicy) -> RedactedText:
    """The text as it may be stored, and how many secrets it held; refused if the policy says so."""
    masked = mask_secrets(text)
    if masked.secrets and policy == "refuse":
        raise HoldsSecrets(masked.secrets)
    return RedactedText(text, masked.secrets) if policy == "keep" else masked


def redact(text: str) -> RedactedText:
    """The text without private passages, recalled memory and secrets."""
    return mask_secrets(without_private(text))


def without_private(text: str) -> str:
    """The text without private passages and recalled memory."""
    return _INJECTED.sub("", _without_private_tags(text))


def _without_private_tags(text: str) -> str:
    """The text outside of private tags, which may be nested; one that is not closed lasts to the end."""
    kept, depth, start = list[str](), 0, 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag["close"]:
            if depth == 0:
                kept.append(text[start : tag.start()])
            depth += 1
        elif depth > 0:
            depth, start = depth - 1, tag.end()
    return "".join(kept) + (text[start:] if depth == 0 else "")


class _Secret(NamedTuple):
    """How a kind of secret is recognized, and what a match becomes."""

    pattern: re.Pattern[str]
    masked: Callable[[re.Match[str]], str]


def _mask_value(found: re.Match[str]) -> str:
    return found[0] if REDACTED in found["value"] else f"{found['name']}{REDACTED}"


_SECRETS = PatternGroup(
    (
        _Secret(_TOKEN, lambda _: REDACTED),
        _Secret(_CARD, lambda found: REDACTED if _is_card_number(found[0]) else found[0]),
        _Secret(_BEARER, _mask_value),
        _Secret(_URL_PASSWORD, _mask_value),
        _Secret(_ASSIGNED, _mask_value),
    ),
    lambda secret: secret.pattern,
)


def mask_secrets(text: str) -> RedactedText:
    """The text with its secrets blacked out."""
    text, count = _KEY_BLOCK.subn(REDACTED, text)
    for secret in _SECRETS.possible(text):
        masked = [secret.masked(found) != found[0] for found in secret.pattern.finditer(text)]
        if any(masked):
            text, count = secret.pattern.sub(secret.masked, text), count + sum(masked)
    return RedactedText(text, count)


def _is_card_number(text: str) -> bool:
    """Whether the check digit of a number is right: every second digit from the right counts twice."""
    digits = [int(each) for each in reversed(text) if each.isdigit()]
    doubled = (sum(divmod(2 * each, 10)) for each in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
