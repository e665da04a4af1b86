"""Any endpoint with the OpenAI embeddings API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.errors import Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEXTS_PER_CALL = 64
MAX_ANSWER = 64 * 1024 * 1024


class RemoteEmbedder:
    """Vectors from `{url}/embeddings`, in batches, each call with a timeout."""

    def __init__(
        self, url: str, model: str, dimensions: int | None = None, *, key: str | None = None, timeout: float = 30.0
    ) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise Refused(f"embedding.url {url!r} is not an http or https address", field="embedding.url")
        self.model = model
        self._dimensions = dimensions
        self._url = url.rstrip("/") + "/embeddings"
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._timeout = timeout

    @property
    def dimensions(self) -> int:
        """The configured number of dimensions, or that of the endpoint's first answer."""
        if self._dimensions is None:
            self._dimensions = len(self._parse_embeddings(self._call(["width"]))[0])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text; raises EmbeddingFailed when the endpoint does not deliver."""
        import numpy as np

        rows = np.empty((len(texts), self.dimensions), np.float32)
        for start, part in _parts(texts):
            rows[start : start + len(part)] = self._rows(self._call(part), len(part))
        return rows

    def _call(self, texts: Sequence[str]) -> object:
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request

        from recollect.http_client import open_request

        # Some endpoints refuse an empty string; a space has the same meaning and is accepted everywhere.
        body = json.dumps({"model": self.model, "input": [text or " " for text in texts]}).encode()
        request = Request(self._url, body, self._headers, method="POST")
        try:
            with open_request(request, self._timeout) as answer:
                return json.loads(answer.read(MAX_ANSWER))
        except HTTPError as problem:
            with problem:
                raise EmbeddingFailed(self.model, f"HTTP {problem.code}") from problem
        except (OSError, HTTPException) as problem:
            raise EmbeddingFailed(self.model, str(problem)) from problem
        except ValueError as problem:
            raise EmbeddingFailed(self.model, "its answer is not JSON") from problem

    def _parse_embeddings(self, answer: object) -> list[list[float]]:
        try:
            items = sorted(answer["data"], key=lambda item: item["index"])  # type: ignore[index]
            return [list(map(float, item["embedding"])) for item in items]
        except (KeyError, TypeError, ValueError) as problem:
            raise EmbeddingFailed(self.model, "its answer is not a list of embeddings") from problem

    def _rows(self, answer: object, expected: int) -> NDArray[np.float32]:
        import numpy as np

        listed = self._parse_embeddings(answer)
        if len(listed) != expected or any(len(row) != self.dimensions for row in listed):
            raise EmbeddingFailed(self.model, f"it did not send {expected} rows of {self.dimensions} numbers")
        rows = np.array(listed, np.float32).reshape(expected, self.dimensions)
        unit: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return unit


def _parts(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    for start in range(0, len(texts), TEXTS_PER_CALL):
        yield start, texts[start : start + TEXTS_PER_CALL]
