"""Here the bundled model runs at every call."""

import pytest
from tests.support.embeddings import EMBED

from recollect.embed.local import LocalEmbedder


@pytest.fixture(autouse=True)
def embedded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalEmbedder, "embed", EMBED)
