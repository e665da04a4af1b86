"""Facts from the turns of a person who talks with an assistant: the person's own words, never the assistant's."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.extract.mail_text import own_text
from recollect.ingest.extract.passages import RecordPassage, date_order, in_block
from recollect.ingest.extract.record_text import ReadingRun
from recollect.ingest.extract.text_facts import SpeakerContext, TextFacts
from recollect.ingest.extract.text_people import TextPeople
from recollect.model.document import Document
from recollect.model.fact import PENDING_TIME, Assertion, ends_of_facts
from recollect.reading.blocks import Block, note_blocks
from recollect.reading.context import Context, Person
from recollect.reading.language import detect_language
from recollect.store.change import Change
from recollect.text.quotations import blank
from recollect.when.instant import Instant, local_date
from recollect.write.entity_refs import add_mentions
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import UNNAMED, profile_in
from recollect.write.source_reconciliation import reconcile_source

_REWRITE = re.compile(
    r"\b(?:rewrite|re-?phrase|paraphrase|correct|proof-?read|translate|fix|polish|improve|shorten|edit|summari[sz]e"
    r"|reply to|respond to|answer|check|review|analy[sz]e|explain|extract|convert|format"
    r"|continue|finish|complete|extend"
    r"|korrigier\w*|[üu]bersetz\w*|verbesser\w*|umschreib\w*|formulier\w*|zusammenfass\w*"
    r"|corrig\w*|tradui\w*|reformul\w*|r[ée]sum\w*|reescrib\w*|traduc\w*|resum\w*|reescrev\w*|traduz\w*"
    r"|corregg\w*|riscriv\w*|riassum\w*|verbeter\w*|vertaal\w*|herschrijf\w*|vat samen|r[äa]tta|[öo]vers[äa]tt\w*"
    r"|skriv om|popraw\w*|przet[łl]umacz\w*|przepisz\w*|stre[śs][ćc]\w*)\b[^\n:：]{0,120}(?:[:：]|\n)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\bmake (?:this|it|that|the following)\b[^\n:：]{0,60}[:：\n]"
    r"|\bhere(?:['’]s| is| are|s) (?:the|my|a|an|our) (?:\w+ ){0,2}"
    r"(?:text|draft|e-?mail|mail|letter|message|paragraph|essay|story|speech|post|reply|version|transcript)s?\b[^\n.:：]{0,60}[.:：\n]",
    re.IGNORECASE,
)
"""Words before a text that is given to be worked on."""
_DICTATED = re.compile(
    r"(?:^|[.!?;\n])[ \t]*+(?:(?:please|pls|can you|could you|now|and|then|ok|okay|also|help me)\W{1,3})*+"
    r"(?:write|draft|compose|invent|create|generate|prepare|reply|respond|answer|e-?mail|text|message|phrase)\b[^\n.!?]{0,80}?"
    r"\b(?:that says?|saying|which says|with the (?:\w+ )?(?:lines?|words|title|phrase|chorus|refrain|opening|sentence)"
    r"|(?:songs?|poems?|stor(?:y|ies)|haikus?|limericks?|raps?|scenes?|dialogues?|sketch(?:es)?|novels?|tales?|lyrics|jokes?)"
    r" (?:about|in which|where)|telling (?:him|her|them|\w+)|that(?= (?:i|we|he|she|they|it)\b))"
    r"(?P<words>[^\n.!?]*)",
    re.IGNORECASE,
)
"""What a text is to say that the assistant is asked to write."""
_PASTED = re.compile(
    r"^(?:From|Von|De|Subject|Betreff|Traceback|Error|import |def |class |\{|<)[^\n]*\n.*"
    r"|^\W{0,4}(?:User|Human|Assistant|SYSTEM|System|AI|Bot|ChatGPT|Claude|Gemini)\s?:\s.*",
    re.MULTILINE | re.DOTALL,
)
_FICTION = re.compile(
    r"\W*(?:(?:ok|okay|hey|hi|please|now|so|let['’]?s)\W+)*"
    r"(?:pretend|role[- ]?play|act (?:as|like)|play (?:the (?:role|part)|my)|imagine (?:that |you|i\b)"
    r"|stell dir vor|fais semblant|imagina que)\b",
    re.IGNORECASE,
)
MOST_TURNS = 2_000
LONGEST_TURN = 20_000


class HumanTurn(NamedTuple):
    """A turn of the person, parsed: where it stands in the transcript, the own words, their blocks, day and time.

    `written` is the turn with what it quotes.
    """

    start: int
    text: str
    at: Instant
    day: date | None
    language: str
    blocks: tuple[Block, ...]
    written: str = ""

    def passages(self, context: Context) -> list[RecordPassage]:
        """The blocks with their contexts and what they quote."""
        return [
            RecordPassage(
                each, each.start + self.start, in_block(context, each), self.written[each.start :][: len(each.text)]
            )
            for each in self.blocks
        ]


class ChatFacts(NamedTuple):
    """How many facts a conversation gave, and how many of them wait for their time."""

    facts: int
    pending: int


def own_words(text: str) -> str:
    """A turn with everything blanked out that is quoted, pasted, made up or given to be rewritten."""
    if _FICTION.match(text):
        return blank(text[:LONGEST_TURN])
    masked = own_text(text[:LONGEST_TURN])
    masked += blank(text[len(masked) :])
    masked = _DICTATED.sub(lambda found: found[0][: -len(found["words"]) or None] + " " * len(found["words"]), masked)
    for pattern, group_end in ((_REWRITE, True), (_GIVEN, True), (_PASTED, False)):
        found = pattern.search(masked)
        if found is not None:
            start = found.end() if group_end else found.start()
            masked = masked[:start] + blank(masked[start:])
    return masked


def parse_turn(start: int, text: str, at: Instant, zone: tzinfo) -> HumanTurn | None:
    """A turn, parsed before the write lock is taken; none if it has no own words in a language that is read."""
    own = own_words(text)
    language = detect_language(own)
    if not own.strip() or not language:
        return None
    try:
        day = local_date(at, zone)
    except Refused:
        day = None
    return HumanTurn(start, own, at, day, language, tuple(note_blocks(own, day)), text)


def read_chat(
    change: Change, document: Document, turns: Sequence[HumanTurn], before: Iterable[Assertion], run: ReadingRun
) -> ChatFacts:
    """Write the facts of a conversation; `before` are the assertions of its last reading."""
    drafts: list[FactDraft] = []
    pending = 0
    people = TextPeople(change, run.directory)
    for turn in turns:
        found = _turn_drafts(change, document, turn, people, run)
        drafts += found
        pending += sum(PENDING_TIME in each.attributes for each in found)
    reconcile_source(change, drafts, before)
    if drafts:
        add_mentions(change, document.id, ends_of_facts(drafts) | people.created)
    return ChatFacts(len(drafts), pending)


def _turn_drafts(
    change: Change, document: Document, turn: HumanTurn, people: TextPeople, run: ReadingRun
) -> list[FactDraft]:
    context = _context(change, turn, people)
    spoken = document._replace(source_at=turn.at, type="chat")
    facts = TextFacts(change, spoken, people, SpeakerContext(lambda: run.owner(change)), reader=run.reader)
    return facts.drafts(turn.passages(context))


def _context(change: Change, turn: HumanTurn, people: TextPeople) -> Context:
    zone = change.timeline.zone
    return Context(
        "chat",
        turn.day,
        zone,
        Person(profile_in(change).name or UNNAMED),
        (),
        people.persons_in(turn.text),
        None,
        date_order(change.world.settings, turn.language, zone),
        turn.language,
        is_fictional=change.timeline.is_fictional,
    )
