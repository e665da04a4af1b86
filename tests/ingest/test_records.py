"""Records that stand alone: who is in them, what their fields and their sentences say."""

from pathlib import Path
from typing import Any

import pytest
from tests.ingest.records import LEE, MARCUS, Reading, change, email, everything, issue, said, told
from tests.support.facts import entity_named, facts_of

from recollect.memory import Memory
from recollect.resolve.resolver import resolve


def names(memory: Memory, type_: str) -> list[str]:
    with memory.read() as view:
        return sorted(each.name for each in view.entities_of_types([type_], 100))


def test_a_mail_gives_people_a_company_and_one_inferred_employment_however_many_come(read: Reading) -> None:
    read(email("e1"), email("e2", at="2026-03-12T09:00:00Z"), email("e3", at="2026-03-13T09:00:00Z"))
    assert names(read.memory, "person") == ["Lee Park", "Marcus Webb"]
    company = entity_named(read.memory, "harrow-bridge.example")
    assert company is not None
    assert (company.name, company.type, company.provisional) == ("Harrow Bridge", "organization", True)
    [fact] = facts_of(read.memory, "Marcus Webb")
    assert (fact.fact.label, fact.fact.fact_type, fact.fact.certainty) == ("AFFILIATED", "employee", "inferred")
    assert fact.text == "Marcus Webb writes from harrow-bridge.example, the mail domain of Harrow Bridge"
    assert (fact.fact.source_count, fact.source_key) == (3, "e3")


def test_sentences_tell_who_what_and_until_when(read: Reading) -> None:
    read(
        issue(),
        email(
            "e1",
            "Hi Lee,\n\nI will send the Lumen Audit ledger by Monday. Could you review it by EOD?\n"
            "Lee Park will call them next Friday.\n\n> I will not\n\nOn Monday Lee wrote:\nI promise to come.",
            subject="Ledger",
        ),
    )
    assert sorted(said(read.memory), key=repr) == [
        ("commitment", "Lee Park", "", "2026-03-20"),
        ("commitment", "Marcus Webb", "Lumen Audit", "2026-03-16"),
        ("request", "Marcus Webb", "Lee Park", "2026-03-11"),
    ]
    [ledger] = [each for each in everything(read.memory) if "ledger" in each.text]
    assert ledger.text == "Marcus Webb: I will send the Lumen Audit ledger by Monday."
    assert ledger.fact.certainty == "stated"
    with read.memory.read() as view:
        [source] = view.assertions(ledger.fact.id)
    assert (source.quote, source.extracted_by) == ("I will send the Lumen Audit ledger by Monday.", "rules")


def test_the_project_in_the_subject_counts_where_the_sentence_names_none_and_two_are_none(read: Reading) -> None:
    projects = {"entities": [{"name": "Lumen Audit", "type": "Project"}, {"name": "Kite", "type": "Project"}]}
    read(
        projects,
        email("e1", "I will start.", subject="Re: Lumen Audit"),
        email("e2", "I will stop Kite.", subject="Re: Lumen Audit"),
        email("e3", "I will merge Kite and Lumen Audit.", subject="Kite"),
    )
    assert {(text, target) for _, text, target, _ in said(read.memory)} == {
        ("Marcus Webb", "Lumen Audit"),
        ("Marcus Webb", "Kite"),
        ("Marcus Webb", ""),
    }


def test_a_fact_begins_with_its_subject_only_once(read: Reading) -> None:
    read(email("e1", "Lee Park will call. Marcus Webb will pay."))
    assert [each.text for each in everything(read.memory) if each.fact.label == "ASSERTED"] == [
        "Lee Park will call.",
        "Marcus Webb will pay.",
    ]


def test_what_a_record_says_twice_it_says_once(read: Reading) -> None:
    read(email("e1", "I will go. I will go!", cc=["M. Webb <marcus@harrow-bridge.example>"]))
    assert [each.fact.source_count for each in everything(read.memory)] == [1, 1, 1]


def test_without_a_speaker_only_named_people_speak(read: Reading) -> None:
    read(
        email("e1"),
        {
            "record": {
                "id": "n1",
                "type": "memo",
                "source_at": "2026-03-12",
                "content": "I will go. Lee Park will stay.",
            }
        },
        email("e2", "I will answer.", sender="support@harrow-bridge.example"),
    )
    assert said(read.memory) == [("commitment", "Lee Park", "", None)]


@pytest.mark.parametrize(
    "noise",
    [
        {"sender": "noreply@x.example"},
        {"headers": {"List-Unsubscribe": "<x>"}},
        {"subject": "Automatic reply: hello"},
    ],
)
def test_noise_is_kept_and_marked_but_gives_nothing(read: Reading, noise: dict[str, Any]) -> None:
    read(email("e1", "I will send it by Friday.", **noise))
    assert everything(read.memory) == []
    assert names(read.memory, "person") == []
    with read.memory.read() as view:
        document = view.document_named("record", "e1")
        assert document is not None
        assert document.properties["classification"] == "noise"
        assert view.text_of(document) == "I will send it by Friday."


