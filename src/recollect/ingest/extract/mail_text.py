"""What the author of a mail wrote: without quotations, greeting, signature and earlier mails."""

import re

from recollect.text.lexicon import GREETING_PATTERN
from recollect.text.patterns import lazy_pattern
from recollect.text.quotations import blank, mask_quotations

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
_EARLIER_MAIL_MARK = lazy_pattern(
    rf"^[ \t]*-{{2,}}[ \t]*(?:{_FORWARDED})\b"
    rf"|^[ \t]*(?:{_FORWARD_START}){_COLON}"
    rf"|^[ \t]*\*?(?:{_FROM}){_COLON}[^\n]*\n(?:[ \t]*\n)?[ \t]*\*?(?:{_BESIDE_FROM}){_COLON}"
    r"|^--[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINE_WITH_COLON = lazy_pattern(r"^[^\n]*[:：][ \t]*$", re.MULTILINE)
_ATTRIBUTION_LINE = lazy_pattern(
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
_VALEDICTION = lazy_pattern(
    r"^[ \t]*(?:(?:with )?(?:kind|best|warm|warmest|kindest)(?: (?:regards|wishes))?|regards|best|cheers|sincerely"
    r"|yours(?: sincerely| truly| faithfully)?|many thanks|thanks(?: again| a lot| so much)?|thank you|thx|ta|br|rgds"
    r"|all the best|take care|love|xx?o?x?o?|(?:mit )?(?:freundlichen|besten|herzlichen|lieben|vielen) "
    r"(?:gr[üu](?:ß|ss)en"
    r"|dank)|(?:viele|liebe|beste|herzliche) gr[üu](?:ß|ss)e|mfg|lg|vg|cordialement|bien (?:à vous|cordialement)"
    r"|amicalement|bises|bisous|(?:un )?(?:saludos?|abrazo)(?: cordiale?s?)?|atentamente|atte\.?|cumprimentos"
    r"|(?:com os )?melhores cumprimentos|abra[çc]o|beijinhos|bjs|obrigad[oa]|cordiali saluti|distinti saluti|saluti"
    r"|un abbraccio|grazie|(?:met )?(?:vriendelijke|hartelijke) groe(?:t|ten)|groe?tjes|groeten?|mvg"
    r"|(?:med )?v[äa]nlig[a]?"
    r"(?: h[äa]lsning(?:ar)?)?|h[äa]lsningar|mvh|hej d[åa]|(?:z )?powa[żz]aniem|z wyrazami szacunku"
    r"|pozdrawiam|pozdrowienia"
    r")[ \t]*+[,.!]*+[ \t]*+$",
    re.MULTILINE | re.IGNORECASE,
)
_VALEDICTION_WITH_NAME = lazy_pattern(
    r"^[ \t]*(?:regards|best|cheers|thanks|mvh|lg|vg|mfg|saludos|groet(?:en|jes)?|pozdrawiam|abra[çc]o|saluti),?[ \t]+"
    r"(?-i:[A-ZÀ-Þ])[^\n]{0,40}$",
    re.MULTILINE | re.IGNORECASE,
)
_SENT_FROM = lazy_pattern(
    r"^[ \t]*(?:sent from my|sent via|get outlook for|von meinem .{2,30} gesendet|envoyé de mon|enviado desde mi"
    r"|enviado do meu|inviato da|verzonden vanaf|skickat från min|wysłane z)\b[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_GREETING = lazy_pattern(
    rf"\s*(?:(?:{GREETING_PATTERN}|hej|hejsan|tjena|hallo|liebe[rs]?|lieber|guten (?:tag|morgen)|moin|servus"
    r"|bonjour|salut"
    r"|cher|ch[èe]re|hola|buenos d[íi]as|estimad[oa]s?|querid[oa]s?|ol[áa]|oi|bom dia|boa tarde|car[oa]|ciao"
    r"|buongiorno|salve|beste|dag|cze[śs][ćc]|dzie[ńn] dobry|szanown[yia]|good (?:morning|afternoon|evening)|morning)"
    r"(?![\w'’])[^\n,!.:;–—?]{0,40})(?P<end>[,!.:;–—]+|\n|$)",
    re.IGNORECASE,
)
_LONGEST_SIGNATURE = 12
_LONGEST_SIGNATURE_LINE = 120


def own_text(text: str) -> str:
    """What the author wrote, at equal length: quotations, code, earlier mails and the signature are blanked out."""
    own = strip_earlier_mail(text.replace("\r", " "))
    return mask_quotations(own) + blank(text[len(own) :])


def new_text(text: str, author_forms: frozenset[str] = frozenset()) -> str:
    """What the author wrote new; quotations, greeting and signature are blanked out, so that places stay the same."""
    masked = own_text(text).rstrip()
    masked = masked[: _signature_start(masked, author_forms)]
    greeting = _GREETING.match(masked)
    if greeting is not None and greeting.end() < len(masked):
        masked = blank(masked[: greeting.end()]) + masked[greeting.end() :]
    return masked


def _signature_start(text: str, author_forms: frozenset[str]) -> int:
    """Where the signature begins: at a valediction near the end, or at a last line that is only the author's name."""
    ends = [len(text)]
    reach = _signature_reach(text)
    for pattern in (_VALEDICTION, _VALEDICTION_WITH_NAME):
        near = (found for found in pattern.finditer(text) if found.end() >= reach)
        ends += [found.start() for found in near if _is_signature(text[found.end() :])]
    ends += [found.start() for found in _SENT_FROM.finditer(text)]
    return _before_own_name(text, min(ends), author_forms)


def _signature_reach(text: str) -> int:
    """Where the lines begin that a valediction and the signature below it may fill."""
    at, count = len(text), 0
    while at > 0 and count <= _LONGEST_SIGNATURE:
        start = text.rfind("\n", 0, at - 1) + 1
        count += bool(text[start:at].strip())
        at = start
    return at


def _is_signature(after: str) -> bool:
    lines = [line for line in after.splitlines() if line.strip()]
    return len(lines) <= _LONGEST_SIGNATURE and all(len(line) <= _LONGEST_SIGNATURE_LINE for line in lines[:3])


def _before_own_name(text: str, end: int, author_forms: frozenset[str]) -> int:
    """The end of what stands before a last line that holds only the author's name, as in `/Bashir` or `B`."""
    lines = text[:end].rstrip().rsplit("\n", 4)
    place = len(text[:end].rstrip())
    for line in reversed(lines[1:]):
        start = place - len(line)
        if line.strip(" \t/-–—~*_.,!x").casefold() in author_forms and line.strip():
            return start
        place = start - 1
    return end


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


def signature_lines(text: str) -> list[str]:
    """The lines after a signature mark, as far as they belong together."""
    text = text.replace("\r", " ")
    found = re.search(r"^--[ \t]*\n", text, re.MULTILINE)
    if found is None:
        return []
    block = re.split(r"\n[ \t]*\n", text[found.end() :].strip("\n"), maxsplit=1)[0]
    return [line.strip() for line in block.splitlines() if line.strip()]
