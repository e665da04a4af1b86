"""The sentences of a document from which nothing was read."""

from collections.abc import Iterable, Sequence

from recollect.model.document import REMEMBERED, Document
from recollect.model.fact import Assertion
from recollect.text.sentences import split_sentences
from recollect.text.tokens import words
from recollect.text.verbatim import normalize_for_match
from recollect.write.fact_draft import RULES

READ_PASSAGES = "read_passages"
"""Document property: the numbers of the passages that an agent has read."""
FEWEST_WORDS = 3
"""A shorter sentence of an ingested text, such as a greeting or a heading, is skipped; of a remembered text, none."""


def unread_sentences(document: Document, text: str, known: Sequence[Assertion]) -> list[str]:
    """The sentences of a document from which nothing was read; none if facts of the whole document were given."""
    if any(each.quote is None and each.evidence is None and each.extracted_by != RULES for each in known):
        return []
    read = quotes_of(known)
    fewest = 1 if document.properties.get(REMEMBERED) else FEWEST_WORDS
    return [
        sentence
        for sentence in split_sentences(text)
        if len(words(sentence)) >= fewest and not _is_read(normalize_for_match(sentence).text, read)
    ]


def quotes_of(assertions: Iterable[Assertion]) -> list[str]:
    """The words, folded, from which these were read."""
    texts = (each.quote or each.evidence for each in assertions)
    return [folded for folded in (normalize_for_match(text).text for text in texts if text) if folded]


def _is_read(sentence: str, quotes: Sequence[str]) -> bool:
    return any(sentence in quote or quote in sentence for quote in quotes)
