"""Spelling variants under which tokens of names are indexed, so that a mistyped or partial form finds them.

A *variant* leaves out letters that typing errors may have changed. A stored token has few of them; a query asks for a
few more, those that it would have if the errors were in this place or that. Two tokens that may be typing errors of
each other (see `resolve`) never miss each other, whichever of them is stored.
"""

from collections.abc import Iterator

SHORTEST_PART = 2
_PART_LETTERS = 24
_MARK = "/"
"""Stands for letters left out; no token holds it."""
_LONG = 8
_TWO_ERRORS = 10
_WAYS = {7: 1, 8: 2, 9: 4}
"""By the length of a token asked for, in how many ways half of an end can be read; of a longer one in all five."""
_CUTS = {4: (2, 3), 5: (3, 4), 6: (3, 4), 7: (3, 5)}
"""By the length of a short token, where it is cut into thirds behind its first letter, which is never mistyped."""


def variants(token: str) -> list[str]:
    """What a stored token is found by if mistyped: itself, and what is left of it without the errors.

    A short token may have one error, which lies in one of its thirds. A long one may have two. If neither is among its
    first five letters, or neither among its last four, those are left; else one error is in each, and half of each is.
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
    """Variants of which every token has one that this one may be a typing error of."""
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
    """What stands inside a token from every second place on; a text between two is found by the rest of it."""
    return [_MARK + token[at : at + _PART_LETTERS] for at in range(2, len(token), 2)]


def suffix_query_keys(text: str) -> tuple[str, str]:
    """What parts begin with in a token that holds this text behind its first letter: one or the other."""
    return _MARK + text[:_PART_LETTERS], _MARK + text[1 : 1 + _PART_LETTERS]


def index_keys(token: str) -> list[str]:
    """All that a token is found by: its variants and its parts."""
    return variants(token) + suffix_keys(token)


def _drop_each_third(token: str, stored: int) -> tuple[str, str, str]:
    """What is left of a stored token of so many letters if this is it, but for one third, with that number."""
    first, second = _CUTS[stored]
    shift = len(token) - stored
    return (
        f"{stored}{token[0]}/{token[shift + first :]}",
        f"{stored}{token[:first]}/{token[shift + second :]}",
        f"{stored}{token[:second]}/",
    )


def _transpose_at(token: str, cut: int) -> str:
    """The token with the two letters beside a cut in the other order: an error that lies in two thirds."""
    return token[: cut - 1] + token[cut] + token[cut - 1] + token[cut + 1 :]


def _long_token_variants(token: str) -> Iterator[str]:
    """The variants that a long stored token has if this is it, but for the errors its length allows."""
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
