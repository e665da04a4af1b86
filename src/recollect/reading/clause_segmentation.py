"""Where a messy sentence is cut into clauses: at marks, at conjunctions, and where a new verb begins."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from recollect.reading.english_verbs import action_verbs, third_person
from recollect.reading.language_table import language_table
from recollect.reading.times import end_of_opening_time
from recollect.text.caching import cache_short
from recollect.text.sentences import TextSpan, blocks, is_abbreviation, spans_in_block

_HARD = (
    r"\s*;\s+|\s+[\U0001F300-\U0001FAFF]\ufe0f?\s+(?=\w)|\s+(?:-{1,2}|[–—]|->|→|=>|\|)\s+|\s*\n\s*|(?:(?<!\d)\.|"
    r"[!?…])+[)\"”]*\s+|[.!?]{2,}\s*"
    r"|,?\s+(?:but|though|although|however|whereas)\s+(?=\w+ \w+)|,?\s+(?=(?:otherwise|or else)\b)"
    r"|,\s+(?:aber|mais|pero|mas|ma|maar|men|ale|donc|deshalb|daher|por isso|portanto|así que|quindi|dus|więc|und|"
    r"et|y|e|och|en)\s+(?=\w+ \w+)"
)
_SUBJECT = r"(?:i|we|you|u|he|she|they|it|that|this|there|someone|nobody|everybody|everyone|everything)"
_IM = (
    r"im (?!(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|frühjahr|frühling"
    r"|sommer|herbst|winter|jahre?|monat|büro|haus|garten|keller|moment|laufe|rahmen|auftrag|falle?|voraus|nächsten|kommenden"
    r"|letzten|neuen|alten|ersten|zweiten|internet|zug|auto|urlaub|krankenhaus)\b)\w"
)
"""English *I'm* without its apostrophe, and not German *im*."""
_STARTERS = (
    rf"(?:i|we)(?:'ll|'ve|'m|'d|'re)?\b(?! (?:think|guess|suppose|hope|know|mean)\b)|ill \w|{_IM}|(?:please|pls|"
    rf"plz|kindly)\b"
    r"|(?:can|could|would|will) (?:you|u|we|i)\b|let'?s\b|let me\b|don'?t\b|do not\b|will \w+|gonna\b|need (?:to|"
    r"an?|the|your|it)\b"
    rf"|{_SUBJECT}(?:'s|'ll|'re| (?:is|was|has|are|have|ca|could|should|must|need|did|does|do|wo)n't| is| was| will"
    r"| has| are| have| cannot| can| could| should| must| need| want)\b"
    r"|(?:the|my|our|your|his|her) [\w-]+(?: (?!(?:who|which|that|i|we|you|u|he|she|they)\b)[\w-]+)?(?: of [^\s,;:]+)?"
    r" (?:(?:is|are|was|has|have|ca|wo|do|does|did)n't|is|are|was|will|has|have|can"
    r"|needs?)\b|(?:(?:already|just|now|"
    r"all) )?(?:done|sent|paid|signed|booked|fixed|ordered|merged|tested|mailed|emailed|shipped|delivered|"
    r"submitted"
    r"|finished|installed|repaired|called|told|asked|blocked|stuck|waiting for|waiting on|no (?:charge|reply|"
    r"answer|news)|still no|bought|painted|returned|collected|printed|registered|renewed|updated|uploaded|replaced)\b"
    r"|(?:u|you) (?:bring|get|send|take|come|make)\b|no (?:rush|hurry|need|worries)\b"
)


# "… by the 22nd and Paul has to do the dishes": a task of another, after the day of the first.
_DUTY = (
    r"(?:(?<=day)|(?<=\dth)|(?<=\dst)|(?<=\dnd)|(?<=\drd)|(?<=week)|(?<=month)|(?<=tomorrow)|(?<=tonight))"
    r",?\s+and\s+(?=(?!\w+day\b)[^\W\d_]+ (?:has to|needs to|must|will) [a-z]+ \w)"
)
# "would you be a dear and post it" asks for one thing.
_COAXING = re.compile(r"\bbe (?:an? (?:\w+ )?[a-z]+|so kind|good)$")
# A picture of what was named, before when: "buy cat food 🛒 tomorrow".
_PICTURE = re.compile(r"[\U0001F300-\U0001FAFF]")
# What every boundary begins with; most places of a sentence are none, and the whole pattern takes long to say so.
_EDGE = (
    r"[;.!?…,:]|\s+(?:[-;–—→=|&+\U0001F300-\U0001FAFF]|(?:but|though|although|however|whereas|otherwise|or|and|so|then)\b)"
    r"|\s*\n"
)

_NO_GERMAN_DOER = (
    "d(?:er|ie|as|ann|ort|anach|enn)|we(?:r|lche[rs]?)|was|wie|wo|wenn|dass|weil|ob|falls|sobald|bis|sonst|bitte|niemand"
    "|jemand|man|er|sie|es|hier|da|so|nur|auch|morgen|heute|ich|wir|ihr"
)
"""What stands before a verb and is nobody's name."""
_LONGEST_TIME = 6


