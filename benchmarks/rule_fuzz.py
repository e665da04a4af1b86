"""Runs random and broken rules on a small world: none may crash, write, or run beyond its limit.

python -m benchmarks.rule_fuzz [--rules 10000] [--seed 1] [--seconds 0.25]
"""

# ruff: noqa: T201

import argparse
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.family import grow, load
from benchmarks.rule_texts import rules
from recollect.change_listeners import open_memory
from recollect.errors import Refused
from recollect.memory import Memory
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.rule_errors import RuleLimits
from recollect.reason.rules.rule_runner import collect_violations, compile_rule
from recollect.settings import Settings

GRACE = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzzes the rule language.")
    parser.add_argument("--rules", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.25, help="the limit of each rule")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="recollect-fuzz-") as folder:
        memory = open_memory(str(Path(folder) / "memory.db"), settings=Settings())
        load(memory, grow(60, asked.seed))
        print(fuzz(memory, asked.rules, asked.seed, asked.seconds))
        memory.close()


def fuzz(memory: Memory, count: int, seed: int, seconds: float) -> dict[str, int]:
    """How the rules ended; a crash is raised, and so is a write or a rule that overran its limit."""
    ended: Counter[str] = Counter()
    with memory.read() as view:
        before = view.last_tx, view.counts()
    for text in islice(rules(seed), count):
        began = time.monotonic()
        with memory.read() as view:
            graph = RuleGraph(view)
            try:
                found = collect_violations(compile_rule(text, view.world.read), graph, RuleLimits(seconds))
                ended["found something" if found.total else "found nothing"] += 1
            except Refused as refusal:
                ended[refusal.code] += 1
        if time.monotonic() - began > seconds + GRACE:
            raise AssertionError(f"ran for {time.monotonic() - began:.1f} seconds: {text}")
    with memory.read() as view:
        if (view.last_tx, view.counts()) != before:
            raise AssertionError("a rule wrote something")
    return dict(ended)


if __name__ == "__main__":
    main()
