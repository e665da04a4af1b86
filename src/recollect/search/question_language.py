"""Questions in other languages than that of the bundled encoder, whose cosines tell little about them."""

from functools import cache

from recollect.embed.port import Embedder
from recollect.reading.language import common_words, detect_language
from recollect.search.content_words import content_stems
from recollect.text.content_words import split_words

_QUESTION_WORDS = frozenset(
    "wer wem wen wann wo wohin woher wie warum wieso weshalb welche welcher welches wieviel "
    "quand où combien pourquoi comment quel quelle quels quelles "
    "quién quien quiénes qué cuándo cuando dónde donde cómo cuánto cuanto cuánta cuántos cuál "
    "quem quando onde quanto quanta qual quais dove chi perché quale quali "
    "wat wanneer waar hoe hoeveel waarom welk vem när hur varför vilken kto kiedy gdzie ile dlaczego".split()
)
"""Words with which questions begin, those left out that are English words too."""


_ENGLISH = frozenset(
    "how what which who whom whose where when why does did the my our your you are should would could there".split()
)
"""Words that no question in another language has; *do*, *a* and *ten* are Portuguese and Polish words as well."""


def is_unsupported_by_encoder(question: str, embedder: Embedder | None) -> bool:
    """Whether the bundled encoder, which is English, has to compare a question in another language."""
    from recollect.embed.local import MODEL

    return embedder is not None and embedder.model == MODEL and _is_foreign(question)


def _is_foreign(question: str) -> bool:
    words = split_words(question)
    if not _ENGLISH.isdisjoint(words):
        return False
    return detect_language(question) != "en" or not _QUESTION_WORDS.isdisjoint(words[:1])


@cache
def foreign_function_words() -> frozenset[str]:
    """The stems of words that tell nothing about the subject of a question in another language."""
    return content_stems(" ".join(common_words() | _QUESTION_WORDS))
