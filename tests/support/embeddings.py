"""Texts are embedded once for all tests: the bundled model gives a text the same row whatever stands beside it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from recollect.embed.local import DIMENSIONS, LocalEmbedder
from recollect.embed.port import Vectors

EMBED = LocalEmbedder.embed
"""Without the memo, for tests of the model itself."""


@contextmanager
def embedding_once() -> Iterator[None]:
    """Inside, the bundled model runs only on texts that it has not seen."""
    rows: dict[tuple[Path, str], NDArray[np.float32]] = {}

    def embed(model: LocalEmbedder, texts: Sequence[str]) -> Vectors:
        unseen = [text for text in dict.fromkeys(texts) if (model._folder, text) not in rows]
        for text, row in zip(unseen, EMBED(model, unseen) if unseen else (), strict=True):
            rows[model._folder, text] = row
        found = np.empty((len(texts), DIMENSIONS), np.float32)
        for at, text in enumerate(texts):
            found[at] = rows[model._folder, text]
        return found

    with patch.object(LocalEmbedder, "embed", embed):
        yield
