"""What a session has been shown, and when its transcript was last taken: a small file for each session."""

import hashlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

from recollect.serve.hooks.endpoint import state_folder

KEEP_SECONDS = 30 * 24 * 3600
MOST_SHOWN = 2_000


@dataclass(slots=True)
class SessionState:
    """Ids of what recall has shown in a session, so that nothing is shown twice."""

    path: Path | None
    shown: list[str] = field(default_factory=list)
    captured_at: float = 0.0

    def save(self) -> None:
        if self.path is None:
            return
        content = json.dumps({"shown": self.shown[-MOST_SHOWN:], "captured_at": self.captured_at})
        temporary = self.path.with_suffix(".new")
        temporary.touch(mode=0o600)
        temporary.write_text(content, "utf-8")
        temporary.replace(self.path)


def load_session(session: str) -> SessionState:
    """The state of a session; an unreadable file counts as an empty one."""
    if not session:
        return SessionState(None)
    folder = state_folder() / "sessions"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{hashlib.sha256(session.encode('utf-8', 'replace')).hexdigest()[:24]}.json"
    try:
        found = json.loads(path.read_text("utf-8"))
        return SessionState(path, [str(each) for each in found["shown"]], float(found["captured_at"]))
    except (OSError, ValueError, KeyError, TypeError):
        return SessionState(path)


def forget_old_sessions() -> None:
    """Remove the files of sessions that ended long ago."""
    oldest = time.time() - KEEP_SECONDS
    for path in (state_folder() / "sessions").glob("*.json"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def last_transaction(workspace: str, latest: int) -> int:
    """The transaction up to which the previous session knew a workspace; from now on, the latest."""
    folder = state_folder() / "workspaces"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{hashlib.sha256(workspace.encode('utf-8', 'replace')).hexdigest()[:24]}.txt"
    try:
        before = int(path.read_text("utf-8"))
    except (OSError, ValueError):
        before = 0
    path.touch(mode=0o600)
    path.write_text(str(latest), "utf-8")
    return before
