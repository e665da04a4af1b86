"""Which way a relation lies under the arrow of a pattern: a reversed name turns it round."""

from collections.abc import Iterator
from typing import NamedTuple

from recollect.model.relations import read_relation
from recollect.reason.lore.relation import Relation
from recollect.reason.rules.graph import Names, Side
from recollect.reason.rules.tree import EdgePattern
from recollect.reason.rules.values import Node


class Way(NamedTuple):
    """At which end of a relation the known node is, and whether it is the left one of the link."""

    side: Side
    from_left: bool


def names_of(pattern: EdgePattern) -> Names:
    """The relations a pattern asks for, under their own names; none stands for all."""
    return frozenset(read_relation(each).name for each in pattern.types) if pattern.types else None


def turns(pattern: EdgePattern, relation: Relation) -> Iterator[str]:
    """How the pattern's arrow lies on the relation: a reversed name turns it."""
    if not pattern.types:
        yield pattern.direction
        return
    for each in pattern.types:
        name = read_relation(each)
        if name.name == relation.name:
            yield {"out": "in", "in": "out", "both": "both"}[pattern.direction] if name.swapped else pattern.direction


def may_leave(pattern: EdgePattern, relation: Relation, node: Node, from_left: bool) -> bool:
    """Whether the pattern's arrow lets one go along the relation from this node."""
    turned = set(turns(pattern, relation))
    if "both" in turned or relation.is_symmetric:
        return True
    at_start, at_end = node.key == relation.subject, node.key != relation.subject or relation.object == node.key
    left_is_start = (from_left and at_start) or (not from_left and at_end)
    left_is_end = (from_left and at_end) or (not from_left and at_start)
    return ("out" in turned and left_is_start) or ("in" in turned and left_is_end)


def side_of(pattern: EdgePattern, from_left: bool) -> Side:
    """At which end of the relation the known node must be."""
    turned = {read_relation(each).swapped for each in pattern.types} or {False}
    if pattern.direction == "both" or len(turned) > 1:
        return "either"
    is_out = (pattern.direction == "out") != turned.pop()
    return "subject" if is_out == from_left else "object"
