"""YAML as plain values: what is read, and what is refused before it can do harm."""

import pytest

from recollect.ingest.lore.lore_errors import BadYaml
from recollect.ingest.lore.markup import YamlTable, load_yaml


def test_words_are_read_as_people_mean_them() -> None:
    text = "a: 0850\nb: 850\nc: -3\nd: 1.5\ne: true\nf: no\ng: ~\nh: 1848-03-17\ni: 12:30\nj: '7'\nk: [1, {l: m}]\n"
    assert load_yaml(text) == {
        "a": "0850",
        "b": 850,
        "c": -3,
        "d": 1.5,
        "e": True,
        "f": "no",
        "g": None,
        "h": "1848-03-17",
        "i": "12:30",
        "j": "7",
        "k": [1, {"l": "m"}],
    }


def test_json_is_yaml() -> None:
    assert load_yaml('{"events": [{"name": "x", "date": null}]}') == {"events": [{"name": "x", "date": None}]}


def test_lines_are_known() -> None:
    found = load_yaml("a: 1\nb:\n  - x\n  - y\n", 10)
    assert isinstance(found, YamlTable)
    assert (found.line_of("b"), found["b"].lines) == (11, [12, 13])


def test_an_alias_repeats_its_value_and_a_merge_key_fills_gaps() -> None:
    assert load_yaml("a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, p: 3}\n")["c"] == {"p": 3, "q": 2}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: !!python/object:os.system x", 1),
        ("a: 1\nb: !secret x", 2),
        ("a: [1", 2),
        ("a: *x", 1),
        ("a: &x [*x]", 1),
        ("a: 1\n---\nb: 2", 2),
        ("[" * 30 + "]" * 30, 1),
        ("[" * 100_000, 1),
        ("{" * 100_000, 1),
        ("? [a]\n: b", 1),
        ("a: b: c", 1),
        ("\tx: 1", 1),
    ],
)
def test_what_is_refused_names_its_line(text: str, line: int) -> None:
    with pytest.raises(BadYaml) as problem:
        load_yaml(text)
    assert problem.value.line == line


def test_repetition_is_bounded() -> None:
    names = "abcdefghi"
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{names[n]}: &{names[n]} [{','.join([f'*{names[n - 1]}'] * 10)}]\n" for n in range(1, 9)
    )
    with pytest.raises(BadYaml, match="values"):
        load_yaml(bomb)
