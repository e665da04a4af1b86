"""Hostile texts: the work of a reader grows with the length of a text, not with its square."""

import json
import re
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.fuzz.pattern_sources import PatternSource
from tests.fuzz.patterns import judge, slowness

from recollect.importers import document_files, note_exports
from recollect.importers.import_run import ImportItem, import_items
from recollect.importers.notes import parse_note
from recollect.ingest import observation_notes
from recollect.ingest.extract import note_structure
from recollect.ingest.extract.chat_text import own_words, parse_turn
from recollect.ingest.extract.mail_text import new_text
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.lore import markup, sources
from recollect.ingest.lore.markup import MarkdownPage, iter_links
from recollect.ingest.lore.source_parser import SourceInput, parse_source
from recollect.ingest.lore.sources import prepare_source, prepare_within, write_source
from recollect.ingest.mail.html_text import html_to_text
from recollect.ingest.mail.message import parse_mail
from recollect.ingest.notes.reader import split_sentences
from recollect.ingest.parties import parse_parties
from recollect.ingest.trackers import github
from recollect.keep import markdown
from recollect.keep.chats import importer as chat_importer
from recollect.memory import Memory
from recollect.reading import state_time, tables
from recollect.reading.blocks import note_blocks
from recollect.reading.language_table import language_table
from recollect.reason.checks import contradictions
from recollect.reason.lore.relation import Relation
from recollect.search import bm25
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.text import markdown_lines
from recollect.text.prompt_injection import find_suspicions
from recollect.text.redaction import redact
from recollect.text.sentences import sentence_spans
from recollect.when import format as when_format

DAY = date(2026, 5, 20)
HEAD = b"From: a@b.c\nTo: d@e.f\nSubject: x\nContent-Type: text/html\n\n"
READERS: dict[str, Callable[[str], object]] = {
    "html": html_to_text,
    "mail": lambda text: parse_mail(HEAD + text.encode()),
    "mail headers": lambda text: parse_mail(b"From: " + text.replace("\n", " ").encode() + b"\n\nx"),
    "new text of a mail": new_text,
    "sentences of a mail": split_sentences,
    "sentences": sentence_spans,
    "blocks": lambda text: list(note_blocks(text, DAY)),
    "note": lambda text: parse_note("key", "name", text.encode()),
    "links": lambda text: list(iter_links(MarkdownPage(None, text, 0, 1))),
    "chat": own_words,
    "people": parse_parties,
    "secrets": redact,
    "suspicions": find_suspicions,
}
UNITS = (
    ".", ". ", "a.", "a ", " ", "\n", "a", "A", "1. ", "- ", "#", "`", "```\n", "<!--", "<a href='", '<a href="', "<p",
    "<b a=", "<![CDATA[", "&#", "[[a]]", "[[", "[a](", '"', "“", "(", "> ", "a: ", "A_", "A___", "On x wrote ",
    "From: a\n", "--\n", "http://", "a@", '\\"', "<a@b>", "=?utf-8?q?", ",", "| a ", "{", "---\n", "**", "i will ",
    "2026-01-01 ", "- [ ] a\n", "\u200b", "password", "<recollect-memory", "ignore all ", "<system ", "-----BEGIN ",
    "eyJaaaaaaaa.", "4111 ", "a-", "…", "? ", "<blockquote>", "<s>", "%%", "~~a ",
)  # fmt: skip
SHORT, LONG = 2_000, 8_000
NOTICEABLE = 0.08
"""Seconds of processor time below which growth cannot be told from noise."""
STEEPEST = 9
"""Four times the text takes four times as long, and sixteen times if the work grows with the square."""


@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_time_that_grows_with_its_square(reader: str) -> None:
    read = READERS[reader]
    read("I will send it by Friday.")
    assert [unit for unit in UNITS if _grows_steeply(read, unit)] == []


def _grows_steeply(read: Callable[[str], object], unit: str, times: int = 1) -> bool:
    for _ in range(3):
        long = _cost(read, unit, times * LONG)
        if long < NOTICEABLE or long < STEEPEST * _cost(read, unit, times * SHORT):
            return False
    return True


