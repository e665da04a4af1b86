"""Facts declared to replace one that has yet to come: settled when it does, so that order of arrival does not matter."""

import json

from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.write.settle import resettle

_MARK = "supersedes "
# What comes behind the mark in the order of texts.
_BEHIND = "supersedes!"


def await_superseded(change: Change, fact: Fact, text: str) -> None:
    """Remember that a fact replaces the one of these words, of the same subject, label and type."""
    wanted = _MARK + json.dumps([fact.subject, fact.label, fact.fact_type, text])
    change.connection.run_many("awaited_add", [{"ws": change.ws, "word": wanted, "document": fact.id}])


def settle_awaited(memory: Memory) -> list[str]:
    """Let the facts that others wait to replace be replaced; what none is known of is said in words."""
    with memory.read() as view:
        if not view.rows("awaited_between", low=_MARK, high=_BEHIND):
            return []
    missing = []
    with memory.write() as change:
        for word, waiting in change.rows("awaited_between", low=_MARK, high=_BEHIND):
            subject, label, fact_type, text = json.loads(word[len(_MARK) :])
            if _settle(change, FactId(waiting), change.fact_worded(EntityId(subject), label, fact_type, text)):
                change.connection.run("awaited_drop", {"ws": change.ws, "word": word, "document": waiting})
            else:
                missing.append(f"a fact supersedes {text!r}, which no known fact of its subject says yet")
    return missing


def _settle(change: Change, waiting: FactId, replaced: Fact | None) -> bool:
    fact = change.fact(waiting)
    if fact is None or replaced is None or replaced.id == waiting:
        return fact is None
    if fact.supersedes is None:
        change.put_fact(fact._replace(supersedes=replaced.id))
        resettle(change, replaced)
    return True
