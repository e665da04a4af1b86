"""Scripts written without spaces between words."""

import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Kana and Han with their marks, as the content of a character class."""
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")

MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u0e01-\u0e3e\u0e40-\u0e4e"
    "\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17dc-\u17e9"
)
"""Combining marks that `\\w` does not match: points, accents and the vowels of Indian and Thai scripts."""
LETTER = rf"(?:[^\W\d_]|[{MARKS}])"
"""Pattern of one letter in any script."""
