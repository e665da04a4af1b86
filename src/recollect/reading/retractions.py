"""What a writer takes back in the next breath: *Let's take the red one. No wait, the blue one.*"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from recollect.reading.clause_reading import ClauseReading
from recollect.text.patterns import lazy_pattern
from recollect.text.sentences import TextSpan

_STRONG = (
    r"(?:no,? wait(?! (?:for|until|till)\b)|wait,? no|hang on,? no|hold on,? no|scratch that|strike that|actually,? no"
    r"|no,? sorry|sorry,? no|nein,? (?:warte|moment|doch)|moment,? nein|quatsch|non,? (?:attends|attendez|plutôt)"
    r"|(?:ah |euh )?non,? pardon|no,? (?:espera|perdón|mejor|aspetta|anzi|scusa)|anzi,? no|nee,? (?:wacht|toch)"
    r"|não,? (?:espere|espera|desculpa)|nie,? (?:czekaj|jednak)|nej,? (?:vänta|förresten))"
)
_WEAK = (
    r"(?:sorry|oops|whoops|correction|or rather|rather|make that|i mean(?:t)?|no|korrektur|ich meine|besser gesagt|nein"
    r"|je veux dire|ou plutôt|pardon|quiero decir|mejor dicho|perdón|volevo dire|anzi|ik bedoel|quero dizer|aliás"
    r"|znaczy się|rättelse|jag menar)"
)
_LEAD = r"\W*(?:(?:oh|ah|oops|whoops|sorry|hm+|ach|ok|okay)\b[,. !…–-]*){0,2}"
_MARK = lazy_pattern(rf"{_LEAD}(?:(?P<strong>{_STRONG})|(?:{_WEAK}[,. …–-]+)*{_WEAK})(?!\w)[,. !:…–-]*", re.IGNORECASE)
_INSIDE = lazy_pattern(
    rf"(?:[,;–—…]|\.\.|\s-)\s*(?=(?:(?:oh|ah|oops),? )?{_STRONG}[,. ]+(?:the|a|an|i|we|der|die|das|den|le|la|"
    r"les|el|il|de|het|o|\w+ (?:will|can))\b)",
    re.IGNORECASE,
)
"""Where a sentence takes back its own beginning; a time that it corrects is told by the reader of times."""
_MORE = lazy_pattern(
    r"\W*(?:(?:i|we|you|it|ich|wir|je|yo|io|ik|eu)\W+)?(?:\w+ )?"
    r"(?:also|too|and|plus|auch|aussi|también|também|anche|ook|też|också)\b",
    re.IGNORECASE,
)
_PHRASE_START = (
    r"(?:the|an?|this|that|my|our|your|his|her|their|der|die|das|den|eine?n?|le|la|les|une?|el|los|las|il|lo|gli|o|os|as|"
    r"um|uma|de|het|een|\d[\d.,]*)"
)
_PHRASE = lazy_pattern(
    rf"{_PHRASE_START}(?: (?!(?:is|are|was|were|has|have|had|will|can|ist|sind|est|sont|es|é)\b)[\w'’&-]+){{0,4}}\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\W*[€$£]?\d[\d.,:]*\W*$")
_FIGURE_BEGINS = re.compile(r"(?<!\w)[€$£]?\d")
_BEGINNING = lazy_pattern(rf"(?<!\w){_PHRASE_START}(?!\w)", re.IGNORECASE)
_BINDING = frozenset({"commitment", "request", "decision", "goal", "preference", "cancellation", "completion"})
_LONGEST_TIME = 4


class Retraction(NamedTuple):
    """Where the words after a mark begin that take back what was said, and whether the mark alone does."""

    stop: int
    is_strong: bool


def sentences_apart(text: str, spans: Iterable[TextSpan]) -> Iterator[tuple[int, int]]:
    """The sentences of a text, each cut where it takes back its own beginning: *the red one, no wait, the blue one*."""
    for first, stop in spans:
        start = first
        for found in _INSIDE.finditer(text, first, stop):
            if found.start() > start:
                yield start, found.start()
                start = found.end()
        yield start, stop


def may_take_back(sentence: str) -> bool:
    """Whether a sentence begins as one that takes back what was said before it."""
    return _MARK.match(sentence) is not None


def take_back(
    before: Sequence[ClauseReading],
    sentence: str,
    read: Sequence[ClauseReading],
    read_anew: Callable[[str], Sequence[ClauseReading]],
) -> list[ClauseReading]:
    """The readings of a sentence and those before it, whose last fact the sentence takes back or corrects."""
    found = _MARK.match(sentence)
    last = next((at for at in range(len(before) - 1, -1, -1) if before[at].is_fact), None)
    if found is None or last is None or before[last].act not in _BINDING or not read:
        return [*before, *read]
    taken, rest = before[last], sentence[found.end() :]
    corrected = _corrected(taken, rest, read, read_anew)
    is_alone = not any(map(str.isalnum, rest))
    is_sure = found["strong"] is not None or corrected is not None
    if not is_sure or (corrected is None and not is_alone and _MORE.match(rest)):
        return [*before, *read]
    kept = [*before[:last], taken._replace(modality="doubted"), *before[last + 1 :]]
    if corrected is None:
        return [*kept, *read]
    start = read[0].start + found.end()
    return [*kept, corrected._replace(text=rest, start=start, stop=start + len(rest))]


def _corrected(
    taken: ClauseReading, rest: str, read: Sequence[ClauseReading], read_anew: Callable[[str], Sequence[ClauseReading]]
) -> ClauseReading | None:
    """What was said, with the thing, the figure or the time that is meant instead; none if the words say more."""
    if any(each.is_fact and each.act in _BINDING for each in read):
        return None
    ahead = _words_before(taken, rest, read)
    anew = read_anew(f"{ahead} {rest}") if ahead else ()
    same = [each for each in anew if each.is_fact]
    if len(anew) != 1 or len(same) != 1 or same[0].act != taken.act:
        return None
    return same[0]._replace(shared=ahead)


def _words_before(taken: ClauseReading, rest: str, read: Sequence[ClauseReading]) -> str:
    """The words of what was said up to the thing or the time that the new words stand for: *Let's take*."""
    is_time = read[-1].time.status == "read" and len(rest.split()) <= _LONGEST_TIME
    if is_time and taken.time.phrase:
        return taken.text[: taken.text.lower().find(taken.time.phrase)].strip()
    if not _PHRASE.match(rest):
        return ""
    beginnings = list((_FIGURE_BEGINS if _FIGURE.match(rest) else _BEGINNING).finditer(taken.text))
    return taken.text[: beginnings[-1].start()].strip() if beginnings else ""
