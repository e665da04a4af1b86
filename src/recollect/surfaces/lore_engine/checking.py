"""`run_consistency_check` and `latest_run`."""

from typing import Annotated, Any

from pydantic import Field

from recollect.errors import Refused
from recollect.memory import Memory
from recollect.model.ids import say_entity
from recollect.reason.checks.finding import say_finding
from recollect.reason.checks.full import check_everything, ensure_awake
from recollect.reason.checks.runs import latest_run as find_latest_run
from recollect.reason.checks.scoped import Scope, check_scope
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.finding_results import ConsistencyRun, ConsistencyRunDone, NoRun
from recollect.surfaces.lore_engine.finding_shown import say_brief
from recollect.surfaces.lore_engine.shapes import AsOf, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.timeline import find_era

ScopeText = Annotated[
    str,
    *text(250),
    Field(description="all, entity:NAME, era:TIME; without a prefix: all, a defined era, or an entity"),
]
IncludeIncremental = Annotated[bool, Field(description="Also the small runs after single writes")]


@surface.tool("write", example={"scope": "all"}, idempotent=True)
def run_consistency_check(memory: Memory, scope: ScopeText = "all") -> ConsistencyRunDone:
    """Check now: the whole world, an entity and its neighbours, or what holds in an era."""
    run = check(memory, scope)
    with memory.read() as view:
        done: Any = {**run, "tx": view.last_tx}
    found: ConsistencyRunDone = done
    return found


def check(memory: Memory, scope: str) -> dict[str, Any]:
    """The run over what a text names as a scope, with the findings it opened and resolved."""
    wanted = _scope(memory, scope)
    if wanted is not None:
        ensure_awake(memory, "follow")
    done = check_everything(memory) if wanted is None else check_scope(memory, wanted)
    return {
        **done.run,
        "violations": [say_brief(each) for each in done.opened if each.category != "orphan"],
        "resolved_violations": [say_finding(each) for each in done.resolved],
    }


def _scope(memory: Memory, text_: str) -> Scope | None:
    """What a text names as a scope; none is everything."""
    prefix, colon, rest = text_.partition(":")
    word = prefix.strip().lower() if colon else ""
    with asking(memory) as asked:
        if word == "era":
            time = asked.time(rest.strip(), "scope")
            return Scope(f"era:{time.text}", time=time)
        if word == "entity":
            return _entity(asked, rest.strip())
        if text_.lower() == "all":
            return None
        return _era(asked, text_) or _entity(asked, text_)


def _era(asked: Asking, text_: str) -> Scope | None:
    try:
        era = find_era(asked.view.world.timeline, text_)
    except Refused:
        return None
    return None if era is None else Scope(f"era:{era.path}", time=asked.time(era.path, "scope"))


def _entity(asked: Asking, name: str) -> Scope:
    return Scope(f"entity:{say_entity(asked.entity(name, 'scope').id)}", asked.entity(name, "scope").id)


@surface.tool("read", example={})
def latest_run(
    memory: Memory, include_incremental: IncludeIncremental = False, as_of: AsOf = None
) -> ConsistencyRun | NoRun:
    """The most recent run of the consistency engine."""
    with memory.read(as_of) as view:
        found: Any = find_latest_run(view, incremental=include_incremental)
    if found is None:
        return {"run_id": None, "message": "no consistency run yet"}
    run: ConsistencyRun = found
    return run
