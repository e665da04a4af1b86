"""The rules that the documentation shows can be run."""

import re
from pathlib import Path

import pytest
from tests.support.consistency_world import tell

from recollect.memory import Memory
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.rule_runner import collect_violations, compile_rule

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"
SHOWN = re.findall(r"```cypher\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", SHOWN, ids=lambda text: text.splitlines()[0].strip("/ ."))
def test_a_rule_of_the_page_runs(memory: Memory, text: str) -> None:
    tell(
        memory,
        "Ann:Person BORN (1800)",
        "Ann:Person RULES Halden:Location (1810 .. 1850)",
        "Ann:Person PARENT_OF Bob:Person",
        "Ann:Person PARENT_OF Cid:Person",
        "Bob:Person SPOUSE_OF Cid:Person (1850 .. …)",
        "Siege:Battle OCCURRED_DURING '1845' (1845)",
    )
    with memory.read() as view:
        found = collect_violations(compile_rule(text, view.world.read), RuleGraph(view)).total
    assert found == (0 if "clerk" in text or "three places" in text else 1)
