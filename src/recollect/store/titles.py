"""Titles of documents as a text may name them, so that a passage leads to the documents it speaks of."""

import re

from recollect.store.change import Change
from recollect.store.tables import TITLE
from recollect.store.words import bare_words, fold

TITLES = "titles"
BATCH = 1000
LONGEST = 8
SHORTEST = 3
MOST_LETTERS = 300
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def title_key(text: str) -> str:
    """A title, or what may be one, without case, marks and punctuation."""
    return " ".join(bare_words(fold(text)))


def title_keys(title: str) -> set[str]:
    """The ways a text may name a document: by its whole title, or without what stands in brackets behind it."""
    titles = (title, _BRACKETS.sub("", title)) if "(" in title else (title,)
    keys = map(title_key, titles)
    return {key for key in keys if SHORTEST <= len(key) <= MOST_LETTERS and key.count(" ") < LONGEST}


def index_titles(change: Change) -> None:
    """Enter the titles of every document whose passages are new."""
    found = change.rows("indexed", part=TITLES)
    begun = upto = int(found[0][0]) if found else 0
    while rows := change.rows("titles_after", upto=upto, limit=BATCH):
        keys = [(change.ws, key, document) for _, document, title in rows for key in title_keys(title)]
        change.connection.add(TITLE, sorted(keys))
        upto = rows[-1][0]
    [[last]] = change.rows("chunks_last")
    if last > begun:
        change.connection.run(
            "indexed_put", {"ws": change.ws, "part": TITLES, "upto": int(last), "chunks": 0, "characters": 0}
        )
