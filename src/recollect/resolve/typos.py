"""Names that differ from a text by typing errors only."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from heapq import nsmallest

from rapidfuzz.distance import OSA

from recollect.model.names import Types
from recollect.model.spelling_variants import query_variants
from recollect.resolve.port import NameCandidate, NameIndex, NameQuery
from recollect.text.fold import plain_letters

UNACCENTED_SCORE = 0.97
"""Of a name that differs in accents only."""
_LONGEST = 266  # a name has at most 200 characters, and three quarters of the longer text must agree
_MOST_KEYS = 4000
_MOST_ROWS = 200


def typo_candidates(index: NameIndex, query: NameQuery, types: Types) -> Iterator[NameCandidate]:
    """Names with as many tokens as the text, each within its typing errors; ties included."""
    keys = _likely_keys(index, query)
    if not keys:
        return
    for name in index.with_keys(keys, query.digits, types, _MOST_ROWS):
        edits = keys[name.key]
        score = 1 - edits / max(len(query.folded), len(name.folded))
        yield NameCandidate(name, score if edits or name.key == query.key else UNACCENTED_SCORE)


def near_tokens(index: NameIndex, tokens: tuple[str, ...]) -> list[dict[str, int]]:
    """For each token the stored tokens it may be a typo of, with the number of edits; accents do not count as edits."""
    plain = [plain_letters(token) or token for token in tokens]
    found = defaultdict[str, list[str]](list)
    for near in index.tokens_near(set[str]().union(*map(query_variants, {*tokens, *plain}))):
        found[plain_letters(near)[:1] or near[0]].append(near)
    return [_within_typo_limit(token, found[token[0]]) for token in plain]


def typo_distance(one: str, other: str) -> int | None:
    """How many typing errors lie between two tokens; none when their length forbids it.

    At most one letter in four can be an error, so every name that passes scores 0.75 or more.
    """
    if one == other:
        return 0
    longer = max(len(one), len(other))
    limit = _most_edits(longer)
    if one[0] != other[0] or not limit or abs(len(one) - len(other)) > limit:
        return None
    edits = OSA.distance(one, other, score_cutoff=limit)
    if edits > limit or (longer <= 5 and _is_substitution(one, other)):
        return None
    return edits


def _most_edits(longer: int) -> int:
    return 0 if longer <= 3 else 1 if longer <= 9 else 2


def _is_substitution(one: str, other: str) -> bool:
    """Whether a single edit puts one letter for another; a swap keeps all letters."""
    return len(one) == len(other) and sorted(one) != sorted(other)


def _within_typo_limit(token: str, found: Collection[str]) -> dict[str, int]:
    edits = ((other, typo_distance(token, plain_letters(other) or other)) for other in found)
    return {other: count for other, count in edits if count is not None}


def _likely_keys(index: NameIndex, query: NameQuery) -> Mapping[str, int]:
    """Token keys the text may be meant for, with edits; all but the last token known to occur."""
    if len(query.folded) > _LONGEST:
        return {}
    first, *rest = near_tokens(index, query.tokens)
    keys = first
    for near in rest:
        continued = index.keys_continued(keys, query.digits) if keys and near else ()
        keys = _extend_keys({key: keys[key] for key in continued}, near)
    return keys


def _extend_keys(keys: Mapping[str, int], near: Mapping[str, int]) -> dict[str, int]:
    """Each key with each next token; of very many the closest."""
    joined = {f"{key} {token}": spent + edits for key, spent in keys.items() for token, edits in near.items()}
    if len(joined) <= _MOST_KEYS:
        return joined
    return dict(nsmallest(_MOST_KEYS, joined.items(), key=lambda item: (item[1], item[0])))
