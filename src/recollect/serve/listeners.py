"""Listeners for progress of background work, one for each transport."""

from collections.abc import Callable
from typing import Any

from recollect.model.progress import Progress

REBUILD_METHOD = "notifications/embedding-rebuild"
WorkspaceListener = Callable[[str, Progress], None]
"""Takes the workspace and the progress; called from any thread, must not block."""


class ProgressListeners:
    """The listeners of one process."""

    def __init__(self) -> None:
        self._all: list[WorkspaceListener] = []

    def add(self, hear: WorkspaceListener) -> None:
        self._all.append(hear)

    def notify(self, workspace: str, progress: Progress) -> None:
        for hear in self._all:
            hear(workspace, progress)


def rebuild_params(progress: Progress) -> dict[str, Any] | None:
    """Parameters of the notification about rebuilt embeddings; none for other progress."""
    if progress.rebuild is None:
        return None
    return {
        "phase": progress.rebuild.phase,
        "scope": progress.rebuild.scope,
        "done": progress.done,
        "total": progress.total,
        "message": progress.message,
    }
