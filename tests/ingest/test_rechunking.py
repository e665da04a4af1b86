"""Re-chunking after a change of the chunking version: stored texts are split again, and progress is reported."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.support.facts import tell

from recollect.ingest import job_steps
from recollect.ingest.job_steps import rechunk_next
from recollect.memory import Memory
from recollect.model.progress import Progress
from recollect.search import chunking
from recollect.search.chunking import CHUNKING_VERSION, Passage, split_passages


def by_lines(title: str | None, text: str | None) -> Iterator[Passage]:
    at = 0
    for line in (text or title or "").splitlines():
        yield Passage(at, at + len(line), line)
        at += len(line) + 1


def passages_of(memory: Memory, key: str, as_of: int | None = None) -> list[str]:
    with memory.read(as_of) as view:
        document = view.document_named("record", key)
        assert document is not None
        return [each.text for each in view.chunks(document.id)]


def tell_three(memory: Memory) -> int:
    for name in ("a", "b", "c"):
        tell(memory, title=name, content=f"{name} fired\nthe kiln", id=name)
    with memory.read() as view:
        return view.last_tx


SAMPLE = (
    "# Kiln\n\nNoor fired the kiln. It cracked.\n\n- glaze the bowls\n- sweep\n\n"
    "On Mon, Ilse wrote:\n> I will come.\n\nNoor: hello\nIlse: hi\n\n" + "A long tale of clay and fire. " * 60
)


def test_a_change_of_where_texts_are_split_raises_the_chunking_version() -> None:
    cut = [(each.start, each.stop) for each in split_passages("Day", SAMPLE)]
    assert (CHUNKING_VERSION, cut) == (1, [(0, 67), (69, 103), (105, 125), (127, 1026), (1027, 1926)])


def test_texts_that_would_be_split_as_they_are_stay(memory: Memory) -> None:
    before = tell_three(memory)
    assert not rechunk_next(memory)
    assert not rechunk_next(memory, CHUNKING_VERSION + 1)
    with memory.read() as view:
        assert view.last_tx == before


def test_stored_texts_are_chunked_again_step_by_step_with_progress_reports(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tell_three(memory)
    for module in (chunking, job_steps):
        monkeypatch.setattr(module, "split_passages", by_lines)
    heard: list[Progress] = []
    working = replace(memory, report_progress=heard.append)
    while rechunk_next(working, CHUNKING_VERSION + 1, most=1):
        pass
    assert [passages_of(memory, key) for key in "abc"] == [[f"{key} fired", "the kiln"] for key in "abc"]
    assert passages_of(memory, "a", as_of=before) == ["a fired\nthe kiln"]
    phases = [each.rebuild.phase for each in heard if each.rebuild]
    assert (phases[0], set(phases[1:-1]), phases[-1]) == ("model_change_detected", {"progress"}, "done")
    assert not rechunk_next(working, CHUNKING_VERSION + 1)
