"""What somebody was asked to say or promised to say, and says in their next message of the thread.

The message itself is the answer, whatever it says and however little of the question it repeats: *wait, but I need four
of them* answers *do you want to cancel? I need to know by Wednesday*. A message that only puts the answer off is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from recollect.ingest.extract.utterances import SpokenText
from recollect.model.similarity import without_dates
from recollect.reading.language_table import names_of_days_and_months
from recollect.reason.closures.closure_participants import is_by, name_words
from recollect.reason.closures.closure_terms import (
    ANSWER_WANTED,
    BARE_REPORT,
    CONTACT_STEMS,
    MESSAGE,
    NOT_YET,
    TOLD_LATER,
    WEAK_STEMS,
    is_receipt,
    thing_terms,
)
from recollect.reason.closures.open_item_index import shared_terms, terms_of
from recollect.reason.closures.open_items import ItemFact
from recollect.text.tokens import bare_terms

RULE = "answer"
_PROMISED = re.compile(
    r"\b(?:tell|let) (?:you|u)\b|\bget back to (?:you|u)\b|\bconfirm\b|\bgeben? .*bescheid\b"
    r"|\bvous (?:dis|dirai|confirme)\b|\ble (?:digo|confirmo)\b|\bvi (?:dico|confermo)\b|\blaat .*weten\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 3
_COMPARED = 60
"""Letters at the end of an item that stand right before a report."""
_DAYS_LATE = 10 * 86_400_000_000
_VALUE = re.compile(
    r"\b(?:prices?|costs?|quotes?|rates?|fees?|numbers|figures|counts?|head ?counts?|amounts?|totals?|sizes?"
    r"|measurements|dimensions|weights?|how (?:many|much|long|big)|preis\w*|wie viele?|anzahl|prix|combien|precio"
    r"|cuánt\w+|prezzo|quant[oiae]|prijs|hoeveel|preço|ile|cena)\b",
    re.IGNORECASE,
)
"""Items that a number answers."""
_NAMED = re.compile(
    r"\bnames?\b|\bwho (?:is|['’]s|are|will|does|has|to)\b|\bwhich (?:person|firm|company)\b|\bwer\b|\bqui\b|\bquién\b",
    re.IGNORECASE,
)
"""Items that a name answers."""
_NAME = re.compile(r"(?<=[a-z'’,:] )[A-ZÀ-Þ][a-zà-þ][\w-]+")
_ASKED_FOR = re.compile(
    r"\b(?:send|give|get|tell|let|mail|text|email|what|how|need|know|confirm"
    r"|schick\w*|nenn\w*|envoy\w*|mand\w*|stuur)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b\d{1,2}(?::\d\d| ?(?:am|pm|h|uhr)\b)|\b(?:at|um|à|by|on|the) \d{1,2}\b", re.IGNORECASE)
_PUT_OFF = re.compile(
    r"\blet me (?:check|ask|think|see)\b|\b(?:i'?ll|we'?ll|will|must|need to|have to|going to) (?:have to )?"
    r"(?:ask|check|look|see|find out|confirm|know|think|discuss|ring|answer|reply|tell|write)\b"
    r"|\bi'?ll have \w+ \w+|\b(?:don'?t|do not) know\b|\bnot sure\b|\bmore (?:soon|later|tomorrow)\b"
    r"|\b(?:melde mich|sage .*bescheid|ich frage|je (?:vous dirai|demande)|le pregunto|chiedo|vraag het)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"\W*(?:(?:hi|hello|hey|dear|hallo|liebe\w*|bonjour|ciao|hola|hej|ol[áa])\b[^.!?]*|.*,"
    r"|(?:will do|sure(?: thing)?|ok(?:ay)?|of course|no problem|noted|on it|understood|leave it with me|mache ich"
    r"|d'accord|vale|va bene|best(?: wishes)?|(?:kind |best )?regards|cheers|love)(?:[ ,]+[^\W\d_]+){0,2})\W*$",
    re.IGNORECASE,
)
"""A greeting, a farewell or a mere consent."""


def answers_in_thread(texts: Sequence[SpokenText], items: Iterable[ItemFact]) -> Iterator[tuple[ItemFact, SpokenText]]:
    """The items of its thread that a message answers, each with the sentence that says most of it."""
    said = [each for each in texts if _says_something(each)]
    if not said or any(_puts_off(each.text) for each in texts):
        return
    wanted = [item for item in items if _wants_answer_of(item, said[0])]
    for item in wanted:
        best = max(said, key=lambda each: len(_shared(item, each)))
        if _VALUE.search(item.own_text) is not None:
            given = next((each for each in said if _gives_number(each.text)), None)
            if given is not None:
                yield item, given
                continue
        if _asks_name(item.own_text):
            given = next((each for each in said if _gives_name(item, each)), None)
            if given is not None:
                yield item, given
                continue
        is_only_one = len(wanted) == 1 and item.kind == "request" and ANSWER_WANTED.search(item.own_text) is not None
        if is_only_one or _shared(item, best):
            yield item, best


def messages_sent(texts: Sequence[SpokenText], items: Iterable[ItemFact]) -> Iterator[tuple[ItemFact, SpokenText]]:
    """The items to write something to somebody that a message of their owner to that person fulfils.

    *Mail Llew today* asks for any message to Llew; *tell him about the keys*, and *tell you by Thursday if it is
    realistic*, for one that has all that it names.
    """
    said = [each for each in texts if _says_something(each)]
    if not said or not said[0].addressee_names or any(_puts_off(each.text) for each in texts):
        return
    told = thing_terms(" ".join((said[0].subject, *(each.text for each in said))))
    for item in items:
        if not is_by(item, said[0].author.id) or not _is_timely(item, said[0]):
            continue
        name = _recipient(item, said[0].addressee_names)
        things = terms_of(item) - WEAK_STEMS - CONTACT_STEMS - thing_terms(name or "")
        is_to_them = name is not None or (item.kind == "commitment" and things and _PROMISED.search(item.own_text))
        if is_to_them and things <= set(shared_terms(item, told)):
            yield item, max(said, key=lambda each: len(_shared(item, each)))


def _recipient(item: ItemFact, names: Iterable[str]) -> str | None:
    """The one of these people whom an item is to be written to: Llew of *mail Llew today*."""
    found = MESSAGE.match(item.own_text.strip())
    if found is None:
        return None
    named = {*bare_terms(found[0]), *bare_terms(item.own_text.strip()[found.end() :])[:_LONGEST_NAME]}
    return next((name for name in names if named & name_words(name)), None)


def done_at_once(texts: Sequence[SpokenText], items: Sequence[ItemFact]) -> Iterator[tuple[ItemFact, SpokenText]]:
    """The items that a bare report right behind them in the same text or chat closes: *perfect, sent it off*."""
    for said in texts:
        if not said.before or BARE_REPORT.match(said.text) is None or thing_terms(said.text) - WEAK_STEMS:
            continue
        before = said.before.rstrip(" .!")
        for item in items:
            own = item.own_text.strip(" .!")[-_COMPARED:]
            if own and before.endswith(own) and is_by(item, said.author.id) and item.latest.at < said.at:
                yield item, said


def _is_timely(item: ItemFact, said: SpokenText) -> bool:
    return item.latest.at < said.at <= max(item.latest.at, item.due or 0) + _DAYS_LATE


def _says_something(said: SpokenText) -> bool:
    is_name = name_words(said.author.name) >= set(bare_terms(said.text))
    is_idle = _SAYS_NOTHING.match(said.text) is not None or is_receipt(said.text)
    return not (is_name or is_idle or said.text.endswith("?"))


def _gives_number(text: str) -> bool:
    """Whether a text has a number that is no day and no time."""
    return any(each.isdigit() for each in _CLOCK.sub(" ", without_dates(text)))


def _gives_name(item: ItemFact, said: SpokenText) -> bool:
    """Whether a text names somebody or something beside the two who write."""
    known = {*name_words(said.author.name), *(word for name in item.names for word in name_words(name))}
    named = [each for each in _NAME.findall(said.text) if each.casefold() not in names_of_days_and_months()]
    return any(each.casefold() not in known for each in named)


def _asks_name(text: str) -> bool:
    return _NAMED.search(text) is not None and _ASKED_FOR.search(text) is not None


def _asks_number(text: str) -> bool:
    return _VALUE.search(text) is not None and _ASKED_FOR.search(text) is not None


def _puts_off(text: str) -> bool:
    return any(pattern.search(text) is not None for pattern in (_PUT_OFF, TOLD_LATER, NOT_YET))


def _wants_answer_of(item: ItemFact, said: SpokenText) -> bool:
    """Whether an item is to be answered by the author of a text, to the one who asked for it."""
    if not is_by(item, said.author.id) or said.at <= item.latest.at or said.threads.isdisjoint(item.threads):
        return False
    if item.kind == "request":
        is_asked = (
            ANSWER_WANTED.search(item.own_text) is not None or _asks_number(item.own_text) or _asks_name(item.own_text)
        )
        return is_asked and item.subject.id in said.addressees
    return item.kind == "commitment" and _PROMISED.search(item.own_text) is not None


def _shared(item: ItemFact, said: SpokenText) -> set[str]:
    return set(shared_terms(item, thing_terms(said.text))) - WEAK_STEMS
