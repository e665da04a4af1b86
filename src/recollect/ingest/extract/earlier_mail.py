"""Where a text begins to repeat earlier mail, answered or forwarded, in the languages that mail programs speak."""

import re

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
_BEGUN = (
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
_MARK = re.compile(
    rf"^[ \t]*-{{2,}}[ \t]*(?:{_FORWARDED})\b"
    rf"|^[ \t]*(?:{_BEGUN}){_COLON}"
    rf"|^[ \t]*\*?(?:{_FROM}){_COLON}[^\n]*\n(?:[ \t]*\n)?[ \t]*\*?(?:{_BESIDE_FROM}){_COLON}"
    r"|^--[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINE_WITH_COLON = re.compile(r"^[^\n]*[:：][ \t]*$", re.MULTILINE)
_ANSWERED = re.compile(
    r"[ \t]*(?:On\b.*\bwrote"
    r"|(?=.*\d)(?:Am\b.*\bschrieb\b.*|Le\b.*\ba écrit|El\b.*\bescribió|Em\b.*\bescreveu|Il\b.*\bha scritto"
    r"|Op\b.*\bschreef\b.*|(?:Den|På)\b.*\bskrev\b.*|.*\bskrev|.*\bkirjoitti|.*\bnapisał(?:a|\(a\))?"
    r"|.*\bnapsal(?:a|\(a\))?|.*\b(?:написала?|пишет|пише)|.*\byazdı|.*写道|.*寫道|.*님이 작성"
    r"|.*<[^<>\s]+@[^<>\s]+>)"
    r")[ \t\u00a0]*[:：]\s*",
    re.IGNORECASE | re.DOTALL,
)
_MOST_LINES = 3
_LONGEST = 500


def own_part(text: str) -> str:
    """What stands before the first earlier mail or signature."""
    mark = _MARK.search(text)
    own = text[: mark.start()] if mark else text
    for line in _LINE_WITH_COLON.finditer(own):
        start = _answered_from(own, line.start(), line.end())
        if start is not None:
            return own[:start]
    return own


def _answered_from(text: str, start: int, stop: int) -> int | None:
    """Where the line begins that says who wrote what follows; mail programs break it in two or three."""
    for _ in range(_MOST_LINES):
        if stop - start > _LONGEST:
            return None
        if _ANSWERED.fullmatch(text, start, stop):
            return start
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        if start == 0 or not text[above:start].strip():
            return None
        start = above
    return None
