"""Packing texts into a ZIP and unpacking them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.keep.archive.zip_file import MANIFEST, BadArchive, pack_zip, unpack_zip

FOLDERS = st.text("abz09_-", min_size=1, max_size=8).map(lambda rest: f"x{rest}")
NAMES = st.lists(FOLDERS, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")
TEXTS = st.text(st.characters(codec="utf-8"))


@given(st.dictionaries(NAMES, TEXTS))
def test_what_was_packed_is_unpacked(texts: dict[str, str]) -> None:
    entries = {MANIFEST: "{}", **texts}
    assert unpack_zip(pack_zip(entries)) == {name: text.encode() for name, text in entries.items()}


@given(st.dictionaries(NAMES, TEXTS))
def test_the_order_of_the_entries_makes_no_difference(texts: dict[str, str]) -> None:
    assert pack_zip(texts) == pack_zip(dict(reversed(texts.items())))


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    with pytest.raises(BadArchive):
        unpack_zip(data)


@given(st.data())
def test_a_changed_byte_never_changes_a_text(data: st.DataObject) -> None:
    entries = {MANIFEST: "{}", "a.md": "some text " * 5}
    packed = bytearray(pack_zip(entries))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack_zip(bytes(packed))
    except BadArchive:
        return
    assert sorted(found.values()) == sorted(text.encode() for text in entries.values())
