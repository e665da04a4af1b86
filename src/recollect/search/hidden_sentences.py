"""What became of the facts that a passage states: sentences left out because they are hidden, and ends it tells."""

import re
from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

from recollect.model.document import passage_body
from recollect.model.fact import OBSOLETE_SINCE, Assertion, Fact
from recollect.model.ids import DocumentId, FactId
from recollect.store.document_queries import hidden_names_mentioned
from recollect.store.erasure_queries import tombstones_among
from recollect.store.fact_queries import facts_hidden, facts_of_hidden_entities, facts_stated_in
from recollect.store.passage_filter import PassageRow
from recollect.store.view import View
from recollect.text.fold import fold_text
from recollect.text.sentences import sentence_spans, split_sentences
from recollect.write.tombstones import HIDDEN, partly_erased_tombstone, sentence_tombstone

LEFT_OUT = "…"
SHORTEST_VALUE = 2


def states_end(view: View, document: DocumentId, facts: Mapping[FactId, Fact]) -> bool:
    """Whether a document is what says that one of these facts holds no more: it is news, not outdated.

    Where all that it says to hold instead was taken back, it is no news.
    """
    said = [(each, fact) for each in view.assertions_from(document) if (fact := facts.get(each.fact)) is not None]
    held = [fact for each, fact in said if not _is_end(each, fact)]
    if held and all(fact.is_retracted for fact in held):
        return False
    return any(_is_end(each, fact) and fact.label == "AFFILIATED" and not fact.is_retracted for each, fact in said)


def _is_end(said: Assertion, fact: Fact) -> bool:
    is_its_end = said.valid_until is not None and said.valid_until == fact.valid_until
    return OBSOLETE_SINCE in said.attributes or is_its_end


def hidden_facts(view: View, facts: Collection[FactId]) -> set[FactId]:
    """Those of some facts that somebody has asked to hide by now: they are shown as of no earlier time either."""
    present = view.latest
    return facts_hidden(present, facts) | facts_of_hidden_entities(present, facts, HIDDEN)


def hidden_documents(view: View, documents: Collection[DocumentId]) -> set[DocumentId]:
    """Those of some documents that somebody has asked to hide by now."""
    return {id_ for id_, each in view.latest.documents(documents).items() if each.deleted == HIDDEN}


class HiddenText(NamedTuple):
    """What somebody has asked to hide of some documents, and shall see in no passage of them."""

    documents: Set[DocumentId]
    """Those that state nothing else, in words that are not known: they are hidden with it."""
    words: Mapping[DocumentId, tuple[str, ...]]
    """By document, words of which no sentence is shown."""

    def body(self, passage: PassageRow) -> str:
        """A passage without what is hidden of it; empty if nothing is left."""
        return self.remove_from(passage_body(passage), passage.document)

    def remove_from(self, text: str, document: DocumentId) -> str:
        """A text of a document without what is hidden of it."""
        return "" if document in self.documents else without_hidden(text, self.words.get(document, ()))


def hidden_text(
    view: View, documents: Collection[DocumentId], stated: Mapping[DocumentId, Collection[FactId]] | None = None
) -> HiddenText:
    """What is hidden of some documents; `stated` are the facts that they state, if the caller knows."""
    facts_of = facts_stated_in(view, documents) if stated is None else stated
    hidden = hidden_facts(view, {fact for each in facts_of.values() for fact in each})
    stated_words, names = _hidden_words(view, facts_of, hidden), unshown_words(view, documents)
    words = {document: each.words for document, each in stated_words.items()}
    still_stated = _still_stated(view, facts_of, hidden)
    whole = {
        document
        for document, each in stated_words.items()
        if not each.are_known and still_stated.isdisjoint(facts_of[document])
    }
    every = {each: (*words.get(each, ()), *names.get(each, ())) for each in {*words, *names}}
    return HiddenText(whole | hidden_documents(view, documents), every)


