"""The bundle: one JSON object per line, taken in as often as one likes, each line a transaction of its own."""

import json
import tracemalloc
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.ingest.taking import GOOD, Json, Taking, employee, facts, line_bytes, record
from tests.support.facts import entity_named, facts_of, texts

from recollect.importers import bundle
from recollect.importers.bundle import import_bundle
from recollect.importers.import_run import ImportTally
from recollect.model.ids import format_entity_id
from recollect.model.progress import Progress


def test_the_example_of_the_specification_goes_in_whole(take: Taking) -> None:
    line = {
        "record": {
            "id": "email_007",
            "type": "email",
            "title": "Re: markup",
            "source_at": "2026-03-14T10:22:00Z",
            "url": "https://mail.example/7",
            "content": "…",
        },
        "entities": [
            {"name": "Marcus Webb", "type": "Person", "aliases": ["Marcus"], "metadata": {"email": "m@x.example"}}
        ],
        "facts": [
            {
                "edge_label": "ASSERTED",
                "fact_type": "commitment",
                "from": "Marcus Webb",
                "to": "Meridian Deal",
                "fact": "Marcus Webb committed to deliver the markup by March 16",
                "confidence": "stated",
                "valid_until": "2026-03-16",
            }
        ],
    }
    assert take(line) == []
    [seen] = facts_of(take.memory, "Marcus")
    assert (seen.subject_name, seen.subject_type, seen.object_name, seen.object_type) == (
        "Marcus Webb",
        "person",
        "Meridian Deal",
        "unknown",
    )
    assert (seen.source_key, seen.source_url, str(seen.fact.valid_until), seen.fact.certainty) == (
        "email_007",
        "https://mail.example/7",
        "2026-03-16",
        "stated",
    )
    with take.memory.read() as view:
        document = view.document_named("record", "email_007")
        assert document is not None
        assert (document.type, document.title, view.text_of(document)) == ("email", "Re: markup", "…")


def test_blank_lines_and_a_byte_order_mark_are_no_lines(take: Taking) -> None:
    other = facts(employee("Bo", "Beta"))
    assert take(b"\xef\xbb\xbf" + line_bytes(GOOD), b"", b"   \t", b"\r", line_bytes(other) + b"\r") == []
    assert take.tally == ImportTally(lines=2, changed=2, unchanged=0, facts=2)


def test_a_last_line_without_a_line_end_counts(take: Taking) -> None:
    take.path.write_bytes(line_bytes(GOOD))
    tally, skipped = import_bundle(take.memory, take.path)
    assert (tally.changed, skipped) == (1, [])


def test_an_empty_file_changes_nothing(take: Taking) -> None:
    assert take() == []
    assert (take.tally, take.last_tx) == (ImportTally(), 0)


def test_the_same_file_twice_changes_nothing(take: Taking) -> None:
    lines = [
        {"record": record("r1", content="Ada is at Acme."), **facts(employee("Ada", "Acme", "Ada is at Acme"))},
        GOOD,
        {"entities": [{"name": "Bo", "type": "Person", "aliases": ["B."]}]},
        facts(employee("Ada", "Acme", "Ada left", confidence="retracted")),
    ]
    take(*lines)
    before = take.last_tx
    take(*lines)
    assert (take.tally.changed, take.tally.unchanged, take.last_tx) == (0, 4, before)


@pytest.mark.parametrize(
    "line",
    [
        {"facts": []},
        {"entities": None},
        {"entities": [{"name": "bo", "type": "person"}]},
        {"entities": [{"name": "Bo", "aliases": ["b."]}], "facts": []},
    ],
)
def test_a_line_that_tells_nothing_new_is_no_transaction(take: Taking, line: Json) -> None:
    take({"entities": [{"name": "Bo", "type": "Person", "aliases": ["B."]}]})
    assert take(line) == []
    assert (take.tally.changed, take.tally.unchanged, take.last_tx) == (0, 1, 1)


def test_a_line_without_a_record_is_known_by_its_content_whatever_the_order_of_its_keys(take: Taking) -> None:
    take('{"facts": [{"from": "Ada", "to": "Acme", "predicate": "employee"}]}')
    take('{"facts": [ {"predicate": "employee",  "to": "Acme", "from": "Ada"} ] }')
    assert (take.tally.unchanged, take.last_tx) == (1, 1)
    take(facts(employee("Ada", "Acme")))
    [seen] = facts_of(take.memory, "Ada")
    assert seen.fact.source_count == 2


