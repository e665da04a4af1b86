"""Another model than before: what it has yet to embed, told as the rebuild that it is."""

from dataclasses import dataclass

from recollect.embed.port import Embedder
from recollect.memory import Memory
from recollect.model.progress import Phase, Progress, Rebuild
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class Lag:
    """How many passages this model has embedded, of those that another one had."""

    done: int
    total: int
    is_over: bool


@dataclass(slots=True)
class Noticed:
    """Whether this process has said that the model was changed."""

    is_told: bool = False


def lag_of(view: View, embedder: Embedder) -> Lag:
    part = f"meaning:{embedder.model}"
    found = view.rows("indexed", part=part)
    upto, done = (int(found[0][0]), int(found[0][1])) if found else (0, 0)
    [[theirs, total]] = view.rows("meanings_by_others", part=part)
    return Lag(done, max(done, int(total)), upto >= theirs)


def tell_of_change(memory: Memory, lag: Lag) -> None:
    """Say that vectors are computed anew, how far that is, and that it is done; nothing if no model came before."""
    noticed = memory.kept.one(Noticed)
    if not noticed.is_told:
        if lag.is_over:
            return
        _say(memory, lag, "model_change_detected", "The model was changed; I re-embed in the background.")
    else:
        _say(memory, lag, "done" if lag.is_over else "progress", f"{lag.done} re-embedded")
    noticed.is_told = not lag.is_over


def _say(memory: Memory, lag: Lag, phase: Phase, message: str) -> None:
    memory.tell(Progress(lag.done, lag.total, message, Rebuild(phase, "all")))
