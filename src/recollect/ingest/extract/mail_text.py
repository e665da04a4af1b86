"""The parts of a mail's text: what its author wrote new, the signature, and a forwarded mail."""

import re
from dataclasses import dataclass
from datetime import date

from recollect.ingest.extract.sentence_splitter import mask_quotes
from recollect.reading.dated_titles import day_in_title

_VALEDICTION = re.compile(
    r"^[ \t]*(?:(?:with )?(?:kind|best|warm|warmest|kindest)(?: (?:regards|wishes))?|regards|best|cheers|sincerely"
    r"|yours(?: sincerely| truly| faithfully)?|many thanks|thanks(?: again| a lot| so much)?|thank you|thx|ta|br|rgds"
    r"|all the best|take care|love|xx?o?x?o?|(?:mit )?(?:freundlichen|besten|herzlichen|lieben|vielen) (?:gr[üu](?:ß|ss)en"
    r"|dank)|(?:viele|liebe|beste|herzliche) gr[üu](?:ß|ss)e|mfg|lg|vg|cordialement|bien (?:à vous|cordialement)"
    r"|amicalement|bises|bisous|(?:un )?(?:saludos?|abrazo)(?: cordiale?s?)?|atentamente|atte\.?|cumprimentos"
    r"|(?:com os )?melhores cumprimentos|abra[çc]o|beijinhos|bjs|obrigad[oa]|cordiali saluti|distinti saluti|saluti"
    r"|un abbraccio|grazie|(?:met )?(?:vriendelijke|hartelijke) groe(?:t|ten)|groe?tjes|groeten?|mvg|(?:med )?v[äa]nlig[a]?"
    r"(?: h[äa]lsning(?:ar)?)?|h[äa]lsningar|mvh|hej d[åa]|(?:z )?powa[żz]aniem|z wyrazami szacunku|pozdrawiam|pozdrowienia"
    r")[ \t]*[,.!]*[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_VALEDICTION_WITH_NAME = re.compile(
    r"^[ \t]*(?:regards|best|cheers|thanks|mvh|lg|vg|mfg|saludos|groet(?:en|jes)?|pozdrawiam|abra[çc]o|saluti),?[ \t]+"
    r"(?-i:[A-ZÀ-Þ])[^\n]{0,40}$",
    re.MULTILINE | re.IGNORECASE,
)
_SENT_FROM = re.compile(
    r"^[ \t]*(?:sent from my|sent via|get outlook for|von meinem .{2,30} gesendet|envoyé de mon|enviado desde mi"
    r"|enviado do meu|inviato da|verzonden vanaf|skickat från min|wysłane z)\b[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_GREETING = re.compile(
    r"\s*(?:(?:hi|hello|hey|dear|hej|hejsan|tjena|hallo|liebe[rs]?|lieber|guten (?:tag|morgen)|moin|servus|bonjour|salut"
    r"|cher|ch[èe]re|hola|buenos d[íi]as|estimad[oa]s?|querid[oa]s?|ol[áa]|oi|bom dia|boa tarde|car[oa]|ciao"
    r"|buongiorno|salve|beste|dag|cze[śs][ćc]|dzie[ńn] dobry|szanown[yia]|good (?:morning|afternoon|evening)|morning)"
    r"(?![\w'’])[^\n,!.:;–—?]{0,40})(?P<end>[,!.:;–—]+|\n|$)",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:Forwarded message|Forwarded by|Weitergeleitete Nachricht|Message transf[ée]r[ée]"
    r"|Mensaje reenviado|Mensagem encaminhada|Messaggio inoltrato|Doorgestuurd bericht|Vidarebefordrat meddelande"
    r"|Wiadomość przekazana)[^\n]*"
    r"|(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht|Début du message transféré"
    r"|Inicio del mensaje reenviado|Início da mensagem reencaminhada|Inizio messaggio inoltrato)[ \t]*:?)[ \t]*\n",
    re.MULTILINE | re.IGNORECASE,
)
_HEADER = re.compile(r"[ \t>*]*(?P<key>[^\W\d_][\w -]{1,14})\*?[ \t]?:\*?[ \t]*(?P<value>[^\n]*)\n?")
_FROM_KEYS = frozenset("from von de da van från fra od".split())
_DATE_KEYS = frozenset("date sent datum gesendet envoyé fecha enviado data inviato verzonden skickat".split())
_LONGEST_SIGNATURE = 12
_LONGEST_SIGNATURE_LINE = 120


@dataclass(frozen=True, slots=True)
class ForwardedMail:
    """A forwarded mail: its author as written, its day, and its text in the whole mail."""

    author: str
    day: date | None
    start: int
    text: str


def new_text(text: str, author_forms: frozenset[str] = frozenset()) -> str:
    """What the author wrote new; quotations, greeting and signature are blanked out, so that places stay the same."""
    masked = mask_quotes(text)
    end = _signature_start(masked, author_forms)
    masked = masked[:end]
    greeting = _GREETING.match(masked)
    if greeting is not None and greeting.end() < len(masked):
        masked = re.sub(r"[^\n]", " ", masked[: greeting.end()]) + masked[greeting.end() :]
    return masked


def forwarded_mail(text: str) -> ForwardedMail | None:
    """The forwarded mail in a text, if its headers name an author."""
    mark = _FORWARDED.search(text)
    if mark is None:
        return None
    at, headers = mark.end(), {}
    while at < len(text) and text[at : at + 1] == "\n":
        at += 1
    while (line := _HEADER.match(text, at)) is not None and len(headers) < 8:
        headers[line["key"].strip().casefold()] = line["value"].strip()
        at = line.end()
    author = next((value for key, value in headers.items() if key in _FROM_KEYS), None)
    sent = next((value for key, value in headers.items() if key in _DATE_KEYS), "")
    if not author:
        return None
    return ForwardedMail(author, day_in_title(sent, None), at, new_text(text[at:]))


def _signature_start(text: str, author_forms: frozenset[str]) -> int:
    """Where the signature begins: at a valediction near the end, or at a last line that is only the author's name."""
    ends = [len(text.rstrip())]
    for pattern in (_VALEDICTION, _VALEDICTION_WITH_NAME):
        ends += [found.start() for found in pattern.finditer(text) if _is_signature(text[found.end() :])]
    ends += [found.start() for found in _SENT_FROM.finditer(text)]
    end = min(ends)
    return _before_own_name(text, end, author_forms)


def _is_signature(behind: str) -> bool:
    lines = [line for line in behind.splitlines() if line.strip()]
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