def test_a_new_version_withdraws_what_it_no_longer_says_and_keeps_the_rest(take: Taking) -> None:
    both = facts(employee("Ada", "Acme", "Ada is at Acme"), employee("Ada", "Beta", "Ada is at Beta"))
    take({"record": record("r1", content="one"), **both})
    before = {seen.text: seen.fact.id for seen in facts_of(take.memory, "Ada")}
    kept_by = take.assertions(facts_of(take.memory, "Ada")[0])
    new = facts(employee("Ada", "Acme", "Ada is at Acme"), employee("Ada", "Gamma", "Ada is at Gamma"))
    take({"record": record("r1", content="two"), **new})
    found = {seen.text: seen for seen in facts_of(take.memory, "Ada", every=True)}
    assert found["Ada is at Acme"].fact.id == before["Ada is at Acme"]
    assert found["Ada is at Acme"].fact.source_count == 1
    assert take.assertions(found["Ada is at Acme"]) == kept_by
    assert found["Ada is at Beta"].fact.id == before["Ada is at Beta"]
    assert found["Ada is at Beta"].fact.is_retracted
    assert texts(take.memory, "Ada") == ["Ada is at Acme", "Ada is at Gamma"]
    assert sorted(texts(take.memory, "Ada", as_of=1)) == ["Ada is at Acme", "Ada is at Beta"]


def test_a_version_that_says_it_again_brings_the_fact_back_under_its_id(take: Taking) -> None:
    said = facts(employee("Ada", "Acme", "Ada is at Acme"))
    take({"record": record("r1", content="one"), **said})
    [first] = facts_of(take.memory, "Ada")
    take({"record": record("r1", content="two"), "facts": []})
    assert facts_of(take.memory, "Ada") == []
    take({"record": record("r1", content="three"), **said})
    [again] = facts_of(take.memory, "Ada")
    assert (again.fact.id, again.fact.source_count) == (first.fact.id, 1)


def test_a_fact_that_another_record_also_says_survives_the_withdrawal(take: Taking) -> None:
    said = facts(employee("Ada", "Acme", "Ada is at Acme"))
    take({"record": record("r1", content="one"), **said}, {"record": record("r2", content="one"), **said})
    take({"record": record("r1", content="two"), "facts": []})
    [seen] = facts_of(take.memory, "Ada")
    assert (seen.fact.source_count, seen.source_key) == (1, "r2")


def test_a_new_version_with_another_time_moves_the_source_time(take: Taking) -> None:
    said = facts(employee("Ada", "Acme", "Ada is at Acme"))
    take({"record": record("r1", content="one"), **said})
    take({"record": record("r1", content="one", source_at="2026-02-02T00:00:00Z"), **said})
    [seen] = facts_of(take.memory, "Ada")
    assert (seen.fact.source_count, seen.fact.source_at) == (1, 1_769_990_400_000_000)


def test_an_end_is_looked_for_first_among_the_entities_of_its_line(take: Taking) -> None:
    take({"entities": [{"name": "Mercury", "type": "Planet"}]}, {"entities": [{"name": "Mercury", "type": "Deity"}]})
    own = {
        "entities": [{"name": "Mercury", "type": "Metal"}],
        **facts({"from": "Mercury", "to": "Ore", "predicate": "part_of"}),
    }
    assert take(own) == []
    with take.memory.read() as view:
        [metal] = view.entities_of_types(["metal"], 10)
        [ore] = [each.object for each in view.facts_touching(metal.id)]
        assert ore is not None


def test_an_end_may_be_an_alias_of_an_entity_of_its_line(take: Taking) -> None:
    own = {"entities": [{"name": "Ada Lovelace", "type": "Person", "aliases": ["Countess"]}]}
    assert take({**own, **facts(employee("countess", "Acme"))}) == []
    [seen] = facts_of(take.memory, "Ada Lovelace")
    assert seen.subject_name == "Ada Lovelace"


def test_an_ambiguous_end_refuses_the_whole_line(take: Taking) -> None:
    take({"entities": [{"name": "Mercury", "type": "Planet"}]}, {"entities": [{"name": "Mercury", "type": "Deity"}]})
    line = facts(employee("Newcomer", "Acme"), employee("Mercury", "Acme"))
    [(number, why)] = take(line)
    assert number == 1
    assert "Mercury" in why
    assert entity_named(take.memory, "Newcomer") is None
    assert take.last_tx == 2
    assert take(facts(employee("Newcomer", {"name": "Mercury", "type": "Deity"}))) == []


