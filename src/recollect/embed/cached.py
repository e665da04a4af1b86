"""The configured embedder, and embedders that reuse vectors: a cache on disk, vectors computed beforehand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.embed.port import Embedder, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
from functools import cache

from recollect.embed.local import LocalEmbedder
from recollect.embed.remote import RemoteEmbedder
from recollect.settings import Settings

DIGEST = 16


class CachedEmbedder:
    """An embedder with a cache on disk: one file of hashes, one of rows, both append-only."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self.model = inner.model
        self.dimensions = inner.dimensions
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]", "_", f"{self.model}-{self.dimensions}")
        self._hashes = folder / f"{name}.hashes"
        self._rows = folder / f"{name}.rows"
        self._cached = self._load()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text; only texts not seen before are embedded."""
        import numpy as np

        keys = [_hash(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._cached}
        if new:
            self._store(list(new), self._inner.embed(list(new.values())))
        rows = [self._cached[key] for key in keys]
        return np.array(rows, np.float32).reshape(len(rows), self.dimensions)

    def _store(self, keys: list[bytes], rows: NDArray[np.float32]) -> None:
        # Rows first: a crash between the two leaves rows without a hash, which the next load truncates.
        with self._rows.open("ab") as file:
            file.write(rows.tobytes())
        with self._hashes.open("ab") as file:
            file.write(b"".join(keys))
        self._cached.update(zip(keys, rows, strict=True))

    def _load(self) -> dict[bytes, NDArray[np.float32]]:
        import numpy as np

        width = self.dimensions * 4
        hashes = self._hashes.read_bytes() if self._hashes.exists() else b""
        size = self._rows.stat().st_size if self._rows.exists() else 0
        count = min(len(hashes) // DIGEST, size // width)
        for path, length in ((self._hashes, count * DIGEST), (self._rows, count * width)):
            with path.open("ab") as file:
                file.truncate(length)
        rows = np.fromfile(self._rows, np.float32).reshape(count, self.dimensions)
        return {hashes[at * DIGEST : (at + 1) * DIGEST]: rows[at] for at in range(count)}


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class PrecomputedEmbedder:
    """Returns the precomputed rows of known texts; other texts go to the underlying model."""

    def __init__(self, inner: Embedder, texts: Sequence[str]) -> None:
        self.model = inner.model
        self.dimensions = inner.dimensions
        self._inner = inner
        distinct = list(dict.fromkeys(texts))
        self._rows = dict(zip(distinct, inner.embed(distinct), strict=True)) if distinct else {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        missing = [text for text in texts if text not in self._rows]
        if missing:
            return self._inner.embed(texts)
        stacked: Vectors = np.stack([self._rows[text] for text in texts])
        return stacked


OFF = frozenset({"none", "off", "false"})


def embedder_for(settings: Settings) -> Embedder | None:
    """The endpoint under `embedding.url` if one is set, None for `embedding.model = none`, else the bundled model."""
    model = settings.text("embedding.model")
    if model is not None and model.lower() in OFF:
        return None
    url = settings.text("embedding.url")
    if url is None:
        return bundled_embedder()
    return remote_embedder(url, model or "text-embedding-3-small", settings.text("embedding.key"))


@cache
def bundled_embedder() -> LocalEmbedder:
    """One for the process, so that the model is loaded once."""
    return LocalEmbedder()


@cache
def remote_embedder(url: str, model: str, key: str | None) -> RemoteEmbedder:
    """One for each endpoint, so that its dimensions are requested once."""
    return RemoteEmbedder(url, model, key=key)
