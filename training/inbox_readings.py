"""What the product makes of an inbox before any model reads it: its clauses, and the sentences people said.

The files of the inbox are taken in by the command line, with rules alone, into a store that is then thrown away.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from recollect.change_listeners import open_memory
from recollect.ingest.extract import text_facts
from recollect.ingest.extract.model_readings import is_silent, sentence_input
from recollect.ingest.extract.passages import RecordPassage
from recollect.ingest.extract.text_facts import TextFacts
from recollect.ingest.extract.utterances import SpokenText, SpokenTexts
from recollect.model.document import Document
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context
from recollect.serve.cli.main import main as command
from recollect.settings import Settings
from recollect.store.artifact_queries import changed_documents
from recollect.store.view import View
from recollect.text_models.sentence import SentenceInput
from recollect.write.fact_draft import FactDraft
from training.inbox_files import VAULT, Inbox, message_id, write_inbox

RULES_ALONE = {"RECOLLECT_READING_CLOSING_MODEL": "none", "RECOLLECT_EMBEDDING_MODEL": "none"}


@dataclass(frozen=True, slots=True)
class ReadClause:
    """A clause as a model gets it, the act that rules gave it, and whether they left it to the model."""

    sentence: SentenceInput
    act: str | None
    rule: str | None
    is_silent: bool


@dataclass(frozen=True, slots=True)
class InboxReading:
    """The clauses of each record by its id, and the store that the inbox was taken into."""

    clauses: dict[str, list[ReadClause]]
    view: View
    documents: dict[str, Document]

    def said(self, record: str) -> list[SpokenText]:
        """The sentences of a record that may tell of an item."""
        found = self.documents.get(record)
        return SpokenTexts(self.view).of(found) if found is not None else []


@contextmanager
def read_inbox(inbox: Inbox) -> Iterator[InboxReading]:
    """Take an inbox in and look at what was read, while its store is there."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        names = _record_names(inbox)
        environment = {"RECOLLECT_DB": str(folder / "inbox.db"), "RECOLLECT_NOW": inbox.head["now"], **RULES_ALONE}
        for name, value in (("timezone", inbox.head["zone"]), ("me.name", inbox.me), ("me.emails", inbox.address)):
            _run(["workspace", "set", name, value], environment)
        with _recorder() as recorded:
            _run(["ingest", *map(str, write_inbox(inbox, folder))], environment)
        clauses = {names[key]: found for key, found in recorded.items() if key in names}
        memory = open_memory(environment["RECOLLECT_DB"], settings=Settings(environment))
        try:
            with memory.read() as view:
                documents = view.documents(changed_documents(view, 0, view.last_tx)).values()
                yield InboxReading(
                    clauses, view, {names[key]: each for each in documents if (key := _key(each)) in names}
                )
        finally:
            memory.close()


def _run(arguments: Sequence[str], environment: dict[str, str]) -> None:
    result = CliRunner().invoke(command, list(arguments), env=environment)
    if result.exit_code not in (0, 2):
        raise RuntimeError(f"recollect {' '.join(arguments)}: {result.output}") from result.exception


def _record_names(inbox: Inbox) -> dict[str, str]:
    """The id of each record by what its document is known by."""
    mails = {message_id(each): each["id"] for each in inbox.of_kind("mail")}
    notes = {f"note:{VAULT}/{each['path']}": each["id"] for each in inbox.of_kind("note")}
    return {**mails, **notes, **{each["id"]: each["id"] for each in inbox.of_kind("chat")}}


def _key(document: Document) -> str:
    """The id of the message that a document is, or its own key."""
    return str(document.properties.get("message_id") or document.key)


@contextmanager
def _recorder() -> Iterator[dict[str, list[ReadClause]]]:
    """Collects the clauses of each document as rules read them; a document that is read again counts once."""
    found: dict[str, list[ReadClause]] = defaultdict(list)
    current: list[str] = []
    drafts = TextFacts.drafts

    def record_drafts(facts: TextFacts, passages: Sequence[RecordPassage]) -> list[FactDraft]:
        current[:] = [_key(facts.document)]
        return drafts(facts, passages)

    def record_readings(readings: Sequence[ClauseReading], context: Context, _: Any) -> Sequence[ClauseReading]:
        for at, each in enumerate(readings):
            read = ReadClause(sentence_input(readings, at, context), each.act, each.decided_by, is_silent(each))
            if read not in found[current[0]]:
                found[current[0]].append(read)
        return readings

    with patch.object(TextFacts, "drafts", record_drafts), patch.object(text_facts, "read_by_model", record_readings):
        yield found
