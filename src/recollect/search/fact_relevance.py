"""Which facts answer a question, out of those that share a word, a name or their meaning with it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from recollect.embed.port import Embedder
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.history import is_current
from recollect.model.names import PEOPLE
from recollect.model.sentence import claim_text
from recollect.search.fact_search import FactHit
from recollect.search.index_terms import content_stems
from recollect.search.relevance import RelevanceFloor
from recollect.store.fact_rows import FactRow
from recollect.when.span import Span

NEAR_BEST = 0.85
MAX_NAMED_ONLY = 3
"""So many facts are listed that share with a question only a name, although it asks for something else."""
LEAST_NEARNESS = 0.62
"""The least sum of two cosines, with and without the name, of what shares only the name of a person with a question."""
MOST_COMPARED = 3
LEAST_OF_ASKED = 0.1
"""The least cosine of a fact about the asker that has a word related to the question."""
_MAY_BE_PERSON = PEOPLE | {"self", UNKNOWN_TYPE}


@dataclass(frozen=True, slots=True)
class FactRelevance:
    """What an answer must have in common with a question."""

    floor: RelevanceFloor
    at: Span
    name_words: frozenset[str]
    """The words with which the question names somebody or something."""
    names_person: bool
    """Whether it names a person, so that it does not ask for anybody else."""
    speaks_of_owner_only: bool
    """Whether it asks for nothing but the owner."""

    @property
    def asked_for(self) -> frozenset[str]:
        """The salient words of the question that are not names."""
        return self.floor.salient - self.name_words

    def answers(self, hits: Sequence[FactHit]) -> list[FactHit]:
        """The facts above the relevance floor."""
        best = max((hit.cosine or 0.0 for hit in hits if hit.is_named), default=0.0)
        return [hit for hit in hits if self._is_answer(hit, best)]

    def named_only(self, hits: Sequence[FactHit], answers: Collection[FactHit]) -> list[FactHit]:
        """The facts that share no more than a name; the best few that hold if the question asks for more."""
        found = {hit.row.fact.id for hit in answers}
        named = [hit for hit in hits if hit.row.fact.id not in found and self._shares_name(hit)]
        if not self.asked_for:
            return named
        return [hit for hit in named if is_current(hit.row.fact, self.at)][:MAX_NAMED_ONLY]

    def says_more(self, words: Collection[str]) -> bool:
        """Whether a text with these words says more of what was asked than a name."""
        return not self.asked_for.isdisjoint(words)

    def has_salient_word(self, hit: FactHit) -> bool:
        """Whether a fact contains a salient word of the question."""
        words = (hit.words - hit.name_words) & self.floor.salient
        return bool(words and words & _listed_words(hit.row))

    def _is_answer(self, hit: FactHit, best: float) -> bool:
        """Whether a fact has more than a name in common with the question.

        A shared name alone makes a high cosine, so facts with one are measured against the best of them. One that is
        about who is asked for and says all that is asked is an answer whatever its cosine: "where do I live".
        """
        if self._is_of_another(hit):
            return False
        if self.is_related(hit):
            return True
        words = (hit.words - hit.name_words) & self.floor.salient
        words = words & _listed_words(hit.row) if words else words
        has_salient_word = bool(words)
        if has_salient_word and (hit.is_named or hit.is_meant) and self.asked_for <= words:
            return True
        cosine = hit.cosine or 0.0
        if hit.is_named and not has_salient_word and cosine < NEAR_BEST * best:
            return False
        return self.floor.admits(words, hit.cosine)

    def is_related(self, hit: FactHit) -> bool:
        """Whether a fact, or the sentence it comes from, has a word related to what is asked for."""
        is_of_asked = hit.is_named or (hit.is_meant and (hit.cosine or 0.0) >= LEAST_OF_ASKED)
        if not (self.floor.may_be_related(hit.cosine) or (is_of_asked and self.floor.related)):
            return False
        stated = _listed_words(hit.row) | content_stems(hit.row.text)
        return not (self.floor.related & stated).issubset(self.name_words)

    def _is_of_another(self, hit: FactHit) -> bool:
        """Whether a fact is about another person than the one asked for, though its sentence may name both."""
        if not self.names_person or hit.is_named or hit.is_meant or hit.row.subject_type not in _MAY_BE_PERSON:
            return False
        shared = self.name_words & hit.words
        return not shared or shared.isdisjoint(_listed_words(hit.row))

    def _shares_name(self, hit: FactHit) -> bool:
        """Whether the question names an end of a fact; "my" names the owner only where nothing else is asked."""
        return hit.is_named or (hit.is_meant and self.speaks_of_owner_only)


def _listed_words(row: FactRow) -> frozenset[str]:
    """The words of a fact as it is listed: the sentence that a state comes from may speak of other things too."""
    return content_stems(f"{claim_text(row.fact, row.subject_name, row.object_name)} {row.fact.predicate}")


def texts_near_by_name_only(
    embedder: Embedder, question: str, names: Collection[str], texts: Mapping[str, float]
) -> set[str]:
    """Texts that are near the question only because both name the same people."""
    nearest = sorted(texts, key=lambda text: -texts[text])[:MOST_COMPARED]
    if not nearest:
        return set()
    vectors = embedder.embed([_without_names(each, names) for each in (question, *nearest)])
    bare = {text: float(vectors[0] @ vectors[at]) for at, text in enumerate(nearest, 1)}
    return {text for text, cosine in texts.items() if cosine + bare.get(text, 0.0) < LEAST_NEARNESS}


def is_name_of_unknown(entity: Entity) -> bool:
    """Whether an entity of unknown type may be a person by its name: `Kim Roe`, but not `acme-web`."""
    words = entity.name.split()
    return entity.type == UNKNOWN_TYPE and all(word.isalpha() and word.istitle() for word in words)


def _without_names(text: str, names: Collection[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())
