"""What the heading of a section says about the lines below it, in nine languages."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from recollect.text.fold import fold_name, plain_letters
from recollect.text.patterns import lazy_pattern

SectionKind = Literal[
    "decisions",
    "risks",
    "questions",
    "tasks",
    "done",
    "ideas",
    "agenda",
    "blockers",
    "goals",
    "people",
    "preferences",
    "recipe",
]

# Headings without accents, in small letters, singular and plural: English, German, French, Spanish, Portuguese,
# Italian, Dutch, Swedish, Polish.
_HEADINGS: Mapping[SectionKind, str] = {
    "decisions": "decision|decisions|decided|agreed|agreements|resolutions|what we decided|decisions made|decision log"
    "|entscheidung|entscheidungen|beschluss|beschlusse|entschieden|decisions prises|decide|decidido|decisiones|acuerdos"
    "|decisoes|deliberacoes|decisione|decisioni|deciso|besluit|besluiten|beslissingen|afspraken|beslut|bestamt"
    "|decyzja|decyzje|ustalenia|postanowienia",
    "risks": "risk|risks|risks and issues|concern|concerns|worries|watch out|dangers|risiko|risiken|bedenken|sorgen"
    "|risque|risques|inquietudes|riesgo|riesgos|preocupaciones|risco|riscos|preocupacoes|rischio|rischi|risico"
    "|risico's|zorgen|risker|orosmoment|ryzyko|ryzyka|zagrozenia|obawy",
    "questions": "open|question|questions|open questions|open points|open issues|unclear|to clarify|offen|offene punkte"
    "|offene fragen|fragen|questions ouvertes|a clarifier|en suspens|preguntas|pendientes de aclarar|dudas|perguntas"
    "|duvidas|em aberto|domande|punti aperti|in sospeso|vragen|open vragen|openstaand|fragor|oppna fragor|oklart"
    "|pytania|otwarte|otwarte pytania|do wyjasnienia",
    "tasks": "todo|to do|to-do|todos|to dos|task|tasks|action|actions|action item|action items|next|next step"
    "|next steps|follow up|follow ups|follow-up|follow-ups|homework|aufgabe|aufgaben|zu erledigen"
    "|nachste schritte|massnahmen|taches|a faire|prochaines etapes|actions a mener|tarea|tareas|por hacer|pendientes"
    "|proximos pasos|acciones|tarefa|tarefas|a fazer|por fazer|pendencias|proximos passos|attivita|da fare|compiti"
    "|prossimi passi|azioni|taak|taken|te doen|actiepunten|acties|volgende stappen|uppgifter|att gora|nasta steg"
    "|atgarder|zadanie|zadania|do zrobienia|nastepne kroki",
    "done": "done|completed|finished|shipped|accomplished|wins|erledigt|fertig|abgeschlossen|fait|termine|acheve"
    "|hecho|terminado|completado|feito|concluido|fatto|finito|completato|gedaan|klaar|afgerond|klart|gjort|fardigt"
    "|zrobione|gotowe|ukonczone",
    "ideas": "idea|ideas|someday|someday/maybe|maybe|someday maybe|brainstorm|brainstorming|parked|parking lot"
    "|wishlist|wish list|backlog ideas|nice to have|nice-to-have|icebox|dreams|ideen|idee|irgendwann|vielleicht"
    "|wunschliste|geparkt|idees|un jour|peut-etre|envies|algun dia|quizas|ideias|um dia|talvez|lista de desejos"
    "|un giorno|forse|ideeen|ooit|misschien|verlanglijst|ideer|nagon gang|kanske|onskelista|pomysl|pomysly|kiedys"
    "|moze",
    "agenda": "agenda|topics|program|programme|schedule|tagesordnung|themen|ordre du jour|orden del dia|temas|pauta"
    "|ordem do dia|ordine del giorno|onderwerpen|dagordning|porzadek obrad|plan spotkania",
    "blockers": "blocker|blockers|blocked|waiting|waiting for|waiting on|impediments|blockiert|blockaden|wartet auf"
    "|blocages|en attente|bloqueos|esperando|bloqueios|a espera|blocchi|in attesa|blokkades|wacht op|hinder|blockerat"
    "|vantar pa|blokady|czekam na",
    "goals": "goal|goals|objective|objectives|okr|okrs|targets|aims|ziel|ziele|but|buts|objectif|objectifs|objetivo"
    "|objetivos|metas|obiettivo|obiettivi|doel|doelen|doelstellingen|mal|cel|cele",
    "people": "attending|attendees|attendance|present|participants|people|who was there|there|on the call"
    "|with us|in the room|anwesend"
    "|teilnehmer|teilnehmende|presents|participants presents|asistentes|presentes|participantes|presenti"
    "|partecipanti|aanwezig|aanwezigen|deelnemers|narvarande|deltagare|obecni|uczestnicy",
    "recipe": "template|templates|vorlage|vorlagen|modeles|plantilla|plantillas|modelli|sjablonen|mallar|szablony"
    "|example|examples|example sentences|sample sentences|vocabulary|vocab|beispiel|beispiele|beispielsatze|vokabeln"
    "|exemples|vocabulaire|ejemplos|vocabulario|exemplos|esempi|vocabolario|voorbeelden|exempel|przyklady"
    "|recipe|recipes|method|ingredients|directions|preparation|instructions|how to|steps to reproduce"
    "|to reproduce|how to reproduce|reproduction|reproduction steps|expected behavior|expected behaviour"
    "|expected result|expected results|actual behavior|actual behaviour|actual result|actual results|how to test"
    "|test steps|steps to test|testing instructions|usage|installation|rezept|rezepte|zutaten"
    "|zubereitung|anleitung|recette|recettes|receta|recetas|ingredientes|preparacion|receita|receitas|preparacao|ricetta"
    "|ricette|ingredienti|preparazione|recepten|ingredienten|bereiding|recept|ingredienser|tillagning|przepis|przepisy"
    "|skladniki|przygotowanie",
    "preferences": "preferences|likes|dislikes|likes and dislikes|vorlieben|preferencias|preferenze|voorkeuren"
    "|preferenser|preferencje",
}
_NUMBERING = re.compile(r"^[\W\d_]*(?:\d+[.)]\s*)?")
_TRAILING = re.compile(r"(?:\s*[(\[–—-][^\n]*|[\s:：.!*_#]*)$")
_DEED = "buy|get|order|pick up|bring|pack|do|call|email|write|send|pay|book|fix|finish|prepare|return|clean"
_TASK_LEAD = lazy_pattern(
    r"(?:(?:the |some )?(?:things|stuff|items) (?:that )?|to (?!do$))?"
    rf"(?P<lead>(?:(?:i|we) )?(?:still |also |really )*(?:need to|have to|must|gotta|got to)(?: (?:{_DEED}))?"
    rf"|(?<=^to )(?:{_DEED}))",
    re.IGNORECASE,
)
"""What a list goes on with: *need to buy:*, *things I have to:*, *to order*."""
_HOW_TO = re.compile(r"(?:how (?:to|do i|do you|we)|so geht|wie man|zo werkt|hoe je|sa har) \w")
_LONGEST_HEADING = 300


@cache
def _kinds() -> Mapping[str, SectionKind]:
    return {words: kind for kind, listed in _HEADINGS.items() for words in listed.split("|")}


def section_kind(heading: str) -> SectionKind | None:
    """The kind of section that a heading opens; none if it is only a title."""
    if len(heading) > _LONGEST_HEADING:
        return None
    folded = plain_letters(fold_name(heading))
    bare = _NUMBERING.sub("", folded)
    if _HOW_TO.match(bare):
        return "recipe"
    named = _kinds().get(_TRAILING.sub("", bare).strip()) or _kinds().get(" ".join(bare.split()).strip(" :.*_"))
    return named or ("tasks" if task_lead(heading) else None)


def task_lead(heading: str) -> str:
    """The words of a heading with which each line below it goes on: `need to buy` of *need to buy:*."""
    found = _TASK_LEAD.fullmatch(" ".join(heading.split()).strip(" #*_:.")) if heading else None
    return found["lead"] if found is not None else ""
