"""Who speaks in the lines of a note that begin with a name and a colon: `**Niko:** I'll bring the ladder`."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from recollect.ingest.extract.passages import RecordPassage
from recollect.ingest.extract.text_people import TextPeople, looks_like_name
from recollect.model.names import fold
from recollect.reading.blocks import BlockLead
from recollect.reading.phrases import is_plural
from recollect.reading.sections import section_kind
from recollect.text.patterns import lazy_pattern
from recollect.text.stop_words import STOP_WORDS

_OWN_WORDS = lazy_pattern(
    r"\W*(?:(?:ok|okay|yes|no|sure|sorry|thanks|thx|hi|hey|and|but|well|then|ja|nein|oui|non|sí|sì|sim|nee|tak|nie)\W+){0,2}"
    r"(?:i|i['’](?:ll|m|ve|d)|we|we['’](?:ll|re|ve|d)|my|will|can['’]?t|ich|wir|je|j['’]\w+|nous|yo|voy|io|vado|eu|vou|ik|wij|"
    r"jag|vi|ja|my)(?!\w)",
    re.IGNORECASE,
)
"""Words of who speaks for themselves."""
_TOLD_TO_SOMEBODY = lazy_pattern(
    r"\W*(?:please|pls|can you|could you|would you|bitte|kannst du|peux-tu|por favor|per favore|alsjeblieft|proszę)\b",
    re.IGNORECASE,
)
_WRITER = frozenset({"me", "ich", "moi", "yo", "eu", "io", "ik", "jag", "ja"})
_TOPICS = frozenset(
    "plan plans idea ideas morning noon afternoon evening night weekend week kitchen bathroom garden garage house home "
    "flat office work school car bike boat shop shed roof attic cellar basement workshop bedroom hall studio lab "
    "health food dinner lunch breakfast shopping groceries budget money finance travel trip holiday party wedding "
    "birthday club band choir team family mood gratitude reflection reflections summary result results conclusion "
    "conclusions lesson lessons learned challenge win wins fail context background reason problem solution issue "
    "option options answer question draft goal goals intention focus habit exercise reading writing project research "
    "thesis essay exam homework diary log journal reminder warning important later soon maybe outcome verdict "
    "promise promises commitment deadline followup follow-up next-step step steps".split()
)
"""What the lines of notes begin with that is nobody."""
_LINES = frozenset({"paragraph", "item"})
_LOG_LINES = 4
_LOG_SHARE = 0.7


class Dialogue(NamedTuple):
    """Whom the lines of a note quote: those who speak for sure, and names of whom that cannot be told."""

    speakers: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()


NO_DIALOGUE = Dialogue()


def dialogue_in(passages: Sequence[RecordPassage], people: TextPeople) -> Dialogue:
    """The speakers of a note, who are known from now on."""
    found = Dialogue(_speakers_of_log(passages, people)) if passages else NO_DIALOGUE
    found = found if found.speakers else _speakers_in(passages)
    for name in sorted(found.speakers):
        people.resolve(name if name[:1].isupper() else name.title(), may_create=True)
    return found


def _speakers_of_log(passages: Sequence[RecordPassage], people: TextPeople) -> frozenset[str]:
    """The speakers of a copied chat in small letters: nearly every line begins with one of a few names.

    A heading that is the name of a channel tells a chat; otherwise some speaker is known and one speaks again.
    """
    lines = [each for each in passages if each.context.kind in ("note", "minutes") and each.block.kind in _LINES]
    names = [each.block.lead.name for each in lines if each.block.lead is not None]
    spoken = Counter(name for name in names if _may_be_nick(name))
    if len(spoken) < 2 or spoken.total() < _LOG_SHARE * len(lines) or not any(name[0].islower() for name in spoken):
        return frozenset()
    is_channel = any(title.startswith("#") for each in lines[:1] for title in each.block.headings)
    is_talk = spoken.total() >= _LOG_LINES and spoken.most_common(1)[0][1] > 1
    is_chat = is_channel or (is_talk and any(people.resolve(name) is not None for name in spoken))
    return frozenset(spoken) if is_chat else frozenset()


def _may_be_nick(name: str) -> bool:
    folded = fold(name)
    return " " not in name and section_kind(name) is None and folded not in _TOPICS and folded not in STOP_WORDS


def _speakers_in(passages: Sequence[RecordPassage]) -> Dialogue:
    """Several names, or one in bold or again and again, before words in the first person."""
    led = [(each, each.block.lead) for each in passages if each.context.kind in ("note", "minutes")]
    has_writer = any(lead is not None and fold(lead.name) in _WRITER for _, lead in led)
    leads = [(each, lead) for each, lead in led if lead is not None and _may_speak(lead, passages)]
    own = [(each, lead) for each, lead in leads if _OWN_WORDS.match(each.text, lead.stop)]
    if not own:
        return NO_DIALOGUE
    told = [lead.name for each, lead in leads if _TOLD_TO_SOMEBODY.match(each.text, lead.stop)]
    times = Counter([*(lead.name for _, lead in own), *told])
    bold = {lead.name for each, lead in own if "**" in each.text[: lead.stop] or "__" in each.text[: lead.stop]}
    speakers = frozenset(name for name in times if has_writer or len(times) > 1 or times[name] > 1 or name in bold)
    return Dialogue(speakers, frozenset(lead.name for _, lead in own) - speakers)


def _may_speak(lead: BlockLead, passages: Sequence[RecordPassage]) -> bool:
    words = fold(lead.name).split()
    if len(words) > 2 or not looks_like_name(lead.name) or section_kind(lead.name) is not None:
        return False
    if any(word in _TOPICS for word in words) or is_plural(lead.name):
        return False
    common = re.compile(rf"(?<!\w){re.escape(lead.name.lower())}(?!\w)")
    return not any(common.search(each.text) for each in passages)
