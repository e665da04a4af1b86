"""The words of a sentence without greeting, markup and opening, and who says them: `Kim: I live in Oslo`."""

import re
from collections.abc import Collection
from typing import NamedTuple

from recollect.model.names import fold
from recollect.reading.context import Context
from recollect.reading.sections import section_kind
from recollect.reading.state import strip_correction
from recollect.text.lexicon import GREETING_PATTERN
from recollect.text.patterns import lazy_pattern

_OPENING = lazy_pattern(
    r"^(?:(?:please |always )?(?:remember|note|fyi|btw|by the way|for the record|for your information|heads[- ]?up|"
    r"just so you know|just to let you know|note to self|reminder|update|p\.?s\.?|til|also|and|so|oh|ok|okay|well|yes|"
    r"yeah|no|actually|anyway|currently|now|right now|these days|nowadays|i confirm)(?:[,:]? that|[,:]|(?= ))\s+)+",
    re.IGNORECASE,
)
_TOPIC_LABEL = lazy_pattern(
    r"^(?:[\w'-]+ ){0,2}(?:stand-?up|meeting|minutes|notes?|sync|retro|retrospective|kick-?off|call|summary|recap|"
    r"news|status|context|background|info|tl;?dr|facts?|profile|about me|debrief|briefing|check-?in|catch-?up)"
    r"(?: (?:notes?|summary|recap|update|today|yesterday))?: ",
    re.IGNORECASE,
)
"""What notes begin with that name their occasion: nobody speaks after `Standup:`."""
_GREETING = lazy_pattern(rf"^{GREETING_PATTERN}(?: there| all| everyone|(?: [A-Z][\w'-]*){{0,2}})?\s?[,!]\s+")
_YEARS = lazy_pattern(r"(?<=\d)[–—](?=\d)")
_MARKUP = lazy_pattern(r"`([^`\s]+)`|\*\*([^*]+)\*\*")
_TURN = lazy_pattern(r"^[\W_]*(?P<who>[^\W\d_][^:*_\n]{0,60}?)[*_]*:(?!//)[*_]*\s")
_SPEAKER = lazy_pattern(r"(?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*){0,2}$")
_ROLES = frozenset("user human assistant ai bot system customer agent interviewer q a".split())
_ACT_LABELS = frozenset({"action", "blocker", "decision", "goal", "request", "risk", "task", "todo"})


class SpokenTurn(NamedTuple):
    """Words after `NAME:` at the start of a sentence, and the name."""

    who: str
    words: str

    def is_of(self, names: Collection[str]) -> bool:
        """Whether the words are those of somebody with one of these folded names."""
        return fold(self.who) in names

    @property
    def is_of_speaker(self) -> bool:
        """Whether the name may be that of somebody who speaks, as opposed to a label."""
        return _SPEAKER.match(self.who) is not None or fold(self.who) in _ROLES


def turn_in(sentence: str) -> SpokenTurn | None:
    """The turn of a conversation that a sentence begins; none if it begins with no name and colon."""
    words = strip_opening(strip_correction(bare_words(sentence)).text)
    found = _TURN.match(words)
    is_turn = found is not None and fold(found["who"]) not in _ACT_LABELS and section_kind(found["who"]) != "tasks"
    return SpokenTurn(found["who"], words[found.end() :]) if found is not None and is_turn else None


def speaker_names(context: Context) -> set[str]:
    """The folded names under which a text may give its own speaker a turn."""
    speaker = context.speaker
    forms = (speaker.name, *speaker.forms) if speaker is not None else ()
    return {fold(name) for name in forms} | {"me", "i"}


def strip_opening(words: str) -> str:
    """The words without `btw`, `note to self:`, `Standup:` and the like in front."""
    return _TOPIC_LABEL.sub("", _OPENING.sub("", words))


def bare_words(sentence: str) -> str:
    """A sentence without greeting and markup, with plain apostrophes and spaces."""
    plain = _YEARS.sub("-", " ".join(sentence.replace("’", "'").split()))
    return _GREETING.sub("", _MARKUP.sub(r"\1\2", plain))
