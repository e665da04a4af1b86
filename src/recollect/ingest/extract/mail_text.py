"""What the author of a mail wrote new: without quotations, greeting, signature and earlier mails."""

import re

from recollect.ingest.extract.sentence_splitter import mask_quotes
from recollect.text.lexicon import GREETING_PATTERN

_VALEDICTION = re.compile(
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
    rf"\s*(?:(?:{GREETING_PATTERN}|hej|hejsan|tjena|hallo|liebe[rs]?|lieber|guten (?:tag|morgen)|moin|servus"
    r"|bonjour|salut"
    r"|cher|ch[èe]re|hola|buenos d[íi]as|estimad[oa]s?|querid[oa]s?|ol[áa]|oi|bom dia|boa tarde|car[oa]|ciao"
    r"|buongiorno|salve|beste|dag|cze[śs][ćc]|dzie[ńn] dobry|szanown[yia]|good (?:morning|afternoon|evening)|morning)"
    r"(?![\w'’])[^\n,!.:;–—?]{0,40})(?P<end>[,!.:;–—]+|\n|$)",
    re.IGNORECASE,
)
_LONGEST_SIGNATURE = 12
_LONGEST_SIGNATURE_LINE = 120


def new_text(text: str, author_forms: frozenset[str] = frozenset()) -> str:
    """What the author wrote new; quotations, greeting and signature are blanked out, so that places stay the same."""
    masked = mask_quotes(text)
    end = _signature_start(masked, author_forms)
    masked = masked[:end]
    greeting = _GREETING.match(masked)
    if greeting is not None and greeting.end() < len(masked):
        masked = re.sub(r"[^\n]", " ", masked[: greeting.end()]) + masked[greeting.end() :]
    return masked


def _signature_start(text: str, author_forms: frozenset[str]) -> int:
    """Where the signature begins: at a valediction near the end, or at a last line that is only the author's name."""
    ends = [len(text.rstrip())]
    reach = _signature_reach(text)
    for pattern in (_VALEDICTION, _VALEDICTION_WITH_NAME):
        near = (found for found in pattern.finditer(text) if found.end() >= reach)
        ends += [found.start() for found in near if _is_signature(text[found.end() :])]
    ends += [found.start() for found in _SENT_FROM.finditer(text)]
    end = min(ends)
    return _before_own_name(text, end, author_forms)


def _signature_reach(text: str) -> int:
    """Where the lines begin that a valediction and the signature below it may fill."""
    at, count = len(text), 0
    while at > 0 and count <= _LONGEST_SIGNATURE:
        start = text.rfind("\n", 0, at - 1) + 1
        count += bool(text[start:at].strip())
        at = start
    return at


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
