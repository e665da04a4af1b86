"""Titles of documents as a text may cite them, so that a passage leads to the documents it names."""

import re

from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.tables import TITLE
from recollect.text.fold import fold_for_search
from recollect.text.tokens import bare_words

TITLE_INDEX = IndexProgress("titles")
TITLES_PER_BATCH = 1000
LONGEST_TITLE = 8
SHORTEST_TITLE = 3
TITLE_KEY_LENGTH = 300
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def title_key(text: str) -> str:
    """A title, or what may be one, without case, marks and punctuation."""
    return " ".join(bare_words(fold_for_search(text)))


def title_keys(title: str) -> set[str]:
    """The ways a text may name a document: by its whole title, or without what stands in brackets behind it."""
    titles = (title, _BRACKETS.sub("", title)) if "(" in title else (title,)
    keys = map(title_key, titles)
    return {key for key in keys if SHORTEST_TITLE <= len(key) <= TITLE_KEY_LENGTH and key.count(" ") < LONGEST_TITLE}


def index_titles(change: Change) -> None:
    """Enter the titles of every document whose passages are new."""
    begun = upto = TITLE_INDEX.read(change).upto
    while rows := change.rows("titles_after", upto=upto, limit=TITLES_PER_BATCH):
        keys = [(change.ws, key, document) for _, document, title in rows for key in title_keys(title)]
        change.connection.add(TITLE, sorted(keys))
        upto = rows[-1][0]
    [[last]] = change.rows("chunks_last")
    if last > begun:
        TITLE_INDEX.save(change, int(last))