def _still_stated(view: View, stated: Mapping[DocumentId, Collection[FactId]], hidden: Set[FactId]) -> set[FactId]:
    """What documents with hidden facts state beside these: neither retracted nor undone."""
    beside = {fact for facts in stated.values() if not hidden.isdisjoint(facts) for fact in facts} - hidden
    return {row.fact.id for row in view.fact_rows(beside) if not row.fact.is_retracted} if beside else set()


class _HiddenWords(NamedTuple):
    """The words that state hidden facts in a document, and whether those that it states still are among them."""

    words: tuple[str, ...]
    are_known: bool


def _hidden_words(
    view: View, stated: Mapping[DocumentId, Collection[FactId]], hidden: Collection[FactId]
) -> dict[DocumentId, _HiddenWords]:
    """By document, the words that state hidden facts: what was quoted for them, else their value."""
    rows = view.fact_rows(hidden) if hidden else ()
    values = {row.fact.id: row.object_name or row.fact.literal or "" for row in rows}
    found: dict[DocumentId, _HiddenWords] = {}
    for document, facts in stated.items():
        concerned = set(facts) & set(hidden)
        if concerned:
            quotes = {each.fact: each.quote for each in view.assertions_from(document) if each.fact in concerned}
            words = {fact: _plain(quotes.get(fact) or values.get(fact, "")) for fact in concerned}
            words = {fact: word for fact, word in words.items() if len(word) >= SHORTEST_VALUE}
            are_known = any(fact in words for fact in quotes or concerned)
            found[document] = _HiddenWords(tuple(words.values()), are_known)
    return found


def unshown_words(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, tuple[str, ...]]:
    """By document, the names in it of entities that are hidden by now, and its sentences that state what was erased."""
    named = hidden_names_mentioned(view.latest, documents, HIDDEN)
    found = {document: tuple(map(_plain, names)) for document, names in named.items()}
    for document, sentences in _erased_sentences(view, documents).items():
        found[document] = (*found.get(document, ()), *sentences)
    return found


def _erased_sentences(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, tuple[str, ...]]:
    """By document, the sentences in it that state what was erased, known by their hashes alone."""
    marks = {partly_erased_tombstone(each): each for each in documents}
    concerned = {marks[each] for each in tombstones_among(view, marks)}
    found: dict[DocumentId, tuple[str, ...]] = {}
    for id_, document in view.documents(concerned).items():
        hashes = {
            sentence_tombstone(plain): plain for plain in map(_plain, split_sentences(view.text_of(document) or ""))
        }
        found[id_] = tuple(hashes[each] for each in tombstones_among(view, hashes))
    return found


def has_erased_sentence(view: View, text: str) -> bool:
    """Whether a text has a sentence that stated what was erased."""
    return bool(tombstones_among(view, {sentence_tombstone(_plain(each)) for each in split_sentences(text)}))


def sentences_stating(text: str, words: Collection[str]) -> list[str]:
    """The sentences of a text, in their plain form, that hold some words or are held by them."""
    values = [plain for each in words if len(plain := _plain(each)) >= SHORTEST_VALUE]
    return [plain for plain in map(_plain, split_sentences(text)) if _is_about(plain, values)]


def _is_about(plain: str, values: Sequence[str]) -> bool:
    return any(_holds(plain, words) or plain in words for words in values)


def without_hidden(text: str, hidden: Sequence[str]) -> str:
    """A text without the sentences that hold hidden words; empty if nothing else is left."""
    if not hidden:
        return text
    kept: list[str] = []
    for span in sentence_spans(text):
        sentence = text[span.start : span.stop]
        if not _is_about(_plain(sentence), hidden):
            kept.append(sentence)
        elif kept[-1:] != [LEFT_OUT]:
            kept.append(LEFT_OUT)
    return " ".join(kept) if kept != [LEFT_OUT] else ""


def _holds(text: str, words: str) -> bool:
    """Whether whole words stand in a text: *Ben* does not stand in *benefit*."""
    return words in text and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _plain(text: str) -> str:
    return " ".join(fold_text(text).split()).strip(" .!?…")
