"""Lines that are wrong: reported with number and reason, skipped, and nothing of them is left."""

import json

from tests.ingest.taking import GOOD, Json, Taking, employee, facts, record
from tests.support.facts import entity_named, texts

from recollect.importers.import_run import ImportTally

BAD_LINES: list[tuple[Json | str | bytes, str]] = [
    ("{not json", "not JSON"),
    ('{"facts": [', "not JSON"),
    ("[1, 2]", "object"),
    ('"text"', "object"),
    ("null", "object"),
    ("{}", "empty"),
    (b"\xff\xfe{}", "UTF-8"),
    (b'{"entities": [{"name": "\xc3\x28"}]}', "UTF-8"),
    ('{"facts": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
    ({"unknown_key": 1}, "unknown_key"),
    ({"facts": "no list"}, "facts"),
    ({"facts": [7]}, "facts[0]"),
    ({"facts": [{"to": "Acme", "predicate": "employee"}]}, "facts[0].from"),
    (facts(employee("", "Acme")), "facts[0].from"),
    (facts(employee("Ada", "   ")), "facts[0].to"),
    (facts(employee("Ada", {"literal": ""})), "literal"),
    (facts(employee("Ada", {"literal": "x", "name": "y"})), "facts[0].to"),
    (facts(employee("Ada", {"type": "Person"})), "facts[0].to.name"),
    (facts(employee("Ada", ["Acme"])), "facts[0].to"),
    (facts(employee("A" * 201, "Acme")), "200"),
    (facts({"from": "Ada", "to": "Acme", "edge_label": "LIKED", "fact_type": "x"}), "edge_label"),
    (facts({"from": "Ada", "to": "Acme"}), "predicate"),
    (facts({"from": "Ada", "to": "Acme", "edge_label": "ASSERTED"}), "fact_type"),
    (facts(employee("Ada", "Acme", confidence="maybe")), "confidence"),
    (facts(employee("Ada", "Acme", confidence=1.5)), "confidence"),
    (facts(employee("Ada", "Acme", confidence=-0.1)), "confidence"),
    (facts(employee("Ada", "Acme", confidence=True)), "confidence"),
    ('{"facts": [{"from": "Ada", "to": "Acme", "predicate": "employee", "confidence": NaN}]}', ""),
    ('{"facts": [{"from": "Ada", "to": "Acme", "predicate": "employee", "confidence": 1e999}]}', "JSON"),
    ('{"facts": [{"from": "Ada", "to": "Acme", "predicate": "employee", "confidence": ' + "9" * 5_000 + "}]}", ""),
    (facts(employee("Ada", "Acme", source_kind="guessed")), "source_kind"),
    (facts(employee("Ada", "Acme", valid_from="2026-13-01")), "valid_from"),
    (facts(employee("Ada", "Acme", valid_from=2026)), "valid_from"),
    (facts(employee("Ada", "Acme", valid_from="2022", valid_until="2021")), "valid_until"),
    (facts(employee("Ada", "Acme", source_at="not a time")), "source_at"),
    (facts(employee("Ada", "Acme", attributes=[1])), "attributes"),
    (facts(employee("Ada", "Acme", surprise=1)), "surprise"),
    (facts(employee("Ada", "Acme", supersedes="fact_" + "0" * 26)), "supersedes"),
    ({"record": {"type": "note"}}, "record.id"),
    ({"record": {"id": 7}}, "record.id"),
    ({"record": {"id": "r", "source_at": "yesterday-ish"}}, "record.source_at"),
    ({"record": {"id": "r", "content": {"a": 1}}}, "record.content"),
    ({"record": {"id": "r", "classification": "spam"}}, "classification"),
    ({"record": "r"}, "record"),
    ({"entities": [{"type": "Person"}]}, "entities[0].name"),
    ({"entities": [{"name": "Ada", "aliases": "Countess"}]}, "aliases"),
    ({"entities": [{"name": "Ada", "aliases": [1]}]}, "aliases"),
    ({"entities": [{"name": "Ada", "aliases": ["A" * 201]}]}, "200"),
    ({"entities": [{"name": "Ada", "metadata": "x"}]}, "metadata"),
    ({"era": {"name": "Tide", "start": 1, "end": 0}}, ""),
    ({"calendar": {}}, ""),
]


def test_bad_lines_are_reported_with_number_and_reason_and_the_rest_goes_in(take: Taking) -> None:
    lines: list[Json | str | bytes] = [GOOD]
    for number, (bad, _) in enumerate(BAD_LINES):
        lines += [bad, facts(employee(f"Person {number}", "Acme"))]
    skipped = take(*lines)
    assert [number for number, _ in skipped] == list(range(2, 2 * len(BAD_LINES) + 1, 2))
    for (_, why), (bad, reason) in zip(skipped, BAD_LINES, strict=True):
        assert why.strip()
        assert reason in why, (why, str(bad)[:200])
    taken = len(BAD_LINES) + 1
    assert take.tally == ImportTally(lines=len(lines), changed=taken, unchanged=0, facts=taken)
    assert take.last_tx == taken
    with take.memory.read() as view:
        # Ada, Acme and one person between every two bad lines: none of these left anything behind.
        assert view.counts() == {"entities": taken + 1, "facts": taken, "documents": 0, "jobs": 0}


UNSTORABLE = [
    facts(employee("Nul\0l", "Acme")),
    facts(employee("Ada L", "Ac\0me")),
    facts(employee("Ada L", {"literal": "a\0b"})),
    facts(employee("Ada L", "Acme", words="a\0b")),
    facts(employee("Ada L", "Acme", quote="a\0b")),
    facts(employee("Ada L", "Acme", attributes={"k": "a\0b"})),
    facts(employee("Ada L", "Acme", attributes={"k\0": [{"deep": ["a\0b"]}]})),
    facts({"from": "Ada L", "to": "Acme", "predicate": "ad\0mires"}),
    {"entities": [{"name": "Ada L", "type": "Per\0son"}]},
    {"entities": [{"name": "Ada L", "aliases": ["a\0b"]}]},
    {"entities": [{"name": "Ada L", "metadata": {"email": "a\0b"}}]},
    {"record": record("r\0")},
    {"record": record("r", content="a\0b")},
    {"record": record("r", title="a\0b")},
    {"record": record("r", url="https://x.example/\0")},
    {"record": record("r", metadata={"k": "a\0b"})},
    facts(employee("Sur\ud800r", "Acme")),
    facts(employee("Ada L", {"literal": "a\udfffb"})),
    facts(employee("Ada L", "Acme", words="a\ud800b")),
    facts(employee("Ada L", "Acme", attributes={"k": "a\ud800b"})),
    {"entities": [{"name": "Ada L", "aliases": ["a\ud800b"]}]},
    {"entities": [{"name": "Ada L", "metadata": {"k": "a\ud800b"}}]},
    {"record": record("r\ud800")},
    {"record": record("r", content="a\ud800b")},
    {"record": record("r", metadata={"k\ud800": 1})},
]


def test_what_no_store_can_hold_is_a_refused_line_not_a_crash(take: Taking) -> None:
    """A NUL or half a character: whether it is refused must not depend on the engine."""
    skipped = take(*UNSTORABLE, GOOD)
    assert [number for number, _ in skipped] == list(range(1, len(UNSTORABLE) + 1))
    assert {why for _, why in skipped} == {
        "line: contains a character that cannot be stored: a NUL, or half of a surrogate pair"
    }
    with take.memory.read() as view:
        assert view.counts() == {"entities": 2, "facts": 1, "documents": 0, "jobs": 0}


def test_escapes_that_only_look_like_such_are_taken(take: Taking) -> None:
    words = "a \\u0000 b \\ud800 c 😀 \u0001 \uffff"
    assert take(facts(employee("Zoë 😀", "Acme", words)), {"record": record("r", content=words)}) == []
    assert texts(take.memory, "zoë 😀") == [words]


def test_nesting_without_end_is_refused_before_it_can_trouble_a_reader(take: Taking) -> None:
    def nested(depth: int) -> str:
        return '{"entities": [{"name": "N", "type": "T", "metadata": {"n": ' + "[" * depth + "]" * depth + "}}]}"

    depths = (10, 61, 62, 100, 500, 900, 950, 980, 990, 1_000, 5_000)
    assert [number for number, _ in take(*map(nested, depths))] == list(range(3, len(depths) + 1))


def test_huge_numbers_in_free_values_are_kept(take: Taking) -> None:
    numbers = ("1e308", "-1e308", "9" * 400, "1" + "0" * 30, "1e-320", "123456789012345678901.5")
    lines = [
        f'{{"entities": [{{"name": "Big", "type": "Thing", "metadata": {{"n{place}": {number}}}}}]}}'
        for place, number in enumerate(numbers)
    ]
    assert take(*lines) == []
    big = entity_named(take.memory, "Big")
    assert big is not None
    assert big.properties == {f"n{place}": json.loads(number) for place, number in enumerate(numbers)}


def test_what_is_no_json_number_is_refused(take: Taking) -> None:
    numbers = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5_000)
    lines = ['{"entities": [{"name": "Big", "metadata": {"n": ' + each + "}}]}" for each in numbers]
    skipped = take(*lines, GOOD)
    assert [number for number, _ in skipped] == [1, 2, 3, 4, 5, 6]
    assert all("JSON" in why for _, why in skipped)