def test_two_things_of_one_name_may_stand_in_one_line_and_only_a_bare_end_is_ambiguous(take: Taking) -> None:
    both = {"entities": [{"name": "Mercury", "type": "Planet"}, {"name": "Mercury", "type": "Deity"}]}
    typed = employee("Ada", {"name": "Mercury", "type": "deity"})
    assert take({**both, **facts(typed)}) == []
    [(_, why)] = take({**both, **facts(employee("Bo", "Mercury"))})
    assert "Mercury" in why
    assert [seen.object_type for seen in facts_of(take.memory, "Ada")] == ["deity"]
    assert entity_named(take.memory, "Bo") is None


def test_in_a_line_a_name_comes_before_an_alias(take: Taking) -> None:
    both = {"entities": [{"name": "Jo", "type": "Person"}, {"name": "Joan", "type": "Person", "aliases": ["jo"]}]}
    assert take({**both, **facts(employee("Jo", "Acme"))}) == []
    assert [seen.subject_name for seen in facts_of(take.memory, "Acme")] == ["Jo"]


def test_an_end_may_be_the_id_of_an_entity_and_an_unknown_id_makes_none(take: Taking) -> None:
    take({"entities": [{"name": "Mercury", "type": "Planet"}]}, {"entities": [{"name": "Mercury", "type": "Deity"}]})
    with take.memory.read() as view:
        [deity] = view.entities_of_types(["deity"], 10)
    assert take(facts(employee("Ada", format_entity_id(deity.id)))) == []
    assert [seen.fact.object for seen in facts_of(take.memory, "Ada")] == [deity.id]
    nobody = "ent_" + "0" * 26
    [(_, why)] = take(facts(employee("Bo", nobody)))
    assert nobody in why
    assert entity_named(take.memory, "Bo") is None


def test_the_forms_of_an_object(take: Taking) -> None:
    says = {"from": "Ada", "predicate": "admires"}
    take(
        facts(
            {**says, "to": None},
            {**says, "to": {"literal": "  Sunsets "}},
            {**says, "to": {"name": "Bo", "type": "Person"}},
            {**says, "to": "Acme"},
            {"from": "Ada", "predicate": "relaxes"},
        )
    )
    found = {
        (seen.object_name, seen.object_type, seen.fact.literal, seen.fact.label)
        for seen in facts_of(take.memory, "Ada")
    }
    assert found == {
        (None, None, None, "ASSERTED"),
        (None, None, "Sunsets", "ASSERTED"),
        ("Bo", "person", None, "AFFILIATED"),
        ("Acme", "unknown", None, "AFFILIATED"),
    }
    assert len(facts_of(take.memory, "Ada")) == 5


def test_an_unknown_end_takes_its_type_from_a_later_line(take: Taking) -> None:
    take(GOOD)
    before = entity_named(take.memory, "Acme")
    assert before is not None
    assert (before.type, before.provisional) == ("unknown", True)
    take({"entities": [{"name": "ACME", "type": "Company"}]})
    after = entity_named(take.memory, "Acme")
    assert after is not None
    assert (after.id, after.type, after.name, after.provisional) == (before.id, "organization", "Acme", False)
    assert [seen.object_type for seen in facts_of(take.memory, "Ada")] == ["organization"]


def test_a_typed_end_gives_an_unknown_one_its_type(take: Taking) -> None:
    take(GOOD, facts(employee("Bo", {"name": "acme", "type": "Organization"})))
    with take.memory.read() as view:
        assert view.counts()["entities"] == 3


def test_two_people_of_one_name_with_different_addresses_stay_two(take: Taking) -> None:
    def person(address: str) -> Json:
        return {"name": "John Smith", "type": "Person", "metadata": {"email": address}}

    take(
        {"entities": [person("j@a.example")]},
        {"entities": [person("j@b.example")]},
        {"entities": [person("J@A.example ")]},
    )
    with take.memory.read() as view:
        assert view.counts()["entities"] == 2
    [(_, why)] = take(facts(employee("John Smith", "Acme")))
    assert "John Smith" in why
    own = {"entities": [person("j@b.example")], **facts(employee("John Smith", "Beta"))}
    assert take(own) == []
    found = entity_named(take.memory, "j@b.example")
    assert found is not None
    assert [seen.fact.subject for seen in facts_of(take.memory, "Beta")] == [found.id]


