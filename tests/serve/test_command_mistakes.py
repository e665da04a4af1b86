"""What the command line says when a name is misspelt, a folder is missing or the work is interrupted."""

import errno
import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest
from click.testing import CliRunner, Result

from recollect.importers.formats import FORMATS
from recollect.serve.cli.main import EXIT_INTERRUPTED, main
from recollect.store.sqlite_file import describe_failure


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(
    ("given", "meant"), [("serach", "search"), ("remeber", "remember"), ("Ingest", "ingest"), ("delete", "forget")]
)
def test_a_misspelt_verb_is_answered_with_the_one_that_was_meant(given: str, meant: str) -> None:
    result = run(given, "x")
    assert result.exit_code == 2
    assert f"there is no verb {given!r}; did you mean {meant}" in result.stderr


def test_a_verb_like_no_other_is_pointed_to_the_list() -> None:
    assert "there is no verb 'qwxz'; recollect --help lists them" in run("qwxz").stderr


@pytest.mark.parametrize("words", [("search", "--lmit", "3", "x"), ("workspace", "crate", "x")])
def test_misspelt_options_and_verbs_of_groups_are_answered_with_near_ones(words: tuple[str, ...]) -> None:
    assert "did you mean" in run(*words).stderr.lower()


@pytest.mark.parametrize(
    ("verb", "given", "meant"),
    [
        ("recall", "--limt", "'--max-tokens'"),
        ("recall", "--sicne", "'--since'"),
        ("recall", "--max", "'--max-tokens'"),
        ("search", "--limt", "'--limit'"),
        ("search", "--lmiit", "'--limit'"),
        ("search", "--before", "'--until'"),
    ],
)
def test_a_misspelt_option_is_answered_with_the_nearest_that_the_verb_has(verb: str, given: str, meant: str) -> None:
    assert f"Did you mean {meant}?" in run(verb, "x", given, "3").stderr


def test_a_misspelt_option_before_the_verb_is_answered_too() -> None:
    assert "Did you mean '--workspace'?" in run("--worksapce", "x", "status").stderr


def test_an_option_like_no_other_is_answered_with_none() -> None:
    shown = run("recall", "x", "--zzqqx").stderr
    assert "No such option '--zzqqx'" in shown
    assert "mean" not in shown


def test_the_help_of_ingest_lists_every_format() -> None:
    shown = run("ingest", "--help").output
    assert [each.name for each in FORMATS if f"  {each.name} " not in shown] == []


def test_a_missing_folder_of_the_database_is_an_error(tmp_path: Path) -> None:
    store = tmp_path / "tpyo" / "memory.db"
    result = run("status", "--db", str(store))
    assert (result.exit_code, result.stderr) == (
        1,
        f"recollect: the folder {store.parent} does not exist; correct --db, or create it with --create\n",
    )
    assert not store.parent.exists()


