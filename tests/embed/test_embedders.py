"""The bundled model, the endpoint, the fake and the cache."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from tests.support.hash_embedder import HashEmbedder

from recollect.embed import EmbeddingFailed, LocalEmbedder, RemoteEmbedder
from recollect.embed.cached import CachedEmbedder, embedder_for
from recollect.embed.local import MAX_TOKENS
from recollect.errors import Refused
from recollect.settings import Settings

CAT, FELINE, LEDGER = "A cat sleeps on the sofa.", "The kitten naps on the couch.", "Quarterly revenue fell by 3%."


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


def test_importing_the_package_loads_neither_the_runtime_nor_numpy() -> None:
    code = (
        "import sys, recollect.embed, recollect.embed.cached as c; from recollect.settings import Settings;"
        "c.embedder_for(Settings()); print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_loading_the_runtime_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    code = "from recollect.embed.model_session import load_runtime; load_runtime()"
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code], env=home, check=True)
    assert list(tmp_path.iterdir()) == []


def test_a_process_ends_while_a_thread_embeds() -> None:
    code = (
        "import threading; from itertools import repeat; from recollect.embed.local import LocalEmbedder;"
        "local, started = LocalEmbedder(1), threading.Event();"
        "work = lambda: [(local.embed(['a word']), started.set()) for _ in repeat(None)];"
        "threading.Thread(target=work, daemon=True).start(); started.wait()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_bundled_model_gives_rows_of_length_one_by_meaning(local: LocalEmbedder) -> None:
    rows = local.embed([CAT, FELINE, LEDGER])
    assert rows.dtype == np.float32
    assert rows.shape == (3, local.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[0] @ rows[1] > 0.5 > 0.2 > rows[0] @ rows[2]


def test_a_text_has_the_same_row_alone_and_among_others(local: LocalEmbedder) -> None:
    texts = [CAT, "word " * 1000, "", LEDGER]
    alone = b"".join(local.embed([text]).tobytes() for text in texts)
    assert local.embed(texts).tobytes() == alone


def test_no_text_gives_no_row(local: LocalEmbedder) -> None:
    assert local.embed([]).shape == (0, local.dimensions)


def test_what_stands_behind_the_last_token_does_not_count(local: LocalEmbedder) -> None:
    start = "alpha " * MAX_TOKENS
    one, other = local.embed([start + CAT, start + LEDGER])
    assert one @ other > 0.999


@pytest.mark.parametrize("marks", [">" * 500, "> " * 500, "-" * 500, ". " * 500])
def test_words_behind_a_row_of_marks_count(local: LocalEmbedder, marks: str) -> None:
    bare, marked = local.embed([CAT, f"{marks} {CAT}"])
    assert bare @ marked > 0.5


def test_threads_may_share_one_model(local: LocalEmbedder) -> None:
    expected = local.embed([CAT])[0]
    rows: list[float] = []
    threads = [threading.Thread(target=lambda: rows.append(float(local.embed([CAT])[0] @ expected))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cosine > 0.999 for cosine in rows)
    assert len(rows) == 4


def test_the_fake_is_the_same_every_time_and_knows_shared_words() -> None:
    rows = HashEmbedder().embed(["red apple pie", "red apple tart", "", "blue sea"])
    assert np.allclose(rows, HashEmbedder().embed(["red apple pie", "red apple tart", "", "blue sea"]))
    assert rows[0] @ rows[1] > rows[0] @ rows[3]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)


def test_the_cache_embeds_a_text_once_and_survives_a_torn_write(tmp_path: Path) -> None:
    seen: list[str] = []

    class Counting(HashEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            seen.extend(texts)
            return super().embed(texts)

    first = CachedEmbedder(Counting(8), tmp_path).embed(["a", "b", "a"])
    [rows] = tmp_path.glob("*.rows")
    with rows.open("ab") as file:
        file.write(b"torn")
    again = CachedEmbedder(Counting(8), tmp_path)
    assert np.array_equal(again.embed(["a", "b", "a"]), first)
    assert np.array_equal(CachedEmbedder(HashEmbedder(8), tmp_path).embed(["c"]), again.embed(["c"]))
    assert seen == ["a", "b", "c"]


def test_settings_choose_the_bundled_model_an_endpoint_or_none() -> None:
    assert isinstance(embedder_for(Settings()), LocalEmbedder)
    assert embedder_for(Settings()) is embedder_for(Settings())
    assert embedder_for(Settings({"RECOLLECT_EMBEDDING_MODEL": "none"})) is None
    chosen = embedder_for(Settings({"RECOLLECT_EMBEDDING_URL": "http://x/v1", "RECOLLECT_EMBEDDING_MODEL": "m"}))
    assert isinstance(chosen, RemoteEmbedder)
    assert chosen.model == "m"


Answer = Callable[[dict[str, list[str]]], tuple[int, str]]


@pytest.fixture
def endpoint() -> Iterator[Callable[[Answer], str]]:
    servers: list[HTTPServer] = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, body = answer(asked | {"path": self.path, "key": self.headers.get("Authorization")})
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def _answer(rows: list[list[float]]) -> str:
    data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
    return json.dumps({"data": data[::-1]})


def test_an_endpoint_is_asked_in_parts_and_its_rows_are_put_in_order(endpoint: Callable[[Answer], str]) -> None:
    asked: list[dict[str, object]] = []

    def answer(request: dict[str, list[str]]) -> tuple[int, str]:
        asked.append(dict(request))
        return 200, _answer([[float(len(text)), 3.0] for text in request["input"]])

    rows = RemoteEmbedder(endpoint(answer), "m", 2, key="secret").embed(["x" * 4] * 64 + [""])
    assert np.allclose(rows[0], [0.8, 0.6])
    assert rows.shape == (65, 2)
    assert [len(str(call["input"])) > 0 for call in asked] == [True, True]
    assert asked[0]["path"] == "/v1/embeddings"
    assert asked[0]["key"] == "Bearer secret"
    assert asked[1]["input"] == [" "]


@pytest.mark.parametrize(
    "answer",
    [
        (500, "no"),
        (200, "not json"),
        (200, '{"data": 3}'),
        (200, '{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'),
        (200, '{"data": []}'),
    ],
)
def test_an_endpoint_that_does_not_deliver_is_unavailable(
    endpoint: Callable[[Answer], str], answer: tuple[int, str]
) -> None:
    with pytest.raises(EmbeddingFailed) as raised:
        RemoteEmbedder(endpoint(lambda _: answer), "m", 2).embed(["a"])
    assert raised.value.code == "embedding_unavailable"


def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(EmbeddingFailed):
        RemoteEmbedder("http://127.0.0.1:9/v1", "m", 2, timeout=5).embed(["a"])


def test_only_web_addresses_are_endpoints() -> None:
    with pytest.raises(Refused):
        RemoteEmbedder("file:///etc/passwd", "m", 2)
