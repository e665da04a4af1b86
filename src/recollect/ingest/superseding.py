"""Facts declared to replace one that has yet to come: settled when it does, whichever arrives first."""

from recollect.ingest.problems import too_long
from recollect.memory import Memory
from recollect.model.document import KEY_LIMIT
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.write.settle import resettle

_MARK = "supersedes "
# What comes behind the mark in the order of texts.
_BEHIND = "supersedes!"


def await_superseded(change: Change, fact: Fact, text: str) -> None:
    """Remember that a fact replaces the one of these words, of the same subject, label and type."""
    if len(text) > KEY_LIMIT:
        raise too_long("supersedes", text, KEY_LIMIT)
    change.connection.run("awaited_add", {"ws": change.ws, "word": f"{_MARK}{text}", "document": fact.id})


def settle_awaited(memory: Memory) -> list[str]:
    """Let the facts that others wait to replace be replaced; what none is known of is said in words."""
    with memory.read() as view:
        if not view.rows("awaited_between", low=_MARK, high=_BEHIND):
            return []
    missing = []
    with memory.write() as change:
        for word, waiting in change.rows("awaited_between", low=_MARK, high=_BEHIND):
            text = word[len(_MARK) :]
            if _settle(change, FactId(waiting), text):
                change.connection.run("awaited_drop", {"ws": change.ws, "word": word, "document": waiting})
            else:
                missing.append(f"a fact supersedes {text!r}, which no known fact of its subject says yet")
    return missing


def _settle(change: Change, waiting: FactId, text: str) -> bool:
    fact = change.fact(waiting)
    if fact is None:
        return True
    replaced = change.fact_worded(fact.subject, fact.label, fact.fact_type, text, fact.source_at)
    if replaced is None or replaced.id == waiting:
        return False
    if fact.supersedes is None:
        change.put_fact(fact._replace(supersedes=replaced.id))
        resettle(change, replaced)
    return True
