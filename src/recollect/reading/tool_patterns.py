"""Sentence forms for tools: what somebody tracks work in, deploys with, is on, or runs."""

import re
from collections.abc import Callable

from recollect.reading.phrases import is_amount, is_name, is_project_name, object_phrase, words_of
from recollect.reading.state import GROUP, OWNER, KnownName, State, subject_in
from recollect.reading.state_lexicon import CALL_TOOLS, TOOLS_AND_TEAMS, WORK_ITEMS
from recollect.text.patterns import lazy_pattern

_WHO = r"(?P<x>[Ww]e|I|i|[A-Z][^,;:]{0,60}?|[a-z][\w.]*[-_.][\w.-]+)"
_ADVERBS = r"(?:(?:now|currently|mainly|mostly|still|also|all|always) )*"
_KEPT_IN = lazy_pattern(
    rf"^{_WHO} {_ADVERBS}(?:track|log|file|manage|plan|keep|store|organi[sz]e|document|write|do|handle)s? "
    r"(?:(?:all|our|the|my|every|their|its) )*(?P<what>[a-z]+(?: [a-z]+)?) (?:in|with|on|using|via|through) (?P<y>.+)$"
)
_DONE_WITH = lazy_pattern(
    rf"^{_WHO} {_ADVERBS}(?:deploy|build|test|invoice|bill|host|develop|monitor|ship|version|provision|design)s?"
    r"(?: (?:everything|it|(?:our|the|its) [a-z]+))? (?:with|using|via|through) (?P<y>.+)$"
)
_HOSTED_ON = lazy_pattern(rf"^{_WHO} {_ADVERBS}(?:host|deploy)s?(?: everything| it)? (?:on|to|at) (?P<y>.+)$")
_IS_ON = lazy_pattern(r"^[Ww]e(?: are|'re) (?:all )?on (?P<y>.+)$")
_ON_PORT = lazy_pattern(r"^(?P<x>.{1,60}?) (?:runs|listens|is|is running|is listening) on port (?P<port>\d{2,5})$")
_AT_VERSION = lazy_pattern(r"^(?P<x>.{1,60}?) is (?:at|on) (?:version |v)(?P<v>\d[\w.-]*)$")
_RUNS = lazy_pattern(r"^(?P<x>.{1,60}?) (?:runs|operates) (?P<the>(?:the|an?|our|his|her|their) )?(?P<y>.+)$")
_I_RUN = lazy_pattern(r"^(?P<x>I|i|[Ww]e) (?:run|operate) (?P<the>(?:the|an?|our|my) )?(?P<y>.+)$")

TOOL_FORMS = (_KEPT_IN, _DONE_WITH, _HOSTED_ON, _IS_ON, _ON_PORT, _AT_VERSION, _RUNS, _I_RUN)


def match_tools(clause: str, known: KnownName, has_topic: bool) -> list[State]:
    """What a clause says of the tools that somebody uses or the things they run."""
    for read in _READERS:
        found = read(clause, known, has_topic)
        if found is not None:
            return [found]
    return []


def _kept(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`we track bugs in Linear`."""
    match = _KEPT_IN.match(clause)
    if match is None or WORK_ITEMS.isdisjoint(match["what"].split()):
        return None
    return _use(match, known, has_topic)


def _made(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`we deploy with Ansible`, `acme-web deploys to Hetzner`."""
    match = _DONE_WITH.match(clause) or _HOSTED_ON.match(clause)
    return _use(match, known, has_topic) if match is not None else None


def _use(match: re.Match[str], known: KnownName, has_topic: bool) -> State | None:
    subject, tool = subject_in(match["x"], known, has_topic=has_topic), match["y"]
    if subject is None or not is_name(tool) or words_of(tool)[-1].endswith(("day", "days")):
        return None
    return State(subject, "uses", tool, "present", None, "tool")


def _joined_tool(clause: str, _: KnownName, __: bool) -> State | None:
    """`we're on Jira`: only of what is known as a tool, and not of one for calls."""
    match = _IS_ON.match(clause)
    name = words_of(match["y"]) if match is not None and is_name(match["y"]) else []
    if match is None or not name or name[0] in CALL_TOOLS or name[0] not in TOOLS_AND_TEAMS:
        return None
    return State(GROUP, "uses", match["y"], "present", None, "tool")


def _ports_and_versions(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """The port or the version of a thing; people have neither."""
    for predicate, pattern in (("port", _ON_PORT), ("version", _AT_VERSION)):
        match = pattern.match(clause)
        subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
        if match is not None and subject not in (None, OWNER, GROUP):
            return State(subject or "", predicate, match[2])
    return None


def _operations(clause: str, known: KnownName, has_topic: bool) -> State | None:
    """`Bram runs the pottery studio`; a project runs what it uses: `acme-web runs Django`."""
    match = _RUNS.match(clause) or _I_RUN.match(clause)
    subject = subject_in(match["x"], known, has_topic=has_topic) if match is not None else None
    target = object_phrase(match["y"]) if match is not None else None
    if match is None or subject is None or target is None or is_amount(target):
        return None
    if is_project_name(subject):
        return State(subject, "uses", target, "present", None, "tool") if is_name(target) else None
    is_thing = match["the"] is not None and len(target.split()) <= _LONGEST_THING and not is_name(target)
    if words_of(target)[-1] in _NOT_RUN or not (is_thing or is_name(target)):
        return None
    return State(subject, "runs", target, "present", None, "" if is_name(target) else None)


_LONGEST_THING = 3
_NOT_RUN = frozenset(
    "risk risks errand errands temperature fever bath show tab race mile lap marathon way gamut numbers".split()
)
"""What one runs without operating it."""
_READERS: tuple[Callable[[str, KnownName, bool], State | None], ...] = (
    _kept,
    _made,
    _joined_tool,
    _ports_and_versions,
    _operations,
)
