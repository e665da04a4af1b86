"""Words that nobody means: what happens in a novel or a dream, an example, a draft, lyrics, a mere assumption.

They are matched against small letters, in all nine languages at once.
"""

from recollect.text.patterns import PatternGroup, lazy_pattern

_WORKS = (
    "novel|story|libretto|fairy ?tale|tale|legend|myth|dream|nightmare|poem|ballad|screenplay|fan ?fiction|fiction|"
    "roman|geschichte|märchen|traum|gedicht|drehbuch|libreto|histoire|conte|rêve|poème|scénario|novela|cuento|sueño|"
    "poema|romance|conto|sonho|romanzo|racconto|favola|sogno|poesia|copione|verhaal|sprookje|droom|novell|saga|dröm|"
    "dikt|romanen|sagan|drömmen|powieści|opowiadaniu|bajce|śnie|wierszu"
)
_STAGED = (
    r"book|film|movie|play|opera|show|series|episode|musical|comic|game|scene|song|"
    r"(?:first|second|third|last|final) act|act (?:\d|[ivx]+\b|one|two|three)|"
    r"chapter(?: \w+)?|buch|oper|stück|livre|opéra|pièce|libro|película|obra|livro|"
    r"filme|peça|boek|opera|pjäsen|boken|filmen|książce|filmie|operze"
)
_IN = (
    r"(?:in|im|dans|en|em|no|na|nel|nella|nell'|i|w)\s?(?:(?:the|my|our|your|his|her|their|this|that|an?|der|dem|den|"
    r"meine[mr]|seine[mr]|ihre[mr]|einem|einer|le|la|l'|mon|ma|un|une|el|mi|su|una|o|a|meu|minha|um|uma|mio|mia|het|de|"
    r"een|mijn|min|mitt|en|ett|mojej|moim|tej|tym) ?)?(?:[\w'’-]+ ){0,2}?"
)
_OPENING = r"^\W*(?:(?:and|but|so|well|ok|okay|then|und|aber|et|mais|y|pero|e|mas|ma|en|maar|och|men|i|ale) )*"
_WORK_FRAME = lazy_pattern(
    rf"{_OPENING}{_IN}(?:{_WORKS})\b(?! (?:club|group|class|circle|course))"
    rf"|{_OPENING}(?:last night,? )?(?:[\w'-]+ )?"
    r"(?:(?:have |has |had )?(?:dreamt|dreamed) (?!of |about )|had (?:a|this|the) \w* ?dream\b)"
    rf"|{_OPENING}ich (?:habe \w* ?geträumt|träumte)\b|{_OPENING}j'ai rêvé que\b|{_OPENING}(?:yo )?soñé que\b"
    r"|\bin (?:my|the|this|his|her|our|an?|[\w-]+['’]s?) (?:[\w-]+ )?"
    r"(?:novel|libretto|fairy ?tale|screenplay|dream|fan ?fiction)\b"
    r"|\b(?:the|my|our|an?|his|her) (?:\w+ )?(?:hero|heroine|protagonist|antagonist|villain|narrator|main character)\b"
    r"|\b(?:my|the) characters?(?: \w+)? (?:will|has|is|was|wants|\w+s)\b"
    r"|\b(?:der held|die heldin|die hauptfigur|le héros|l'héroïne|le personnage|el héroe|la heroína|el personaje|"
    r"o herói|a heroína|a personagem|l'eroe|l'eroina|il personaggio|de held|de heldin|de hoofdpersoon|hjälten|"
    r"hjältinnan|huvudpersonen|bohater|bohaterka)\b"
)
_STAGE_FRAME = lazy_pattern(rf"{_OPENING}{_IN}(?:{_STAGED})(?:,| (?:the|an?|der|die|le|la|el|il|o|a|de|het)\b| \w+s\b)")
_ASSUMPTION = lazy_pattern(
    r"^\W*(?:for (?:example|instance)|e\.g\.|hypothetically)\b,?\s+(?:say|suppose|imagine|let's say|assume|i might)\b"
    r"|^\W*(?:(?:just|let's|now|ok|so) )*(?:say|suppose|imagine|pretend|assume|picture) (?:that )?"
    r"(?:i|we|you|he|she|they|my|our|the|someone|somebody)\b"
    r"|^\W*(?:angenommen|nehmen wir an|stell dir vor|supposons|imagine[zs]? qu|mettons qu|supongamos|imagina que|"
    r"pongamos|suponhamos|digamos|supponiamo|immagina che|mettiamo che|stel (?:dat|je voor)|anta att|tänk dig|säg att|"
    r"załóżmy|wyobraź sobie|powiedzmy)"
)
_WORDING = lazy_pattern(
    r"^\W*(?:(?!(?:i|we|i'll|i've|please)\b)[\w'-]+ ){0,3}?"
    r"(?:examples?|template|wording|subject lines?|headline|caption|slogan|motto|lyrics?|chorus|refrain|verse|"
    r"(?:song|story|poem|joke|riddle)(?: ideas?| lines?| text)?(?= ?:)|plot|synopsis|"
    r"(?:film|movie|book|reading|theatre|theater|opera|series) notes?|"
    r"quote of the day|proverb|excuse|dialogue|placeholder text|test (?:sentence|message)|"
    r"sample (?:text|reply|answer|sentence|e?-?mail|letter|message)|"
    r"draft (?:text|reply|answer|e?-?mail|letter|message|post|announcement|speech|of|for|to)|"
    r"typical (?:\w+ )?(?:reply|answer|sentence|e?-?mail|line)|"
    r"beispiel(?:satz)?|musterantwort|betreffzeile|entwurf (?:für|der|des)|liedtext|strophe|witz|ausrede|"
    r"exemple|brouillon (?:de|pour)|paroles|blague|excuse type|ejemplo|borrador (?:de|para)|letra|estribillo|chiste|"
    r"exemplo|rascunho (?:de|para|do|da)|refrão|piada|esempio|bozza (?:di|per)|ritornello|barzelletta|"
    r"voorbeeld|concepttekst|songtekst|refrein|grap|exempel|ämnesrad|utkast (?:till|för)|låttext|refräng|skämt|"
    r"przykład|szkic|tekst piosenki|refren|dowcip)\b"
    r"(?:(?!\b(?:i|we)\b)[^:.!?\n]){0,60}:\s"
)
_OWN_WORDS = lazy_pattern(r"\b(?:i|we|my|our|you|your|please|ich|wir|je|nous|yo|eu|io|noi|ik|wij|jag|vi)\b|\bj'")