def test_a_classification_overrides_the_rules(read: Reading) -> None:
    relevant, noise = email("e1", "I will go.", sender="Kim <noreply-kim@x.example>"), email("e2", "I will go.")
    relevant["record"]["classification"], noise["record"]["classification"] = "relevant", "noise"
    read(relevant, noise)
    assert names(read.memory, "person") == ["Lee Park"]


def test_a_line_with_entities_is_taken_as_it_is(read: Reading) -> None:
    read({**email("e1", "I will go."), "entities": []}, {**email("e2", "I will go."), "facts": []})
    assert everything(read.memory) == []
    assert names(read.memory, "person") == []


def test_issues_and_changes_tell_by_their_fields(read: Reading) -> None:
    read(
        issue(assignee=LEE),
        change(),
        change("chg_2", field="assignee", from_value=None, to_value="Lee Park", changed_at="2026-03-06T09:00:00Z"),
        change("chg_3", field="milestone", changed_by=None, changed_at="2026-03-07T09:00:00Z"),
        change("chg_4", field="estimate", changed_at="2026-03-08T09:00:00Z"),
        change("chg_5", to_value="Duplicate", changed_at="2026-03-09T09:00:00Z"),
    )
    assert [(each.fact.fact_type, each.subject_name, each.object_name) for each in everything(read.memory)][1:] == [
        ("employee", "Lee Park", "Harrow Bridge"),
        ("completion", "Dana Cole", "Lumen Audit"),
        ("ownership_change", "Dana Cole", "Lumen Audit"),
        ("stage_change", "Lumen Audit", None),
        ("other", "Dana Cole", "Lumen Audit"),
        ("cancellation", "Dana Cole", "Lumen Audit"),
    ]
    [works] = [each for each in everything(read.memory) if each.fact.fact_type == "contributor"]
    assert (works.text, works.fact.certainty) == ("Lee Park works on Lumen Audit", "inferred")
    [done] = [each for each in everything(read.memory) if each.fact.fact_type == "completion"]
    assert done.text == "Dana Cole changed status of ENG-1 (Fix login) from Todo to Done"
    assert (done.source_url, done.fact.source_at) == ("https://linear.example/1", 1_772_701_200_000_000)


def test_a_change_before_its_issue_is_read_again_when_the_issue_comes(read: Reading) -> None:
    read(change(), change("chg_2", changed_by=None, field="cycle"))
    assert said(read.memory) == [("completion", "Dana Cole", "", None)]
    read(issue())
    assert sorted(said(read.memory)) == [
        ("completion", "Dana Cole", "Lumen Audit", None),
        ("stage_change", "Lumen Audit", "", None),
    ]
    assert {each.source_url for each in everything(read.memory)} == {"https://linear.example/1"}


def test_pull_requests_and_issues_of_a_repository(read: Reading) -> None:
    pull = {"github_id": 1, "number": 418, "repository": "acme/core", "author": "dana", "reviewers": "lee, bot[bot]"}
    times = {"created_at": "2026-03-01T00:00:00Z", "merged_at": "2026-03-02T00:00:00Z"}
    closed = {"github_id": 2, "number": 7, "repository": "acme/core", "author": "lee", "closed_by": "dana"}
    read(
        {"record": {"id": "pr", "type": "github_pr", "title": "Add x", "metadata": {**pull, **times}}},
        {"record": {"id": "gi", "type": "github_issue", "metadata": {**closed, "closed_at": "2026-03-03T00:00:00Z"}}},
        {"record": {"id": "bo", "type": "github_issue", "metadata": {"github_id": 3, "number": 8, "author": "x[bot]"}}},
    )
    assert sorted(told(read.memory)) == [
        ("completion", "dana", "acme/core", None),
        ("contributor", "dana", "acme/core", None),
        ("resolution", "dana", "acme/core", None),
        ("reviewer", "lee", "acme/core", None),
    ]
    assert names(read.memory, "repository") == ["acme/core"]
    assert names(read.memory, "person") == ["dana", "lee"]


