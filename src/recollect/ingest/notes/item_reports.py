"""Reports on open items, told in their own words.

`I won't repaint the shed after all` cancels the item with its verb and content words; `Legal signed off the contract`
is the completion of *get legal to sign off the contract*.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.reader import NoteSentence
from recollect.ingest.notes.sentence_parts import statements
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.trust import OWNER
from recollect.reading.hedges import is_not_claimed
from recollect.reading.phrases import is_name, words_of
from recollect.reading.state_lexicon import RESTRICTIONS
from recollect.reading.state_time import UnreadableTime, take_times
from recollect.reason.closures.closure_terms import NOT_YET, PARTIAL, PUT_OFF
from recollect.reason.closures.completion_terms import completion_terms, content_terms, item_terms
from recollect.reason.closures.open_item_index import deed_text
from recollect.reason.closures.open_items import (
    BLOCKERS,
    CANCELLATION,
    COMPLETION,
    ITEM_PREDICATES,
    RESOLUTION,
    ItemFact,
    as_blocker,
    identity_of,
    is_partially_completed,
    owner_of,
)
from recollect.reason.items.item_lookup import items_with_words, judge_items_of
from recollect.store.change import Change
from recollect.text.negation import negator_pattern
from recollect.text.patterns import lazy_pattern
from recollect.text.tokens import bare_terms
from recollect.text.verbs import is_past_form
from recollect.when.instant import Instant, local_date
from recollect.when.period import Time
from recollect.write.entity_refs import find_unambiguous
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import find_owner

_SPEAKER = r"^(?P<who>I|[Ww]e|[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3})"
_DONE = lazy_pattern(
    rf"{_SPEAKER}(?:['’]ve| have| has)? (?:(?:already|just|finally|now) )*(?P<verb>[a-z]+) (?P<what>.+?)[.!]*$"
)
_DROPPED = lazy_pattern(
    rf"{_SPEAKER}(?: won['’]t| will not|['’]m not going to| am not going to| is not going to| are not going to"
    r"| (?:do not|don['’]t|does not|doesn['’]t|no longer) (?:have|need|plan|intend) to)"
    r" (?P<what>(?P<verb>[a-z]+) .+?)(?:(?: after all| any ?more| any longer)"
    r"(?:[,;] (?!(?:unless|if|until|before|but|not|only|except)\b).+| because .+)?)?[.!]*$"
)
_STUCK = r"(?:blocked|stuck|held up)(?: (?:by|on) (?P<by>.+?))?"
_RELEASED = (
    lazy_pattern(
        r"^(?P<what>.+?)(?:['’](?:s|re|m)| is| are| am)(?: (?:now|finally))* "
        rf"(?:unblocked|no longer {_STUCK})(?: now)?[.!]*$"
    ),
    lazy_pattern(
        rf"^(?P<what>.+?)(?: is| are|['’](?:s|re|m)| am)(?: not|n['’]t) {_STUCK} (?:any ?more|any longer)[.!]*$"
    ),
)
"""What is blocked no longer, and by what: `Kestrel is unblocked`, `we're no longer stuck on the visa`."""
_ALLOWED = lazy_pattern(
    r"^(?P<what>(?:[\w.'’-]+ ){0,3}?[\w.'’-]+?)(?: has| have|['’]s|['’]ve)?(?: (?:now|finally|just|already))* "
    r"(?:approved|signed off|cleared|(?:gave|given)(?: us| me| it| them)?(?: the| its| their| his| her| an| a)?"
    r" (?:final )?(?:green light|go-?ahead|all[- ]clear|approval|okay|ok|blessing|sign-?off|thumbs[- ]up|permission))\b"
    r"(?: .*?)?[.!]*$",
    re.IGNORECASE,
)
"""Who was waited for and has allowed it: `Legal gave the green light`."""
_REMEDIED = (
    r"fixed|resolved|solved|repaired|mended|renewed|replaced|restored|rotated|removed|unlocked|reset|merged|installed"
    r"|updated|upgraded|extended|rebuilt|reinstalled"
)
_MENDED = lazy_pattern(
    rf"{_SPEAKER}(?:['’]ve| have| has)?(?: (?:now|finally|just|already))* "
    rf"(?:{_REMEDIED}|sorted out) (?P<what>.+?)[.!]*$"
)
"""Somebody, whoever it is, has done away with what blocks: `Ben fixed the failing tests`."""
_GONE = lazy_pattern(
    r"^(?P<what>.+?)(?:['’]s| is| are| was| were| has| have)(?: been)?(?: (?:now|finally|just|already))* "
    rf"(?:{_REMEDIED}|sorted(?: out)?|gone|over|here|in|back|up|green|ready|available|arrived|come|done|settled|signed"
    r"|granted|approved|cleared|delivered|answered|issued|reissued|lifted|received|refunded|released|published|passing"
    r"|working)(?: (?:again|now|at last))?[.!]*$"
)
"""What blocked does so no longer: `the pump is fixed`, `the permit has arrived`."""
_RECOVERED = lazy_pattern(
    r"^(?P<what>.+?) (?:now |finally )?(?:pass(?:es)?|works?|runs?|builds?|opens?|starts?) (?:again|now|at last)[.!]*$"
)
"""What had failed works: `the tests pass again`."""
_OBJECT = lazy_pattern(r"\b(approved|cleared|signed off on|fixed|mended) it\b", re.IGNORECASE)
"""A pronoun for what is blocked: *Legal approved it*."""
_UNBLOCKING = (_ALLOWED, _MENDED, _GONE, _RECOVERED)
_MOST_BLOCKERS = 20
"""Blockers with the same words beyond which none can be the only one that is meant."""
_BLOCKING = (
    lazy_pattern(r"\b(?:blocked|stuck|held up|waiting|wait|waits) (?:by|on|for) (?P<by>.+)", re.IGNORECASE),
    lazy_pattern(r"(?P<by>.+?) (?:(?:is|are) (?:blocking|holding up)|blocks?|holds? up)\b", re.IGNORECASE),
)
"""What blocks, in the words of a blocker."""
_ANY_COMPLETION = frozenset(
    "booked cancelled canceled closed completed delivered did done finished fixed handed made paid resolved sent "
    "settled shipped signed solved submitted".split()
)
"""Verbs that may report whatever was promised; others report only what was promised in the same words."""
_JOINED_NAMES = lazy_pattern(r",? and |, | & ")
_AUXILIARY = lazy_pattern(r" (?:have|has|both|already|just|finally)\b.*$")
_UNTOLD = lazy_pattern(
    r"\b(?:will|would|should|could|can|might|may|must|shall|if|unless|when|once|until|before|after|want\w*|need\w*|try"
    r"|tried|going to|about to|supposed|ought|instead|he|she|they|it|you"
    r"|somebody|someone|nearly)\b|['’]ll\b|[?\"“”]|" + negator_pattern(),
    re.IGNORECASE,
)
"""Words with which a statement may report no completion, or one by nobody in particular."""
_COMPLETABLE_KINDS = frozenset({"commitment", "request", "blocker", "goal"})
_LONGEST_SUBJECT = 8
_FEWEST_TERMS = 2
_NOT_FINAL = RESTRICTIONS | {"today", "tonight", "now", "alone", "if"}


class CompletionReport(NamedTuple):
    """An open item, and the words that tell that it is done."""

    item: ItemFact
    quote: str
    predicate: str = COMPLETION

    def overlaps(self, draft: FactDraft) -> bool:
        said = draft.source.quote or ""
        return bool(said) and (said in self.quote or self.quote in said)

    def request(self) -> ClaimRequest:
        owner = EndRequest("Me", is_owner=True)
        return ClaimRequest(owner, self.predicate, replaces=self.item.id, quote=self.quote, is_read=True)


@dataclass
class ItemReports:
    """Recognizes reports on the items that were open when the call began."""

    change: Change
    own: Collection[FactId] = ()
    """Facts that the note itself made known when it was read before: what they close was open."""
    until: Instant | None = None
    """Items that were told later are none that the note can report on."""
    _open: dict[EntityId, list[ItemFact]] = field(default_factory=dict)
    """The open items with an entity at an end."""

    def read(self, sentence: NoteSentence, source_at: Instant) -> ClaimRequest | None:
        """The report that a sentence makes on an open item of its speaker."""
        said = " ".join(sentence.record.masked_text.split())
        if not sentence.is_meant or is_not_claimed(said) or said.endswith("?"):
            return None
        match = _DROPPED.match(said)
        if match is not None:
            return self._cancellation(match, sentence, source_at)
        released = next((found for each in _RELEASED if (found := each.match(said)) is not None), None)
        return self._release(released, sentence) if released is not None and sentence.is_owners else None

    def items_due_before(self, who: str, sentence: NoteSentence, day: Time) -> list[ItemFact]:
        """The open items of a speaker that are due before a day."""
        items = self.items_of_speaker(who, sentence)
        return [item for item in items if item.due is not None and item.due < day.lo]

    def items_of_speaker(self, who: str, sentence: NoteSentence) -> list[ItemFact]:
        """The open items of a speaker."""
        speaker = self._speaker(who, sentence)
        return self._open_items(speaker.id) if speaker is not None else []

    def open_items_of(self, subject: EntityId) -> list[ItemFact]:
        """The open items that somebody promised, asked for or was kept from."""
        return [item for item in self._open_at(subject) if item.subject.id == subject]

    def moved_before(self, quote: str) -> Fact | None:
        """The item that the note gave another day in these words when it was read before."""
        said = " ".join(quote.split())
        facts = (self.change.fact(each) for each in self.own)
        moved = (each for each in facts if each is not None and each.predicate in ITEM_PREDICATES and each.supersedes)
        ids = [each.supersedes for each in moved if (each.words or "").endswith(said)]
        return self.change.fact(ids[0]) if ids and ids[0] is not None else None

    def is_of_another_completion(self, draft: FactDraft) -> bool:
        """Whether a report is about the thing of an open item and yet tells of something else done with it."""
        match = _DONE.match(" ".join((draft.source.quote or "").split()))
        if draft.kind.fact_type != "completion" or match is None or match["verb"] in _ANY_COMPLETION:
            return False
        speaker = self.change.entity(draft.subject)
        about = self._items_about(match, speaker) if speaker is not None and is_past_form(match["verb"]) else []
        return bool(about) and not any(item_terms(match["verb"]) <= item_terms(item.text) for item in about)

    def completions(self, sentence: NoteSentence) -> list[CompletionReport]:
        """The completions that a sentence tells of, each in the words of the only open item that has them all."""
        said = sentence.record.quote
        if not sentence.is_meant or not sentence.is_owners or is_not_claimed(said) or said.rstrip().endswith("?"):
            return []
        if PARTIAL.search(said) or NOT_YET.search(said) or PUT_OFF.search(said):
            return []
        found = list(self._find_completions(said, sentence))
        blocker = self._removed_blocker(" ".join(said.split())) if not found else None
        return found if blocker is None else [CompletionReport(blocker, said, RESOLUTION)]

    def _find_completions(self, said: str, sentence: NoteSentence) -> Iterator[CompletionReport]:
        subject = ""
        for part in statements(said):
            quote = said[part.start : part.stop].strip()
            found = _completion_in(quote)
            if found is None or not (subject := found[0] or subject):
                continue
            verb, terms = found[1], content_terms(quote, ())
            if len(terms) < _FEWEST_TERMS or not item_terms(verb) <= terms:
                continue
            people = self._reporters(subject, sentence)
            told = terms if len(people) == 1 else terms - content_terms(subject, ())
            for reporters in people:
                yield from _reported(self._items_of(reporters), quote, verb, told)

    def _reporters(self, subject: str, sentence: NoteSentence) -> list[list[Entity]]:
        """Whose items a statement that begins so may report: the owner's or the speaker's; of *Tim and Zoe* each's."""
        names = _JOINED_NAMES.split(_AUXILIARY.sub("", subject))
        named = [self._speaker(name, sentence) for name in names]
        if len(names) > 1 and None not in named:
            return [[each] for each in named if each is not None]
        both = (find_owner(self.change), self._speaker(subject, sentence))
        return [[each for each in both if each is not None]]

    def _items_of(self, reporters: Sequence[Entity]) -> list[ItemFact]:
        """The open items that these have to see to."""
        return [
            item
            for entity in {each.id for each in reporters}
            for item in self._open_at(entity)
            if item.subject.id == entity and item.kind in _COMPLETABLE_KINDS
        ]

    def _cancellation(self, match: re.Match[str], sentence: NoteSentence, source_at: Instant) -> ClaimRequest | None:
        what = match["what"]
        if not _NOT_FINAL.isdisjoint(words_of(what)) or self._names_time(what, source_at):
            return None
        items = self._items_meant(match, sentence)
        if len({identity_of(item) for item in items}) != 1:
            return None
        item = max(items, key=lambda each: each.latest)
        return ClaimRequest(_end(match), CANCELLATION, replaces=item.id, quote=sentence.record.quote, is_read=True)

    def _release(self, match: re.Match[str], sentence: NoteSentence) -> ClaimRequest | None:
        """The resolution of the only blocker that a sentence can mean."""
        what, by = match["what"], match.groupdict().get("by") or ""
        terms = content_terms(what, ()) | content_terms(by, ())
        known = (find_owner(self.change), self._speaker(what, sentence))
        items = (item for entity in known if entity is not None for item in self._open_at(entity.id))
        item = _only_item([each for each in items if each.kind == "blocker" and terms <= _terms_to_match(each)])
        return None if item is None else CompletionReport(item, sentence.record.quote, RESOLUTION).request()

    def _removed_blocker(self, said: str) -> ItemFact | None:
        """The only blocker, whoever it keeps from something, that waited for what is there, or for who allowed it."""
        said = _OBJECT.sub(r"\1", said)
        match = next((found for each in _UNBLOCKING if (found := each.match(said)) is not None), None)
        if match is None or _UNTOLD.search(said):
            return None
        terms = content_terms(match["what"], ())
        fitting = [item for item in self._open_blockers(match["what"]) if _waits_for(item, terms)]
        if len({identity_of(item) for item in fitting}) != 1:
            return None
        owner = find_owner(self.change)
        # The words close what the owner told; the id closes every spelling, so it is that of another if there is one.
        return max(fitting, key=lambda each: (owner is None or owner.id not in each.ends, each.latest))

    def _open_blockers(self, words: str) -> list[ItemFact]:
        """The open blockers with these words that the owner recorded, unless they are many."""
        found = items_with_words(self.change, [words], BLOCKERS)
        subjects = {item.subject.id for item in found}
        if len(subjects) > _MOST_BLOCKERS:
            return []
        wanted = {item.id for item in found}
        every = {item.id: item for each in subjects for item in self._open_at(each)}
        return [item for item in every.values() if item.id in wanted and item.trust == OWNER]

    def _names_time(self, text: str, source_at: Instant) -> bool:
        """Whether the words tell when: not then does not mean not at all."""
        try:
            return bool(take_times(text, local_date(source_at, self.change.world.zone), self.change.world.zone).times)
        except UnreadableTime:
            return True

    def _items_meant(self, match: re.Match[str], sentence: NoteSentence) -> list[ItemFact]:
        """The open items with the verb and the content words of a sentence."""
        speaker = self._speaker(match["who"], sentence)
        about = self._items_about(match, speaker) if speaker is not None else []
        return [item for item in about if item_terms(match["verb"]) <= item_terms(item.text)]

    def _items_about(self, match: re.Match[str], speaker: Entity) -> list[ItemFact]:
        terms = completion_terms(match["what"], (speaker.name,)) - item_terms(match["verb"])
        return [
            item for item in self._open_items(speaker.id) if terms and terms <= item_terms(f"{item.text} {item.target}")
        ]

    def _speaker(self, who: str, sentence: NoteSentence) -> Entity | None:
        if who in ("I", "We", "we"):
            return find_owner(self.change) if sentence.is_owners else None
        return find_unambiguous(self.change, who) if is_name(who) else None

    def _open_items(self, entity: EntityId) -> list[ItemFact]:
        """The open items that somebody has to see to."""
        return [item for item in self._open_at(entity) if (owner := owner_of(item)) is not None and owner.id == entity]

    def _open_at(self, entity: EntityId) -> list[ItemFact]:
        if entity not in self._open:
            judged = judge_items_of(self.change, {entity})
            closed = judged.closings.closed
            over = {item for item, closing in closed.items() if closing.fact not in self.own}
            self._open[entity] = [
                item for item in judged.items if item.id not in over and self._is_stated_by_then(item)
            ]
        return self._open[entity]

    def _is_stated_by_then(self, item: ItemFact) -> bool:
        return self.until is None or item.latest.at <= self.until


