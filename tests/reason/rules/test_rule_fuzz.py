"""Random and broken rules: none crashes, none writes, none runs beyond its limit."""

from itertools import islice

import pytest
from benchmarks.rule_texts import rules
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.consistency_world import tell
from tests.support.properties import examples

from recollect.memory import Memory
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.parser import parse_rule
from recollect.reason.rules.rule_errors import RuleError, RuleLimits, RuleTimeout
from recollect.reason.rules.rule_runner import collect_violations, compile_rule

WORDS = (
    "MATCH WHERE RETURN WITH DISTINCT ORDER BY LIMIT AND OR NOT XOR IN IS NULL EXISTS CASE WHEN THEN END DELETE SET ( "
    ") [ ] { } - > < <- -> : | * .. . , ; = <> + / % $x =~ 'text' \"t\" 1 2.5 a b r :Person :RULES count(a) end(r) `x`"
).split()


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)))
@settings(max_examples=examples(300))
def test_any_text_parses_or_is_refused(text: str) -> None:
    assert _place(text) >= (1, 1)


def _place(text: str) -> tuple[int, int]:
    """Where a text is refused; behind everything if it is not."""
    try:
        parse_rule(text)
    except RuleError as problem:
        return problem.line, problem.column
    return len(text) + 1, 1


@pytest.mark.parametrize("seed", range(3))
def test_random_rules_run_or_are_refused_and_write_nothing(memory: Memory, seed: int) -> None:
    tell(
        memory,
        "Ann:Person RULES Halden:Location (1800 .. 1850)",
        "Bob:Npc RULES Halden:Location (1840 .. …)",
        "Ann:Person SPOUSE_OF Bob:Npc (1820 .. …)",
        "Ann:Person PARENT_OF Cid:Person",
        "Halden:Location PART_OF Reach:Location",
        "Ann:Person BORN (1780)",
        "Siege:Event OCCURRED_DURING '1845' (1845)",
    )
    with memory.read() as view:
        before = view.last_tx, view.counts()
        for text in islice(rules(seed), 100):
            graph = RuleGraph(view)
            try:
                collect_violations(compile_rule(text, view.world.read), graph, RuleLimits(seconds=0.2))
            except (RuleError, RuleTimeout):
                continue
        assert (view.last_tx, view.counts()) == before
