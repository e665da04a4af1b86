"""Backups, restored stores, repaired ones, and stores under a key."""

import json
import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import distributions
from pathlib import Path
from urllib.request import Request, urlopen

import apsw
import pytest
from click.testing import Result

from recollect.memory import open_memory
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
from recollect.store.encryption import read_key_file
from recollect.store.sqlite_file import StoreDamaged
from tests.durability.looking import rows
from tests.durability.workers import record_fact
from tests.serve.command_line import Run, answer, command_line
from tests.support.databases import new_postgres_database, new_sqlite_file
from tests.support.processes import COMMAND, LONGEST_WAIT, environment

needs_ciphers = pytest.mark.skipif(
    not any(each.name.replace("_", "-") == "apsw-sqlite3mc" for each in distributions()),
    reason="apsw-sqlite3mc is not installed",
)
WORD = "quincunx"


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Path:
    """A store with a few facts; one of them has a word that is found in its file."""
    path = Path(new_sqlite_file(sqlite_template, tmp_path))
    fill(str(path), 5)
    return path


def fill(address: str, count: int, settings: Settings | None = None) -> None:
    memory = open_memory(address, settings=settings or Settings())
    for number in range(count):
        record_fact(memory, f"Project {number}", f"{WORD} {number}")
    memory.close()


