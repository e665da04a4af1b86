"""The parts of a run of letters that may stand for its content, in scripts that write no spaces or glue endings on.

Without a dictionary nobody knows where the words of `妻の名前は花子です` begin. Two letters of a question that
stand beside each other in a text as well are near enough to a shared word, if they are not grammar: that is what an
index by pairs of letters finds, too.
"""

import re
from functools import cache
from itertools import chain

from recollect.text.tokens import bigrams

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_HANGUL = "\uac00-\ud7a3"

_GRAMMAR_LETTERS = frozenset(
    "私僕俺君何誰的是我你您他她它们們在有了吗嗎呢吧不没沒这這那什么麼哪里裡裏谁誰怎样樣和与與也都就很到去会會能可以为為个個"
)
"""Ideographs that stand in texts on any subject: pronouns, particles, question words."""

_GRAMMAR_PAIRS = frozenset(
    """です でし した ます まし ませ せん いま んで でい てい いる いた って った ない なか かっ ある あり
    する して から まで には では とは のは のが のを こと もの など この その あの どの どこ なに いつ
    だれ これ それ あれ ここ そこ さん よう うで でし しょ ょう たい たち くだ ださ さい いて ると れる
    られ せる ので のに けど だっ だけ でも とも しま いい えて すか こに 습니 니다 니까 입니 에서 에게
    까지 부터 으로 하고 해요 아요 어요 있어 있습 없어 했어 했습 합니 이다 이에 에요 예요 나요 는데 지만
    어디 무엇 누구 언제 디에 우리 저는 나는 제가 내가""".split()
)
"""Pairs of neighbouring letters that are endings, particles, pronouns and question words of Japanese and Korean."""


def content_parts(word: str) -> tuple[str, ...]:
    """The parts of a folded word that are compared; in scripts with spaces, the word itself."""
    if not is_cut_into_parts(word):
        return (word,)
    runs = [each[0] for each in _runs().finditer(word)]
    return tuple(dict.fromkeys(chain.from_iterable(map(_parts_of_run, runs))))


def is_cut_into_parts(text: str) -> bool:
    """Whether a text has letters of a script whose words are compared by their parts."""
    return not text.isascii() and bool(_cut_scripts().search(text))


def _parts_of_run(run: str) -> tuple[str, ...]:
    if not _cut_scripts().match(run) or _KATAKANA_RUN.match(run):
        return (run,)
    if len(run) == 1 and _HIRAGANA_RUN.match(run):
        return ()
    return tuple(pair for pair in bigrams(run) if pair not in _GRAMMAR_PAIRS and not _GRAMMAR_LETTERS.issuperset(pair))


_KATAKANA_RUN = re.compile(f"[{_KATAKANA}]")
_HIRAGANA_RUN = re.compile(f"[{_HIRAGANA}]")


@cache
def _cut_scripts() -> re.Pattern[str]:
    return re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_HANGUL}]")


@cache
def _runs() -> re.Pattern[str]:
    """Letters of one script beside each other; compiled when the first such text comes."""
    cut = (_HAN, _HIRAGANA, _KATAKANA, _HANGUL)
    return re.compile("|".join((*(f"[{script}]+" for script in cut), f"[^{''.join(cut)}]+")))
