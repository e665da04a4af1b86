"""`recollect forget` and `recollect snapshot`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.serve.command_line import Run, answer

pytestmark = pytest.mark.usefixtures("no_embeddings")


def ask(run: Run, tool: str, **arguments: Any) -> Any:
    return answer(run("call", tool, "--json", json.dumps(arguments), "--surface", "entity-core"))


def remember(run: Run, text: str) -> str:
    made = ask(run, "memory_create", granularity="daily", date="2026-05-12", instanceId="psy-desk", content=text)
    return str(made["memoryId"])


def test_a_memory_is_forgotten_from_the_file(run: Run, tmp_path: Path) -> None:
    id_ = remember(run, "- the Zarathustrian plan")
    done = answer(run("forget", id_, "--json"))
    assert (done["documents"], done["still_in"]) == (1, [])
    assert all(b"arathustrian" not in path.read_bytes() for path in tmp_path.glob("memory.db*"))
    assert ask(run, "memory_list")["memories"] == []


def test_an_unknown_id_is_one_line_and_exit_1(run: Run) -> None:
    result = run("forget", "nothing")
    assert result.exit_code == 1
    assert result.stderr.startswith("recollect: there is nothing with the id 'nothing' here")
    assert "--hide" in result.stderr


def test_copies_of_the_store_that_may_hold_what_was_erased_are_named(run: Run, tmp_path: Path) -> None:
    id_ = remember(run, "- the Zarathustrian plan")
    (tmp_path / "memory.db.before-restore").write_bytes(b"")
    assert "memory.db.before-restore is an older copy" in run("forget", id_).stderr


def test_a_snapshot_is_made_listed_flagged_and_restored(run: Run) -> None:
    id_ = remember(run, "- as it was")
    made = answer(run("snapshot", "create", "--label", "before", "--json"))
    ask(run, "memory_update", id=id_, content="- as it is")
    assert answer(run("snapshot", "flag", made["snapshot"], "--json"))["flagged"] is True
    [whole] = [each for each in answer(run("snapshot", "list", "--json")) if each["id"] == made["snapshot"]]
    assert (whole["flagged"], whole["label"], whole["reason"]) == (True, "before", "manual")
    done = answer(run("snapshot", "restore", made["snapshot"], "--json"))
    assert done["memories"] == 1
    assert ask(run, "memory_read", id=id_)["memory"]["content"] == "- as it was"


@pytest.mark.parametrize("verb", ["flag", "restore"])
def test_a_snapshot_that_is_not_there_is_an_error(run: Run, verb: str) -> None:
    result = run("snapshot", verb, "all/everything_2026-05-14T09-30-00-000Z")
    assert result.exit_code == 1
    assert run("snapshot", verb, "nonsense").exit_code == 1
