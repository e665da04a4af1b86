"""Scripts that put no spaces between their words."""

import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Kana and Han, with their marks: what stands inside the brackets of a pattern."""
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