class ClauseSpan(NamedTuple):
    """Where a clause stands; `joint` is what joins it to the one before, in small letters."""

    start: int
    stop: int
    joint: str


@cache
def _boundary() -> re.Pattern[str]:
    doing = "|".join(sorted(action_verbs(), key=len, reverse=True))
    does = "|".join(sorted(map(third_person, action_verbs()), key=len, reverse=True))
    named = rf"(?:[,:]\s+|,?\s+(?:and|so|then)\s+)(?=[^\W\d_]+ (?:{does}) (?:\w|\d))|{_german_doer()}"
    soft = rf"(?:[,:]\s*(?:(?:and|so|then|also|or)\s+)?|\s+(?:and|so|then|&|\+)\s+(?:(?:then|also)\s+)?)(?={_STARTERS})"
    verb = rf"(?:,\s*(?:and\s+)?(?:then\s+)?|\s+(?:and|&|\+)\s+(?:then\s+)?)(?=(?:{doing}) (?:\w|\d))"
    return re.compile(rf"(?={_EDGE})(?:(?P<hard>{_HARD})|(?P<soft>{soft}|{named}|{_DUTY})|(?P<verb>{verb}))")


def _german_doer() -> str:
    """Ahead of the next who does something: *Vera reicht den Antrag ein, Leo klärt die Miete*."""
    table = language_table("de")
    does = "|".join(sorted(table.another.does)) if table is not None else ""
    return rf",\s+(?=(?!(?:{_NO_GERMAN_DOER})\b)[^\W\d_]+ (?:{does}) (?:\w|\d))"


@lru_cache(2_048)
def clause_spans(low: str) -> tuple[ClauseSpan, ...]:
    """The clauses of a sentence in small letters."""
    spans, start, joint = [], 0, ""
    for found in _boundary().finditer(low):
        if found.start() > start and _is_boundary(low, start, found):
            spans.append(ClauseSpan(start, _end(found), joint))
            start, joint = found.end(), found[0].strip()
    if low[start:].strip():
        spans.append(ClauseSpan(start, len(low), joint))
    return tuple(spans)


def _is_boundary(low: str, start: int, found: re.Match[str]) -> bool:
    """Whether enough words stand on both sides to make two statements."""
    if found[0].startswith(".") and is_abbreviation(low, start, found.start()):
        return False
    if found["hard"] is None and found[0].startswith(",") and _is_time(low[start : found.start()]):
        return False
    before = len(low[start : found.start()].split())
    after = len(low[found.end() : found.end() + 60].split())
    if found["hard"] is not None:
        return after > 0 and not (_PICTURE.search(found[0]) and _is_time(low[found.end() :].rstrip(" .!")))
    if found["verb"] is not None and _COAXING.search(low, start, found.start()):
        return False
    return (before >= 4 and after >= 2) if found["verb"] is not None else after >= 2


def _is_time(words: str) -> bool:
    """Whether words before what is told only say when: *By Friday, I'll send it*. Other languages need no comma."""
    return len(words.split()) <= _LONGEST_TIME and end_of_opening_time(words, "en") == len(words)


def _end(found: re.Match[str]) -> int:
    """Marks that end a sentence belong to the clause before them."""
    marks = re.match(r"[.!?…]+", found[0])
    return found.start() + (marks.end() if marks else 0)


_MONTH_WORD = (
    r"(?i:(?:jan|feb)(?:uary?|uari|ruar[iy]?)?|mär(?:z|ts)?|mar(?:s|ch|ts|zec)?|apr(?:il)?|mai|maj|ju[nl][iy]?|"
    r"aug(?:ust[iu]?)?|sept?(?:ember)?|o[kc]t(?:ober)?|nov(?:ember)?|de[zc](?:ember)?)\b"
)
_DOTTED_FIGURE = re.compile(r"\d\.")
_GERMAN_DAY = r"(?:(?<=\bam )|(?<=\b[Zz]um )|(?<=\b[Vv]om )|(?<=\bde[mnr] )|(?<=\bAm ))\d{1,2}\.(?=\s+[a-zäöü])"
_DOTTED = re.compile(rf"(?<![\w.-])\d{{1,2}}\.(?:\d{{1,2}}\.(?=\s+[a-zà-ÿ\d(])|(?=\s+{_MONTH_WORD}))|{_GERMAN_DAY}")


@cache_short(4_096, longest=1_000)
def message_sentences(text: str) -> tuple[TextSpan, ...]:
    """The sentences of a message; neither *30.10.* nor *15. Oktober* nor *am 17. ist* ends one."""
    spans: list[TextSpan] = []
    has_dates = _DOTTED_FIGURE.search(text) is not None
    for block in blocks(text):
        matches = _DOTTED.finditer(text, block.body, block.stop) if has_dates else ()
        dates = [TextSpan(found.start(), found.end() + 1) for found in matches]
        spans += spans_in_block(text, block.body, block.stop, "chat", dates)
    return tuple(spans)
