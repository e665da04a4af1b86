"""The language of a short text, told by its most frequent words."""

import re
from functools import cache

_WORDS = {
    "en": "the and is are was to of in for you i we it that this with on at my your can will not be have do please a he she they him her his our me us but if so no yes just get got by from what when who how there all out up as or an its im ill dont",
    "de": "der die das und ist sind war zu von für du ich wir es dass mit auf am mein dein kann wird nicht ein eine sie bitte habe hat noch auch bis den dem des im wie aber wenn uns mir dir ihr sich nach bei schon nur doch ja nein kein keine morgen heute",
    "fr": "le la les et est sont de des du pour vous je nous il elle que ce cette avec sur mon votre peux pas ne une un s'il au aux ai a été être merci bonjour mais si dans d'ici vos nos notre qui plus on en y tout oui non c'est j'ai demain",
    "es": "el la los las y es son de del para usted yo nosotros que este esta con en mi tu su puede no una un por favor se lo al ha he hay muy pero si más como ya cuando te me nos le antes mañana gracias está están",
    "pt": "o a os as e é são de do da dos das para você eu nós que este esta com em meu teu seu pode não uma um por favor se ao foi está mas mais como já quando te me nos lhe até amanhã obrigado obrigada também isso no na nos nas às tem",
    "it": "il lo la i gli le e è sono di del della per lei io noi che questo questa con in mio tuo suo può non una un si al ha ho ma se più come già quando ti mi ci anche entro domani grazie nel nella dei delle alla sul",
    "nl": "de het een en is zijn van voor je ik wij we dat met op in mijn jouw kan niet te aan er maar als ook nog heb heeft wordt bij naar om uit deze dit u jij hij ze zij wat wel geen moet graag even morgen groet",
    "sv": "och att det är en ett av för du jag vi som med på i min din kan inte till den har om men så vill ska från kommer hos var nu blir måste gärna vid oss mig dig han hon de senast imorgon hej mvh eller",
    "pl": "i w na z do nie się że jest są to dla od po jak ale czy ja ty my o za przez już tylko proszę mi mnie cię go jej będzie będę był była przed pod bo tak jutro dziękuję oraz albo ze we ma mam",
}  # fmt: skip
_OTHER = {
    "da": "og det er en et af jeg ikke til har om men vil skal fra hvad nu være hvor også efter mig dig han hun eller når",
    "fi": "ja on ei se että en hän me te he mutta jos niin kun vain myös ovat oli olen minä sinä tämä",
    "cs": "a je se na to že v s z do ne by jsem jsou pro ale jako už jen tak aby který si mě",
    "tr": "ve bir bu da de için çok ne var ben sen o ama gibi daha mi değil olarak kadar",
}
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LETTER = re.compile(r"[^\W\d_]")


@cache
def _frequent() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for code, words in {**_WORDS, **_OTHER}.items():
        for word in words.split():
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}


def detect_language(text: str, default: str = "en") -> str:
    """The code of a text's language, "other" for scripts that we do not read, the default where nothing tells."""
    letters = len(_LETTER.findall(text[:2000]))
    if letters and len(_LATIN.findall(text[:2000])) < letters / 2:
        return "other"
    scores: dict[str, float] = {}
    for token in _TOKEN.findall(text[:2000].lower().replace("’", "'")):
        for code in (codes := _frequent().get(token, ())):
            scores[code] = scores.get(code, 0.0) + (1 if len(token) > 2 else 0.4) / len(codes)
    if not scores:
        return default
    best = max(scores, key=lambda code: (scores[code], code == default))
    margin = 0.5 if best == default else 1.0
    return best if scores[best] - scores.get(default, 0.0) >= margin or best == default else default
