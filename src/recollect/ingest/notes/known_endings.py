"""Ends of known facts in words that state nothing by themselves: `Kestrel is no longer blocked`, `I sold my Skoda`.

The words are compared with what is known of the subject, and end it only if they fit a single fact. What the owner
plainly denies of himself ends, too: `I don't live in Bonn`. Of others a denial tells nothing, since they may know it
better.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.ingest.extract.state_facts import end_before
from recollect.ingest.notes.claim_requests import NO_FACTS, OwnFacts, find_only, target_text
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.reader import NoteSentence
from recollect.ingest.notes.relatives import find_relative
from recollect.ingest.notes.sentence_parts import statements
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.vocabulary import LIFELONG
from recollect.reading.agents import is_hearsay
from recollect.reading.clause import clauses
from recollect.reading.hedges import is_not_claimed
from recollect.reading.phrases import is_identifier, is_name, words_of
from recollect.reading.pronouns import PeopleNamed, with_name
from recollect.reading.speaker_attribution import strip_opening
from recollect.reading.state import strip_correction
from recollect.reading.state_lexicon import PLACE_NOUNS, RESTRICTIONS
from recollect.reading.state_time import UnreadableTime, take_times
from recollect.reading.verb_patterns import is_state_verb
from recollect.reason.closures.open_items import CLOSING_PREDICATES, ITEM_PREDICATES
from recollect.store.change import Change
from recollect.store.fact_rows import FactFilter
from recollect.text.content_words import content_tokens
from recollect.text.negation import EMPHASIS_PATTERN
from recollect.text.patterns import lazy_pattern
from recollect.when.instant import Instant, local_date
from recollect.when.period import Time

MAX_FACTS = 500
MAX_SUBJECT_WORDS = 5
_NOT = r"(?:\bnot\b|n['’]t\b)"
_NO_LONGER = lazy_pattern(r"\bno longer\b|\b(?:any ?more|any longer)\b", re.IGNORECASE)
_OWN_DENIAL = lazy_pattern(
    rf"^(?:(?:I|We)(?: do| am| are|['’]m|['’]re)? ?{_NOT}|(?:My|Our) [\w '’-]{{1,40}}? ?(?:is|are) ?{_NOT}) ",
    re.IGNORECASE,
)
_EMPHASIS = lazy_pattern(EMPHASIS_PATTERN, re.IGNORECASE)
_FOUND_OUT = lazy_pattern(r"\b(?:after all|(?:it )?(?:turns|turned) out)\b", re.IGNORECASE)
"""Words that take back what was thought before, whoever it is about."""
_NEGATION = lazy_pattern(
    rf"\b(?:no longer|any ?more|any longer|do(?:es)?(?=n['’]t)|do(?:es)? not)\b|{_NOT}", re.IGNORECASE
)
_MODAL = lazy_pattern(
    r"\b(?:can|could|may|might|should|would|will|must|shall|had|never|wo(?=n['’]t)|ca(?=n['’]t))\b|['’](?:ll|d)\b",
    re.IGNORECASE,
)
_BE = r"(?:is|am|are|['’]m|['’]re|['’]s)"
_PLACED = lazy_pattern(rf"{_BE}(?:n['’]t| not| no longer) (?P<preposition>at|for|with|in)\b", re.IGNORECASE)
_BEING = lazy_pattern(rf"{_BE}(?:n['’]t| not| no longer) ", re.IGNORECASE)
_PLACES = {
    "at": frozenset({"works_at", "studies_at", "member_of"}),
    "for": frozenset({"works_at"}),
    "with": frozenset({"works_at", "member_of"}),
    "in": frozenset({"lives_in", "located_in", "member_of"}),
}
"""By preposition, the facts that *is no longer at Tide* may mean where it does not say which."""
_LIMITING = (RESTRICTIONS - {"no", "not", "longer"}) | frozenset(
    "all always altogether both completely entirely exactly fully instead itself many much quite so too very".split()
)
"""Words with which a denial denies only a part: `I don't always use npm`."""
_WITHOUT_END = LIFELONG | ITEM_PREDICATES | CLOSING_PREDICATES | frozenset({"name", "nickname", "grew_up_in", "age"})

_HAVING = r"(?:['’]ve|['’]s)?(?: (?:have|has|just|finally|already|recently|now|also))*"
_WHOM = rf"^(?P<x>I|We|we|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){{0,2}}|[a-z][\w.]*-[\w.-]+){_HAVING} "
_OWN = r"(?:my|our|his|her|their)"
_SOLD = lazy_pattern(
    rf"{_WHOM}(?:sold|gave away|given away|scrapped|traded in|got rid of) (?:{_OWN}|the) (?P<y>.+?)"
    r"(?: (?:to|for|on|at|via) .+)?$"
)
_DROPPED = lazy_pattern(
    rf"{_WHOM}(?:dropped|ditched|abandoned|gave up(?: on)?|given up(?: on)?|got rid of|moved off|moved away from|"
    rf"phased out|quit|cancell?ed|uninstalled) (?:(?:the|{_OWN}) )?"
    r"(?P<y>\S+(?: [A-Z\d]\S*)*)(?: (?:for|in favou?r of) .+)?$"
)
_LEFT = lazy_pattern(rf"{_WHOM}(?:left|moved away from|moved out of) (?P<y>[A-ZÀ-Þ]\S*(?: [A-ZÀ-Þ]\S*)*)$")
_GIVEN_UP = lazy_pattern(r"\b(?:gave|given|giving) up\b")
_GONE_OFF = lazy_pattern(rf"{_WHOM}(?:gone|went) off (?P<y>.+)$")
_STOPPED = lazy_pattern(
    rf"{_WHOM}(?:stopped|quit|came off|come off) (?!(?:at|by|for|from|in|on|to) )(?:(?P<verb>\w+)ing )?"
    rf"(?:(?:the|{_OWN}) )?(?P<y>.+)$"
)
_QUIT = lazy_pattern(
    rf"{_WHOM}(?:quit|left|gave up|given up|cancell?ed|ended|dropped out of|resigned from) (?:the|{_OWN}) (?P<y>.+?)"
    r"(?P<membership> membership| subscription)?$"
)
_QUIT_ALONE = lazy_pattern(
    rf"{_WHOM}(?:quit|resigned|retired|(?:was|were|been|got) (?:laid off|fired|dismissed|sacked|made redundant))$"
)
_JOBS = frozenset({"job", "post", "position"})
_THINGS = frozenset(
    "apartment bicycle bike boat cabin camera car caravan cello computer condo drum flat garden guitar harp house "
    "keyboard laptop motorbike motorcycle piano plot saxophone scooter sofa tablet trailer truck van violin".split()
)
"""Attributes whose value is a thing somebody owns: who sold the Skoda has no car that is a Skoda."""
_CLUBS = PLACE_NOUNS | frozenset(
    "band board choir class club committee course group orchestra party society team".split()
)
_OWNING = frozenset({"owns", "drives", "has"})
_USING = frozenset({"uses", "plays", "studies", "drives"})
_DOING = frozenset(
    "attend coach collect dance do drink drive eat exercise habit hobby learn play pastime practice practise smoke "
    "sport study take teach train use".split()
)
"""Words of predicates for what somebody does and may give up."""
_LIKING = frozenset({"likes", "loves", "prefers"})
_ABLE = frozenset({"speaks", "plays", "drives", "eats", "drinks", "rides", "reads", "writes", "swims"})
_NO_LONGER_ABLE = lazy_pattern(r"\bcan(?:['’]t|not| not)\b|\bcan(?= no longer\b)", re.IGNORECASE)
_STAYING = frozenset({"lives_in", "studies_at", "member_of", "attends"})
_BELONGING = frozenset({"member_of", "attends", "goes_to", "works_out_at", "trains_at", "studies_at", "subscribed_to"})


class _Ending(NamedTuple):
    """Facts that a clause ends, and since when they hold no longer."""

    facts: Sequence[Fact]
    start: Time | None = None
    is_denial: bool = False


@dataclass(frozen=True, slots=True)
class KnownEndings:
    """Finds the facts that were known when a note was written, and that its words end."""

    change: Change
    said_at: Instant
    about: EndRequest | None = None
    own: OwnFacts = NO_FACTS

    def requests(
        self, sentence: NoteSentence, parts: Sequence[str], named: PeopleNamed
    ) -> list[tuple[str, list[ClaimRequest]]]:
        """The parts of a sentence that end facts, each with these ends; none of what is not meant or hearsay.

        `named` are the people before the sentence, whom a pronoun may mean.
        """
        said = sentence.record.masked_text
        if not (sentence.is_meant and sentence.is_owners) or sentence.is_turn_of_another or said.rstrip().endswith("?"):
            return []
        if is_not_claimed(said) or is_hearsay(said) or not all(each.is_asserted for each in clauses(said)):
            return []
        pieces = [part[each.start : each.stop].strip(" ,;") for part in parts for each in statements(part)]
        found = [(piece, self._ending(_plain(words))) for piece, words in _with_names(pieces, named)]
        quote = sentence.record.quote
        return [
            (part, [self._request(fact, ending, quote) for fact in ending.facts])
            for part, ending in found
            if ending is not None and ending.facts
        ]

    def _ending(self, words: str) -> _Ending | None:
        zone = self.change.world.zone
        try:
            timed = take_times(words, local_date(self.said_at, zone), zone)
            start = timed.bounds("change", None).valid_from
        except UnreadableTime:
            return None
        text, is_timed = timed.text.strip(" ,;"), bool(timed.times)
        given_up = self._given_up(text)
        if given_up:
            return _Ending(given_up, start)
        is_over = _NO_LONGER.search(text) is not None
        is_denial = not is_over and not is_timed and _denies(text)
        if not (is_over or is_denial) or not self._is_one_denial(text):
            return None
        if is_over and _NO_LONGER_ABLE.search(text):
            able = self._denied(_NO_LONGER_ABLE.sub("do not", text, count=1))
            return _Ending([fact for fact in able if fact.predicate in _ABLE], start)
        return None if _MODAL.search(text) else _Ending(self._denied(text), start, is_denial)

    @staticmethod
    def _is_one_denial(text: str) -> bool:
        found = clauses(text)
        is_whole = len(found) == 1 and found[0].polarity == "negative"
        return is_whole and _LIMITING.isdisjoint(words_of(_NEGATION.sub(" ", _EMPHASIS.sub(" ", text))))

    def _denied(self, text: str) -> list[Fact]:
        """The only fact that the words would state without their negation."""
        plain = " ".join(_NEGATION.sub(" ", _EMPHASIS.sub(" ", text)).split())
        subject, rest = self._subject_before(plain)
        said = frozenset(content_tokens(rest))
        if subject is None or not said:
            return []
        placed = _PLACED.search(text)
        among = _PLACES[placed["preposition"].lower()] if placed is not None else None
        is_being = _BEING.search(text) is not None
        found = [
            fact
            for fact in self._facts_of(subject)
            if (target := frozenset(content_tokens(target_text(self.change, fact)))) and target <= said
            if said - target <= _predicate_tokens(fact)
            if said - target or _may_be_meant(fact, among, is_being=is_being)
        ]
        return found if len(found) == 1 or {fact.predicate for fact in found} <= _LIKING else []

    def _subject_before(self, plain: str) -> tuple[Entity | None, str]:
        """Whom a clause begins with, and its other words."""
        first, *rest = re.split(r"[ '’]", plain, maxsplit=1)
        if first in ("I", "We"):
            return find_only(self.change, self._group(first)), " ".join(rest).removeprefix("m ").removeprefix("re ")
        words = plain.split()
        for count in range(min(MAX_SUBJECT_WORDS, len(words) - 1), 0, -1):
            name = " ".join(words[:count])
            found = self._named(name) or self._named(re.sub(r"['’]s?$", "", name))
            if found is not None:
                return found, " ".join(words[count:])
        if first in ("My", "Our", "my", "our"):
            return find_only(self.change, self._group("I" if first.lower() == "my" else "We")), " ".join(rest)
        return None, ""

    def _group(self, word: str) -> EndRequest:
        """`We` are what the note is about, `I` the owner."""
        owner = EndRequest("Me", is_owner=True)
        return self.about or owner if word in ("We", "we") else owner

    def _named(self, name: str) -> Entity | None:
        return find_relative(self.change, name) or (
            find_only(self.change, EndRequest(name)) if is_name(name) or is_identifier(name) else None
        )

    def _given_up(self, text: str) -> list[Fact]:
        """The facts that end because somebody sold, dropped or quit what they are about; one of each predicate."""
        if (match := _QUIT_ALONE.match(text)) and (subject := self._giver(match["x"])) is not None:
            return _only_fact("works_at", self._facts_of(subject))
        for pattern, ends in (
            (_SOLD, self._ended_by_sale),
            (_QUIT, self._ended_by_leaving),
            (_DROPPED, self._ended_use),
            (_LEFT, self._ended_stay),
            (_GONE_OFF, self._ended_liking),
            (_STOPPED, self._ended_habit),
        ):
            match = pattern.match(text)
            subject = self._giver(match["x"]) if match is not None else None
            found = ends(match, self._facts_of(subject)) if match is not None and subject is not None else []
            if found:
                return found
        return []

    def _giver(self, name: str) -> Entity | None:
        return find_only(self.change, self._group(name)) if name in ("I", "We", "we") else self._named(name)

    def _ended_by_sale(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        thing = match["y"]
        return self._one_of_each(thing, facts, _OWNING | _THINGS) or _only_fact(thing.lower().replace(" ", "_"), facts)

    def _ended_by_leaving(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        thing = match["y"]
        if thing in _JOBS:
            return _only_fact("works_at", facts)
        if words_of(thing)[-1:] == [] or not (words_of(thing)[-1] in _CLUBS or match["membership"]):
            return []
        among = _BELONGING | ({"uses"} if match["membership"] else frozenset())
        return _only_fact(thing.lower().replace(" ", "_"), facts) or self._one_of_each(thing, facts, among)

    def _ended_use(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        given_up = [fact for fact in facts if not _DOING.isdisjoint(_doing_words(fact))]
        predicates = {fact.predicate for fact in given_up} if _GIVEN_UP.search(match[0]) else frozenset[str]()
        return self._one_of_each(match["y"], facts, _USING | predicates)

    def _ended_stay(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        return self._one_of_each(match["y"], facts, _STAYING)

    def _ended_liking(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        return self._one_of_each(match["y"], facts, _LIKING)

    def _ended_habit(self, match: re.Match[str], facts: Sequence[Fact]) -> list[Fact]:
        """What somebody did of a kind that the words name, or of any if they name none: `stopped taking iron`."""
        verb = match["verb"]
        among = {fact.predicate for fact in facts if _is_done_so(fact, verb)}
        return self._one_of_each(match["y"], facts, frozenset(among))

    def _one_of_each(self, thing: str, facts: Sequence[Fact], predicates: frozenset[str]) -> list[Fact]:
        """The facts about a thing, at most one of each predicate: the one of just that name, else the only one."""
        said = frozenset(content_tokens(thing))
        targets = {
            fact.id: frozenset(content_tokens(target_text(self.change, fact)))
            for fact in facts
            if fact.predicate in predicates
        }
        found: list[Fact] = []
        for predicate in sorted(predicates):
            beside = [fact for fact in facts if fact.predicate == predicate and said and said <= targets[fact.id]]
            exact = [fact for fact in beside if targets[fact.id] == said]
            found += exact if len(exact) == 1 else beside if len(beside) == 1 else []
        return found

    def _facts_of(self, subject: Entity) -> list[Fact]:
        """The current facts of an entity that may end, with those that the note ended when it was read before."""
        held = self.change.facts_about(subject.id, FactFilter(self.change.world.present, limit=MAX_FACTS))
        facts = {each.fact.id: each.fact for each in held}
        again = (self.change.fact(each) for each in self.own.ended)
        facts |= {fact.id: fact for fact in again if fact is not None and not fact.is_retracted}
        return [
            fact
            for fact in facts.values()
            if fact.subject == subject.id and fact.label == "AFFILIATED" and fact.predicate not in _WITHOUT_END
            if fact.id not in self.own.made_known
        ]

    def _request(self, fact: Fact, ending: _Ending, quote: str) -> ClaimRequest:
        change = self.change
        subject, target = change.entity(fact.subject), change.entity(fact.object) if fact.object is not None else None
        return ClaimRequest(
            EndRequest(subject.name if subject is not None else "", id=fact.subject),
            fact.predicate,
            EndRequest(target.name, id=target.id) if target is not None else None,
            fact.literal if target is None else None,
            valid_until=end_before(change, ending.start, self.said_at),
            quote=quote,
            is_read=True,
            has_ended=True,
            is_denial=ending.is_denial,
        )


def _denies(text: str) -> bool:
    """Whether somebody denies what is his own to know, or what turned out to be wrong."""
    is_found_out = _FOUND_OUT.search(text) is not None and re.search(_NOT, text) is not None
    return is_found_out or _OWN_DENIAL.match(text) is not None


def _doing_words(fact: Fact) -> set[str]:
    """The words of a predicate with and without the ending of the third person."""
    words = fact.predicate.split("_")
    return {form for word in words for form in (word, word.removesuffix("s"), word.removesuffix("es"))} | {
        f"{word.removesuffix('ies')}y" for word in words
    }


def _is_done_so(fact: Fact, verb: str | None) -> bool:
    """Whether a fact tells what somebody does, by the verb whose form with *-ing* begins so, if one is given."""
    words = _doing_words(fact)
    if verb is None:
        return not _DOING.isdisjoint(words)
    return not {verb, f"{verb}e", verb[:-1]}.isdisjoint(words)


def _only_fact(predicate: str, facts: Sequence[Fact]) -> list[Fact]:
    """The fact of a predicate, if there is just one."""
    found = [fact for fact in facts if fact.predicate == predicate]
    return found if len(found) == 1 else []


def _with_names(pieces: Sequence[str], named: PeopleNamed) -> Iterator[tuple[str, str]]:
    """Each statement of a sentence, as it stands and with the name of whom its first pronoun means."""
    for piece in pieces:
        yield piece, with_name(piece, named.meant_by(piece))
        named.add(piece, ())


def _plain(part: str) -> str:
    """The words of a statement without what announces it: `Actually, …`."""
    return strip_opening(strip_correction(" ".join(part.replace("’", "'").split())).text).strip(" .!,;")


def _predicate_tokens(fact: Fact) -> frozenset[str]:
    """The words of a predicate; who does not like something neither loves nor prefers it."""
    said = f"{fact.predicate} likes enjoys" if fact.predicate in _LIKING else fact.predicate
    return frozenset(content_tokens(said.replace("_", " ")))


def _may_be_meant(fact: Fact, among: frozenset[str] | None, *, is_being: bool) -> bool:
    """Whether a fact may be meant by words that name its value only: `is no longer blocked`, `is no longer at Tide`."""
    if among is not None:
        return fact.predicate in among
    return is_being and fact.object is None and not is_state_verb(fact.predicate)