def _cost(read: Callable[[str], object], unit: str, length: int) -> float:
    text = (unit * (length // len(unit) + 1))[:length]
    begun = process_time()
    read(text)
    return process_time() - begun


EXPRESSIONS = {
    "search": (
        *(note_exports._BLOCK_ID, github._HIDDEN, markup._TIMES, markup._RANGE, bm25._TIME_FORM),
        *(markdown_lines._CLOSING_MARKS, markdown._BULLET, markdown._CHAT, state_time._RANGE_JOINT),
        when_format._CANONICAL,
    ),
    "match": (
        *(document_files._START, observation_notes._OBSERVATION, observation_notes._RELATION),
        *(markup._ITEM, tables._RULE),
    ),
}


@pytest.mark.parametrize("method", EXPRESSIONS)
def test_no_expression_takes_time_that_grows_with_the_square_of_a_text(method: str) -> None:
    methods = frozenset({method})
    sources = [PatternSource("", each.pattern, each.flags & ~re.UNICODE, methods) for each in EXPRESSIONS[method]]
    assert [found for each in sources if (found := judge(each, draws=2)) is not None] == []


def test_repeated_words_take_no_time_that_doubles_with_each() -> None:
    table = language_table("en")
    assert table is not None
    words = ("its ", "thats ", "ok ", "and ", "also ", "all ", "now ", "done ")
    slow = [
        (cue.name, word)
        for cue in table.cues.items
        for word in words
        if slowness(cue.pattern.search, "", word, "\0", 300)
    ]
    assert slow == []


def test_a_long_line_of_marks_is_read_once() -> None:
    def read(text: str) -> object:
        return note_structure._NOTHING.fullmatch(text * 5 + "x")

    assert not _grows_steeply(read, "*")


def test_a_mail_of_many_farewells_is_read_once() -> None:
    assert not _grows_steeply(new_text, "Thanks,\n")


@pytest.mark.parametrize("unit", ["1 ", "2026-01-01 ", "since 2020 ", "Monday ", "Ada and ", "Ada is Bob and "])
def test_a_sentence_without_end_that_is_remembered_is_read_once(memory: Memory, unit: str) -> None:
    tool, number = find_surface("recollect").tools["remember"], count()

    def read(text: str) -> object:
        answer = call(tool, lambda _: memory, {"text": f"N{next(number)}. {text}"})
        assert answer.outcome == "ok"
        return answer

    read("Lena lives in Porto.")
    assert not _grows_steeply(read, unit, times=3)


@pytest.mark.parametrize("words", ["{}", "Ada moved to Porto on {}-05-07.", "I will send it by 7.{}.2026.", "aged {}"])
def test_a_number_of_thousands_of_digits_is_read(memory: Memory, words: str) -> None:
    tool = find_surface("recollect").tools["remember"]
    assert call(tool, lambda _: memory, {"text": words.format("1" * 5_000)}).outcome == "ok"


def test_a_ring_of_ancestors_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[object] = []
    search = contradictions._shortest_path

    def counted(relation: Relation, leaving: Any, moment: int) -> list[Relation] | None:
        searched.append(relation)
        return search(relation, leaving, moment)

    monkeypatch.setattr(contradictions, "_shortest_path", counted)
    ring = [
        SimpleNamespace(id=f"{each:04}", name="parent_of", subject=each, object=(each + 1) % 500) for each in range(500)
    ]
    [cycle] = contradictions._shortest_cycles(cast(list[Relation], ring))
    assert (len(cycle), len(searched)) == (500, 1)


def test_records_are_parsed_before_the_write_lock_is_taken(memory: Memory) -> None:
    def parse() -> IngestItem:
        with memory.write(wait=0):
            return parse_line({"record": {"id": "one", "type": "note", "content": "Ada likes tea."}})

    taken = import_items(memory, "file", iter([ImportItem(1, 1, "hash", parse)]), 1)
    assert (taken.tally.changed, taken.skipped) == (1, [])


def test_lore_is_parsed_before_the_write_lock_is_taken(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = SourceInput("- Ada PARENT_OF Bob", "a page", "prose")
    monkeypatch.setattr(sources, "parse_source", _while_others_write(memory, parse_source))
    prepared = prepare_source(memory, wanted)
    monkeypatch.setattr(sources, "parse_source", _never)
    with memory.write() as change:
        assert write_source(change, prepared).counts.relations_created == 1


def test_lore_is_parsed_again_if_a_relation_has_become_known_meanwhile(memory: Memory) -> None:
    wanted = SourceInput("- Ada HUMS_WITH Bob", "a page", "prose")
    prepared = prepare_source(memory, wanted)
    with memory.write() as change:
        front = "---\nrelations:\n  - {from: Cy, relation: HUMS_WITH, to: Di}\n---\n"
        write_source(change, prepare_within(change, SourceInput(front, "another", "prose")))
    with memory.write() as change:
        assert write_source(change, prepared).counts.relations_created == 1


def test_turns_of_a_chat_are_parsed_before_the_write_lock_is_taken(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    export, at = tmp_path / "chat.json", "2026-05-01T10:00:00Z"
    said = {"uuid": "m1", "sender": "human", "text": "I live in Berlin.", "created_at": at}
    export.write_text(json.dumps([{"uuid": "one", "name": "", "updated_at": at, "chat_messages": [said]}]), "utf-8")
    monkeypatch.setattr(chat_importer, "parse_turn", _while_others_write(memory, parse_turn))
    report = chat_importer.import_chats(memory, export, "claude", chat_importer.ChatImportOptions())
    assert (report.conversations["new"], report.skipped, report.facts) == (1, [], 1)


def _while_others_write(memory: Memory, parse: Callable[..., Any]) -> Callable[..., Any]:
    """A parser that fails where the write lock is held."""

    def parsed(*given: Any) -> Any:
        with memory.write(wait=0):
            return parse(*given)

    return parsed


def _never(*_: object) -> None:
    raise AssertionError("parsed while the write lock was held")
