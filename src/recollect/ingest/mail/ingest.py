"""Taking in mail."""

from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path

from recollect.ingest.extract.alone import Reader, reader_for
from recollect.ingest.line import Line
from recollect.ingest.mail.boxes import Raw, messages, size_of
from recollect.ingest.mail.message import read_mail
from recollect.ingest.runs import Item, take_items
from recollect.ingest.taken import Taken, Told
from recollect.memory import Memory


def ingest_mail(memory: Memory, path: Path, tell: Told | None = None) -> Taken:
    """Take in every message of a file or folder; a malformed one is taken as far as it can be read."""
    reader = reader_for(memory)
    return take_items(memory, path.name, _items(path, reader), size_of(path), tell, reader)


def _items(path: Path, reader: Reader) -> Iterator[Item]:
    for raw in messages(path):
        digest = blake2b(raw.content, digest_size=16, person=b"mail").hexdigest()
        yield Item(raw.number, raw.behind, digest, partial(_line, path, raw, digest, reader))


def _line(path: Path, raw: Raw, digest: str, reader: Reader) -> Line:
    mail = read_mail(raw.content, raw.left_out)
    if mail.problems:
        reader.warnings.append(f"{path.name}:{raw.number}: {'; '.join(dict.fromkeys(mail.problems))}")
    return Line(digest, mail.record, is_alone=True)
