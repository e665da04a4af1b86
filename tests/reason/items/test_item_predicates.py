"""The predicates of items and closing facts, as Python and as SQL have them."""

import re

from recollect.reason.closures.open_items import CLOSING_PREDICATES, DECISION, ITEM_PREDICATES
from recollect.store.queries import sqlite_queries


def listed_in(query: str) -> list[frozenset[str]]:
    """The lists of predicates that are written out in a query, with IN or as a chain of OR."""
    lists = re.findall(r"predicate IN \(('[^)]*')\)|\((\w+\.predicate = '[^)]*')\)", sqlite_queries()[query].sql)
    return [frozenset(re.findall(r"'(\w+)'", listed or chained)) for listed, chained in lists]


def test_sql_lists_the_same_predicates_as_the_rules() -> None:
    assert set(listed_in("items_closable")) == {CLOSING_PREDICATES | {DECISION}}
    for query in ("items_standing_at", "item_facts_due", "items_counted"):
        assert set(listed_in(query)) == {ITEM_PREDICATES}
