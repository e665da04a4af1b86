"""How often each rule is right: the clauses of the inboxes by the rule that gave them an act.

    PYTHONPATH=src python -m training.rule_precision [--least 5] [--show RULE]

A rule is right where a scorer would accept its act. Sets of `inbox_examples.HELD` are left out and stay unseen.
"""

import argparse
from collections import defaultdict

from training.inbox_examples import HELD, ClauseExample, clause_examples

SHOWN = 40


def clauses_by_rule() -> dict[tuple[str, str], list[ClauseExample]]:
    """The clauses that each rule gave an act, by act and rule."""
    found: dict[tuple[str, str], list[ClauseExample]] = defaultdict(list)
    for each in clause_examples():
        if each.group not in HELD and each.act is not None:
            found[each.act, each.rule].append(each)
    return found


def is_right(clause: ClauseExample) -> bool:
    return clause.act in clause.accepted


def main() -> None:
    parser = argparse.ArgumentParser(description="How often each rule is right")
    parser.add_argument("--least", type=int, default=5, help="leave out rules with fewer clauses")
    parser.add_argument("--show", metavar="RULE", help="print the clauses in which a rule is wrong")
    asked = parser.parse_args()
    for (act, rule), clauses in sorted(clauses_by_rule().items(), key=lambda each: -len(each[1])):
        right = sum(map(is_right, clauses))
        if asked.show is None and len(clauses) >= asked.least:
            print(f"{act:14}{rule:34}{right:6} of {len(clauses)}  {right / len(clauses):.2f}")  # noqa: T201
        elif rule == asked.show:
            for each in [each for each in clauses if not is_right(each)][:SHOWN]:
                print(f"{act} [{each.sentence.kind}] {each.sentence.text}  = {max(each.accepted, default='none')}")  # noqa: T201


if __name__ == "__main__":
    main()
