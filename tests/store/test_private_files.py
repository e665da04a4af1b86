"""What we write is for its owner only; what cannot be opened is explained in one line."""

import os
import socket
import stat
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.processes import COMMAND, LONGEST_WAIT, environment

from recollect.memory import open_memory
from recollect.serve.cli.main import main
from recollect.serve.hooks.session import last_transaction, load_session
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.port import StoreUnavailable
from recollect.store.postgres import CONNECT_SECONDS
from recollect.store.postgres_connect import BadPostgresAddress, UnencryptedAddress, read_postgres_address

only_posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def recollect(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *words],
        env=environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )


@only_posix
def test_a_new_store_is_private_in_a_private_folder(tmp_path: Path) -> None:
    store = tmp_path / "data" / "memory.db"
    memory = open_memory(str(store), settings=Settings())
    with memory.read() as view:
        assert view.last_tx == 0
    modes = {path.name: mode(path) for path in store.parent.iterdir()}
    memory.close()
    assert mode(store.parent) == 0o700
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


@only_posix
def test_what_is_kept_beside_a_store_is_private_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "")
    before = os.umask(0)
    try:
        address = "postgresql://ann:secret@db.example/memory"
        installed = CliRunner().invoke(main, ["service", "install", "--db", address])
        load_session("s1").save()
        last_transaction("default", 5)
    finally:
        os.umask(before)
    assert installed.exit_code == 0, installed.output
    written = {path.suffix: mode(path) for path in tmp_path.rglob("*") if path.is_file()}
    assert set(written) >= {".json", ".txt"}
    assert set(written.values()) == {0o600}


@only_posix
def test_a_folder_and_a_store_that_were_there_keep_their_modes(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    store = folder / "memory.db"
    store.touch()
    store.chmod(0o640)
    engine_for(str(store)).close()
    assert (mode(folder), mode(store)) == (0o755, 0o640)


@only_posix
def test_an_export_is_private_even_where_the_file_was_not(tmp_path: Path) -> None:
    export = tmp_path / "all.jsonl"
    export.touch(0o644)
    export.chmod(0o644)
    assert recollect(tmp_path, "export", str(export)).returncode == 0
    assert mode(export) == 0o600


def test_a_file_that_is_not_a_database_is_named_with_what_to_do(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy plums. " * 100, "utf-8")
    done = recollect(tmp_path, "status", "--db", str(notes))
    assert done.returncode == 1
    assert done.stderr == (
        f"recollect: {notes} is not a SQLite database; pass another file with --db, "
        "or move this one away to start with an empty memory\n"
    )
    assert notes.read_text("utf-8") == "Buy plums. " * 100


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="is a folder; pass a file in it with --db"):
        engine_for(str(tmp_path))


def test_an_unreachable_postgres_is_one_line_without_the_password(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        done = recollect(tmp_path, "status", "--db", f"postgresql://ann:s3cret@127.0.0.1:{port}/memory")
    assert done.returncode == 1
    assert done.stderr == (
        f"recollect: cannot connect to PostgreSQL at 127.0.0.1:{port}/memory: Connection refused; "
        "check the address, that the database exists and that the server is running\n"
    )


def test_a_postgres_that_never_answers_is_given_up_within_five_seconds() -> None:
    assert 2 * CONNECT_SECONDS < 5
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        with pytest.raises(StoreUnavailable, match=r"cannot connect to PostgreSQL at .*timeout"):
            engine_for(f"postgresql://ann:s3cret@127.0.0.1:{port}/memory")


@pytest.mark.parametrize("password", ["s3cret%zz", "p@s3cret", "p/s3cret", "7/s3cret"])
def test_a_malformed_postgres_address_is_refused_without_the_password(password: str) -> None:
    with pytest.raises(BadPostgresAddress) as refusal:
        engine_for(f"postgresql://ann:{password}@localhost/memory").close()
    assert "s3cret" not in str(refusal.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:s3cret@db.example/memory",
        "postgresql://ann:s3cret@localhost,10.0.0.7/memory",
        "postgresql:///memory?hostaddr=10.0.0.7",
        "postgresql://db.example/memory?sslmode=prefer",
    ],
)
def test_a_server_elsewhere_is_refused_unless_the_address_speaks_of_encryption(address: str) -> None:
    with pytest.raises(UnencryptedAddress, match="sslmode=verify-full") as refusal:
        engine_for(address)
    assert "s3cret" not in str(refusal.value)


def test_a_host_from_the_environment_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    with pytest.raises(UnencryptedAddress):
        read_postgres_address("postgresql:///memory")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    read_postgres_address("postgresql:///memory")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann@db.example/memory?sslmode=verify-full&sslrootcert=system",
        "postgresql://ann@db.example/memory?sslmode=disable&pooler=transaction",
        "postgresql://ann@127.0.0.1,localhost,[::1]/memory",
        "postgresql://ann@/memory?host=/run/postgresql",
        "postgresql:///memory",
    ],
)
def test_an_encrypted_or_local_server_and_a_choice_in_so_many_words_are_taken(address: str) -> None:
    assert "pooler" not in read_postgres_address(address).plain