def test_a_person_without_an_address_takes_the_first_that_comes(take: Taking) -> None:
    take({"entities": [{"name": "Ada", "type": "Person"}]})
    take(
        {
            "entities": [
                {"name": "Ada", "type": "Person", "aliases": ["Countess"], "metadata": {"email": "a@x.example", "n": 1}}
            ]
        }
    )
    ada = entity_named(take.memory, "a@x.example")
    assert ada is not None
    assert ada.properties == {"email": "a@x.example", "n": 1}
    assert entity_named(take.memory, "Countess") == ada


SURENESS: list[tuple[Json, tuple[str, str, float]]] = [
    ({"confidence": "verified"}, ("verified", "extracted", 1.0)),
    ({"confidence": "Stated"}, ("stated", "extracted", 0.9)),
    ({"confidence": "inferred"}, ("inferred", "inferred", 0.6)),
    ({"confidence": "retracted"}, ("retracted", "extracted", 0.0)),
    ({"confidence": 0.5}, ("inferred", "inferred", 0.5)),
    ({"confidence": 0.75}, ("stated", "extracted", 0.75)),
    ({"confidence": 1}, ("stated", "extracted", 1.0)),
    ({"confidence": 0}, ("inferred", "inferred", 0.0)),
    ({"source_kind": "ambiguous"}, ("stated", "ambiguous", 0.9)),
    ({"source_kind": "inferred", "confidence": 0.8}, ("inferred", "inferred", 0.8)),
    ({}, ("stated", "extracted", 0.9)),
]


def test_confidence_in_words_and_numbers(take: Taking) -> None:
    take(*(facts(employee(f"P {number}", "Acme", **given)) for number, (given, _) in enumerate(SURENESS)))
    for number, (_, wanted) in enumerate(SURENESS):
        [seen] = facts_of(take.memory, f"P {number}", every=True)
        assert (seen.fact.certainty, seen.fact.source_kind, seen.fact.confidence) == wanted


def test_supersedes_by_id_and_by_text(take: Taking) -> None:
    def decision(words: str, day: int, **more: Any) -> Json:
        stated = {"from": "Ada", "to": "Deal", "edge_label": "ASSERTED", "fact_type": "decision", "fact": words}
        return facts({**stated, "source_at": f"2026-01-0{day}T00:00:00Z", **more})

    take(decision("Ship in May", 1), decision("Ship never", 2, supersedes="Ship in May"))
    assert texts(take.memory, "Ada") == ["Ship never"]
    [seen] = facts_of(take.memory, "Ada")
    take(decision("Ship at once", 3, supersedes=f"fact_{seen.fact.id}"))
    assert texts(take.memory, "Ada") == ["Ship at once"]
    take(decision("Ship in spring", 1, supersedes="Ship at once"))
    assert set(texts(take.memory, "Ada")) == {"Ship at once", "Ship in spring"}


@pytest.mark.parametrize("is_first", [True, False], ids=["comes first", "comes last"])
def test_supersedes_by_text_means_the_earlier_of_two_facts_of_that_text(take: Taking, is_first: bool) -> None:
    def promise(about: str, words: str, **more: Any) -> Json:
        return {**employee("Ada", about, words, **more), "edge_label": "ASSERTED", "fact_type": "promise"}

    old, new = promise("Kite", "Ada will pay"), promise("Boat", "Ada will pay")
    change = promise("Kite", "Ada will do all else", supersedes="Ada will pay")
    lines = [
        {"record": record(f"r{month}", source_at=f"2026-0{month}-01T00:00:00Z"), **facts(said)}
        for month, said in ((1, old), (3, new), (2, change))
    ]
    take(*([lines[2], *lines[:2]] if is_first else lines))
    found = facts_of(take.memory, "Ada", every=True)
    assert [(seen.object_name, seen.text, seen.fact.stale) for seen in found] == [
        ("Kite", "Ada will pay", True),
        ("Kite", "Ada will do all else", False),
        ("Boat", "Ada will pay", False),
    ]


def test_supersedes_by_the_text_that_a_fact_without_words_is_printed_with(take: Taking) -> None:
    decided = {"from": "Ada", "edge_label": "ASSERTED", "fact_type": "decision"}
    take(
        facts(
            {**decided, "to": "Kite", "source_at": "2026-01-01"}, {**decided, "to": "Boat", "source_at": "2026-01-01"}
        ),
        facts({**decided, "to": "Raft", "source_at": "2026-01-02", "supersedes": "Ada decision Kite"}),
    )
    assert set(texts(take.memory, "Ada")) == {"Ada decision Boat", "Ada decision Raft"}


