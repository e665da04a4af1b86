"""Mail addresses and domains in the one form in which they are compared, and letters that imitate plain ones."""

import re
import unicodedata

from recollect.text.prompt_injection import has_lookalikes

_WIRE_PREFIX = "xn--"
"""Prefix of a domain label in Punycode (RFC 3492)."""
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_PARTS = re.compile("[@.\u3002\uff0e\uff61]")
_LIKE_LATIN = frozenset("асԁеһіјкӏорԛѕтухѵԝ" + "αινκορτυχ")
"""Cyrillic and Greek small letters of which a whole word can look like one of Latin letters."""


def canonical_domain(domain: str) -> str:
    """The domain in small letters, decoded from the wire where nothing is lost; dots of other scripts are dots."""
    labels = _DOTS.split(unicodedata.normalize("NFKC", domain).lower().strip("."))
    return ".".join(map(_canonical_label, labels))


def canonical_address(address: str) -> str:
    """The address in small letters with its canonical domain; what has no @ is compared as a name."""
    local, at, domain = unicodedata.normalize("NFKC", address).strip().rpartition("@")
    return f"{local.casefold()}@{canonical_domain(domain)}" if at else domain.casefold()


def imitates_plain_letters(text: str) -> bool:
    """Whether letters of a name only look plain: wide or bold ones, or words with letters of another alphabet."""
    if text.isascii():
        return False
    composed = unicodedata.normalize("NFC", text)
    return any(not each.isascii() and _is_other_form_of_ascii(each) for each in composed) or has_lookalikes(composed)


def is_disguised_address(address: str) -> bool:
    """Whether an address or a domain has letters that only look plain, as written or decoded from the wire."""
    if address.isascii() and _WIRE_PREFIX not in address.lower():
        return False
    parts = [decode_label(each) for each in _PARTS.split(unicodedata.normalize("NFC", address).lower())]
    return imitates_plain_letters(".".join(parts)) or (parts[-1].isascii() and any(map(_is_like_latin, parts)))


def _is_other_form_of_ascii(letter: str) -> bool:
    plain = unicodedata.normalize("NFKC", letter)
    return letter not in "ªº" and plain.isascii() and plain.isalnum()


def _is_like_latin(part: str) -> bool:
    letters = {each for each in part if each.isalpha()}
    return not part.isascii() and letters <= _LIKE_LATIN


def _canonical_label(label: str) -> str:
    decoded = decode_label(label)
    if decoded.casefold() == decoded:
        return decoded
    # A letter that folds to others, as the sharp s does, would make two registered domains one.
    return _WIRE_PREFIX + decoded.encode("punycode").decode("ascii")


def decode_label(label: str) -> str:
    """A label of a domain in the letters that it stands for on the wire."""
    if not label.startswith(_WIRE_PREFIX):
        return label
    try:
        decoded = label.removeprefix(_WIRE_PREFIX).encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    return decoded if unicodedata.normalize("NFKC", decoded) == decoded else label
