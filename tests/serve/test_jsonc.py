"""Edits of JSON with comments, on cases drawn at random and by hand."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.serve.clients.jsonc import UnreadableConfiguration, parse, read, remove_value, set_value

names = st.text(alphabet='ab"\\/é{}[],: ', max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='x"\\/*,}]\n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
blanks = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " // c }\n", " /* , */ ", "\n// x\n\n    "])


@st.composite
def layouts(draw: st.DrawFn, value: Any) -> str:
    """A value in JSON with blanks, comments and trailing commas anywhere."""
    if isinstance(value, dict):
        members = [
            f"{draw(blanks)}{json.dumps(key)}{draw(blanks)}:{draw(blanks)}{draw(layouts(each))}{draw(blanks)}"
            for key, each in value.items()
        ]
        return _closed(draw, "{", members, "}")
    if isinstance(value, list):
        return _closed(draw, "[", [draw(blanks) + draw(layouts(each)) + draw(blanks) for each in value], "]")
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _closed(draw: st.DrawFn, opening: str, items: list[str], closing: str) -> str:
    trailing = draw(st.sampled_from(["", ","])) if items else ""
    return opening + ",".join(items) + trailing + draw(blanks) + closing


@st.composite
def documents(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    value = draw(st.dictionaries(names, values, max_size=3))
    servers = draw(st.none() | st.dictionaries(names, values, max_size=3))
    document = value if servers is None else {**value, "servers": servers}
    return document, draw(blanks) + draw(layouts(document)) + draw(blanks)


@given(documents())
def test_a_text_is_read_as_what_it_says(drawn: tuple[dict[str, Any], str]) -> None:
    document, text = drawn
    assert read(text) == document


@given(documents(), values)
def test_setting_and_removing_change_one_value(drawn: tuple[dict[str, Any], str], value: Any) -> None:
    document, text = drawn
    changed = set_value(text, ("servers", "ours"), value)
    assert read(changed) == {**document, "servers": {**document.get("servers", {}), "ours": value}}
    assert set_value(changed, ("servers", "ours"), value) == changed
    kept = {key: each for key, each in document.get("servers", {}).items() if key != "ours"}
    assert read(remove_value(changed, ("servers", "ours"))) == {**document, "servers": kept}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '{\n  "s": {\n    "o": 1\n  }\n}\n'),
        ("{}", '{\n  "s": {\n    "o": 1\n  }\n}'),
        ('{"s":{}}', '{"s":{"o": 1}}'),
        ('{"s":{"a":2}}', '{"s":{"a":2, "o": 1}}'),
        ('{\n\t"s": {\n\t\t"a": 2 // c\n\t}\n}', '{\n\t"s": {\n\t\t"a": 2, // c\n\t\t"o": 1\n\t}\n}'),
        ('{\n    "a": 2,\n}\n', '{\n    "a": 2,\n    "s": {\n        "o": 1\n    },\n}\n'),
        ('{\n  "s": {\n    // none yet\n  }\n}', '{\n  "s": {\n    // none yet\n    "o": 1\n  }\n}'),
        ('{\r\n  "a": 2\r\n}', '{\r\n  "a": 2,\r\n  "s": {\r\n    "o": 1\r\n  }\r\n}'),
        ('{\n  "s": null\n}', '{\n  "s": {\n    "o": 1\n  }\n}'),
    ],
)
def test_an_entry_follows_the_layout_around_it(text: str, expected: str) -> None:
    assert set_value(text, ("s", "o"), 1) == expected


@pytest.mark.parametrize("text", ["{", '{"a" 1}', '{"a": 1} x', "[1 2]", '{"a": nope}', "{1: 2}", "[" * 200])
def test_broken_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(UnreadableConfiguration, match="line 1"):
        parse(text)


def test_a_container_that_is_not_an_object_is_refused() -> None:
    with pytest.raises(UnreadableConfiguration, match="s is not an object"):
        set_value('{"s": [1]}', ("s", "o"), 1)