_UNMEANT = PatternGroup((_WORK_FRAME, _STAGE_FRAME, _ASSUMPTION, _WORDING), lambda pattern: pattern)


def may_be_unmeant(low: str) -> bool:
    """Whether a sentence may be hypothetical or drafted, as far as its words tell: few are."""
    return _UNMEANT.may_match(low)


def drafted_text_start(low: str) -> int | None:
    """Where words begin that are given as an example, a draft or lyrics; none if they are meant."""
    found = _WORDING.match(low)
    return found.end() if found is not None else None


def is_hypothetical(low: str) -> bool:
    """Whether a sentence tells what happens in a work of fiction or a dream, or only assumes something."""
    if _WORK_FRAME.search(low) is not None or _ASSUMPTION.match(low) is not None:
        return True
    return _STAGE_FRAME.match(low) is not None and _OWN_WORDS.search(low) is None


def unmeant_start(low: str) -> int | None:
    """Where the words of a sentence begin that nobody means; none if all are meant."""
    if not may_be_unmeant(low):
        return None
    return 0 if is_hypothetical(low) else drafted_text_start(low)


def may_continue_fiction(low: str) -> bool:
    """Whether a sentence after one that is made up may still tell of the same: nobody speaks for themselves in it."""
    return _OWN_WORDS.search(low) is None