@pytest.mark.parametrize(
    "at", ["-0044-03-15T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "+12000-01-01T00:00:00Z"]
)
def test_a_record_of_any_year_is_read_though_its_deadline_may_not_be(read: Reading, at: str) -> None:
    read(email("e", "I will come by Friday.", at))
    assert read.skipped == []
    assert said(read.memory) == [("commitment", "Marcus Webb", "", None)]


def test_a_mail_in_an_invented_world_is_read_though_its_deadline_has_no_day_there(read: Reading) -> None:
    read({"era": {"name": "Tide", "start": 1, "end": None}}, email("e", "I will come by Friday."))
    assert read.skipped == []
    assert said(read.memory) == [("commitment", "Marcus Webb", "", None)]


def test_an_author_beside_the_other_fields_is_the_author(read: Reading) -> None:
    fields = {"github_id": 1, "number": 418, "repository": "acme/core", "merged_at": "2026-03-02T00:00:00Z"}
    by_bot = {**fields, "github_id": 2, "repository": "acme/other", "author": "renovate[bot]"}
    read(
        {"record": {"id": "pr", "type": "github_pr", "author": "dana", **fields}},
        {"record": {"id": "bo", "type": "github_pr", **by_bot}},
    )
    assert sorted(each[0] for each in told(read.memory)) == ["completion", "contributor"]
    assert names(read.memory, "repository") == ["acme/core"]


def test_an_address_is_one_person_whatever_the_display_name(read: Reading) -> None:
    read(
        email("e1", sender="marcus@harrow-bridge.example"),
        email("e2", sender=MARCUS, at="2026-03-12T09:00:00Z"),
        email("e3", sender="M. Webb <MARCUS@harrow-bridge.example>", at="2026-03-13T09:00:00Z"),
    )
    marcus = entity_named(read.memory, "marcus@harrow-bridge.example")
    assert marcus is not None
    with read.memory.read() as view:
        assert (marcus.name, marcus.provisional, view.aliases(marcus)) == ("Marcus Webb", False, ["Marcus", "M. Webb"])
        assert resolve(read.memory.names(view), "M. Webb").entity == marcus.id


def test_a_single_part_of_an_address_makes_a_provisional_person(read: Reading) -> None:
    read(email("e1", sender="kim@zeta.example", recipients=["ann.lee@gmail.com"]))
    kim, ann = entity_named(read.memory, "Kim"), entity_named(read.memory, "Ann Lee")
    assert kim is not None
    assert ann is not None
    assert (kim.provisional, ann.provisional) == (True, False)
    assert names(read.memory, "organization") == ["Zeta"]


def test_two_people_of_one_name_stay_two(read: Reading) -> None:
    read(
        email("e1", "I will call.", sender="Sam Ortiz <sam@a.example>"),
        email("e2", "I will write.", sender="Sam Ortiz <sam@b.example>"),
        {"record": {"id": "n", "type": "memo", "content": "I will sing.", "metadata": {"author": "Sam Ortiz"}}},
    )
    assert names(read.memory, "person") == ["Lee Park", "Sam Ortiz", "Sam Ortiz"]
    assert [each.text for each in facts_of(read.memory, "sam@b.example")][-1] == "Sam Ortiz: I will write."
    assert "sing" not in str([each.text for each in everything(read.memory)])


def test_somebody_known_by_name_takes_the_address_and_a_company_its_domain(read: Reading) -> None:
    known = [{"name": "Marcus Webb", "type": "Person"}, {"name": "Harrow Bridge", "type": "Company"}]
    read({"entities": known}, email("e1"))
    marcus, company = entity_named(read.memory, "Marcus Webb"), entity_named(read.memory, "Harrow Bridge")
    assert marcus is not None
    assert company is not None
    assert marcus.properties == {"email": "marcus@harrow-bridge.example", "claimed_properties": ["email"]}
    domain = {"domain": "harrow-bridge.example", "claimed_properties": ["domain"]}
    assert (company.properties, company.provisional) == (domain, False)


def test_a_stated_affiliation_leaves_nothing_for_the_domain_to_suggest(read: Reading) -> None:
    line = {
        "facts": [
            {
                "edge_label": "AFFILIATED",
                "fact_type": "advisor",
                "from": {"name": "Marcus Webb", "type": "Person"},
                "to": {"name": "Harrow Bridge", "type": "Company"},
                "fact": "Marcus advises",
            }
        ]
    }
    read(line, email("e1"))
    assert [each.fact.fact_type for each in facts_of(read.memory, "Marcus Webb")] == ["advisor"]


def test_what_is_stated_later_takes_the_place_of_what_a_domain_suggested(read: Reading) -> None:
    ends = {"from": {"name": "Marcus Webb", "type": "Person"}, "to": {"name": "Harrow Bridge", "type": "Company"}}
    read(email("e1", "Hello."))
    read({"facts": [{"edge_label": "AFFILIATED", "fact_type": "advisor", "fact": "Marcus advises", **ends}]})
    assert [each.fact.fact_type for each in everything(read.memory) if each.subject_name == "Marcus Webb"] == [
        "advisor"
    ]


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ({"record": {"id": "x", "type": "email", "content": "I will go."}}, "sender"),
        ({"record": {"id": "x", "type": "linear_issue", "metadata": {"creator": "Bo"}}}, "linear_id"),
        ({"record": {"id": "x", "type": "github_pr", "metadata": {"author": "Bo"}}}, "github_id, number"),
    ],
)
def test_a_record_that_lacks_something_is_kept_and_named_in_a_warning(
    read: Reading, line: dict[str, object], lacking: str
) -> None:
    read(line)
    assert (read.skipped, everything(read.memory)) == ([], [])
    [warning] = read.warnings
    assert f"lacks {lacking}" in warning
    with read.memory.read() as view:
        assert view.document_named("record", "x") is not None


