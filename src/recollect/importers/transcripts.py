"""Importing session files of coding agents: a record for each turn, known by the id of its first message."""

import fnmatch
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from recollect.importers.import_run import ImportItem, ImportResult, ProgressListener, import_items
from recollect.ingest.line import IngestItem, content_digest, parse_line
from recollect.ingest.line_writer import write_line
from recollect.ingest.transcripts.messages import read_messages
from recollect.ingest.transcripts.turns import StoredTurn, read_turns, storable_turn
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.text.patterns import BadPattern, user_pattern
from recollect.text.redaction import secret_policy

IGNORE_FILE = ".recollectignore"
IGNORE_SETTING = "hook.ignore"
_REGEX = "re:"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """What is never stored: glob patterns of paths, and `re:` patterns of text."""

    patterns: tuple[str, ...] = ()

    def accepts(self, text: str) -> bool:
        return not any(self._matches(pattern, text) for pattern in self.patterns)

    @staticmethod
    def _matches(pattern: str, text: str) -> bool:
        if pattern.startswith(_REGEX):
            return _search(pattern.removeprefix(_REGEX), text)
        if "\n" in text or len(text) > 1_000:
            return False
        bare = pattern.strip("/")
        parts = PurePath(text).parts
        return fnmatch.fnmatch(text, pattern) or any(
            fnmatch.fnmatch("/".join(parts[start:stop]), bare)
            for start in range(len(parts))
            for stop in range(start + 1, len(parts) + 1)
        )


_CLAUDE_PROJECT = re.compile(r"-.*|[A-Za-z]--.*")
"""Claude Code names the folder of a project after its path."""
_SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GEMINI_SESSIONS = ("chats/session-*.json", "chats/session-*.jsonl")


def _search(pattern: str, text: str) -> bool:
    """A pattern that is not valid or too slow excludes everything: better too little is stored than too much."""
    try:
        return user_pattern(pattern).is_found_in(text)
    except BadPattern:
        return True


def ignore_rules(settings: Settings, folder: str | None) -> IgnoreRules:
    """The rules of the setting `hook.ignore`, of the project and of the home folder."""
    given = settings.text(IGNORE_SETTING) or ""
    lines = [each.strip() for each in given.split(",")]
    for place in _ignore_files(folder):
        lines += [line.strip() for line in place.read_text("utf-8-sig", "replace").splitlines()]
    return IgnoreRules(tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#"))))


def _ignore_files(folder: str | None) -> Iterator[Path]:
    places = [Path.home()]
    if folder:
        places += [Path(folder), *Path(folder).parents]
    for place in dict.fromkeys(places):
        file = place / IGNORE_FILE
        with suppress(OSError):  # the folder is what a session file says, and may be no path at all
            if file.is_file():
                yield file


def import_transcript(
    memory: Memory, path: Path, tell: ProgressListener | None = None, project: str | None = None
) -> ImportResult:
    """Import the turns of a session file; those known already change nothing, one that has grown is updated."""
    left_out: Counter[str] = Counter()
    found = list(_stored_turns(memory.settings, path, project, left_out))
    items = (_item(number, each) for number, each in enumerate(found, start=1))
    result = import_items(memory, path.name, items, len(found), tell, _TurnWriter())
    secrets = sum(each.secrets for each in found)
    if secrets:
        told = "1 secret was redacted" if secrets == 1 else f"{secrets} secrets were redacted"
        result.warnings.append(f"{path.name}: {told}")
    result.warnings += [f"{path.name}: skipped {count} {what}" for what, count in left_out.items() if count]
    return result


def _stored_turns(settings: Settings, path: Path, project: str | None, left_out: Counter[str]) -> Iterator[StoredTurn]:
    agent, messages = read_messages(path, left_out)
    for turn in read_turns(messages):
        rules = ignore_rules(settings, turn.folder)
        if turn.folder and not rules.accepts(turn.folder):
            continue
        name = project or (PurePath(turn.folder).name if turn.folder else "") or agent
        stored = storable_turn(turn, agent, name, rules.accepts, secret_policy(settings, "mask"))
        if stored is not None:
            yield stored


def _item(number: int, stored: StoredTurn) -> ImportItem:
    digest = content_digest(dict(stored.line))
    return ImportItem(number, number, digest, partial(parse_line, dict(stored.line)))


class _TurnWriter:
    """Writes lines as they are: nothing is extracted from them, and no model is asked."""

    def __init__(self) -> None:
        self.facts = 0
        self.pending = 0
        self.reason: str | None = None
        self.warnings: list[str] = []

    def write_record(self, change: Change, line: IngestItem) -> bool:
        changed = write_line(change, line)
        self.facts += len(line.facts) if changed else 0
        return changed

    def finish(self, memory: Memory) -> None:
        """Nothing is left to do at the end."""


def session_files(folder: Path) -> list[Path]:
    """The sessions of a folder of an agent; empty if it is not one. Nothing else in it is anybody's note."""
    if _CLAUDE_PROJECT.fullmatch(folder.name):
        return sorted(each for each in folder.glob("*.jsonl") if _SESSION_ID.fullmatch(each.stem))
    patterns = [f"*/{each}" for each in _GEMINI_SESSIONS] if _is_gemini_root(folder) else _GEMINI_SESSIONS
    return sorted(each for pattern in patterns for each in folder.glob(pattern))


def _is_gemini_root(folder: Path) -> bool:
    return folder.name == "tmp" and folder.parent.name == ".gemini"
