"""Whether a statement says of the same doer, with the same verb, target and values, what a claim says.

A claim and a statement may share every word and differ in who did what. The words of the claim are therefore looked up
in the statement in their order, and what stands between them must not give them another role. What is not understood
does not match.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from recollect.reason.verify.alignment import Alignment
from recollect.reason.verify.parsed_statement import OWNER_MARK, ParsedStatement, StatementPiece
from recollect.reason.verify.statement_verbs import DETERMINERS, PREPOSITIONS, Pieces, find_verb, is_participle
from recollect.reason.verify.unmatched_tokens import preserves_meaning
from recollect.reason.verify.voice import is_voice_kept
from recollect.reason.verify.word_lists import (
    antonyms,
    cessatives,
    light_words,
    mutual,
    origins,
    quantifiers,
)
from recollect.text.contrast import names_change
from recollect.text.lexicon import AUXILIARIES, FORMS_OF_BE, POSSESSIVES
from recollect.text.verbs import is_finite_verb, is_past_form

MAX_ALIGNMENTS = 64
_RELATIVES = frozenset("who which that where when".split())
_HAVE = frozenset("has have had".split())
_BECOME = frozenset("became become becomes remains remained named called".split())
# Who does this *as* something is it; who poses or trains as something need not be.
_SERVES = frozenset(
    "work works worked working serve serves served serving known elected appointed hired employed chosen".split()
)
_HOLD = frozenset("with own owns owned keeps kept got contains holds held boasts includes features".split())
_ONCE = frozenset("once formerly previously originally until till maybe perhaps not".split())
_ASIDES = frozenset("whose whom who which that".split())
_CLAUSE_OPENERS = frozenset("and but while when because so before after although as since".split())
# Something has one origin, so that these words add nothing to it.
_ONLY = frozenset("only solely exclusively".split())


def is_said_alike(claim: ParsedStatement, said: ParsedStatement, differs: str | None = None) -> bool:
    """Whether the words of a claim stand in a statement with the roles that they have in the claim."""
    if (_has_alternatives(said) and not _has_alternatives(claim)) or _is_existential(claim) != _is_existential(said):
        return False
    items = [at for at, piece in enumerate(claim.pieces) if piece.is_content and piece.day is None]
    kept = [
        at
        for at in items
        if not _may_be_left_out(claim.pieces, at, differs) or _is_found(claim.pieces[at], said, differs)
    ]
    verb = find_verb(claim.pieces)
    free = _qualifiers(claim.pieces, verb)
    if not all(_is_found(claim.pieces[at], said, differs) for at in kept if at in free):
        return False
    kept = [at for at in kept if at not in free]
    match = _Match(claim, said, differs, verb)
    return any(match.holds(order) for order in _orders(match, kept))


def _qualifiers(pieces: Pieces, verb: int | None) -> range:
    """The words after a mark that tell which doer is meant: *Foo (2005 film) is*, *Foo, Ohio is*."""
    opening = next((at for at in range(1, verb or 0) if pieces[at].is_apart), None)
    return range(0) if opening is None or verb is None else range(opening, verb)


def _has_alternatives(said: ParsedStatement) -> bool:
    return any(piece.word in ("or", "either") for piece in said.pieces)


def _is_existential(said: ParsedStatement) -> bool:
    return any(one.word == "there" and other.word in AUXILIARIES for one, other in pairwise(said.pieces))


def _may_be_left_out(pieces: Pieces, at: int, differs: str | None) -> bool:
    """Whether a word says little by itself: a first name before another name, or a light word."""
    is_first_name = pieces[at].is_name and at + 1 < len(pieces) and pieces[at + 1].is_name
    if differs == "number" and pieces[at].token in quantifiers():
        return True
    is_sole = pieces[at].word in _ONLY and any(piece.token in origins() for piece in pieces)
    return is_first_name or is_sole or pieces[at].token in light_words() or pieces[at].token in cessatives()


def _is_found(piece: StatementPiece, said: ParsedStatement, differs: str | None) -> bool:
    return any(_is_same(piece, other, differs) for other in said.pieces)


def _is_same(one: StatementPiece, other: StatementPiece, differs: str | None) -> bool:
    if one.number is not None:
        if other.number is None or one.number.unit != other.number.unit:
            return False
        return differs == "number" or one.number.agrees(other.number) is True
    if one.token is None or other.token is None:
        return False
    return one.token == other.token or other.token in antonyms().get(one.token, frozenset())


def _orders(match: "_Match", kept: list[int]) -> Iterator["_Order"]:
    """The orders in which the words of a claim may stand: as they are, or turned round between active and passive."""
    yield _Order(kept)
    verb = match.verb
    if verb is None:
        return
    left, right = [at for at in kept if at < verb], [at for at in kept if at > verb]
    if match.claim.pieces[verb].word in FORMS_OF_BE:
        yield _Order([*right, *left], is_turned=True)
    elif match.claim.pieces[verb].token in mutual():
        yield _Order([*right, verb, *left], is_turned=True)
    elif match.is_passive_claim:
        yield _Order([verb, *left, *right], is_turned=True)
        yield _Order([*right, verb, *left], is_turned=True)
        yield _Order([verb, *right, *left], is_fronted=True)
    elif "by" in match.words:
        words = [piece.word for piece in match.claim.pieces]
        end = next((at for at in range(verb + 1, len(words)) if words[at] in PREPOSITIONS), len(words))
        target, rest = [at for at in right if at < end], [at for at in right if at > end]
        yield _Order([*target, verb, *left, *rest], is_turned=True)
        yield _Order([*target, verb, *rest, *left], is_turned=True)


def _serves_as(gap: Sequence[str]) -> bool:
    return any(one in _SERVES and other == "as" for one, other in pairwise(gap))


class _Order(NamedTuple):
    """The places of a claim's words, in the order in which a statement may have them."""

    items: list[int]
    is_turned: bool = False
    is_fronted: bool = False


