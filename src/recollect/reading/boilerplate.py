"""Words that nobody says to anybody: lines of code and of logs, advertising, small print; in all nine languages."""

from recollect.text.patterns import lazy_pattern

_CODE = lazy_pattern(
    r"^\s*(?://|/\*|<!--|\$ |>>> |#!/)"
    r"|^\s*(?:raise|throw|return|assert|yield|await|print|echo|console\.\w+)\b[^.!?]*?\w\([^)]*\)\s*;?\s*$"
)
_LOG = lazy_pattern(
    r"^\s*(?:\[?\d[\d:.,TZ/ +-]*\]?\s*)?(?:ERROR|FATAL|DEBUG|TRACE|WARN|CRITICAL|SEVERE)\b\s*[:\]\[(-]"
    r"|^\s*\[?\d[\d:.,TZ/ +-]*\]?\s+(?:INFO|WARNING|NOTICE)\b"
)
_ADVERT = lazy_pattern(
    r"\bclaim your (?:prize|reward|gift|bonus|voucher|discount|refund|free)\b|\byour [\w ]{2,30} (?:for )?free\s*!"
    r"|^\W*(?:order|join|subscribe|sign up|shop|register|upgrade|refer)\b[^.?]{0,60}?\b(?:and|&) "
    r"(?:we'll|we will|you'll|you will|get|receive|save)\b"
    r"|\bnever pay (?:full|retail) price|\bwhile (?:stocks|supplies) last|\bmoney.back guarantee|\bhappy customers\b"
    r"|\bsolange der vorrat reicht|\bjetzt (?:zugreifen|sichern)\b|\bsichern sie sich\b|\bversandkostenfrei"
    r"|\bdans la limite des stocks|\bprofitez[- ]en\b|\bréclamez votre (?:prix|cadeau|lot)|\blivraison offerte"
    r"|\breclam[ae] (?:tu|su) premio|\bhasta agotar existencias|\benvío gratis|\bfrete grátis|\bportes grátis"
    r"|\bfino a esaurimento scorte|\britira il tuo premio|\bspedizione gratuita|\bzolang de voorraad strekt"
    r"|\bgratis verz(?:ending|onden)|\bclaim je prijs|\bså långt lagret räcker|\bfri frakt|\bhämta ditt pris\b"
    r"|\bdo wyczerpania zapasów|\bdarmowa dostawa|\bodbierz (?:swoją )?nagrodę"
)
_COOKIES = r"\b(?:cookies?|pliki cookie)\b"
_CONSENT = (
    r"\b(?:consent|agree|accept|einwilligung|zustimm\w*|consentement|accept\w*|acept\w*|aceit\w*|consenso|accett\w*|"
    r"akkoord|toestemming|samtyck\w*|godkänn\w*|zgod\w*|akceptuj\w*)\b"
)
_SMALL_PRINT = lazy_pattern(
    rf"{_COOKIES}.*{_CONSENT}|{_CONSENT}.*{_COOKIES}"
    r"|\bby (?:continuing|using|clicking|accessing|visiting)\b[^.]*\byou (?:agree|consent|accept)\b"
    r"|\bwithdraw (?:your )?consent\b|\b(?:process|store|share) your (?:personal )?data\b"
    r"|\bmit der nutzung\b.*\bstimmen sie\b|\ben poursuivant\b.*\bvous acceptez\b"
    r"|\bal (?:continuar|navegar)\b.*\bacepta"
    r"|\bao (?:continuar|navegar)\b.*\baceita|\bproseguendo\b.*\baccett|\bdoor verder te gaan\b.*\bakkoord\b"
    r"|\bgenom att fortsätta\b.*\b(?:godkänner|samtycker)\b|\bkontynuując\b.*\b(?:zgadza|akceptuj)"
)


def is_machine_line(text: str) -> bool:
    """Whether a program reads or wrote this: a comment, a call, a line of a log."""
    return _CODE.search(text) is not None or _LOG.search(text) is not None


def is_advertising(low: str) -> bool:
    """Whether a sentence in small letters sells something to anybody, or is small print."""
    return _ADVERT.search(low) is not None or _SMALL_PRINT.search(low) is not None
