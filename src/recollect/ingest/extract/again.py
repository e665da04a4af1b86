"""Reading records again when something came to be known that matters to them, so that order of arrival does not."""

from collections.abc import Iterator, Sequence

from recollect.ingest.extract.cast import COMPANY, PERSON
from recollect.ingest.extract.employers import withdraw_suggested
from recollect.ingest.extract.fields_told import PROJECT
from recollect.ingest.extract.read_to import note_read_to, read_to
from recollect.ingest.extract.reading import Rules, issue_word, own_assertions, read_record
from recollect.ingest.extract.sentences_told import word_of
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import tokens
from recollect.store.change import Change
from recollect.store.view import View

PAGE = 2_000
SEED = "seed"
"""Read by its own rules, which ask for nothing that may come later."""
IN_ONE_COMMIT = 200
MOST_ROUNDS = 4
"""Reading again may bring a name to light that matters to another record; hardly ever more than once."""


def read_again(memory: Memory, rules: Rules) -> int:
    """Read again what names, issues and affiliations of later transactions matter to; how many records."""
    count = 0
    for _ in range(MOST_ROUNDS):
        with memory.read() as view:
            since, last = read_to(view), view.last_tx
            if last <= since:
                break
            has_any = bool(view.rows("awaited_any"))
            documents = sorted(_concerned(view, since)) if has_any else []
        _read_these(memory, documents, rules)
        with memory.write() as change:
            withdraw_suggested(change, since)
            note_read_to(change, last)
        count += len(documents)
    return count


def _concerned(view: View, since: int) -> set[DocumentId]:
    found: set[DocumentId] = set()
    for words, renamed in _new_names(view, since):
        found |= {row[0] for row in view.rows("awaiting", words=sorted(words))}
        for entity in renamed:
            facts = [fact.id for fact in view.facts_touching(entity)]
            found |= {row[0] for row in view.rows("documents_asserting", facts=facts)} if facts else set()
    issues = [issue_word(row[0]) for row in view.rows("issues_begun", since=since)]
    found |= {row[0] for row in view.rows("awaiting", words=issues)} if issues else set()
    return found


def _new_names(view: View, since: int) -> Iterator[tuple[set[str], set[EntityId]]]:
    """Some transactions at a time, the words that new names are awaited by, and who was renamed."""
    for low in range(since, view.last_tx, PAGE):
        rows = view.rows("names_begun", since=low, until=low + PAGE, types=[COMPANY, PERSON, PROJECT])
        words = {_awaited(row[2]) for row in rows if row[3] != COMPANY}
        yield words, {row[0] for row in rows if row[1] == "name" and row[4]}


def _awaited(folded: str) -> str:
    """The word of a name by which a text that has the name is found: the longest that is awaited at all."""
    words = [word for token in tokens(folded) if (word := word_of(token))]
    return max(words, key=len, default=folded)


def _read_these(memory: Memory, documents: Sequence[DocumentId], rules: Rules) -> None:
    for first in range(0, len(documents), IN_ONE_COMMIT):
        with memory.write() as change:
            for each in documents[first : first + IN_ONE_COMMIT]:
                document = change.document(each)
                if document is not None and not document.deleted and document.type != SEED:
                    _read_one(change, document, rules)


def _read_one(change: Change, document: Document, rules: Rules) -> None:
    """Read one record again by the rules; what others found in it stays."""
    mentioned = set(change.mentioned(document.id))
    read_record(change, document, change.text_of(document), own_assertions(change, document), rules, mentioned)