def test_facts_that_declare_each_other_replaced_go_by_their_times(take: Taking) -> None:
    decided = {"from": "Ada", "edge_label": "ASSERTED", "fact_type": "decision"}
    take(
        facts({**decided, "to": "Kite", "fact": "Fly", "source_at": "2026-01-01", "supersedes": "Sail"}),
        facts({**decided, "to": "Boat", "fact": "Sail", "source_at": "2026-01-02", "supersedes": "Fly"}),
    )
    assert texts(take.memory, "Ada") == ["Sail"]
    take(facts({**decided, "to": "Raft", "fact": "Drift", "source_at": "2026-01-03", "supersedes": "Sail"}))
    assert texts(take.memory, "Ada") == ["Drift"]


def test_times_of_a_line_without_a_record(take: Taking, clock: MovingClock) -> None:
    take(
        facts(employee("Ada", "Acme", source_at="2026-01-05", source_url="https://x.example/1")),
        facts(employee("Bo", "Acme")),
    )
    [ada], [bo] = facts_of(take.memory, "Ada"), facts_of(take.memory, "Bo")
    assert (ada.fact.source_at, ada.source_url, ada.source_key) == (
        1_767_571_200_000_000,
        "https://x.example/1",
        "tool:cli.ingest",
    )
    assert (bo.fact.source_at, bo.source_url) == (clock.now(), None)


def test_only_an_address_of_the_web_is_a_source_url(take: Taking) -> None:
    take(
        *(
            facts(employee(f"P {n}", "Acme", source_url=url))
            for n, url in enumerate(("javascript:x", "file:///etc", "http://[", "x"))
        )
    )
    assert [seen.source_url for n in range(4) for seen in facts_of(take.memory, f"P {n}")] == [None] * 4


def test_each_line_is_a_transaction_of_its_own_and_can_be_asked_back(take: Taking) -> None:
    take(*(facts(employee("Ada", f"Firm {number}")) for number in range(5)))
    assert [len(texts(take.memory, "Ada", as_of=tx)) for tx in range(6)] == [0, 1, 2, 3, 4, 5]
    with take.memory.read() as view:
        tx = view.transaction(3)
    assert tx is not None
    assert (tx.surface, tx.tool) == ("cli", "ingest")


def test_a_refused_line_in_the_middle_of_a_commit_takes_nothing_else_with_it(take: Taking) -> None:
    bad = {"record": record("r1", content="text"), "entities": [{"name": "Ghost", "type": "Person"}]}
    bad |= facts(employee("Ghost", "Acme"), employee("Ghost", "Acme", valid_from="never"))
    assert [number for number, _ in take(GOOD, bad, facts(employee("Ghost", "Beta")))] == [2]
    [seen] = facts_of(take.memory, "Ghost")
    assert (seen.object_name, seen.subject_type) == ("Beta", "unknown")
    with take.memory.read() as view:
        assert view.document_named("record", "r1") is None
        assert view.last_tx == 2


def test_an_interrupted_ingest_resumes_where_it_was_committed(take: Taking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "COMMIT_LINES", 10)
    lines = [facts(employee(f"Person {number}", "Acme")) for number in range(35)]
    take.path.write_bytes(b"".join(line_bytes(line) + b"\n" for line in lines))
    told: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_bundle(take.memory, take.path, interrupt)
    assert take.last_tx == 20
    tally, skipped = import_bundle(take.memory, take.path, told.append)
    assert (tally.changed, tally.unchanged, skipped, take.last_tx) == (15, 20, [], 35)
    done = [each.done for each in told[2:]]
    assert done == sorted(done)
    assert done[-1] == take.path.stat().st_size


def test_memory_stays_flat_however_long_the_file(take: Taking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "COMMIT_LINES", 20)
    text = "word " * 4_000

    def write(numbers: range) -> int:
        lines = ({"record": record(f"r{number}", metadata={"n": text})} for number in numbers)
        take.path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return take.path.stat().st_size

    def peak_of(numbers: range) -> float:
        """The most memory that an import takes, as a share of its file."""
        size = write(numbers)
        tracemalloc.start()
        try:
            tally, skipped = import_bundle(take.memory, take.path)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert (tally.changed, skipped) == (300, [])
        return peak / size

    # What is loaded on first use is not counted, nor what a thread of another test takes meanwhile.
    write(range(600, 640))
    import_bundle(take.memory, take.path)
    assert min(peak_of(range(300)), peak_of(range(300, 600))) < 0.5