@pytest.fixture
def run(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_DB", str(store))
    monkeypatch.chdir(tmp_path)
    return command_line


def refusal(result: Result) -> str:
    """The one line that a refused command prints."""
    assert result.exit_code == 1, result.output
    [line] = result.stderr.splitlines()
    return line


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_store_that_holds_the_same_as_its_backup_is_said_to(run: Run) -> None:
    run("backup", "copy.db")
    assert "both stores are equal" in run("verify", "copy.db").stderr
    assert "both stores are equal" not in run("verify").stderr


def test_a_backup_taken_while_the_store_is_written_is_whole_and_private(run: Run, store: Path, tmp_path: Path) -> None:
    memory = open_memory(str(store), settings=Settings())
    with memory.write() as change:
        change.put_setting("timezone", "Europe/London")
        answer(run("backup", "kept/copy.db", "--json"))
    memory.close()
    copy = tmp_path / "kept" / "copy.db"
    assert rows(str(copy), "SELECT COUNT(*) FROM tx") == [(5,)]
    assert (mode(copy), mode(copy.parent)) == (0o600, 0o700)
    assert refusal(run("backup", "kept/copy.db")).endswith("choose another name, or move it away first")


def test_a_restored_backup_equals_it_and_the_store_before_is_kept(run: Run, store: Path, tmp_path: Path) -> None:
    answer(run("backup", "copy.db", "--json"))
    fill(str(store), 2)
    assert "differ in default" in refusal(run("verify", "copy.db"))
    done = answer(run("restore", "copy.db", "--verify", "--json"))
    assert done["verified"] == "1 workspaces are equal"
    [digest] = answer(run("verify", "copy.db", "--json"))
    assert (digest["tx"], digest["facts"]) == (5, 5)
    assert rows(done["before"], "SELECT COUNT(*) FROM tx") == [(7,)]
    assert mode(store) == 0o600
    assert not list(tmp_path.glob("*.partial*"))


@needs_ciphers
def test_a_store_in_use_is_not_replaced(run: Run, store: Path) -> None:
    answer(run("backup", "copy.db", "--json"))
    memory = open_memory(str(store), settings=Settings())
    try:
        assert "is in use by another process" in refusal(run("restore", "copy.db"))
        assert "is in use by another process" in refusal(run("encrypt", env={"RECOLLECT_KEY": "correct horse"}))
    finally:
        memory.close()


def test_a_backup_of_postgres_is_a_sqlite_store_and_goes_back(
    run: Run, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (new_postgres_database(postgres_server) for _ in range(2))
    fill(first, 2)
    monkeypatch.setenv("RECOLLECT_DB", first)
    done = run("backup", "copy.db")
    assert done.exit_code == 0, done.output
    assert "pg_dump" in done.stderr
    monkeypatch.setenv("RECOLLECT_DB", second)
    assert answer(run("restore", "copy.db", "--verify", "--json"))["verified"] == "1 workspaces are equal"
    assert answer(run("verify", first, "--json"))[0]["facts"] == 2


@needs_ciphers
def test_a_store_is_encrypted_rekeyed_and_decrypted_in_place(run: Run, store: Path, tmp_path: Path) -> None:
    before = answer(run("verify", "--json"))
    assert "is not encrypted; there is nothing to decrypt" in refusal(run("decrypt"))
    nowhere = {"RECOLLECT_DB": str(tmp_path / "nowhere.db")}
    assert "there is no store at" in refusal(run("encrypt", "--key-file", "one.key", env=nowhere))
    assert not (tmp_path / "one.key").exists()
    kept = Path(answer(run("encrypt", "--key-file", "one.key", "--json"))["before"])
    assert mode(tmp_path / "one.key") == 0o600
    assert WORD.encode() in kept.read_bytes()
    assert WORD.encode() not in store.read_bytes()
    assert "is encrypted or is not a SQLite database; give its key" in refusal(run("status"))
    assert "the key does not open" in refusal(run("status", env={"RECOLLECT_KEY": "wrong"}))
    for server in ("serve", "stdio"):
        assert "the key does not open" in refusal(run(server, env={"RECOLLECT_KEY": "wrong"}))
        assert "give its key" in refusal(run(server))
    assert answer(run("verify", "--key-file", "one.key", "--json")) == before
    answer(run("rekey", "--key-file", "one.key", "--new-key-file", "two.key", "--no-backup", "--json"))
    assert "the key does not open" in refusal(run("status", "--key-file", "one.key"))
    answer(run("decrypt", "--key-file", "two.key", "--json"))
    assert answer(run("verify", "--json")) == before
    assert "is not encrypted; run: recollect encrypt" in refusal(run("status", "--key-file", "two.key"))


@needs_ciphers
def test_a_key_change_that_is_refused_changes_nothing_and_makes_no_key(run: Run, store: Path, tmp_path: Path) -> None:
    answer(run("encrypt", "--key-file", "one.key", "--no-backup", "--json"))
    before = store.read_bytes()
    files = sorted(tmp_path.iterdir())
    new = "--new-key-file", "two.key"
    assert "the key does not open" in refusal(run("rekey", *new, env={"RECOLLECT_KEY": "wrong"}))
    assert "the current key is needed" in refusal(run("rekey", *new))
    assert "is encrypted already" in refusal(run("encrypt", "--key-file", "two.key"))
    assert store.read_bytes() == before
    memory = open_memory(str(store), settings=Settings(environment={"RECOLLECT_KEY_FILE": str(tmp_path / "one.key")}))
    try:
        assert "is in use by another process" in refusal(run("rekey", "--key-file", "one.key", *new))
    finally:
        memory.close()
    assert sorted(tmp_path.iterdir()) == files


@needs_ciphers
def test_the_doctor_warns_of_a_copy_in_clear_and_of_files_that_others_may_read(run: Run, store: Path) -> None:
    def found(check: str) -> str:
        told = run("doctor", "--key-file", "one.key", "--json").stdout
        return str({each["check"]: each for each in json.loads(told)}[check])

    kept = Path(answer(run("encrypt", "--key-file", "one.key", "--json"))["before"])
    assert f"warning: {kept} is not" in found("encryption")
    for loose in (store, kept):
        loose.chmod(0o644)
    store.parent.chmod(0o700)
    assert f"run: chmod 600 {store} && chmod 600 {kept}'" in found("private")
    kept.unlink()
    store.chmod(0o600)
    assert "warning" not in found("encryption") + found("private")


@needs_ciphers
def test_an_export_is_encrypted_when_asked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answer(run("verify", "--json"))
    exported = run("export", "all.export", "--encrypt-with", "export.key")
    assert exported.exit_code == 0, exported.output
    assert (mode(tmp_path / "all.export"), mode(tmp_path / "export.key")) == (0o600, 0o600)
    assert WORD.encode() not in (tmp_path / "all.export").read_bytes()
    (tmp_path / "other.key").write_text("wrong", "utf-8")
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "second.db"))
    assert "give its key with --decrypt-with" in refusal(run("import", "all.export"))
    assert "is encrypted with another key" in refusal(run("import", "all.export", "--decrypt-with", "other.key"))
    rows = answer(run("import", "all.export", "--decrypt-with", "export.key", "--json"))
    assert rows["verified"] is True
    assert answer(run("verify", "--json")) == before


