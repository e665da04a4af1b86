"""Turns of a session: what a person asked, what the agent concluded, which files and commands it took."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from recollect.ingest.transcripts.agent_message import AgentMessage, is_bare_command
from recollect.model.trust import SOURCE_TRUST
from recollect.text.fold import collapse_spaces, shorten
from recollect.text.redaction import RedactedText, SecretPolicy, redact, without_private
from recollect.text.sentences import split_sentences

TYPE = "agent_session"
LONGEST_PROMPT = 4_000
LONGEST_CONCLUSION = 4_000
LONGEST_COMMAND = 200
LONGEST_DECISION = 300
MOST_LISTED = 20

Accepts = Callable[[str], bool]
"""Whether a path, a command or a text may be stored."""

_DECISION = re.compile(
    r"\b(?:we (?:decided|agreed|settled on|chose|went with|will go with|switched (?:to|from)|are going with)\b"
    r"|we'll go with\b|(?:I|we)(?:'ve| have) decided\b|decision:|let's (?:go with|use|stick (?:to|with))\b"
    r"|going with\b)",
    re.IGNORECASE,
)
_CONVENTION = re.compile(
    r"\b(?:always\b|never\b|from now on\b|as a rule\b|convention:|we (?:use|prefer|avoid|don't use)\b)",
    re.IGNORECASE,
)
_BETWEEN_PATHS = re.compile(r"[\s=;|&<>\"'`()\[\]{}]+")
_AROUND_PATHS = "@,:!?.*_"
_HEDGED = re.compile(r"\?|^(?:if|should|could|would|can|what|why|how|do|does|maybe|perhaps)\b|\bmaybe\b", re.IGNORECASE)


@dataclass(slots=True)
class Turn:
    """One request of a person and what became of it."""

    id: str
    session: str
    folder: str | None
    at: str | None
    prompt: str
    conclusion: str = ""
    files: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    output_bytes: int = 0
    paths: list[str] = field(default_factory=list)
    """All paths that tools were given."""

    def add(self, message: AgentMessage) -> None:
        if message.role == "assistant" and message.text.strip():
            self.conclusion = message.text
        self.files += message.files
        self.commands += message.commands
        self.output_bytes += message.output_bytes
        self.paths += message.paths

    @property
    def named(self) -> Iterator[str]:
        """Every path and command it names; a text may name paths among its words."""
        yield from (*self.files, *self.paths, *self.commands)
        for text in (self.prompt, *self.commands):
            yield from paths_in(text)


def paths_in(text: str) -> Iterator[str]:
    """The words of a text that may be paths."""
    words = (each.strip(_AROUND_PATHS) for each in _BETWEEN_PATHS.split(text))
    return (each for each in words if "/" in each or "." in each or "\\" in each)


def read_turns(messages: Iterable[AgentMessage]) -> Iterator[Turn]:
    """A turn for each request of a person; what comes before the first one belongs to none."""
    current: Turn | None = None
    for message in messages:
        if message.is_prompt:
            if current is not None:
                yield current
            current = Turn(message.id, message.session, message.folder, message.at, message.text)
        elif current is not None:
            current.add(message)
    if current is not None:
        yield current


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn as a line of a bundle, and how many secrets were taken out of it."""

    line: Mapping[str, Any]
    secrets: int


def storable_turn(
    turn: Turn, agent: str, project: str, accepts: Accepts, policy: SecretPolicy = "mask"
) -> StoredTurn | None:
    """The turn without what must not be stored; none if nothing is left or its text is excluded.

    Only what the policy says to keep is kept: a session goes on, so that nobody could be asked about a refusal.
    """
    clean = _redactor(policy)
    prompt, conclusion = clean(turn.prompt), clean(turn.conclusion)
    if is_bare_command(turn.prompt) and not (turn.conclusion or turn.files or turn.commands):
        return None
    asked = shorten(prompt.text.strip(), LONGEST_PROMPT)
    concluded = shorten(conclusion.text.strip(), LONGEST_CONCLUSION)
    if not asked or not accepts(asked) or not all(map(accepts, turn.named)):
        return None
    concluded = concluded if accepts(concluded) and all(map(accepts, paths_in(concluded))) else ""
    commands = [clean(" ".join(each.split())[:LONGEST_COMMAND]) for each in turn.commands]
    files = [_shown_path(each, turn.folder) for each in turn.files]
    shown = _Lists(_unique(files), _unique(each.text for each in commands), turn.output_bytes)
    secrets = prompt.secrets + conclusion.secrets + sum(each.secrets for each in commands)
    return StoredTurn(_line(turn, agent, project, asked, concluded, shown), secrets)


def _redactor(policy: SecretPolicy) -> Callable[[str], RedactedText]:
    return redact if policy != "keep" else lambda text: RedactedText(without_private(text))


@dataclass(frozen=True, slots=True)
class _Lists:
    files: Sequence[str]
    commands: Sequence[str]
    output_bytes: int


def _line(turn: Turn, agent: str, project: str, asked: str, concluded: str, shown: _Lists) -> dict[str, Any]:
    parts = [f"Asked: {asked}"]
    parts += [f"Concluded: {concluded}"] if concluded else []
    parts += [f"Files changed: {', '.join(shown.files[:MOST_LISTED])}"] if shown.files else []
    parts += [f"Commands: {'; '.join(shown.commands[:MOST_LISTED])}"] if shown.commands else []
    parts += [f"Tool output: {shown.output_bytes} bytes, not stored"] if shown.output_bytes else []
    record = {
        "id": f"{agent}:{turn.session}:{turn.id}",
        "type": TYPE,
        "title": f"{project}: {shorten(collapse_spaces(asked), 60)}",
        "content": "\n\n".join(parts),
        "metadata": {"session": turn.session, "agent": agent, "project": project},
    }
    record |= {"source_at": turn.at} if turn.at else {}
    facts = [*_facts(project, asked), *_facts(project, concluded, only_decisions=True)]
    return {"record": record, "entities": [{"name": project, "type": "project"}], "facts": facts}


def _facts(project: str, text: str, only_decisions: bool = False) -> Iterator[dict[str, Any]]:
    """Sentences that say what was decided, or what the person wants to be done always or never."""
    for found in split_sentences(text):
        sentence = " ".join(found.split())
        if not 12 <= len(sentence) <= LONGEST_DECISION or _HEDGED.search(sentence):
            continue
        kind = _kind_of(sentence)
        if kind is not None and not (only_decisions and kind == "convention"):
            yield {
                "from": project,
                "predicate": kind,
                "fact_type": kind,
                "edge_label": "ASSERTED",
                "to": {"literal": sentence},
                "fact": sentence,
                "confidence": "inferred" if only_decisions else "stated",
                # The agent may repeat what a page or a tool told it.
                **({"attributes": {SOURCE_TRUST: "unknown"}} if only_decisions else {}),
            }


def _kind_of(sentence: str) -> str | None:
    if _DECISION.search(sentence):
        return "decision"
    return "convention" if _CONVENTION.search(sentence) else None


def _shown_path(path: str, folder: str | None) -> str:
    """A path relative to the project, if it lies in it."""
    try:
        return PurePath(path).relative_to(folder or "").as_posix()
    except ValueError:
        return path


def _unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(each for each in items if each))
