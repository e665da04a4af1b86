"""The sentences of a note and whose words they are: in a transcript or a letter "I" may be somebody else."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from recollect.ingest.extract.mail_text import own_text
from recollect.model.names import fold
from recollect.reading.hedges import is_joke, is_only_laughter
from recollect.reading.speaker_attribution import turn_in
from recollect.reading.state import GROUP, OWNER, State
from recollect.text.lexicon import GREETING_PATTERN
from recollect.text.patterns import lazy_pattern
from recollect.text.sentences import TextSpan, blocks, sentence_ends, trim

MAX_TEXT_CHARS = 200_000
MAX_SENTENCES = 400
_SIGN_OFF = lazy_pattern(
    r"(?:^|\n)[ \t]*(?:(?:best|kind|warm|many)?[ ]?(?:regards|wishes|greetings|thanks)|best|cheers|sincerely|thanks|"
    r"thank you|yours(?: \w+)?|love|take care|br|xoxo)\b[^\n]{0,30}\n+[ \t]*(?P<by>[A-Z][^\n]{0,40}?)[ \t]*\Z"
    r"|(?:^|\n)[ \t]*(?:[-–—]{1,3}|/)[ \t]?(?P<dash>(?-i:[A-Z])[\w.'’-]*(?: (?-i:[A-Z])[\w.'’-]*){0,3})[ \t]*\Z",
    re.IGNORECASE,
)
_GREETING_AND_NAME = lazy_pattern(
    rf"\A\s*(?:{GREETING_PATTERN}|[Gg]ood \w+)\b[^\n]{{0,40}}\n.*\n"
    r"[ \t]*(?P<by>[A-Z]\w+(?: [A-Z]\w+)?)[ \t]*\Z",
    re.DOTALL,
)
_LIST_ITEM = lazy_pattern(r"^[ \t]*[-–—][ \t]", re.MULTILINE)
_MAIL_HEADER = lazy_pattern(r"\A\s*(?:From|Subject|To|Date|Sent):\s", re.IGNORECASE)


class RecordSentence(NamedTuple):
    """One sentence: as it stands, and as it is read, with what is quoted in it left blank."""

    start: int
    stop: int
    quote: str
    masked_text: str


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """A sentence of a note.

    `is_owners` tells whether "I" in it means the owner, `is_meant` that it is no joke, and `is_turn_of_another` that
    it begins the words of somebody else.
    """

    record: RecordSentence
    is_owners: bool
    is_meant: bool = True
    is_turn_of_another: bool = False

    def says(self, state: State) -> bool:
        """Whether a state that stands in the sentence is claimed by the owner, or about somebody it names."""
        is_own = self.is_owners or state.subject not in (OWNER, GROUP)
        return self.is_meant and is_own and not self.is_turn_of_another


def read_note(text: str, owner_names: Collection[str]) -> list[NoteSentence]:
    """The sentences of a note, each with whose words it is."""
    sentences = split_sentences(text[:MAX_TEXT_CHARS])[:MAX_SENTENCES]
    following = [*(each.masked_text for each in sentences[1:]), ""]
    return [
        replace(each, is_meant=False) if _is_in_jest(each, after) else each
        for each, after in zip(_attribute_sentences(sentences, text, owner_names), following, strict=False)
    ]


def _is_in_jest(sentence: NoteSentence, following: str) -> bool:
    return is_joke(sentence.record.masked_text) or is_only_laughter(following)


def _attribute_sentences(
    sentences: Sequence[RecordSentence], text: str, owner_names: Collection[str]
) -> Iterator[NoteSentence]:
    names = {fold(name) for name in owner_names} | {"me", "i"}
    is_owners = not _is_letter_of_another(text, names)
    for sentence in sentences:
        turn = turn_in(sentence.masked_text)
        is_of_another = turn is not None and not turn.is_of(names)
        if turn is not None and (not is_of_another or turn.is_of_speaker):
            is_owners = not is_of_another
        yield NoteSentence(sentence, is_owners and not is_of_another, is_turn_of_another=is_of_another)


def _is_letter_of_another(text: str, names: Collection[str]) -> bool:
    if _MAIL_HEADER.match(text):
        return True
    signed = _SIGN_OFF.search(text.rstrip()) or _GREETING_AND_NAME.match(text.rstrip())
    signer = signed.groupdict() if signed is not None else {}
    if signer.get("dash") and len(_LIST_ITEM.findall(text)) > 1:
        return False  # the last of a list is nobody's name
    return signed is not None and fold((signer["by"] or signer["dash"]).rstrip(".")) not in names


def split_sentences(text: str) -> list[RecordSentence]:
    """The sentences of what the author wrote: no quoted lines, no earlier mail, no signature, no code."""
    masked = own_text(text)
    return [
        RecordSentence(start, stop, text[start:stop], " ".join(masked[start:stop].replace("’", "'").split()))
        for start, stop in _sentence_places(text, masked)
        if masked[start:stop].strip()
    ]


def _sentence_places(text: str, masked: str) -> Iterator[TextSpan]:
    """Where sentences stand: cut in the masked text, trimmed in the original, whose quotations they keep."""
    for block in blocks(masked):
        first = block.body
        for end in [*sentence_ends(masked, block.body, block.stop), block.stop]:
            yield trim(text, first, end)
            first = end
