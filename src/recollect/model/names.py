"""Names of entities, and the choice of types among them; folding and tokens come from the text kit."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId
from recollect.model.trust import OWNER, Trust, is_low
from recollect.text.fold import FOLD_CACHE_SIZE as FOLD_CACHE_SIZE
from recollect.text.fold import clean as clean
from recollect.text.fold import fold_name

NameKind = Literal["name", "alias", "email", "domain", "gedcom_id"]
KnownAs = NameKind | Literal["claimed"]
"""How a text names an entity; an alias that only unknown or untrusted sources gave is merely claimed."""

PEOPLE = frozenset({"person", "self", "npc", "pc", "human", "character"})

_DIGIT_RUN = re.compile(r"\d+")
_CLOSING = " .,;:!?。、؟۔।"

fold = fold_name


class Name(NamedTuple):
    """One text that names one entity."""

    entity: EntityId
    type: str
    spelling: str
    kind: NameKind
    folded: str
    key: str
    trust: Trust = OWNER

    @property
    def known_as(self) -> KnownAs:
        return "claimed" if self.kind == "alias" and is_low(self.trust) else self.kind


@dataclass(frozen=True, slots=True)
class Types:
    """A filter by stored type: those listed or, if `others` is set, all but those listed."""

    listed: frozenset[str] = frozenset()
    others: bool = True

    def admits(self, type_: str) -> bool:
        return (type_ in self.listed) is not self.others

    def within(self, allowed: frozenset[str]) -> "Types":
        """The types of this filter that are also allowed."""
        return Types(allowed - self.listed if self.others else allowed & self.listed, others=False)

    def without(self, barred: frozenset[str]) -> "Types":
        """This filter without the barred types."""
        return Types(self.listed | barred if self.others else self.listed - barred, self.others)


ANY_TYPE = Types()


def fold_words(text: str) -> str:
    """The folded text without trailing punctuation."""
    return fold(text).rstrip(_CLOSING)


def digits(text: str) -> str:
    """The runs of digits in a text, in order, with one space between them."""
    return "" if text.replace(" ", "").isalpha() else " ".join(_DIGIT_RUN.findall(text))
