"""What the tests of ingestion write into: files of records and bundles, and a matcher that closes every item."""

from pathlib import Path

import pytest
from tests.ingest.extract.closing_matchers import EagerMatcher
from tests.ingest.records import Reading
from tests.ingest.taking import Taking

from recollect.memory import Memory


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    return Reading(memory, tmp_path / "records.jsonl")


@pytest.fixture
def take(memory: Memory, tmp_path: Path) -> Taking:
    return Taking(memory, tmp_path / "bundle.jsonl")


@pytest.fixture
def eager_matcher(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matcher that says of every pair that the report closes the item."""
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher())
