"""Listeners for progress of background work, one for each transport."""

from collections.abc import Callable
from typing import Any

from recollect.model.progress import Progress

REBUILD_METHOD = "notifications/embedding-rebuild"
WorkspaceListener = Callable[[str, Progress], None]
"""Takes the workspace and what is to be told; called from any thread, and waits for nobody."""


class ProgressListeners:
    """All that listen to one process."""

    def __init__(self) -> None:
        self._all: list[WorkspaceListener] = []

    def add(self, hear: WorkspaceListener) -> None:
        self._all.append(hear)

    def notify(self, workspace: str, progress: Progress) -> None:
        for hear in self._all:
            hear(workspace, progress)


def rebuild_params(progress: Progress) -> dict[str, Any] | None:
    """What a client is told of vectors that are computed anew; none if it is about something else."""
    if progress.rebuild is None:
        return None
    return {
        "phase": progress.rebuild.phase,
        "scope": progress.rebuild.scope,
        "done": progress.done,
        "total": progress.total,
        "message": progress.message,
    }