class _Match:
    """A claim and a statement that are compared, with the verb of the claim."""

    def __init__(self, claim: ParsedStatement, said: ParsedStatement, differs: str | None, verb: int | None) -> None:
        self.claim, self.said, self.differs, self.verb = claim, said, differs, verb
        self.words = [piece.word for piece in said.pieces]
        asked = [piece.word for piece in claim.pieces]
        is_form = verb is not None and is_participle(asked[verb])
        self.is_passive_claim = is_form and bool(FORMS_OF_BE.intersection(asked[max(0, (verb or 0) - 2) : verb]))

    def holds(self, order: _Order) -> bool:
        return any(
            self._is_plain(order, places)
            and preserves_meaning(Alignment(self.claim, self.said, self.verb, places, self.differs))
            for places in islice(self._places(order.items), MAX_ALIGNMENTS)
        )

    def _places(self, items: Sequence[int]) -> Iterator[dict[int, int]]:
        """Every way to find the items of the claim in the statement in this order."""
        last: list[int] = []
        for item in reversed(items):
            end = last[-1] if last else len(self.words)
            found = next((at for at in range(end - 1, -1, -1) if self._is_at(item, at)), None)
            if found is None:
                return
            last.append(found)
        yield from self._places_until(items, last[::-1], 0)

    def _places_until(self, items: Sequence[int], last: Sequence[int], start: int) -> Iterator[dict[int, int]]:
        """As above; no item stands after its last place, so that no search is in vain."""
        if not items:
            yield {}
            return
        for at in range(start, last[0] + 1):
            if self._is_at(items[0], at):
                yield from ({items[0]: at, **rest} for rest in self._places_until(items[1:], last[1:], at + 1))

    def _is_at(self, item: int, at: int) -> bool:
        one, other = self.claim.pieces[item], self.said.pieces[at]
        # An opposite stands for a word only where the word itself is missing: *opens at 8 and closes at 6*.
        is_opposite = one.token is not None and one.token != other.token and one.token in self.said.tokens
        return not is_opposite and _is_same(one, other, self.differs)

    def _is_plain(self, order: _Order, places: dict[int, int]) -> bool:
        if self.verb is None or not places:
            return bool(places) and self._is_number_bound(places) and self._is_doer([min(places.values())])
        left = [places[at] for at in places if at < self.verb]
        right = [places[at] for at in places if at > self.verb]
        if not self._is_number_bound(places):
            return False
        if order.is_fronted:
            return bool(left) and places[self.verb] == 0 and self.said.pieces[min(left)].is_apart
        if order.is_turned:
            return self._is_turned_plainly(left, right, places.get(self.verb))
        if not left:
            return self._is_voice_kept(places)
        following = min([at for at in places.values() if at > max(left)], default=len(self.words))
        return (
            self._is_doer(left)
            and not self._has_other_doer(max(left), max(places.values()))
            and not self._has_other_deed(places)
            and not self._is_part_of_target(places)
            and self._is_gap_plain(max(left), following)
            and self._is_voice_kept(places)
        )

    def _is_doer(self, left: Sequence[int]) -> bool:
        """Whether these words are the doer of a clause, not a part of it or what another one is done to."""
        return not self._is_headed(min(left)) and not self._is_owner(max(left)) and not self._is_object(min(left))

    def _is_number_bound(self, places: dict[int, int]) -> bool:
        """Whether no other number could be the one of the claim."""
        numbered = [at for at in places if self.claim.pieces[at].number is not None]
        for at in numbered:
            number = self.said.pieces[places[at]].number
            start = max((place for place in places.values() if place < places[at]), default=-1)
            others = [
                place
                for place, piece in enumerate(self.said.pieces)
                if piece.number is not None and number is not None and place != places[at]
                if piece.number.unit in (number.unit, None) and number.unit != "th"
                if self.words[place - 1 : place] != ["by"] or self.words[places[at] - 1] != "to"
            ]
            if others and (self.differs == "number" or any(start < place < places[at] for place in others)):
                return False
        return True

    def _is_headed(self, first: int) -> bool:
        """Whether the doer of the claim only belongs to the one of the statement: *the son of Ada*."""
        at = first - 1
        while at >= 0 and not self.said.pieces[at + 1].is_apart and self._is_title(at, first):
            at -= 1
        if at <= 0 or self.words[at] not in PREPOSITIONS - {"as"} or self.said.pieces[at + 1].is_apart:
            return False
        return self.words[at] not in {piece.word for piece in self.claim.pieces[: self.verb]}

    def _is_object(self, first: int) -> bool:
        """Whether the doer of the claim stands after another verb, or in a clause about something else."""
        for at in range(first - 1, -1, -1):
            if self.words[at] in _ASIDES:
                return True
            if self.said.pieces[at + 1].is_apart or self.words[at] in _CLAUSE_OPENERS:
                return "whose" in self.words[:first]
            if at > 0 and is_finite_verb(self.words[at]):
                return True
        return False

    def _is_title(self, at: int, first: int) -> bool:
        is_near = first - at <= 3 and self.words[at] not in PREPOSITIONS and not is_finite_verb(self.words[at])
        return self.words[at] in DETERMINERS or self.said.pieces[at].is_name or is_near

    def _is_owner(self, last: int) -> bool:
        is_marked = last + 1 < len(self.words) and self.words[last + 1] == OWNER_MARK
        return is_marked and all(piece.word != OWNER_MARK for piece in self.claim.pieces)

    def _is_gap_plain(self, start: int, stop: int) -> bool:
        """Whether the words between a doer and a deed leave the deed with the doer."""
        gap = self.words[start + 1 : stop]
        if "whose" in gap or self._has_other_doer(start, stop):
            return False
        verbs = [word for word in gap if is_finite_verb(word)]
        # Two verbs side by side: the first is of a clause that tells which one is meant (*the man Ada met left*).
        if gap and is_past_form(gap[-1]) and stop < len(self.words) and is_past_form(self.words[stop]):
            return False
        if any(word in _RELATIVES for word in gap[1:]) and verbs:
            relative = next(at for at, word in enumerate(gap) if at and word in _RELATIVES)
            if verbs[0] not in FORMS_OF_BE or PREPOSITIONS.intersection(gap[:relative]):
                return False
        asked = "" if self.verb is None else self.claim.pieces[self.verb].word
        is_deed = any(is_past_form(word) for word in gap)
        if asked in FORMS_OF_BE | _HAVE and names_change(" ".join(gap)):
            return True
        if asked in FORMS_OF_BE:
            last = max((at for at, word in enumerate(gap) if word in FORMS_OF_BE | _BECOME), default=None)
            if last is None:
                last = next((at for at in range(len(gap)) if self.said.pieces[start + 1 + at].is_apart), len(gap))
            if _RELATIVES.intersection(gap[last:]) and not _serves_as(gap):
                return False
            is_nested = bool(PREPOSITIONS.intersection(gap[last:])) and not self._is_place_claim()
            is_linked = bool((FORMS_OF_BE | _BECOME).intersection(gap)) or _serves_as(gap)
            if "as" in gap[last:] and not _serves_as(gap):
                return False
            return not is_nested and (is_linked or (not is_deed and self._is_named_beside(start, stop)))
        if asked in _HAVE:
            last = max((at for at, word in enumerate(gap) if word in _HAVE), default=len(gap))
            return not PREPOSITIONS.intersection(gap[last:]) and bool((_HAVE | _HOLD).intersection(gap))
        return True

    def _is_named_beside(self, start: int, stop: int) -> bool:
        """Whether a mark stands between two words that name the same: *Ada, the judge*; not *they call Ada a judge*."""
        size = len(self.words)
        after = next((at for at in range(stop + 1, size) if self.said.pieces[at].is_apart), size)
        is_told = any(is_finite_verb(word) for word in self.words[stop + 1 : after])
        is_limited = bool(_ONCE.intersection(self.words[start + 1 : after])) or any(
            one == "in" and other in POSSESSIVES for one, other in pairwise(self.words[stop + 1 : after])
        )
        return (
            not is_told and not is_limited and any(piece.is_apart for piece in self.said.pieces[start + 1 : stop + 1])
        )

    def _has_other_deed(self, places: dict[int, int]) -> bool:
        """Whether a second verb of the doer stands between the claimed one and its words: *born in A and died in B*."""
        if self.verb is None or self.verb not in places:
            return False
        start, stop = places[self.verb], max(places.values())
        places_found = set(places.values())
        return any(
            (is_past_form(self.words[at]) or (at not in places_found and self._is_present_deed(start, at)))
            and (self.said.pieces[at].is_apart or self.words[at - 1] in ("and", "then", "but"))
            and any(piece.is_content for piece in self.said.pieces[start + 1 : at])
            for at in range(start + 1, stop)
        )

    def _is_present_deed(self, verb: int, at: int) -> bool:
        """Whether two words in -s are verbs of one doer: *opens at 8 and closes at 6*."""
        are_alike = self.words[verb].endswith("s") and self.words[at].endswith("s")
        return are_alike and self.words[at - 1] in ("and", "then", "but")

    def _is_part_of_target(self, places: dict[int, int]) -> bool:
        """Whether what the claim has after its verb only belongs to the target: *painted the house of Ada*."""
        if self.verb is None or self.verb not in places:
            return False
        start = places[self.verb]
        first = min((at for at in places.values() if at > start), default=start)
        return "of" in self.words[start + 1 : first] and all(piece.word != "of" for piece in self.claim.pieces)

    def _is_place_claim(self) -> bool:
        """Whether a preposition follows the form of be: *is in Graz*."""
        following = self.claim.pieces[self.verb + 1 :][:1] if self.verb is not None else ()
        return any(piece.word in PREPOSITIONS for piece in following)

    def _has_other_doer(self, start: int, stop: int) -> bool:
        """Whether somebody else stands between the doer of the claim and a verb."""
        has_verb = False
        for at in range(start + 1, min(stop + 1, len(self.words))):
            if self._is_verb(at):
                before = self.said.pieces[at - 1]
                is_other = has_verb and self._begins_clause(at - 1, start)
                is_other = is_other or (
                    self._is_claimed(at) and not self.said.pieces[at].is_apart and self._is_name_between(start, at)
                )
                if before.is_name and is_other:
                    return True
                has_verb = True
        return False

    def _is_verb(self, at: int) -> bool:
        return is_finite_verb(self.words[at]) or self._is_claimed(at)

    def _is_claimed(self, at: int) -> bool:
        """Whether this is the verb of the claim."""
        token = self.said.pieces[at].token
        return token is not None and self.verb is not None and token == self.claim.pieces[self.verb].token

    def _is_name_between(self, start: int, stop: int) -> bool:
        """Whether the name before a verb is neither one of a list of doers nor after a preposition."""
        is_list = True
        for at in range(stop - 1, start, -1):
            if not self.said.pieces[at].is_name and self.words[at] not in DETERMINERS:
                if is_list and self.words[at] in PREPOSITIONS:
                    return False
                is_list = False
                if self.words[at] != "and":
                    return True
        return False

    def _begins_clause(self, at: int, start: int) -> bool:
        while at - 1 > start and (self.said.pieces[at - 1].is_name or self.words[at - 1] in DETERMINERS):
            at -= 1
        return self.said.pieces[at].is_apart or self.words[at - 1] in ("and", "while", "but", "before", "after", "when")

    def _is_voice_kept(self, places: dict[int, int]) -> bool:
        at = places.get(self.verb) if self.verb is not None else None
        if at is None or self.verb is None:
            return True
        return is_voice_kept(self.claim, self.said, self.verb, at, is_passive_claim=self.is_passive_claim)

    def _is_turned_plainly(self, left: Sequence[int], right: Sequence[int], verb: int | None) -> bool:
        """Whether the sides of a claim are exchanged by a form of be between them, a passive or a mutual verb."""
        if not left or (not right and not self.is_passive_claim):
            return False
        start, stop = min(max(left), max(right or left)), max(min(left), min(right or left))
        gap = self.words[start + 1 : stop]
        if verb is None:
            is_short = not any(is_past_form(word) for word in gap) and not _RELATIVES.intersection(gap)
            return is_short and bool(FORMS_OF_BE.intersection(gap)) and not self._is_headed(min(right))
        if self.said.pieces[verb].token in mutual():
            return not self._is_headed(min(left)) and not self._is_headed(min(right))
        if self.is_passive_claim:
            return not FORMS_OF_BE.intersection(self.words[max(0, verb - 2) : verb])
        return "by" in self.words[verb + 1 : min(left)]
