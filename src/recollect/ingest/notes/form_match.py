"""What a clause says, and whom it says it of."""

from collections.abc import Callable
from typing import NamedTuple

from recollect.ingest.notes.clause_times import Tense
from recollect.ingest.notes.phrases import is_name, is_project_name
from recollect.ingest.notes.word_lists import PEOPLE_NOUNS
from recollect.text.patterns import lazy_pattern

KnownName = Callable[[str], bool]
"""Whether a text is the name or alias of a known entity."""
OWNER, GROUP, UNNAMED = "I", "we", ""
"""Subjects that are not names: the owner, the owner or what the text is about, and what the text is about."""


class FormMatch(NamedTuple):
    """What a clause says; `subject` is a name or one of the three constants above."""

    subject: str
    predicate: str
    target: str | None
    tense: Tense = "present"
    subject_type: str | None = None
    target_type: str | None = None
    """The type of an entity that a capitalised target names; none if the target is a plain value."""
    replaces: bool = False
    has_ended: bool = False
    """Whether the clause says that this no longer holds."""
    replaced: str | None = None
    """The former target that this one replaces."""
    needs_known: bool = False
    """Whether the words say so only of a target that is known to be one: `Kim left Acme`."""


_RELATIVE_BY_NAME = lazy_pattern(
    rf"^(?:[Mm]y|[Oo]ur|.{{1,60}}?['’]s) (?:(?:older|younger|little|big|best|old|new|former|late) )?"
    rf"(?:{'|'.join(sorted(PEOPLE_NOUNS))})(?:[- ]in[- ]law)?,? (?P<name>[A-Z].*)$"
)


def subject_in(text: str, known: KnownName, *, has_topic: bool) -> str | None:
    """The subject that the words before a verb name; none if they are anything else."""
    words = text.strip()
    if words in ("I", "i"):
        return OWNER
    if words in ("We", "we"):
        return GROUP
    if not words:
        return UNNAMED if has_topic else None
    return named_subject(words, known)


def possessor_in(text: str | None, known: KnownName) -> str | None:
    """The subject that `my`, `our` or a possessive names; without one, what the text is about."""
    if text is None:
        return UNNAMED
    if text.lower() in ("my", "our"):
        return OWNER if text.lower() == "my" else GROUP
    return named_subject(text, known)


def named_subject(words: str, known: KnownName) -> str | None:
    """A name: capitalised, of a project, behind `my sister`, or of something known."""
    if relative := _RELATIVE_BY_NAME.match(words):
        return relative["name"] if is_name(relative["name"]) else None
    is_known = words.lower() not in ("me", "it", "you") and known(words)
    return words if is_name(words) or is_project_name(words) or is_known else None