@needs_ciphers
def test_a_cut_export_that_is_encrypted_is_refused_as_a_whole(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("export", "all.export", "--encrypt-with", "export.key")
    content = (tmp_path / "all.export").read_bytes()
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "second.db"))
    for length in (len(content) - 1, len(content) - 4096, 4096):
        (tmp_path / "cut.export").write_bytes(content[:length])
        assert "cut.export" in refusal(run("import", "cut.export", "--decrypt-with", "export.key"))
    flipped = bytearray(content)
    flipped[len(content) - 2000] ^= 1
    for damaged in (content[:4096] + bytes(4096) + content[8192:], bytes(flipped), content + content):
        (tmp_path / "cut.export").write_bytes(damaged)
        assert "is incomplete or damaged" in refusal(run("import", "cut.export", "--decrypt-with", "export.key"))
    assert answer(run("verify", "--json"))[0]["facts"] == 0


@needs_ciphers
def test_a_new_store_under_a_passphrase_shows_no_word_in_file_log_or_backup(tmp_path: Path, run: Run) -> None:
    secret = {"RECOLLECT_KEY": "correct horse", "RECOLLECT_DB": str(tmp_path / "new.db")}
    memory = open_memory(str(tmp_path / "new.db"), settings=Settings(secret))
    record_fact(memory, "Ada", WORD)
    files = [tmp_path / "new.db", tmp_path / "new.db-wal"]
    assert not any(WORD.encode() in path.read_bytes() for path in files)
    answer(run("backup", "copy.db", "--json", env=secret))
    memory.close()
    assert WORD.encode() not in (tmp_path / "copy.db").read_bytes()
    assert answer(run("verify", "copy.db", "--json", env=secret))[0]["facts"] == 1


