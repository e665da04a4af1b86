"""Importing mail: every message of a file or folder as a record, and from there to its facts.

1. `ingest/mail/mailbox.py` cuts a file into messages; `ingest/mail/message.py` parses one: `parse_mail`.
2. `importers/import_run.py` writes them in batches: `import_items`.
3. `ingest/extract/record_reader.py` classifies a record and stores it: `RecordReader.write_record`. On the way
   `ingest/documents.py` guards it: secrets (`text/redaction.py`), trust and attacks (`ingest/trust.py`), erased texts
   (`write/tombstones.py`); and `search/chunking.py` splits it into passages for search.
4. `ingest/extract/rules.py` makes its facts: `read_record`, whose steps are named there.
5. `ingest/extract/record_text.py` reads the text: its language, its people, its passages: `read_text`.
6. `ingest/extract/passages.py` finds what the author wrote (`ingest/extract/mail_text.py`), in blocks
   (`reading/blocks.py`).
7. `ingest/extract/text_facts.py` has each block read (`reading/reader.py`: sentences, clauses, acts, times) and drafts
   a fact for each act.
8. `write/source_reconciliation.py` compares the drafts with what the record said before, and
   `write/record_statement.py` stores what is new.
9. After the last mail `ingest/extract/close_items.py` closes the items that later mails report as done.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path

from recollect.importers.import_run import ImportItem, ImportResult, ProgressListener, import_items
from recollect.ingest.extract.record_reader import RecordReader, make_record_reader
from recollect.ingest.line import IngestItem
from recollect.ingest.mail.mailbox import RawMessage, iter_messages, total_size
from recollect.ingest.mail.message import parse_mail
from recollect.memory import Memory


def import_mail(memory: Memory, path: Path, tell: ProgressListener | None = None) -> ImportResult:
    """Import every message of a file or folder; of a malformed one, what can be read."""
    reader = make_record_reader(memory)
    return import_items(
        memory, path.name, _iter_items(path.name, iter_messages(path), reader), total_size(path), tell, reader
    )


def import_messages(memory: Memory, name: str, messages: Iterable[RawMessage]) -> ImportResult:
    """Take in messages that were fetched from a mailbox."""
    reader, listed = make_record_reader(memory), list(messages)
    size = sum(len(each.content) for each in listed)
    return import_items(memory, name, _iter_items(name, listed, reader), size, None, reader)


def _iter_items(name: str, messages: Iterable[RawMessage], reader: RecordReader) -> Iterator[ImportItem]:
    for raw in messages:
        digest = blake2b(raw.content, digest_size=16, person=b"mail").hexdigest()
        yield ImportItem(raw.number, raw.end_offset, digest, partial(_mail_line, name, raw, digest, reader))


def _mail_line(name: str, raw: RawMessage, digest: str, reader: RecordReader) -> IngestItem:
    mail = parse_mail(raw.content, raw.omitted_bytes, may_be_quoted=raw.may_be_quoted)
    if mail.problems:
        reader.warnings.append(f"{name}:{raw.number}: {'; '.join(dict.fromkeys(mail.problems))}")
    return IngestItem(digest, mail.record, is_standalone=True)
