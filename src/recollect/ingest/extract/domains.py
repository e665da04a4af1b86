"""Mail domains: which part of one was registered, and which belong to a provider that everybody uses."""

import re
from collections.abc import Iterable

_PROVIDERS = frozenset(
    "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com proton.me "
    "protonmail.com pm.me fastmail.com fastmail.fm mail.com qq.com 163.com 126.com web.de ya.ru hey.com tutanota.com "
    "zoho.com mail.ru t-online.de".split()
)
_PROVIDER_LABELS = frozenset({"yahoo", "gmx", "yandex", "ymail", "rocketmail"})
_IN_COUNTRIES = frozenset({"hotmail", "outlook", "live", "msn", "aol"})
"""Providers that have a domain in many countries; elsewhere the name may be anybody's."""
# Under the two letters of a country these stand where elsewhere the registered name stands.
_SECOND_LEVEL = frozenset(
    "ac co com edu gob gouv gov govt go gv id ltd mil me ne net nhs nom or org plc police sch school web".split()
)
_ENCODED = "xn--"
# Said by what is no letter: a class that names all of Unicode takes long to compile.
_LETTER = r"[^\x00-/:-^`{-\x7f]"
_LABEL = re.compile(rf"{_LETTER}(?:(?:{_LETTER}|-)*{_LETTER})?")


def registrable(domain: str) -> str | None:
    """The domain as it was registered, without the hosts under it; none for an address or a single label."""
    labels = [label for label in domain.casefold().strip(".").split(".") if label]
    if len(labels) < 2 or labels[-1].isdigit() or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    is_country = len(labels[-1]) == 2
    count = 3 if is_country and labels[-2] in _SECOND_LEVEL and len(labels) > 2 else 2
    return ".".join(labels[-count:])


def is_provider(domain: str, further: Iterable[str] = ()) -> bool:
    """Whether a registrable domain says nothing about where its users work."""
    label, _, rest = domain.partition(".")
    is_abroad = label in _IN_COUNTRIES and len(rest.rpartition(".")[2]) == 2
    return domain in _PROVIDERS or rest == "web.de" or label in _PROVIDER_LABELS or is_abroad or domain in further


def company_name(domain: str) -> str:
    """The name a registrable domain spells: its first label, hyphens as spaces."""
    return " ".join(_letters(domain.partition(".")[0]).replace("-", " ").split()).title()


def _letters(label: str) -> str:
    """A label in the letters it stands for."""
    if not label.startswith(_ENCODED):
        return label
    try:
        return label.removeprefix(_ENCODED).encode("ascii").decode("punycode")
    except UnicodeError:
        return label