def test_the_doctor_finds_damage_and_saves_what_can_be_read(run: Run, store: Path) -> None:
    fill(str(store), 60)
    [[page]] = rows(
        str(store), "SELECT pageno FROM dbstat WHERE name = 'assertion' AND pagetype = 'leaf' LIMIT 1 OFFSET 2"
    )
    overwrite(store, (page - 1) * 4096, b"\xff" * 4096)
    assert "memory.db is damaged" in run("doctor").output
    assert "is damaged" in refusal(run("backup", "copy.db"))
    done = run("doctor", "--repair", "new.db", "--json")
    saved = {each["table"]: each for each in json.loads(done.stdout)}
    assert saved["fact"]["lost"] == 0
    assert 0 < saved["assertion"]["lost"] < 40
    assert f"{saved['assertion']['lost']} rows of assertion could not be read" in done.stderr
    found = run("verify", "--json", env={"RECOLLECT_DB": "new.db"})
    assert answer(found)[0]["facts"] == 60
    fill("new.db", 1)


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def root_offset(path: Path, table: str) -> int:
    [[page]] = rows(str(path), f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")
    return (int(page) - 1) * 4096


DAMAGES: dict[str, Callable[[Path], None]] = {
    "the way to the facts": lambda path: overwrite(path, root_offset(path, "fact"), b"\xff" * 4096),
    "the way to an index": lambda path: overwrite(path, root_offset(path, "fact_of_subject"), bytes(4096)),
    "the list of workspaces": lambda path: overwrite(path, root_offset(path, "workspace"), bytes(4096)),
    "the end is cut off": lambda path: os.truncate(path, path.stat().st_size - 4096),
    "the size in the header": lambda path: overwrite(path, 28, (5).to_bytes(4)),
    "the form in the header": lambda path: overwrite(path, 16, b"\xff\xff"),
    "the list of free pages": lambda path: overwrite(path, 32, (7).to_bytes(4) + (90_000).to_bytes(4)),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_fact_is_saved_from_a_store_with_one_kind_of_damage(run: Run, store: Path, kind: str) -> None:
    fill(str(store), 60)
    with closing(apsw.Connection(str(store))) as raw:
        raw.execute("CREATE TABLE at_the_end (x); INSERT INTO at_the_end VALUES (zeroblob(100000))")
    [before] = answer(run("verify", "--json"))
    DAMAGES[kind](store)
    damaged = store.read_bytes()
    assert run("doctor", "--full").exit_code == 1
    run("doctor", "--repair", "new.db")
    assert store.read_bytes() == damaged
    mended = {"RECOLLECT_DB": "new.db"}
    assert run("doctor", "--full", env=mended).exit_code == 0
    [after] = answer(run("verify", "--json", env=mended))
    assert (after["facts"], after["tx"]) == (before["facts"], before["tx"])


@needs_ciphers
@pytest.mark.parametrize("is_cut", [True, False])
def test_every_fact_is_saved_from_a_damaged_store_under_a_key(run: Run, store: Path, is_cut: bool) -> None:
    fill(str(store), 60)
    answer(run("encrypt", "--key-file", "one.key", "--no-backup", "--json"))
    with closing(apsw.Connection(str(store))) as raw:
        read_key_file(Path("one.key")).unlock(raw, store.read_bytes()[:16])
        raw.execute("CREATE TABLE at_the_end (x); INSERT INTO at_the_end VALUES (zeroblob(100000))")
        [[root]] = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'fact'").fetchall()
    if is_cut:
        DAMAGES["the end is cut off"](store)
    else:
        overwrite(store, (int(str(root)) - 1) * 4096, bytes(4096))
    run("doctor", "--repair", "new.db", "--key-file", "one.key")
    [after] = answer(run("verify", "--key-file", "one.key", "--json", env={"RECOLLECT_DB": "new.db"}))
    assert after["facts"] == 60


def test_a_store_that_has_lost_the_list_of_its_tables_is_told_so(run: Run, store: Path) -> None:
    overwrite(store, 100, b"\xff" * 3000)
    assert "nothing can be read; restore a backup" in refusal(run("doctor", "--repair", "new.db"))


def test_erasing_in_postgres_says_where_the_words_stay(
    run: Run, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_postgres_database(postgres_server)
    fill(address, 2)
    monkeypatch.setenv("RECOLLECT_DB", address)
    facts = [f"fact_{ident}" for [ident] in rows(address, "SELECT id FROM fact ORDER BY id")]
    assert "until VACUUM FULL, which forget --vacuum runs" in run("forget", facts[0], "--yes").stderr
    assert "write-ahead log until it is recycled" in run("forget", facts[1], "--yes", "--vacuum").stderr


def test_a_secret_among_the_settings_is_not_shown(run: Run) -> None:
    done = run("workspace", "set", "llm.key", "sk-very-secret")
    assert "RECOLLECT_LLM_KEY in the environment is not stored" in done.stderr
    shown = run("workspace", "show")
    assert "(secret)" in shown.output
    assert "sk-very-secret" not in done.output + shown.output


def test_loose_modes_are_named_with_what_to_run(run: Run, store: Path) -> None:
    store.chmod(0o644)
    checks = {each["check"]: each for each in json.loads(run("doctor", "--json").stdout)}
    assert f"chmod 600 {store}" in checks["private"]["detail"]


def test_a_server_that_is_terminated_leaves_everything_in_the_file_alone(store: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--port", "0"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment(tmp_path), cwd=tmp_path
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        try:
            remember(address, "Ada lives in Rome.")
            assert (tmp_path / "memory.db-wal").stat().st_size
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LONGEST_WAIT)
    assert process.returncode == 0
    assert not (tmp_path / "memory.db-wal").exists()
    alone = shutil.copy(store, tmp_path / "alone.db")
    assert rows(str(alone), "SELECT COUNT(*) FROM tx") == [(6,)]


def remember(address: str, text: str) -> None:
    body = json.dumps({"text": text}).encode()
    request = Request(f"{address}/api/v1/remember", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=LONGEST_WAIT) as response:
        assert response.status == 200


def test_a_server_does_not_start_on_a_damaged_store(store: Path) -> None:
    [[page]] = rows(str(store), "SELECT rootpage FROM sqlite_schema WHERE name = 'assertion'")
    overwrite(store, (page - 1) * 4096, b"\xff" * 4096)
    with OpenStore(Settings({"RECOLLECT_DB": str(store)})) as opened, pytest.raises(StoreDamaged):
        opened.check_file()
