"""Spelling variants under which tokens of names are indexed, so that a mistyped or partial form finds them.

A *variant* leaves out letters that typing errors may have changed. A stored token has few of them; a query uses a few
more, one for each place where the errors may be. Two tokens that may be typing errors of each other (see `resolve`)
always share a variant, whichever of them is stored.
"""

from collections.abc import Iterator

from recollect.text.fold import plain_letters

SHORTEST_PART = 2
_PART_LETTERS = 24
_MARK = "/"
"""Marks omitted letters; no token contains it."""
_LONG = 8
_TWO_ERRORS = 10
_WAYS = {7: 1, 8: 2, 9: 4}
"""By the length of the query token, in how many ways half of an end can be read; all five for longer ones."""
_CUTS = {4: (2, 3), 5: (3, 4), 6: (3, 4), 7: (3, 5)}
"""By the length of a short token, where it is split into thirds after its first letter, which is never mistyped."""


def variants(token: str) -> list[str]:
    """The keys of a stored token: itself, and what remains of it without the errors.

    A short token may have one error, in one of its thirds. A long one may have two. If neither is among its first five
    letters, or neither among its last four, those remain; else there is one error in each, and half of each remains.
    """
    length = len(token)
    if length >= _LONG:
        first, one, two, three, four = token[0], token[1:3], token[3:5], token[-4:-2], token[-2:]
        return [
            token,
            f"{token[:5]}/",
            f"{first}/{token[-4:]}",
            f"{first}{one}/{three}/",
            f"{first}{one}//{four}",
            f"{first}/{two}/{three}/",
            f"{first}/{two}//{four}",
        ]
    return [token, *_drop_each_third(token, length)] if length in _CUTS else [token]


def query_variants(token: str) -> set[str]:
    """Variants that include at least one of every token of which this may be a typing error."""
    length = len(token)
    asked = {token}
    for stored in _CUTS.keys() & {length - 1, length, length + 1}:
        asked.update(_drop_each_third(token, stored))
    if length in _CUTS:
        asked.update(_transpose_at(token, cut) for cut in _CUTS[length])
    if length == min(_CUTS):
        asked.update(token[:at] + token[at + 1 :] for at in range(1, length))
    if length >= _LONG - 1:
        asked.update(_long_token_variants(token))
    return asked


def suffix_keys(token: str) -> list[str]:
    """The suffixes of a token from every second position; a query starting in between is found by its remainder."""
    return [_MARK + token[at : at + _PART_LETTERS] for at in range(2, len(token), 2)]


def suffix_query_keys(text: str) -> tuple[str, str]:
    """Two prefixes, one of which a suffix key has if its token contains this text after the first letter."""
    return _MARK + text[:_PART_LETTERS], _MARK + text[1 : 1 + _PART_LETTERS]


def index_keys(token: str) -> list[str]:
    """All index keys of a token: its variants and its suffixes, with accents and without."""
    keys = variants(token) + suffix_keys(token)
    plain = plain_letters(token)
    return keys if plain == token or not plain else list(dict.fromkeys(keys + variants(plain) + suffix_keys(plain)))


def _drop_each_third(token: str, stored: int) -> tuple[str, str, str]:
    """The token without each of its thirds, as a stored token of length `stored` would have them."""
    first, second = _CUTS[stored]
    shift = len(token) - stored
    return (
        f"{stored}{token[0]}/{token[shift + first :]}",
        f"{stored}{token[:first]}/{token[shift + second :]}",
        f"{stored}{token[:second]}/",
    )


def _transpose_at(token: str, cut: int) -> str:
    """The token with the letters on both sides of a cut transposed: an error that spans two thirds."""
    return token[: cut - 1] + token[cut] + token[cut - 1] + token[cut + 1 :]


def _long_token_variants(token: str) -> Iterator[str]:
    """The variants of a long stored token of which this may be a typing error."""
    length, first = len(token), token[0]
    yield f"{token[:5]}/"
    yield f"{first}/{token[-4:]}"
    if length == _TWO_ERRORS:
        # Two letters swapped where the first five of nine end.
        yield f"{token[:4]}{token[5]}/"
        yield f"{first}/{token[-5]}{token[-3:]}"
    # The outer half of either end as it is; the inner half, moved by a letter left out of the outer one; in its place,
    # that one being mistyped; the outer half, its last letter having been swapped; the inner one, moved by a letter too
    # many. A token of fewer letters has no room for the later ones.
    ways = _WAYS.get(length, 5)
    beginnings = (
        token[:3],
        f"{first}/{token[2:4]}",
        f"{first}/{token[3:5]}",
        token[:2] + token[3],
        f"{first}/{token[4:6]}",
    )
    ends = f"//{token[-2:]}", f"/{token[-3:-1]}/", f"/{token[-4:-2]}/", f"//{token[-3]}{token[-1]}", f"/{token[-5:-3]}/"
    for beginning in beginnings[:ways]:
        for end in ends[:ways]:
            yield beginning + end
