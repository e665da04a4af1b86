"""Caches of what functions find in texts."""

from recollect.text.caching import cache_short


def test_short_texts_are_looked_through_once_and_long_ones_every_time() -> None:
    asked: list[str] = []

    @cache_short(8, longest=3)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length(each) for each in ("abc", "abc", "abcd", "abcd")] == [3, 3, 4, 4]
    assert asked == ["abc", "abcd", "abcd"]