def _reported(items: Sequence[ItemFact], quote: str, verb: str, terms: frozenset[str]) -> Iterator[CompletionReport]:
    """The report on the only one of some items that has the words of a statement."""
    fitting = [item for item in items if terms <= _terms_to_match(item) and _is_to_be_done(verb, item)]
    item = _only_item([each for each in fitting if not is_partially_completed(each, terms)])
    if item is not None:
        yield CompletionReport(item, quote)


def _only_item(items: Sequence[ItemFact]) -> ItemFact | None:
    """The latest spelling of the one item that these are; none if they are several, or nothing."""
    is_one = len({identity_of(item) for item in items}) == 1
    return max(items, key=lambda each: each.latest) if is_one else None


def _completion_in(statement: str) -> tuple[str, str] | None:
    """Who or what a statement begins with and its verb in the past; none if it may tell of no completion."""
    if _UNTOLD.search(statement):
        return None
    words = statement.split()
    verbs = (at for at, word in enumerate(words[:_LONGEST_SUBJECT]) if is_past_form(word.strip(".,!;:")))
    at = next(verbs, None)
    return None if at is None else (" ".join(words[:at]), words[at].strip(".,!;:"))


def _terms_to_match(item: ItemFact) -> frozenset[str]:
    return item_terms(" ".join((deed_text(item), item.target, *item.names)))


def _waits_for(item: ItemFact, terms: frozenset[str]) -> bool:
    """Whether a blocker waits for what these words name, and for nothing else beside it."""
    found = (each.search(item.own_text) for each in _BLOCKING)
    words = item.literal or next((match["by"] for match in found if match is not None), item.own_text)
    wanted = terms - item_terms(as_blocker(item).subject.name)
    return bool(wanted) and all(wanted <= item_terms(each) for each in _JOINED_NAMES.split(words))


def _is_to_be_done(verb: str, item: ItemFact) -> bool:
    """Whether an item has a verb as what is to be done; in *Priya promised to call* that is not the promise."""
    if item.kind == "blocker":
        return True
    wanted = item_terms(verb)
    return any(item_terms(word) == wanted for word in bare_terms(deed_text(item)) if not is_past_form(word))


def _end(match: re.Match[str]) -> EndRequest:
    if match["who"] in ("I", "We", "we"):
        return EndRequest("Me", is_owner=True)
    return EndRequest(match["who"], is_guess=True)
