"""`recollect sync` by a shared folder and over HTTP."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main
from recollect.serve.guard import ListenPolicy
from tests.serve.test_api import serve
from tests.support.databases import new_sqlite_file

Run = Callable[..., Result]


@pytest.fixture
def stores(sqlite_template: Path, tmp_path: Path) -> tuple[str, str]:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    first, second = (new_sqlite_file(sqlite_template, tmp_path / name) for name in ("one", "other"))
    return first, second


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")

    def call(store: str, *arguments: str) -> Result:
        return CliRunner().invoke(main, ["--db", store, *arguments])

    return call


def facts(run: Run, store: str, query: str) -> list[str]:
    found: dict[str, Any] = json.loads(run(store, "recall", query, "--json").output)
    return [each["text"] for each in found["results"] if each["kind"] == "fact"]


def test_two_stores_sync_by_a_folder(run: Run, stores: tuple[str, str], tmp_path: Path) -> None:
    one, other = stores
    folder = tmp_path / "shared"
    folder.mkdir()
    run(one, "remember", "Lena lives in Porto.")
    for store in stores:
        assert run(store, "sync", "add", "drive", str(folder)).exit_code == 0
    assert run(one, "sync").output == "drive: 1 sent, 0 received\n"
    synced = run(other, "sync", "drive", "--json")
    assert json.loads(synced.output)["received"] == 1
    assert facts(run, other, "where does Lena live") == ["Lena lives in Porto"]
    assert "drive" in run(other, "sync", "list").output
    assert run(other, "sync", "remove", "drive").exit_code == 0
    nobody = run(other, "sync")
    assert nobody.exit_code == 1
    assert "recollect sync add" in nobody.output


def test_a_store_syncs_with_one_behind_a_server(run: Run, stores: tuple[str, str]) -> None:
    one, other = stores
    run(one, "remember", "Lena lives in Porto.")
    run(other, "remember", "We use pnpm for acme-web.")
    with serve(other, ListenPolicy("127.0.0.1"), RECOLLECT_AUDIT_ENABLED="true") as api:
        run(one, "sync", "add", "home", api.address)
        assert run(one, "sync").output == "home: 1 sent, 1 received\n"
        assert run(one, "sync").output == "home: 0 sent, 0 received\n"
        assert "sync" in run(other, "audit", "show").output
    assert facts(run, one, "acme-web uses") == ["acme-web uses pnpm"]
    assert facts(run, other, "where does Lena live") == ["Lena lives in Porto"]


def test_only_administrators_may_sync(stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    one, other = stores
    with serve(other, ListenPolicy("127.0.0.1", needs_token=True)) as api:
        run(one, "sync", "add", "home", api.address)
        refused = run(one, "sync").stderr
        assert "RECOLLECT_SYNC_HOME_TOKEN" in refused
        assert "{" not in refused
        for scope, code in (("write", 1), ("admin", 0)):
            monkeypatch.setenv("RECOLLECT_SYNC_HOME_TOKEN", api.token(scope, scope)["Authorization"].split()[1])
            assert run(one, "sync").exit_code == code


def test_a_folder_without_a_key_is_announced_and_one_with_a_key_is_encrypted(
    run: Run, stores: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = stores
    assert "NOT be encrypted" in run(one, "sync", "add", "drive", str(tmp_path)).output
    monkeypatch.setenv("RECOLLECT_SYNC_DRIVE_KEY", "ab" * 32)
    for store in stores:
        assert "NOT be encrypted" not in run(store, "sync", "add", "drive", str(tmp_path)).output
    run(one, "remember", "Lena lives in Porto.")
    for store in stores:
        run(store, "sync")
    assert list((tmp_path / "recollect-sync").rglob("*.encrypted"))
    assert facts(run, other, "where does Lena live") == ["Lena lives in Porto"]
    monkeypatch.delenv("RECOLLECT_SYNC_DRIVE_KEY")
    assert "RECOLLECT_SYNC_NAME_KEY" in run(other, "sync").output


def test_a_peer_that_is_not_there_is_told_in_one_line(run: Run, stores: tuple[str, str], tmp_path: Path) -> None:
    one, _ = stores
    refused = run(one, "sync", "add", "drive", str(tmp_path / "nowhere"))
    assert refused.exit_code == 1
    assert "existing folder" in refused.output
    run(one, "sync", "add", "home", "http://127.0.0.1:9")
    failed = run(one, "sync")
    assert failed.exit_code == 1
    assert "sync again later" in failed.output


@contextmanager
def answering(raw: bytes) -> Iterator[str]:
    """Something that answers every request with these bytes; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        connection.recv(100_000)
                        connection.sendall(raw)
                        connection.shutdown(socket.SHUT_WR)
                        while connection.recv(100_000):  # closing before all is read would reset the connection
                            pass

        threading.Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"SSH-2.0-OpenSSH\r\n", "cannot be reached (SSH-2.0-OpenSSH"),
        (b"", "cannot be reached (Remote end closed connection without response); nothing is lost"),
        (
            b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>",
            "there is no `recollect serve` at http://127.0.0.1:",
        ),
        (b"HTTP/1.0 404 Not Found\r\n\r\n<html>", "(404 Not Found); check the address"),
        (b"HTTP/1.0 502 Bad Gateway\r\n\r\n<html>", "(502 Bad Gateway); nothing is lost, sync again later"),
        (b'HTTP/1.0 401 Unauthorized\r\n\r\n{"detail": "no such token"}', "let this device sync (no such token);"),
        (b"HTTP/1.0 403 Forbidden\r\n\r\n[]", "let this device sync (403 Forbidden);"),
        (b"HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n", "cannot be read"),
        (
            b"HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 99\r\n\r\n{",
            "cannot be reached (the connection broke off); nothing is lost, sync again later",
        ),
    ],
)
def test_what_a_peer_refuses_is_told_in_one_line_of_words(
    run: Run, stores: tuple[str, str], raw: bytes, told: str
) -> None:
    one, _ = stores
    with answering(raw) as address:
        assert run(one, "sync", "add", "home", address).exit_code == 0
        failed = run(one, "sync")
    assert failed.exit_code == 1
    assert told in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert "Errno" not in failed.stderr


@pytest.mark.parametrize("address", ["http://", "https://:80", "http://host:port", "http://[::1", "ftp://host"])
def test_an_address_that_cannot_be_one_is_refused(run: Run, stores: tuple[str, str], address: str) -> None:
    refused = run(stores[0], "sync", "add", "home", address)
    assert refused.exit_code == 1
    assert "neither the address of a server" in refused.stderr


def test_a_token_that_cannot_be_sent_is_told(
    run: Run, stores: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_SYNC_HOME_TOKEN", "rcl_\nx")
    run(stores[0], "sync", "add", "home", "http://127.0.0.1:9")
    assert "characters that cannot be sent" in run(stores[0], "sync").stderr
