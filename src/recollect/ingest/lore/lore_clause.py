"""A relation that a sentence of lore states, and the text it stands in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.ingest.lore.named_times import bare_name
from recollect.ingest.lore.prose_dates import ProseDateReader
from recollect.ingest.lore.time_phrases import Phrase, PhraseReader
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.model.relations import read_relation, relation_kinds
from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan
from recollect.when.period import Time
from recollect.when.timeline import Timeline

KINSHIP = frozenset({"child_of"})


class LoreClause(NamedTuple):
    """A relation that a sentence states; `words` is where it says so, `phrase` when, if it says when.

    `aside` is what the sentence tells of an end in passing: its years, whose child it is. `is_shared` says that it has
    its verb, its subject or its object from the relation before it.
    """

    one: NameSpan
    relation: str
    other: NameSpan | None
    words: TextSpan
    phrase: Phrase | None = None
    aside: TextSpan | None = None
    is_shared: bool = False

    @property
    def stop(self) -> int:
        """Where the relation's own words and names end."""
        return self.words.stop if self.other is None else max(self.other.stop, self.words.stop)


@dataclass(frozen=True, slots=True)
class Prose:
    """A text with its known names and the reader of its times."""

    text: str
    names: Sequence[NameSpan]
    known: Mapping[EntityId, Entity]
    meanings: Mapping[str, EntityId]
    moments: ProseDateReader
    phrases: PhraseReader

    @property
    def timeline(self) -> Timeline:
        return self.moments.world.timeline

    def is_event(self, name: NameSpan) -> bool:
        return self._is_a("event", name)

    def is_person(self, name: NameSpan | None) -> bool:
        return name is not None and self._is_a("person", name)

    def is_title(self, name: NameSpan) -> bool:
        return self._is_a("title", name)

    def _is_a(self, type_: str, name: NameSpan) -> bool:
        known = self.known.get(entity_id(name))
        return known is not None and kind_of(known).type == type_

    def phrase(self, own: NameSpan, at: int, limit: int, death: Time | None = None) -> Phrase | None:
        """The time phrase that begins at an offset; *his death* is that of `own`, at `death` if the text tells it."""
        self.moments.about(self.meanings, own.entity, death)
        return self.phrases.read(self.text, at, limit)

    def moment(self, own: NameSpan, at: int, limit: int) -> Phrase | None:
        """The time that begins at an offset without a word such as *in* before it."""
        self.moments.about(self.meanings, own.entity)
        return self.phrases.read_moment(self.text, at, limit)

    def phrases_in(self, own: NameSpan, begin: int, limit: int) -> list[Phrase]:
        self.moments.about(self.meanings, own.entity)
        return self.phrases.all_in(self.text, begin, limit)


def prose_of(text: str, names: Sequence[NameSpan], known: Mapping[EntityId, Entity], moments: ProseDateReader) -> Prose:
    meanings = {bare_name(text[each.start : each.stop]): entity_id(each) for each in names}
    return Prose(text, names, known, meanings, moments, PhraseReader(moments))


def entity_id(name: NameSpan) -> EntityId:
    return name.entity or EntityId("")


def fits(prose: Prose, relation: str, one: NameSpan, other: NameSpan, *, strictly: bool = False) -> bool:
    """Whether the types of the ends suit the relation; an unknown type suits any, unless `strictly`."""
    name = read_relation(relation)
    kind = relation_kinds().get(name.name)
    known = prose.known.get(entity_id(one)), prose.known.get(entity_id(other))
    if known[0] is None or known[1] is None or kind is None:
        return False
    subject, target = (known[1], known[0]) if name.swapped else (known[0], known[1])
    types = kind_of(subject).type, kind_of(target).type
    return UNKNOWN_TYPE not in types and kind.fits(*types) if strictly else kind.fits(*types) or UNKNOWN_TYPE in types
