"""Words that take an act back: conditions, doubts, hopes, hearsay, irony, offers and other words that assert nothing.

They are matched against small letters, like the cues of acts. A guard outvotes every cue and every model.
"""

import re
from functools import cache
from typing import NamedTuple

from recollect.reading.cues import Modality
from recollect.reading.foreign_cues import foreign_guards
from recollect.text.patterns import lazy_pattern


class Guard(NamedTuple):
    """A pattern, the modality it shows, and the acts that mean it even so."""

    modality: Modality
    pattern: re.Pattern[str]
    spared: frozenset[str] = frozenset()


_WHETHER = lazy_pattern(
    r"\b(?:check|checks|see|ask|asks|asked|asking|know|tell|tells|told|wonder|wondering|wondered|confirm|find out|test|"
    r"doubt|clarify|hear|sure|decide|even|as|look|remember|understand|discuss|verify)\b[^,;.!?]*$"
)
_CONDITION = lazy_pattern(
    r"\b(?P<if>if)\b(?! (?:possible|poss|needed|necessary|you (?:can|could|have (?:time|a (?:minute|moment|sec))|don'?t mind|like|please|wouldn'?t mind)|that'?s ok|ok|at all possible|any|so|not|only|i remember|i'm not mistaken)\b)"
    r"|\bunless\b|\bprovided(?: that)?\b|\bassuming\b|\bsupposing\b|\bin case\b(?! of)|\bas long as\b|\bin the event\b|^\W*should (?:you|we|he|she|they|it|the)\b"
    r"|\bwhoever\b|\b(?:anyone|anybody|those|everyone) who\b|\bor else\b|\botherwise\b|^\W*had (?:i|we|he|she|they|you)\b|\bdepending on\b|\bdepends\b"
)
_CONDITION_HINTS = (
    "if",
    "who",
    "unless",
    "provid",
    "assum",
    "suppos",
    "case",
    "long as",
    "event",
    "should",
    "else",
    "otherwise",
    "had ",
    "depend",
)
_ASKS = frozenset({"request"})
_FEELS = frozenset({"concern", "preference", "goal", "blocker"})

GUARDS: tuple[Guard, ...] = (
    Guard("figurative", lazy_pattern(r"\bas if\b|\bas though\b|\bjust kidding\b|\bonly joking\b|\bjk\b|^\W*oh,? (?:sure|great|right)\b|\byeah,? right\b|\bmy foot\b|\bwhen pigs fly\b|\bover my dead body\b|\blike hell\b|\bkill (?:him|her|you|them|someone|myself)\b")),
    Guard("doubted", lazy_pattern(r"\b(?:apparently|allegedly|supposedly|reportedly|rumou?r(?:s|ed)?|they say|people say|word is|i(?:'ve)? heard|heard that|i hear|so i hear|it is said|gossip)\b")),
    Guard("doubted", lazy_pattern(r"\b(?:maybe|perhaps|probably|prob|prolly|possibly|presumably|likely|might|not sure|unsure|no idea|i guess|i suppose|i doubt|doubt|unlikely|who knows|not certain|hard to say|i'm not convinced|may (?:have|be|come|take|need|also|get|go|want|work|still)|tbd|tbc|tentative(?:ly)?|seems?|seemed)\b"), _FEELS | _ASKS),
    Guard("doubted", lazy_pattern(r"\bi (?:don'?t |do not )?(?:think|believe|reckon)\b(?=.*\b(?:will|'ll|is|are|has|have|was)\b)"), _FEELS | _ASKS | {"decision"}),
    Guard("doubted", lazy_pattern(r"\b(?:can'?t|cannot|cant|won'?t|not|no|never) promise\b|\bno promises\b|\bno guarantee")),
    Guard("hoped", lazy_pattern(r"\bhop(?:e|es|ed|ing|efully)\b|\bwish(?:es|ed)?\b|\bfingers crossed\b|\bwith (?:any )?luck\b|\blooking forward\b|\blook forward\b|\bdream(?:s|ed|ing|t)? (?:of|about)\b|\bif only\b|\binshallah\b|\bgod willing\b"), frozenset({"goal"})),
    Guard("attempted", lazy_pattern(r"\b(?:tried|almost|nearly|attempted|failed) (?:to )?[a-z]+")),
    Guard("considered", lazy_pattern(r"\b(?:thinking (?:of|about)|considering|contemplating|toying with|what if|how about|what about|why not|why don'?t|we could|i could|could also|one option|an option|ought to|should we|shall we|toying|debating|proposal|propose|suggest(?:ion)?s?|idea:|idea is|we should|i should|might as well|(?:he|she|they|it|one) (?:could|should))\b"), _ASKS | {"concern", "preference"}),
    Guard("conditional", lazy_pattern(r"\b(?:would|wouldn'?t|'d)\b(?! (?:you|u|like|rather|prefer|appreciate|be (?:great|grateful|good|nice|lovely|helpful|glad|kind))\b)"), _ASKS | _FEELS | {"completion"}),
    Guard("habitual", lazy_pattern(r"\b(?:usually|normally|typically|every (?:day|week|month|year|morning|evening|night|time|mon|tues|wednes|thurs|fri|satur|sun)\w*|whenever|used to)\b"), _ASKS | _FEELS | {"decision", "attribute", "event"}),
)  # fmt: skip