def test_a_missing_folder_is_created_on_request_and_private_at_every_level(tmp_path: Path) -> None:
    store = tmp_path / "new" / "below" / "memory.db"
    assert run("status", "--create", "--db", str(store)).exit_code == 0
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (store, store.parent, store.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


@pytest.mark.parametrize("words", [("recall", "x"), ("remember", "Lena lives in Porto."), ("status",)])
def test_a_file_that_is_no_database_is_told_in_one_line_without_trying_again(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "notes.db").write_text("some notes\n" * 100, "utf-8")
    told = run(*words, "--db", str(tmp_path / "notes.db")).stderr
    assert "is not a SQLite database; pass another file" in told
    assert told.count("\n") == 1


def test_an_unreachable_postgresql_is_told_in_one_line() -> None:
    told = run("recall", "x", "--db", "postgresql://nobody@127.0.0.1:1/nowhere").stderr
    assert "check the address, that the database exists and that the server is running" in told
    assert told.count("\n") == 1


def test_an_interrupted_ingest_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("recollect.indexing.index_all", interrupt)
    (tmp_path / "note.txt").write_text("Ann works at Acme.", "utf-8")
    result = run("ingest", str(tmp_path / "note.txt"), "--db", str(tmp_path / "memory.db"))
    assert result.exit_code == EXIT_INTERRUPTED
    assert result.stderr.endswith(
        "recollect: interrupted; what was read is kept; repeat the command to resume, nothing is imported twice\n"
    )


@pytest.mark.parametrize("times", [1, 2])
def test_an_ingest_that_is_interrupted_by_the_keyboard_is_finished_by_the_next(tmp_path: Path, times: int) -> None:
    """A process of its own, whose second note stops it; pressed twice, it tells the same."""
    for number in range(3):
        (tmp_path / "notes").mkdir(exist_ok=True)
        (tmp_path / "notes" / f"{number}.txt").write_text(f"Ann{number} works at Acme.", "utf-8")
    words = ["ingest", str(tmp_path / "notes"), "--db", str(tmp_path / "memory.db"), "--no-vectors"]
    ended = subprocess.run(
        [sys.executable, "-c", PRESS_CTRL_C, str(times), *words], capture_output=True, text=True, check=False
    )
    assert ended.returncode == EXIT_INTERRUPTED, ended.stderr
    assert ended.stderr.splitlines() == [
        "",
        "recollect: interrupted; what was read is kept; repeat the command to resume, nothing is imported twice",
    ]
    assert documents(tmp_path) == 1
    assert run(*words).exit_code == 0
    assert documents(tmp_path) == 3


PRESS_CTRL_C = """
import os, signal, sys
from recollect.__main__ import main
from recollect.importers import import_plan
from recollect.serve import open_store

take, close, times = import_plan.import_planned, open_store.OpenStore.__exit__, int(sys.argv[1])

# A shell that starts something in the background may have it ignore the keyboard.
signal.signal(signal.SIGINT, signal.default_int_handler)

def stop(memory, file, *rest):
    result = take(memory, file, *rest)
    os.kill(os.getpid(), signal.SIGINT)
    return result

def close_slowly(opened, *failure):
    if times > 1:
        os.kill(os.getpid(), signal.SIGINT)
    close(opened, *failure)

import_plan.import_planned, open_store.OpenStore.__exit__ = stop, close_slowly
sys.argv = ["recollect", *sys.argv[2:]]
main()
"""


def documents(folder: Path) -> int:
    status: dict[str, int] = json.loads(run("status", "--json", "--db", str(folder / "memory.db")).stdout)
    return status["documents"]


def test_an_ambiguous_fact_is_answered_with_its_candidates(tmp_path: Path) -> None:
    store = ("--db", str(tmp_path / "memory.db"))
    for text in ("Lena likes tea.", "Lena likes rum."):
        assert run("remember", text, *store).exit_code == 0
    refused = run("correct", "Lena likes", "--mode", "wrong", *store)
    assert refused.exit_code == 1
    assert "fact_" in refused.stderr
    assert "Lena likes tea" in refused.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("export", "{nowhere}/x.jsonl"), "the folder {nowhere} does not exist; make it, or choose another place"),
        (("verify", "{nowhere}.db"), "there is no store at {nowhere}.db; pass the path or address of another store"),
        (("serve", "--surface", "nope", "--port", "0"), "no surface 'nope'; available: recollect, "),
        (("import", "{text}"), "not a line of an export; recollect ingest reads other files"),
        (("search", "x", "--since", "never ever"), "Send a date, month, year or instant"),
        (("ingest", "{empty}"), "there is no file to read in the folder"),
    ],
)
def test_a_mistake_is_told_with_what_to_do_and_leaves_nothing_behind(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("Lena lives in Porto.\n", "utf-8")
    places = {"nowhere": tmp_path / "no", "empty": tmp_path / "empty", "text": tmp_path / "text.txt"}
    result = run(*(each.format(**places) for each in words), "--db", str(tmp_path / "memory.db"))
    assert told.format(**places) in result.stderr
    assert "Traceback" not in result.output
    assert [each.name for each in tmp_path.glob("no*")] == []


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_an_export_that_fails_leaves_the_earlier_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    def fail(_: object) -> Iterator[str]:
        yield "half a file"
        raise failure

    (tmp_path / "out").mkdir()
    earlier = tmp_path / "out/all.jsonl"
    earlier.write_text("the earlier one", "utf-8")
    monkeypatch.setattr("recollect.keep.workspace_export.export_lines", fail)
    result = run("export", str(earlier), "--db", str(tmp_path / "memory.db"))
    assert result.exit_code in (1, EXIT_INTERRUPTED)
    assert ("no file was written" in result.stderr) or ("the disk is full" in result.stderr)
    assert [each.read_text("utf-8") for each in (tmp_path / "out").iterdir()] == ["the earlier one"]


def test_a_full_disk_is_told_from_other_failures_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0))
    assert "is full; nothing of this call was stored" in str(describe_failure("memory.db", apsw.IOError()))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=2**30))
    assert "try again" in str(describe_failure("memory.db", apsw.IOError()))
    assert "check your rights to the file and its folder" in str(describe_failure("memory.db", apsw.CantOpenError()))
