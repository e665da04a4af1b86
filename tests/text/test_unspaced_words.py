"""By which parts texts of scripts without spaces are compared."""

import pytest

from recollect.text.unspaced_words import content_parts


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("harbour", ("harbour",)),
        ("größe", ("größe",)),
        ("妻の名前は花子です", ("妻", "名前", "花子")),
        ("東京タワー", ("東京", "タワー")),
        ("acmeの窓口", ("acme", "窓口")),
        ("我住在哪里", ("我住", "住在")),
        ("서울에서", ("서울", "울에")),
    ],
)
def test_grammar_is_no_part(word: str, parts: tuple[str, ...]) -> None:
    assert content_parts(word) == parts
