"""The command line over a store of its own."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.serve.cli.main import COMMAND_MODULES
from recollect.serve.doctor import HealthCheck
from tests.serve.command_line import Run, answer


@pytest.mark.parametrize("verb", sorted(COMMAND_MODULES))
def test_every_verb_helps(run: Run, verb: str) -> None:
    assert "Usage:" in run(verb, "--help").output


def test_status_tells_what_is_held(run: Run) -> None:
    status = answer(run("status", "--json"))
    assert (status["engine"], status["workspace"], status["tx"], status["facts"]) == ("sqlite", "default", 0, 0)
    assert status["now"] == "2026-05-20T10:00:00Z"


def test_options_are_taken_before_and_behind_the_verb(run: Run) -> None:
    answer(run("workspace", "create", "aster", "--json"))
    before = answer(run("--workspace", "aster", "status", "--json"))
    behind = answer(run("status", "--workspace", "aster", "--json"))
    assert before["workspace"] == behind["workspace"] == "aster"


def test_a_workspace_that_does_not_exist_is_one_line_and_exit_1(run: Run) -> None:
    result = run("status", "--workspace", "nowhere")
    assert result.exit_code == 1
    assert result.stderr.startswith("recollect: there is no workspace 'nowhere'")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [("forget", "--yes"), ("history",), ("search",), ("status", "--workspace")])
def test_an_argument_that_is_no_text_is_refused_in_one_line(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "a\udcff")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, "Error: 'a\\udcff' is not valid text")


def test_a_file_whose_name_is_no_text_is_ingested(run: Run, tmp_path: Path) -> None:
    path = os.fsdecode(bytes(tmp_path) + b"/\xff.jsonl")
    Path(path).write_text('{"facts": [{"from": "Ada", "to": "Ben", "predicate": "knows"}]}', "utf-8")
    assert run("ingest", path).exit_code == 0


def test_a_workspace_keeps_what_is_set_and_the_same_again_is_no_transaction(run: Run) -> None:
    first = answer(run("workspace", "set", "timezone", "Europe/Berlin", "--json"))
    again = answer(run("workspace", "set", "timezone", "Europe/Berlin", "--json"))
    assert (first["tx"], again["tx"]) == (1, 1)
    assert answer(run("workspace", "show", "--json"))["timezone"] == "Europe/Berlin"


def test_an_empty_value_takes_a_setting_back(run: Run) -> None:
    run("workspace", "set", "toy.flag", "true")
    assert answer(run("workspace", "show", "--json"))["settings"] == {"toy.flag": True}
    run("workspace", "set", "toy.flag", "")
    assert answer(run("workspace", "show", "--json"))["settings"] == {}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("timezone", "Mars/Olympus"),
        ("conflict_policy", "shrug"),
        ("timeline", "spiral"),
        ("now", "soon"),
        ("colour", "1"),
        ("cognitive_graph.type_extensions", '{"entity_types": {"team": {"base": "gang"}}}'),
        ("cognitive_graph.type_extensions", '{"types": {}}'),
        ("cognitive_graph.type_extensions", "[1]"),
        ("cognitive_graph.mark_errors", "perhaps"),
        ("carabase.external_mcp", "perhaps"),
        ("carabase.compaction.max_tokens", "0"),
        ("carabase.mesh.concurrency", "[2]"),
        ("lore_engine.rule_seconds", "soon"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(run: Run, key: str, value: str) -> None:
    assert run("workspace", "set", key, value).exit_code == 1
    assert answer(run("status", "--json"))["tx"] == 0


def test_a_setting_that_cannot_be_used_is_refused_with_what_would_be_accepted(run: Run) -> None:
    refused = run("workspace", "set", "cognitive_graph.type_extensions", '{"predicates": {"likes": {"base": "loves"}}}')
    assert "should be one of mentioned_in, decided_in, reports_to" in refused.stderr
    usable = '{"predicates": {"likes": {"base": "tagged"}}}'
    assert run("workspace", "set", "cognitive_graph.type_extensions", usable).exit_code == 0


@pytest.mark.parametrize("name", ["", "../up", "Größe", "a b", "x" * 64])
def test_a_workspace_name_is_plain(run: Run, name: str) -> None:
    assert run("workspace", "create", name).exit_code == 1


def test_workspaces_are_listed(run: Run) -> None:
    run("workspace", "create", "aster")
    assert [each["name"] for each in answer(run("workspace", "list", "--json"))] == ["aster", "default"]


def test_a_token_is_shown_once_and_can_be_revoked(run: Run) -> None:
    made = answer(run("token", "create", "ann", "--scope", "write", "--json"))
    [kept] = answer(run("token", "list", "--json"))
    assert made["token"] not in json.dumps(kept)
    assert (kept["id"], kept["scope"], kept["revoked_at"]) == (made["id"], "write", None)
    answer(run("token", "revoke", made["id"], "--json"))
    [revoked] = answer(run("token", "list", "--json"))
    assert revoked["revoked_at"] == "2026-05-20T10:00:00Z"
    assert run("token", "revoke", made["id"]).exit_code == 1


def test_a_token_is_revoked_by_its_name_as_long_as_only_one_has_it(run: Run) -> None:
    run("token", "create", "ann")
    assert run("token", "revoke", "ann").exit_code == 0
    run("token", "create", "ann")
    run("token", "create", "ann")
    several = run("token", "revoke", "ann")
    assert several.exit_code == 1
    assert "recollect token list" in several.stderr


def test_the_doctor_finds_a_sound_memory_sound(run: Run) -> None:
    found = answer(run("doctor", "--json"))
    assert all(each["ok"] for each in found)
    assert {"store", "disk", "surfaces", "embedding", "access"} <= {each["check"] for each in found}


def test_the_doctor_tells_each_finding_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def examine(*_: object, **__: object) -> Iterator[HealthCheck]:
        yield HealthCheck("store", False, "it does not answer")
        raise KeyboardInterrupt

    monkeypatch.setattr("recollect.serve.doctor.examine", examine)
    assert run("doctor").stdout == "store       FAILED  it does not answer\n"


def test_the_doctor_says_what_is_wrong_and_goes_on(run: Run, tmp_path: Path) -> None:
    result = run("doctor", "--db", str(tmp_path), "--json")
    found = {each["check"]: each["ok"] for each in json.loads(result.stdout)}
    assert result.exit_code == 1
    assert not found["store"]
    assert found["surfaces"]


@pytest.mark.parametrize("given", ["{", "[]", "3"])
def test_a_call_takes_one_json_object(run: Run, given: str) -> None:
    result = run("call", "recall_entity", "--json", given)
    assert result.exit_code == 1


def test_an_unknown_tool_is_one_line_and_exit_1(run: Run) -> None:
    result = run("call", "no_such_tool")
    assert (result.exit_code, result.stderr) == (
        1,
        "recollect: no tool 'no_such_tool' on any surface; recollect list tools shows them all\n",
    )


def test_a_mistyped_tool_is_told_what_was_meant(run: Run) -> None:
    assert "did you mean recall_entity" in run("call", "recal_entity").stderr
    elsewhere = run("call", "get_fact", "--surface", "pearscarf")
    assert elsewhere.stderr.startswith("recollect: no tool 'get_fact' on pearscarf; did you mean get_facts")


def test_a_search_for_nothing_is_refused(run: Run) -> None:
    result = run("search", "  ")
    assert (result.exit_code, result.stderr) == (1, "recollect: there is nothing to search for: say it in words\n")


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "some.jsonl"
    fact = {"from": {"name": "Ada", "type": "person"}, "to": {"literal": "clever"}, "predicate": "tagged"}
    path.write_text(json.dumps({"facts": [fact]}) + "\n{oops\n")
    return path


def test_ingest_tells_what_was_skipped_and_exits_2(run: Run, bundle: Path) -> None:
    result = run("ingest", str(bundle), "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (told["lines"], told["changed"], told["facts"]) == (2, 1, 1)
    assert [(each["file"], each["line"]) for each in told["skipped"]] == [("some.jsonl", 2)]


def test_ingesting_again_changes_nothing(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    told = json.loads(run("ingest", str(bundle), "--json").stdout)
    assert (told["changed"], told["unchanged"]) == (0, 1)


def test_a_file_of_no_known_kind_is_refused_and_nothing_of_it_is_taken(run: Run, bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    result = run("ingest", str(tmp_path / "photo.png"))
    assert (result.exit_code, "photo.png: is a PNG image" in result.stderr) == (2, True)
    assert answer(run("status", "--json"))["tx"] == 0
    told = run("ingest", str(bundle), str(tmp_path / "photo.png"), "--json")
    assert (told.exit_code, json.loads(told.stdout)["changed"]) == (2, 1)


ADA_TAGGED = {
    "subject": {"type": "person", "name": "Ada"},
    "predicate": "tagged",
    "object": {"literal": "clever"},
}


def test_history_tells_what_was_learned_and_by_whom(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    steps = answer(run("history", "ada", "--json"))
    assert [(step["tx"], step["change"], step["what"]) for step in steps] == [
        (1, "entity", "person Ada"),
        (1, "learned", "Ada tagged clever"),
    ]
    assert {(step["at"], step["by"]) for step in steps} == {("2026-05-20T10:00:00Z", "cli.ingest local")}


def test_history_as_of_a_moment_knows_nothing_of_what_came_later(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    run("call", "record_fact", "--json", json.dumps(ADA_TAGGED))
    assert [step["tx"] for step in answer(run("history", "ada", "--json"))] == [1, 1, 2]
    assert [step["tx"] for step in answer(run("history", "ada", "--as-of", "1", "--json"))] == [1, 1]


def test_history_tells_what_was_undone_and_redone(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    run("undo", "1")
    run("undo", "2")
    steps = answer(run("history", "ada", "--json"))
    assert [(step["tx"], step["change"]) for step in steps] == [
        (1, "entity"),
        (1, "learned"),
        (2, "undone"),
        (2, "undone"),
        (3, "redone"),
        (3, "redone"),
    ]


def test_history_tells_every_time_that_a_transaction_was_undone(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    for tx in ("1", "2", "1", "4"):
        assert run("undo", tx).exit_code == 0
    steps = answer(run("history", "ada", "--json"))
    entity = [(step["tx"], step["change"]) for step in steps if step["id"].startswith("ent_")]
    assert entity == [(1, "entity"), (2, "undone"), (3, "redone"), (4, "undone"), (5, "redone")]


def test_history_tells_a_fact_that_nobody_said_again_as_changed(run: Run, tmp_path: Path) -> None:
    stays = {"from": "Ada", "to": "Acme", "predicate": "employee", "valid_until": "2026-08-01"}
    (tmp_path / "a.jsonl").write_text(json.dumps({"facts": [stays]}), "utf-8")
    run("ingest", str(tmp_path / "a.jsonl"))
    run("workspace", "set", "timezone", "Asia/Tokyo")
    steps = answer(run("history", "ada", "--json"))
    assert [(step["tx"], step["change"]) for step in steps] == [(1, "entity"), (1, "learned"), (2, "changed")]


def test_history_takes_the_id_of_a_fact_or_of_a_deleted_entity(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    entity, fact = (step["id"] for step in answer(run("history", "ada", "--json")))
    run("call", "graph_node_delete", "--json", json.dumps({"id": entity}))
    assert [step["change"] for step in answer(run("history", fact, "--json"))] == ["learned"]
    assert "deleted" in [step["change"] for step in answer(run("history", entity, "--json"))]
    assert run("history", "ada").exit_code == 1


def test_history_of_a_mistyped_name_offers_what_may_be_meant(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    assert (
        run("history", "ada lovelace").stderr == "recollect: nothing here is called 'ada lovelace'; did you mean Ada?\n"
    )


def test_history_of_nothing_is_one_line_and_exit_1(run: Run) -> None:
    told = "recollect: nothing here is called 'nobody'; recollect search looks into texts as well\n"
    assert run("history", "nobody").stderr == told


def test_what_was_undone_is_gone_and_cannot_be_undone_twice(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    undone = answer(run("undo", "1", "--json"))
    assert (undone["undone"], undone["undo"]) == (1, 2)
    assert answer(run("status", "--json"))["facts"] == 0
    assert run("undo", "1").exit_code == 1


def test_a_call_prints_the_answer_and_its_exit_code_tells_how_it_went(run: Run, bundle: Path) -> None:
    run("ingest", str(bundle))
    found = run("call", "recall_entity", "--json", '{"name_or_alias": "ada"}')
    assert answer(found)["entity"]["name"] == "Ada"
    refused = run("call", "recall_entity", "--json", "{}")
    assert (refused.exit_code, json.loads(refused.stdout)["error"]) == (1, "NAME_OR_ALIAS_REQUIRED")


def test_a_call_reads_its_arguments_from_stdin(run: Run) -> None:
    result = run("call", "recall_entity", "--json", "-", input='{"name_or_alias": "ada"}')
    assert answer(result)["entity"] is None


def test_a_surface_named_just_now_must_have_the_tool(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("call", "recall_entity", "--surface", "pearscarf").exit_code == 1
    monkeypatch.setenv("RECOLLECT_SURFACE", "pearscarf")
    assert answer(run("call", "recall_entity", "--json", '{"name_or_alias": "ada"}'))["entity"] is None


def test_search_finds_what_was_ingested_and_says_why(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")
    record = {"id": "note_1", "type": "note", "title": "Kitchen", "content": "The copper kettle leaks at the spout."}
    (tmp_path / "notes.jsonl").write_text(json.dumps({"record": record}))
    run("ingest", str(tmp_path / "notes.jsonl"))
    found = answer(run("search", "leaking kettle", "--json"))
    assert [(hit["source"], hit["via"]) for hit in found["hits"]] == [("note_1", ["text"])]
    assert found["by_meaning"] is False
    assert "note_1" in run("search", "kettle").stdout
    assert run("search", "zebra").stdout == "nothing\n"


def test_search_answers_at_once_after_an_ingest_and_says_how_many_texts_wait(run: Run, tmp_path: Path) -> None:
    records = [{"id": f"note_{number}", "type": "note", "content": f"Kettle {number} leaks."} for number in range(80)]
    (tmp_path / "notes.jsonl").write_text("\n".join(json.dumps({"record": record}) for record in records))
    run("ingest", "--no-vectors", str(tmp_path / "notes.jsonl"))
    found = answer(run("search", "kettle 42", "--json"))
    assert found["hits"][0]["source"] == "note_42"
    assert found["texts_waiting"] == answer(run("status", "--json"))["texts_waiting"] >= 80
    assert "found by their words only: 80" in run("search", "kettle").stderr
    run("ingest", str(tmp_path / "notes.jsonl"))
    assert answer(run("search", "kettle 42", "--json"))["texts_waiting"] == 0
    assert "texts_waiting" not in answer(run("status", "--json"))


def test_search_finds_facts_that_were_recorded_by_hand(run: Run) -> None:
    fact = {
        "subject": {"type": "project", "name": "Copper Kettle"},
        "predicate": "blocked_by",
        "object": {"literal": "supplier contract unsigned"},
    }
    made = answer(run("call", "record_fact", "--json", json.dumps(fact)))
    found = answer(run("search", "unsigned contract", "--json"))
    assert [(each["id"], each["source"]) for each in found["facts"]] == [
        (made["fact_id"], "tool:cognitive-graph.record_fact")
    ]
    assert "supplier contract unsigned" in run("search", "unsigned contract").stdout
    assert answer(run("search", "how zebras get their stripes", "--json"))["facts"] == []


def test_retrieval_is_measured_beside_its_rivals(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")
    lines = [{"doc": {"id": name, "text": f"about {name}s"}} for name in ("cat", "dog")]
    asked = {"query": {"id": "q", "text": "cat", "gold": ["cat"]}}
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (*lines, asked)))
    report = answer(run("eval", "retrieval", str(tmp_path / "set.jsonl"), "--json"))
    assert report["methods"]["recollect"]["overall"]["recall_1"] == 1.0
    assert "bm25" in run("eval", "retrieval", str(tmp_path / "set.jsonl")).stdout


def test_the_command_that_undoes_a_setting_names_the_same_workspace(run: Run) -> None:
    run("workspace", "create", "other")
    result = run("workspace", "set", "reading.date_order", "dmy", "--workspace", "other")
    assert result.stderr == "To undo it: recollect undo 1 --workspace other\n"


def test_search_hides_what_shares_only_a_word_that_every_text_has(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDING_MODEL", "none")
    (tmp_path / "notes").mkdir()
    for number in range(60):
        (tmp_path / f"notes/n{number}.md").write_text(
            f"Ledger{number} Harbour keeps page {number} of the harbour book."
        )
    assert run("ingest", "notes", "--no-vectors").exit_code == 0
    found = answer(run("search", "Ledger3 Harbour", "--json"))
    assert [hit["title"] for hit in found["hits"]] == ["n3"]
    assert found["weak_hidden"] > 0


def timeline_of(run: Run) -> str:
    shown: str = answer(run("workspace", "show", "--json"))["timeline"]
    return shown


@pytest.mark.parametrize("back", [("undo", "2"), ("undo",), ("workspace", "set", "timeline", "")])
def test_a_timeline_that_was_set_can_be_taken_back(run: Run, back: tuple[str, ...]) -> None:
    run("remember", "Ann works at Acme.")
    result = run("workspace", "set", "timeline", "fictional")
    assert result.stderr == "To undo it: recollect undo 2\n"
    assert timeline_of(run) == "fictional"
    assert run(*back).exit_code == 0
    assert timeline_of(run) == "gregorian"


def test_a_timeline_set_by_mistake_can_be_changed_while_no_fact_has_a_time(run: Run) -> None:
    run("call", "record_fact", "--json", json.dumps(UNDATED))
    run("workspace", "set", "timeline", "fictional")
    assert run("workspace", "set", "timeline", "gregorian").exit_code == 0
    assert timeline_of(run) == "gregorian"


UNDATED = {"subject": {"type": "person", "name": "Ann"}, "predicate": "works_at", "object": {"literal": "Acme"}}


def remember(run: Run, *texts: str) -> None:
    for text in texts:
        assert run("remember", text).exit_code == 0


def test_search_hides_weak_results_until_they_are_asked_for(run: Run) -> None:
    remember(run, "Ann prefers tea in the morning.", "The office in Rome closes at six.", "Ben wrote a script in Go.")
    found = run("search", "what does Ann drink in the morning")
    assert "tea" in found.output
    assert "Rome" not in found.stdout
    assert "1 weak result hidden; --all shows them" in found.stderr
    assert "Rome" in run("search", "what does Ann drink in the morning", "--all").stdout
    nothing = run("search", "zebra unicycle")
    assert nothing.stdout == "nothing\n"


def test_search_is_limited_to_a_period(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in ("2026-03-01", "2026-04-01", "2026-05-01"):
        monkeypatch.setenv("RECOLLECT_NOW", f"{day}T10:00:00Z")
        remember(run, f"The budget meeting of {day} is over.")
    hits = answer(run("search", "budget meeting", "--since", "2026-03-15", "--until", "2026-04-15", "--json"))["hits"]
    assert [each["source_at"][:10] for each in hits] == ["2026-04-01"]
    refused = run("search", "budget meeting", "--since", "smarch")
    assert (refused.exit_code, refused.stderr.startswith("recollect: --since is 'smarch'")) == (1, True)


def test_the_relationship_of_two_people_of_a_family_tree_is_told(run: Run, tmp_path: Path) -> None:
    people = ("Old_Tom /Van_Dyke/", "Bob /Van_Dyke/", "Carl /Van_Dyke/", "Dora /Van_Dyke/", "Emil /Van_Dyke/")
    sexes = "MMMFM"
    records = [f"0 @I{n}@ INDI\n1 NAME {name}\n1 SEX {sexes[n]}\n" for n, name in enumerate(people)]
    families = [(0, (1, 2)), (1, (3,)), (2, (4,))]
    for n, (father, children) in enumerate(families):
        records.append(f"0 @F{n}@ FAM\n1 HUSB @I{father}@\n" + "".join(f"1 CHIL @I{each}@\n" for each in children))
    path = tmp_path / "tree.ged"
    path.write_text("0 HEAD\n1 GEDC\n2 VERS 5.5.1\n" + "".join(records) + "0 TRLR\n", "utf-8")
    assert run("ingest", "--no-vectors", str(path)).exit_code == 0
    told = "Dora Van Dyke is Emil Van Dyke's first cousin\ncommon ancestor: Old Tom Van Dyke\n"
    assert run("relationship", "Dora Van Dyke", "Emil Van Dyke").output == told
    assert run("relationship", "Dora Van Dyke", "Carl Van Dyke").output.startswith(
        "Dora Van Dyke is Carl Van Dyke's niece"
    )