def test_keys_may_stand_beside_the_record_and_times_come_from_its_type(read: Reading) -> None:
    record = {
        "id": "e",
        "type": "email",
        "sender": {"name": "Bo Lind", "email": "bo@x.example"},
        "content": "I will go.",
    }
    read({"record": {**record, "headers": {"Date": "Tue, 10 Mar 2026 09:00:00 +0100"}, "subject": "Trip"}})
    with read.memory.read() as view:
        document = view.document_named("record", "e")
    assert document is not None
    assert (document.title, document.source_at) == ("Trip", 1_773_129_600_000_000)
    assert [each.fact.source_at for each in everything(read.memory)] == [1_773_129_600_000_000] * 2


def _merged(**metadata: object) -> dict[str, object]:
    fields = {"github_id": 1, "number": 2, "repository": "a/b", "author": "Bo", **metadata}
    return {"record": {"id": "pr", "type": "github_pr", "metadata": fields}}


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (change(changed_at="yesterday-ish"), "source_at"),
        (change(changed_at="never"), "source_at"),
        (_merged(merged_at="never"), "merged_at"),
        (_merged(merged_at=1_767_225_600), "merged_at"),
        (_merged(merged_at="x" * 100_000), "merged_at"),
        (_merged(created_at="x" * 100_000), "source_at"),
    ],
)
def test_an_unreadable_time_refuses_the_record_and_is_named(read: Reading, line: dict[str, object], field: str) -> None:
    read(line)
    [skipped] = read.skipped
    assert skipped.reason.startswith(f"record.{field}: ")
    assert len(skipped.reason) < 500
    assert everything(read.memory) == []


def test_the_same_record_changes_nothing_and_a_new_version_takes_back_what_it_no_longer_says(read: Reading) -> None:
    read(email("e1", "I will go. I will stay."))
    before = read.last_tx
    read(email("e1", "I will go. I will stay."))
    assert read.last_tx == before
    read(email("e1", "I will go. I will sing."))
    texts = [each.text for each in everything(read.memory) if each.fact.label == "ASSERTED"]
    assert texts == ["Marcus Webb: I will go.", "Marcus Webb: I will sing."]


def test_a_message_id_is_an_identity_of_its_own(read: Reading) -> None:
    read(email("e1", "I will go.", message_id="m1@x"))
    before = read.last_tx
    read(email("other", "I will go.", message_id="m1@x"))
    assert (read.last_tx, read.tally.changed) == (before, 0)
    read(email("other", "I will stay.", message_id="m1@x"))
    assert said(read.memory) == [("commitment", "Marcus Webb", "", None)]
    assert {each.source_key for each in everything(read.memory)} == {"e1"}


def test_properties_are_those_of_the_newest_source_whichever_came_first(read: Reading) -> None:
    def line(day: int, role: str) -> dict[str, object]:
        person = {"name": "Ada", "type": "Person", "metadata": {"role": role}}
        return {"record": {"id": f"r{day}", "source_at": f"2026-03-0{day}"}, "entities": [person]}

    read(line(5, "lead"), line(2, "intern"), line(4, "senior"))
    ada = entity_named(read.memory, "Ada")
    assert ada is not None
    assert ada.properties == {"role": "lead"}


def test_further_providers_are_a_setting(read: Reading, tmp_path: Path) -> None:
    from dataclasses import replace

    from recollect.settings import Settings

    asked = replace(
        read.memory, settings=Settings(workspace={"pearscarf.public_mail_domains": "harrow-bridge.example"})
    )
    Reading(asked, tmp_path / "more.jsonl")(email("e1"))
    assert names(read.memory, "organization") == []


@pytest.mark.parametrize("sender", ["Oona Lahti <oona@lahti.example>", "Jonas Roth <mail@jonas-roth.example>"])
def test_a_domain_that_is_only_the_name_of_its_sender_is_no_employer(read: Reading, sender: str) -> None:
    read(email("e1", "Hello there", sender=sender))
    assert names(read.memory, "organization") == ["Harrow Bridge"]
