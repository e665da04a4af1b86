"""Sentence splitter for what an author wrote: quoted mail, signatures and code are masked."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.text.sentences import TextSpan, blocks, sentence_ends, trim

_FORWARDED = (
    r"Original Message|Forwarded message|Forwarded by"
    r"|(?:Urspr[üu]ngliche|Original-?|Weitergeleitete) ?Nachricht"
    r"|Message (?:d['’]origine|original|transf[ée]r[ée])|Courriel original"
    r"|Mensaje (?:original|reenviado)|Mensagem (?:original|encaminhada)|Messaggio (?:originale|inoltrato)"
    r"|(?:Oorspronkelijk|Doorgestuurd) bericht|(?:Ursprungligt|Vidarebefordrat) meddelande"
    r"|(?:Oprindelig|Videresendt) (?:meddelelse|besked)|(?:Opprinnelig|Videresendt) melding"
    r"|Alkuper[äa]inen viesti|Wiadomość oryginalna|Wiadomość przekazana|P[ůu]vodní zpr[áa]va"
    r"|Исходное сообщение|Пересылаемое сообщение|原始邮件|转发的邮件|元のメッセージ|원본 메시지"
)
_FORWARD_START = (
    r"Begin forwarded message|Anfang der weitergeleiteten Nachricht|Début du message (?:transféré|réexpédié)"
    r"|Inicio del mensaje reenviado|Início da mensagem (?:re)?encaminhada|Inizio messaggio inoltrato"
    r"|Begin doorgestuurd bericht|Vidarebefordrat brev|Начало переадресованного сообщения"
)
_FROM = r"From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Kimden|发件人|寄件者|差出人|보낸 사람"
_BESIDE_FROM = (
    r"Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Fecha|Para|Asunto|Enviada?(?: em)?"
    r"|Data|Assunto|Inviato|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Dato|Lähetetty"
    r"|Vastaanottaja|Aihe|Wysłano|Do|Temat|Odesláno|Komu|Předmět|Отправлено|Дата|Кому|Тема|Gönderildi|Kime|Konu"
    r"|发送时间|收件人|主题|送信日時|宛先|件名|보낸 날짜|받는 사람|제목"
)
_COLON = r"[ \t\u00a0]*\*?[:：]"
_EARLIER_MAIL_MARK = re.compile(
    rf"^[ \t]*-{{2,}}[ \t]*(?:{_FORWARDED})\b"
    rf"|^[ \t]*(?:{_FORWARD_START}){_COLON}"
    rf"|^[ \t]*\*?(?:{_FROM}){_COLON}[^\n]*\n(?:[ \t]*\n)?[ \t]*\*?(?:{_BESIDE_FROM}){_COLON}"
    r"|^--[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINE_WITH_COLON = re.compile(r"^[^\n]*[:：][ \t]*$", re.MULTILINE)
_ATTRIBUTION_LINE = re.compile(
    r"[ \t]*(?:On\b.*\bwrote"
    r"|(?=.*\d)(?:Am\b.*\bschrieb\b.*|Le\b.*\ba écrit|El\b.*\bescribió|Em\b.*\bescreveu|Il\b.*\bha scritto"
    r"|Op\b.*\bschreef\b.*|(?:Den|På)\b.*\bskrev\b.*|.*\bskrev|.*\bkirjoitti|.*\bnapisał(?:a|\(a\))?"
    r"|.*\bnapsal(?:a|\(a\))?|.*\b(?:написала?|пишет|пише)|.*\byazdı|.*写道|.*寫道|.*님이 작성"
    r"|.*<[^<>\s]+@[^<>\s]+>)"
    r")[ \t\u00a0]*[:：]\s*",
    re.IGNORECASE | re.DOTALL,
)
_MAX_ATTRIBUTION_LINES = 3
_MAX_ATTRIBUTION_CHARS = 500


def strip_earlier_mail(text: str) -> str:
    """What stands before the first earlier mail or signature."""
    mark = _EARLIER_MAIL_MARK.search(text)
    own = text[: mark.start()] if mark else text
    for line in _LINE_WITH_COLON.finditer(own):
        start = _attribution_start(own, line.start(), line.end())
        if start is not None:
            return own[:start]
    return own


def _attribution_start(text: str, start: int, stop: int) -> int | None:
    """Where the line begins that says who wrote what follows; mail programs break it in two or three."""
    for _ in range(_MAX_ATTRIBUTION_LINES):
        if stop - start > _MAX_ATTRIBUTION_CHARS:
            return None
        if _ATTRIBUTION_LINE.fullmatch(text, start, stop):
            return start
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        if start == 0 or not text[above:start].strip():
            return None
        start = above
    return None


_QUOTED = re.compile(
    r"^[ \t]*>[^\n]*$"
    r"|^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
    r"|<!--(?:(?!<!--).)*?-->"
    r"|\"[^\"\n]*(?:\n(?![ \t]*\n)[^\"\n]*)*\""
    r"|„[^„“”]*[“”]"
    r"|“[^“”]*”"
    r"|«[^«»]*»",
    re.MULTILINE | re.DOTALL,
)


class RecordSentence(NamedTuple):
    """One sentence: as it stands, and as it is read, with what is quoted in it left blank."""

    start: int
    stop: int
    quote: str
    masked_text: str


def split_sentences(text: str) -> list[RecordSentence]:
    """The sentences of what the author wrote: no quoted lines, no earlier mail, no signature, no code."""
    masked = mask_quotes(text)
    return [
        RecordSentence(start, stop, text[start:stop], " ".join(masked[start:stop].replace("’", "'").split()))
        for start, stop in _sentence_places(text, masked)
        if masked[start:stop].strip()
    ]


def signature_lines(text: str) -> list[str]:
    """The lines behind a signature mark, as far as they belong together."""
    text = text.replace("\r", " ")
    found = re.search(r"^--[ \t]*\n", text, re.MULTILINE)
    if found is None:
        return []
    block = re.split(r"\n[ \t]*\n", text[found.end() :].strip("\n"), maxsplit=1)[0]
    return [line.strip() for line in block.splitlines() if line.strip()]


def mask_quotes(text: str) -> str:
    """What the author wrote, with quotations and code blanked out; earlier mails and signatures are cut off."""
    own = strip_earlier_mail(text.replace("\r", " "))
    return _QUOTED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), own)


def _sentence_places(text: str, masked: str) -> Iterator[TextSpan]:
    """Where sentences stand: cut in the masked text, trimmed in the original, whose quotations they keep."""
    for block in blocks(masked):
        first = block.body
        for end in [*sentence_ends(masked, block.body, block.stop), block.stop]:
            yield trim(text, first, end)
            first = end
