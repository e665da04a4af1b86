"""The slots of a statement that hold one value: who made something, where somebody was born, what a capital is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recollect.reason.verify.countries import LONGEST_COUNTRY, are_regions_apart, find_region
from recollect.reason.verify.parsed_statement import OWNER_MARK, ParsedStatement, StatementPiece
from recollect.reason.verify.statement_verbs import DETERMINERS, PREPOSITIONS
from recollect.reason.verify.word_lists import origins
from recollect.text.content_words import content_token
from recollect.text.lexicon import FORMS_OF_BE
from recollect.text.verbs import is_past_form

Pieces = Sequence[StatementPiece]
_MADE_ONCE = frozenset(
    map(
        content_token,
        "write written direct compose invent paint discover author sculpt choreograph illustrate found design create "
        "produce kill murder assassinate".split(),
    )
)
_MADE_IN_PART = frozenset("co partly partially jointly originally mostly mainly largely first also".split())
# One point in space; of other places only countries exclude each other.
_AT_ONE_PLACE = frozenset(map(content_token, "born died buried".split()))
_PLACED = _AT_ONE_PLACE | frozenset(
    map(content_token, "originated originating originate located situated based headquartered founded set lies".split())
)
_ONE_OF = frozenset(map(content_token, "capital mother father author composer inventor".split()))
_ENDS_LIST = frozenset("featuring starring including".split())
_MORE = frozenset("among with along alongside together".split())
_AFTER_VALUE = frozenset("and or".split())
_UNSURE = frozenset(("or", "either", "neither", "near", "almost", "nearly", "former", "probably"))


@dataclass(frozen=True, slots=True)
class SlotValue:
    """What has a slot, which one it is, and the value there, by its pieces."""

    owner: tuple[StatementPiece, ...]
    slot: str
    value: tuple[StatementPiece, ...]

    @property
    def tokens(self) -> frozenset[str]:
        return frozenset(piece.token for piece in self.value if piece.token is not None)

    def excludes(self, other: "SlotValue") -> bool:
        """Whether both values cannot be true of one thing."""
        if self.tokens & other.tokens or not (_has_name(self.value) and _has_name(other.value)):
            return False
        if not self.slot.startswith("in "):
            return True
        regions, others = set(regions_in(self.value)), set(regions_in(other.value))
        if regions and others:
            return all(are_regions_apart(one, another) for one in regions for another in others)
        return not regions and not others and self.slot.removeprefix("in ") in _AT_ONE_PLACE


def find_slots(said: ParsedStatement) -> list[SlotValue]:
    """The slots that a statement gives a value."""
    pieces = said.pieces
    if _UNSURE.intersection(piece.word for piece in pieces):
        return []
    verb = next((at for at, piece in enumerate(pieces) if piece.word in FORMS_OF_BE), None)
    found = [*_made_by(pieces, verb), *_made(pieces), *_placed(pieces, verb), *_only_one(pieces, verb)]
    return [each for each in found if each.owner and each.value]


def subject_of(pieces: Pieces) -> tuple[StatementPiece, ...]:
    """The subject that these words are, up to a mark; empty if it has more than one phrase."""
    stop = next((at for at in range(1, len(pieces)) if pieces[at].is_apart), len(pieces))
    found = pieces[1 if pieces and pieces[0].word in ("the", "a", "an") else 0 : stop]
    is_plain = not any(piece.word in PREPOSITIONS or piece.word in ("and", "whose", "that") for piece in found)
    return tuple(found) if is_plain else ()


def _has_name(pieces: Pieces) -> bool:
    """Whether a phrase names somebody or something; *a Dane* and *the English singer* may be anybody."""
    is_named = any(piece.is_name and piece.token not in origins() for piece in pieces)
    return is_named and pieces[0].word not in ("a", "an") and all(piece.word != OWNER_MARK for piece in pieces)


def _value(pieces: Pieces, start: int, *, is_list: bool) -> tuple[StatementPiece, ...]:
    """The phrase that begins here: up to a verb or a preposition, in a list also after commas and *and*."""
    stop = start
    while stop < len(pieces) and not _ends_value(pieces, stop):
        if stop > start and not is_list and pieces[stop].word in _AFTER_VALUE:
            break
        stop += 1
    return tuple(pieces[start:stop])


def _ends_value(pieces: Pieces, at: int) -> bool:
    piece = pieces[at]
    is_verb = is_past_form(piece.word) or piece.word in FORMS_OF_BE or piece.word in _ENDS_LIST
    return piece.word in PREPOSITIONS or is_verb or piece.day is not None or piece.word in ("who", "which", "that")


def _made_by(pieces: Pieces, verb: int | None) -> Iterator[SlotValue]:
    """*Rain was directed by Ada*, *Rain is a film directed by Ada*, *Rain is a song by Ada*."""
    if not verb:
        return
    owner = subject_of(pieces[:verb])
    for at in range(verb + 1, len(pieces) - 1):
        if pieces[at].word in PREPOSITIONS - {"by"}:
            return
        if pieces[at + 1].word == "by" and pieces[at].token is not None and pieces[at - 1].word not in _MADE_IN_PART:
            is_deed = is_past_form(pieces[at].word)
            before = pieces[at - 2 if pieces[at - 1].word == "and" else at - 1]
            if is_deed and before.token in _MADE_ONCE:
                yield SlotValue(owner, f"by {before.token}", _makers(pieces, at + 2))
            if not is_deed or pieces[at].token in _MADE_ONCE:
                yield SlotValue(owner, f"by {pieces[at].token}", _makers(pieces, at + 2))


def _makers(pieces: Pieces, start: int) -> tuple[StatementPiece, ...]:
    """All who are named after *by*; none if there are others too: *by Ada and a friend*, *by Ada, among others*."""
    found = _value(pieces, start, is_list=True)
    after = pieces[start + len(found) :][:1]
    segments: list[list[StatementPiece]] = [[]]
    for piece in found:
        if piece.word == "and" or piece.is_apart:
            segments.append([])
        if piece.word != "and":
            segments[-1].append(piece)
    is_whole = all(any(piece.is_name for piece in segment) for segment in segments if segment)
    is_whole = is_whole and not any(piece.word in ("others", "al") for piece in found)
    return found if is_whole and not any(piece.word in _MORE for piece in after) else ()


def _made(pieces: Pieces) -> Iterator[SlotValue]:
    """*Ada directed Rain*."""
    for at in range(1, len(pieces) - 1):
        if pieces[at].token in _MADE_ONCE and is_past_form(pieces[at].word) and pieces[at + 1].word != "by":
            doer = pieces[:at]
            thing = _value(pieces, at + 1, is_list=True)
            is_plain = all(piece.is_name or piece.word == "and" for piece in doer)
            after = pieces[at + 1 + len(thing) :][:2]
            after = () if after[1:] and after[1].day is not None else after[:1]
            if is_plain and _has_name(thing) and not any(piece.word in PREPOSITIONS for piece in after):
                yield SlotValue(subject_of(thing), f"by {pieces[at].token}", tuple(doer))
            return


def _placed(pieces: Pieces, verb: int | None) -> Iterator[SlotValue]:
    """*Ada was born in Graz*, *Libya is a country in Africa*, *Rain is in Peru*."""
    for at, (one, other) in enumerate(pairwise(pieces)):
        if other.word not in ("in", "from", "at") or at == 0:
            continue
        is_now = verb is not None and pieces[verb].word in ("is", "are")
        is_state = verb is not None and is_now and (at == verb or _is_complement(pieces, verb, at))
        if one.token in _PLACED or is_state:
            stop = at if verb is None or verb > at else verb
            slot = one.token if one.token in _PLACED else "be"
            yield SlotValue(subject_of(pieces[:stop]), f"in {slot}", _place(pieces, at + 2))
            return


def _place(pieces: Pieces, start: int) -> tuple[StatementPiece, ...]:
    """The place that begins here, with the larger ones that it lies in: *the west of Peru*, *Graz, Austria*."""
    stop = start
    while stop < len(pieces) and not (_ends_value(pieces, stop) and pieces[stop].word not in ("of", "in")):
        if pieces[stop].word in _AFTER_VALUE or (pieces[stop].is_apart and not pieces[stop].is_name):
            break
        stop += 1
    return tuple(pieces[start:stop])


def _is_complement(pieces: Pieces, verb: int, at: int) -> bool:
    """Whether the word here ends what something is said to be, so that what follows tells where it is."""
    return verb < at and not any(
        piece.word in PREPOSITIONS or piece.is_apart or is_past_form(piece.word) or piece.word in ("who", "that")
        for piece in pieces[verb + 1 : at + 1]
    )


def _only_one(pieces: Pieces, verb: int | None) -> Iterator[SlotValue]:
    """*Graz is the capital of Styria* and *the capital of Styria is Graz*."""
    for at in range(1, len(pieces) - 2):
        if pieces[at].token not in _ONE_OF or pieces[at + 1].word != "of" or pieces[at - 1].word != "the" or not verb:
            continue
        if at == verb + 2 and pieces[verb].word == "is":
            owner = _value(pieces, at + 2, is_list=False)
            if _has_name(owner):
                yield SlotValue(owner, f"the {pieces[at].token}", subject_of(pieces[:verb]))
        elif at == 1 and verb > at + 2 and pieces[verb].word == "is":
            owner = _value(pieces[:verb], at + 2, is_list=False)
            if _has_name(owner):
                yield SlotValue(owner, f"the {pieces[at].token}", _value(pieces, verb + 1, is_list=False))


def regions_in(pieces: Pieces) -> Iterator[str]:
    """The countries and continents that a phrase names."""
    words = [piece.word for piece in pieces if piece.word not in DETERMINERS and piece.word != OWNER_MARK]
    for start in range(len(words)):
        for size in range(LONGEST_COUNTRY, 0, -1):
            if (found := find_region(" ".join(words[start : start + size]))) is not None:
                yield found
                break
