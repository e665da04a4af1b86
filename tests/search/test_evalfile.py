"""Reading the lines of an evaluation."""

from datetime import UTC

import pytest

from recollect.search.eval_file import BadEvalLine, EvalDoc, EvalQuery, read_eval_lines
from recollect.when.instant import read_instant

DOC = '{"doc": {"id": "1", "text": "x", "author": "Ada", "source_at": "2026-01-02", "group": "g"}}'


def test_documents_and_queries_are_read_in_order() -> None:
    held = read_eval_lines([DOC, "", '{"query": {"id": 7, "text": "who?", "gold": ["1"], "group": "g"}}'])
    assert held.docs == (EvalDoc("1", "x", None, "Ada", read_instant("2026-01-02T00:00:00Z", UTC), "g"),)
    assert held.queries == (EvalQuery("7", "who?", ("1",), "g"),)


def test_two_groups_may_use_the_same_id_and_gold_stays_in_its_group() -> None:
    lines = [DOC, DOC.replace('"g"', '"h"'), '{"query": {"id": "q", "text": "?", "gold": ["1", "2"], "group": "k"}}']
    held = read_eval_lines(lines)
    assert (len(held.docs), held.unknown_gold) == (2, 2)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON"),
        ("[]", "either"),
        ('{"doc": {}, "query": {}}', "either"),
        ('{"doc": []}', "an object"),
        ('{"doc": {"id": "2"}}', '"text" is missing'),
        ('{"doc": {"id": "2", "text": 1.5}}', "should be a text"),
        ('{"doc": {"id": "2", "text": "", "auhtor": "x"}}', "unknown key 'auhtor'"),
        ('{"doc": {"id": "2", "text": "", "source_at": "soon"}}', "source_at"),
        ('{"doc": {"id": "1", "text": "other", "group": "g"}}', "used before"),
        ('{"query": {"id": "q", "text": "?"}}', "gold"),
        ('{"query": {"id": "q", "text": "?", "gold": "1"}}', "gold"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(line: str, why: str) -> None:
    with pytest.raises(BadEvalLine, match="line 2: ") as raised:
        read_eval_lines([DOC, line])
    assert why in str(raised.value)
