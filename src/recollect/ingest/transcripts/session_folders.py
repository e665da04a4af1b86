"""Folders in which coding agents keep their sessions, among outputs of tools, notes and programs of their own."""

import re
from pathlib import Path

_CLAUDE_PROJECT = re.compile(r"-.*|[A-Za-z]--.*")
"""Claude Code names the folder of a project after its path."""
_SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GEMINI_SESSIONS = ("chats/session-*.json", "chats/session-*.jsonl")


def session_files(folder: Path) -> list[Path]:
    """The sessions of a folder of an agent; empty if it is not one. Nothing else in it is anybody's note."""
    if _CLAUDE_PROJECT.fullmatch(folder.name):
        return sorted(each for each in folder.glob("*.jsonl") if _SESSION_ID.fullmatch(each.stem))
    patterns = [f"*/{each}" for each in _GEMINI_SESSIONS] if _is_gemini_root(folder) else _GEMINI_SESSIONS
    return sorted(each for pattern in patterns for each in folder.glob(pattern))


def _is_gemini_root(folder: Path) -> bool:
    return folder.name == "tmp" and folder.parent.name == ".gemini"