# Offers, politeness, advertising and the small print: no act at all.
IDLE = lazy_pattern(
    r"\b(?:let (?:me|us) know if (?:you|there|anything|i can|we can|this)|happy to help|feel free|don'?t hesitate|do not hesitate|at your (?:earliest )?convenience"
    r"|looking forward|look forward|thank(?:s| you) (?:for|in advance|so much|again)\b[^,;.!]*$|have a (?:nice|good|great|lovely)|take care[.!]*$|get well|see you|talk (?:soon|later)|speak soon"
    r"|unsubscribe|view (?:this|it) in (?:your )?browser|confidential|intended recipient|privileged|% off|limited time|shop now|click here|terms (?:and|&) conditions|all rights reserved|free shipping|subscribe|sale ends|act now|buy now|order now"
    r"|privacy policy|this (?:e-?mail|message) (?:and|may|is|was)|sent from my|you(?:'re| are) receiving this"
    r"|if you (?:need|want|have|would|like) .{0,40}(?:i|we) can\b|give my (?:love|regards|best)|say hi to|send my (?:love|regards)|good luck|happy birthday|congrat\w*|please (?:note|be advised|be aware)|sleep well|stay (?:safe|warm|strong)|no rush|no hurry|trust me|believe me|listen|look,|imagine|guess what|god knows|bless)\b"
)
_WEATHER = lazy_pattern(
    r"\b(?:it|the (?:rain|snow|sun|bus|train|weather|timer|alarm|wind|storm|forecast|oven|light|moon|tide)|rain|snow|storm)(?:'ll| will| is going to)\b"
)


def is_idle(clause: str) -> bool:
    """Whether a clause is an offer, a courtesy, an advertisement or small print, or tells of the weather."""
    return IDLE.search(clause) is not None or _WEATHER.search(clause) is not None


def is_conditional(sentence: str, language: str = "en") -> bool:
    """Whether an English sentence depends on a condition; "check if" and "if possible" do not count."""
    if language != "en" or not any(hint in sentence for hint in _CONDITION_HINTS):
        return False
    return any(
        found["if"] is None or _WHETHER.search(sentence, 0, found.start()) is None
        for found in _CONDITION.finditer(sentence)
    )


@cache
def _guards(language: str) -> tuple[Guard, ...]:
    if language == "en":
        return GUARDS
    rows = foreign_guards(language)
    return tuple(Guard(modality, lazy_pattern(pattern), _ASKS) for modality, pattern in rows)  # type: ignore[arg-type]


def guarding(clause: str, act: str | None, language: str = "en") -> Modality | None:
    """The modality that words of a clause show in spite of its act; none if it is meant."""
    for guard in _guards(language):
        if act not in guard.spared and guard.pattern.search(clause) is not None:
            return guard.modality
    return None
