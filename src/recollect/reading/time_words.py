"""Words for days, weeks and months in nine languages, as tables of the time reader.

Regular expressions are over small letters. `spans` name a stretch by a code that the time reader knows, such as
`next_week` or `end_month`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Lead = Literal["by", "before", "until", "since", "on", "after", "within", "from"]


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of one language. `months` and `weekdays` list the names in their order, alternatives with a slash."""

    months: str
    weekdays: str
    days: Mapping[str, int]
    spans: Mapping[str, str]
    leads: Mapping[Lead, str]
    next_words: str
    last_words: str
    this_words: str
    counts: Mapping[str, int]
    units: Mapping[str, str]
    in_words: str
    of: str = ""
    the: str = ""
    ordinal: str = ""
    to: str = ""
    doubtful: frozenset[str] = frozenset()
    parts: Mapping[str, str] | None = None


ENGLISH = TimeWords(
    months="january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec",
    weekdays="monday/mon/mondays tuesday/tues/tue/tuesdays wednesday/weds/wed/wednesdays thursday/thurs/thur/thu friday/fri saturday/sat sunday/sun",
    days={
        "today": 0, "tonight": 0, "tonite": 0, "2day": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "this arvo": 0,
        "eod": 0, "cob": 0, "end of day": 0, "end of the day": 0, "end of today": 0, "close of business": 0, "end of business": 0,
        "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1, "tomorro": 1, "2moro": 1, "2morrow": 1, "tmo": 1,
        "the day after tomorrow": 2, "day after tomorrow": 2, "day after tmrw": 2, "yesterday": -1, "last night": -1, "yday": -1, "the day before yesterday": -2,
    },
    spans={
        r"(?:the )?end of (?:the |this )?(?:week|wk)|eow": "end_week",
        r"(?:the )?end of next (?:week|wk)|late next week|end next week": "end_next_week",
        r"(?:the )?(?:start|beginning) of next (?:week|wk)|early next week": "start_next_week",
        r"mid(?:dle of)?[ -]next (?:week|wk)": "mid_next_week",
        r"(?:later )?this (?:week|wk)": "this_week", r"next (?:week|wk)": "next_week", r"last (?:week|wk)": "last_week", r"the week after next": "week_after_next",
        r"(?:the|this) (?:week ?end|wkend)": "weekend", r"next (?:week ?end|wkend)": "next_weekend", r"last (?:week ?end|wkend)": "last_weekend",
        r"(?:the )?end of (?:the |this )?month|eom|month end|month-end": "end_month", r"(?:the )?end of next month": "end_next_month",
        r"this month": "this_month", r"next month": "next_month", r"last month": "last_month", r"(?:the )?(?:start|beginning) of next month": "start_next_month",
        r"(?:the )?(?:end of (?:the |this )?year|eoy|year end|year-end)": "end_year", r"this year": "this_year", r"next year": "next_year", r"last year": "last_year",
        r"christmas|xmas": "christmas", r"new year(?:'s)?(?: eve)?": "new_year", r"easter": "easter",
        r"(?:this |the |in )?spring": "spring", r"(?:this |the |in )?summer": "summer", r"(?:this |the |in )?(?:autumn|fall(?= term| semester))": "autumn", r"(?:this |the |in )?winter": "winter",
    },
    leads={
        "by": r"by(?: the)?(?: latest)?|no later than|not later than|latest(?: by)?|on or before|due(?: on| by|:)?|deadline(?: is|:)?|b4 or on",
        "before": r"before|b4|ahead of|prior to", "until": r"until|till|til|'til|up to|thru|through|through to",
        "since": r"since|from|starting|starts|as of|as from|beginning|effective", "after": r"after", "within": r"within",
        "on": r"on|at|this coming|coming|for|in|during|around|about|this|between|(?:the )?(?:week|wk) of",
    },
    next_words="next", last_words="last|past", this_words="this|this coming|coming",
    counts={"a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "a few": 3},
    units={"day": "days?", "week": "weeks?|wks?", "month": "months?|mths?", "year": "years?|yrs?", "fortnight": "fortnights?"},
    in_words="in|within(?: the next)?|in the next", of="of", the="the", ordinal="st|nd|rd|th", to="to|until|till|til|through|thru|and|-|–|—|->|→",
    doubtful=frozenset({"sat", "sun", "may", "march", "mar", "jan", "dec", "mon", "sep"}),
    parts={r"early|start of|beginning of|the start of|the beginning of": "start", r"mid|mid-|middle of|the middle of": "mid", r"late|end of|the end of|end": "end"},
)  # fmt: skip

GERMAN = TimeWords(
    months="januar/jänner/jan februar/feb märz/mär april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez",
    weekdays="montag/mo dienstag/di mittwoch/mi donnerstag/do freitag/fr samstag/sonnabend/sa sonntag/so",
    days={"heute": 0, "heute abend": 0, "heut": 0, "morgen": 1, "morgen früh": 1, "übermorgen": 2, "gestern": -1, "vorgestern": -2},
    spans={
        r"ende (?:der |dieser )?woche": "end_week", r"ende (?:der )?nächster? woche": "end_next_week", r"anfang (?:der )?nächster? woche": "start_next_week",
        r"diese[rn]? woche": "this_week", r"(?:nächste|kommende)[rn]? woche": "next_week", r"letzte[rn]? woche": "last_week",
        r"(?:am |dieses |das )?wochenende": "weekend", r"(?:ende (?:des |diesen )?monats?|monatsende)": "end_month", r"nächste[nsr]? monats?": "next_month",
        r"(?:ende des jahres|jahresende)": "end_year", r"nächste[sn]? jahr(?:es)?": "next_year", r"weihnachten": "christmas", r"ostern": "easter",
        r"(?:im |dieses? )?frühjahr|(?:im )?frühling": "spring", r"(?:im |diesen )?sommer": "summer", r"(?:im |diesen )?herbst": "autumn", r"(?:im |diesen )?winter": "winter",
    },
    leads={
        "by": r"bis spätestens(?: am| zum)?|spätestens(?: am| bis(?: zum)?)?|bis(?: zum| am)?", "before": r"vor(?: dem)?", "since": r"ab(?: dem)?|seit(?: dem)?|vom|von",
        "after": r"nach(?: dem)?", "within": r"innerhalb(?: von)?|binnen", "on": r"am|im|den|zum|um|für(?: den)?",
    },
    next_words="nächste[nrms]?|kommende[nrms]?", last_words="letzte[nrms]?|vergangene[nrms]?", this_words="diese[nrms]?",
    counts={"ein": 1, "eine": 1, "einer": 1, "einem": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "zehn": 10},
    units={"day": "tage?n?", "week": "wochen?", "month": "monate?n?", "year": "jahre?n?"},
    in_words="in|innerhalb von|binnen", ordinal=r"\.", to=r"bis(?: zum)?|-|–", doubtful=frozenset({"mo", "di", "mi", "do", "fr", "sa", "so", "mai", "morgen"}),
    parts={r"anfang": "start", r"mitte": "mid", r"ende": "end"},
)  # fmt: skip

FRENCH = TimeWords(
    months="janvier/janv février/fév/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov décembre/déc",
    weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
    days={"aujourd'hui": 0, "ce soir": 0, "ce matin": 0, "cet après-midi": 0, "demain": 1, "après-demain": 2, "hier": -1, "avant-hier": -2},
    spans={
        r"(?:la )?fin de (?:la )?semaine": "end_week", r"(?:la )?fin de la semaine prochaine": "end_next_week", r"(?:le )?début de (?:la )?semaine prochaine": "start_next_week",
        r"cette semaine": "this_week", r"(?:la )?semaine prochaine": "next_week", r"(?:la )?semaine dernière": "last_week", r"(?:le|ce) week-?end": "weekend",
        r"(?:la )?fin du mois": "end_month", r"(?:le )?mois prochain": "next_month", r"(?:la )?fin de l'année": "end_year", r"l'année prochaine": "next_year",
        r"noël": "christmas", r"pâques": "easter", r"(?:au |ce )?printemps": "spring", r"(?:en |cet )?été(?= prochain|[.,!]|$)": "summer", r"(?:en |cet )?automne": "autumn", r"(?:en |cet )?hiver": "winter",
    },
    leads={
        "by": r"d'ici(?: le| à| au)?|au plus tard(?: le)?|pour(?: le)?", "before": r"avant(?: le)?", "until": r"jusqu'(?:au|à)", "since": r"depuis(?: le)?|à partir (?:du|de)|dès(?: le)?|du",
        "after": r"après(?: le)?", "within": r"dans les|sous", "on": r"le|ce|en|au|du",
    },
    next_words="prochain", last_words="dernier", this_words="ce|cet",
    counts={"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dix": 10}, units={"day": "jours?", "week": "semaines?", "month": "mois", "year": "ans?"},
    in_words="dans|sous|d'ici", of="de", the="le", ordinal="er|e|ème", to="au|à|jusqu'au|-|–", doubtful=frozenset({"mars", "mai", "avr", "sept", "nov", "oct"}),
    parts={r"début": "start", r"mi-?|mi ": "mid", r"(?:la )?fin": "end"},
)  # fmt: skip

SPANISH = TimeWords(
    months="enero/ene febrero/feb marzo abril/abr mayo junio/jun julio/jul agosto/ago septiembre/setiembre/sept octubre/oct noviembre/nov diciembre/dic",
    weekdays="lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo",
    days={"hoy": 0, "esta tarde": 0, "esta noche": 0, "mañana": 1, "pasado mañana": 2, "ayer": -1, "anteayer": -2},
    spans={
        r"(?:el )?(?:fin|final|finales) de (?:la |esta )?semana(?! que)": "end_week", r"esta semana": "this_week", r"(?:la )?(?:próxima semana|semana que viene|semana próxima)": "next_week",
        r"(?:la )?semana pasada": "last_week", r"(?:el )?fin de mes|(?:a )?finales de mes": "end_month", r"(?:el )?(?:próximo mes|mes que viene)": "next_month",
        r"(?:el )?(?:fin de año)": "end_year", r"(?:el )?(?:próximo año|año que viene)": "next_year", r"navidad": "christmas", r"(?:la )?primavera": "spring", r"(?:el )?verano": "summer", r"(?:el )?otoño": "autumn", r"(?:el )?invierno": "winter",
    },
    leads={
        "by": r"para(?: el)?|a más tardar(?: el)?|como muy tarde(?: el)?", "before": r"antes del?", "until": r"hasta(?: el)?", "since": r"desde(?: el)?|a partir del?", "after": r"después del?|tras(?: el)?",
        "within": r"dentro de|en", "on": r"el|este|en|al",
    },
    next_words="próximo|que viene", last_words="pasado", this_words="este",
    counts={"un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "diez": 10}, units={"day": "días?|dias?", "week": "semanas?", "month": "mes(?:es)?", "year": "años?"},
    in_words="dentro de|en", of="de|del", the="el|día|el día", ordinal="º", to="al|hasta el|a|-|–", doubtful=frozenset({"ago", "mañana"}),
    parts={r"principios de|a principios de": "start", r"mediados de|a mediados de": "mid", r"finales de|a finales de|fin de": "end"},
)  # fmt: skip

PORTUGUESE = TimeWords(
    months="janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez",
    weekdays="segunda/segunda-feira terça/terça-feira/terca quarta/quarta-feira quinta/quinta-feira sexta/sexta-feira sábado/sabado domingo",
    days={"hoje": 0, "hoje à noite": 0, "esta noite": 0, "amanhã": 1, "amanha": 1, "depois de amanhã": 2, "ontem": -1, "anteontem": -2},
    spans={
        r"(?:o )?(?:fim|final) da semana": "end_week", r"(?:o )?fim de semana|fim-de-semana": "weekend", r"esta semana": "this_week", r"(?:na |a )?(?:próxima semana|semana que vem|semana próxima)": "next_week",
        r"(?:na |a )?semana passada": "last_week", r"(?:o )?(?:fim|final) do mês": "end_month", r"(?:o |no )?(?:próximo mês|mês que vem)": "next_month", r"(?:o )?(?:fim|final) do ano": "end_year",
        r"(?:o |no )?(?:próximo ano|ano que vem)": "next_year", r"natal": "christmas", r"páscoa": "easter", r"(?:a |na )?primavera": "spring", r"(?:o |no )?verão": "summer", r"(?:o |no )?outono": "autumn", r"(?:o |no )?inverno": "winter",
    },
    leads={
        "by": r"até(?: ao| o| à| a| dia| ao dia| o dia)?|o mais tardar|para(?: o)?", "before": r"antes d[eoa]", "since": r"desde(?: o)?|a partir d[eoa]", "after": r"depois d[eoa]|após(?: o)?",
        "within": r"dentro de", "on": r"em|no|na|dia|no dia|este|esta",
    },
    next_words="próxim[oa]|que vem", last_words="passad[oa]", this_words="est[ea]",
    counts={"um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "dez": 10}, units={"day": "dias?", "week": "semanas?", "month": "mês|meses", "year": "anos?"},
    in_words="dentro de|em|daqui a", of="de", the="dia|o dia", ordinal="º", to="a|até|ao|-|–", doubtful=frozenset({"mar", "set", "out", "segunda", "quarta", "quinta", "sexta", "terça"}),
    parts={r"início de|começo de|princípio de": "start", r"meados de": "mid", r"fim de|final de|fins de": "end"},
)  # fmt: skip

ITALIAN = TimeWords(
    months="gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set/sett ottobre/ott novembre/nov dicembre/dic",
    weekdays="lunedì/lunedi/lun martedì/martedi mercoledì/mercoledi giovedì/giovedi venerdì/venerdi/ven sabato/sab domenica/dom",
    days={"oggi": 0, "stasera": 0, "stamattina": 0, "questa sera": 0, "domani": 1, "dopodomani": 2, "ieri": -1, "l'altro ieri": -2},
    spans={
        r"(?:la )?fine (?:della |di questa )?settimana": "end_week", r"(?:questo |il )?fine settimana|(?:questo |il )?weekend": "weekend", r"questa settimana": "this_week", r"(?:la )?(?:prossima settimana|settimana prossima)": "next_week",
        r"(?:la )?(?:scorsa settimana|settimana scorsa)": "last_week", r"(?:la )?fine (?:del )?mese": "end_month", r"(?:il )?(?:prossimo mese|mese prossimo)": "next_month", r"(?:la )?fine (?:dell')?anno": "end_year",
        r"(?:il |l')?(?:prossimo anno|anno prossimo)": "next_year", r"natale": "christmas", r"pasqua": "easter", r"(?:in |la )?primavera": "spring", r"(?:in |l')?estate": "summer", r"(?:in |l')?autunno": "autumn", r"(?:in |l')?inverno": "winter",
    },
    leads={
        "by": r"entro(?: il| l'| la)?|per(?: il)?|al più tardi(?: il)?", "before": r"prima del(?:l'|la)?", "until": r"fino (?:al|a)(?:l'|la)?", "since": r"dal(?:l'|la)?|a partire dal(?:l'|la)?|da", "after": r"dopo(?: il)?",
        "within": r"entro", "on": r"il|in|al|di|questo|questa|l'",
    },
    next_words="prossim[oa]", last_words="scors[oa]", this_words="quest[oa]",
    counts={"un": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "dieci": 10}, units={"day": "giorn[oi]", "week": "settiman[ae]", "month": "mes[ei]", "year": "ann[oi]"},
    in_words="tra|fra|entro", of="di", the="il|l'", ordinal="°|º", to="al|fino al|a|-|–", doubtful=frozenset({"mar", "set", "lun", "ven", "dom", "sab", "gen"}),
    parts={r"inizio|l'inizio di": "start", r"metà": "mid", r"fine|la fine di": "end"},
)  # fmt: skip

DUTCH = TimeWords(
    months="januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep/sept oktober/okt november/nov december/dec",
    weekdays="maandag/ma dinsdag/di woensdag/wo donderdag/do vrijdag/vr zaterdag/za zondag/zo",
    days={"vandaag": 0, "vanavond": 0, "vanmiddag": 0, "vanochtend": 0, "morgen": 1, "morgenochtend": 1, "morgenavond": 1, "overmorgen": 2, "gisteren": -1, "eergisteren": -2},
    spans={
        r"(?:het )?einde? van (?:de |deze )?week|eind deze week": "end_week", r"eind volgende week": "end_next_week", r"begin volgende week": "start_next_week", r"deze week": "this_week", r"volgende week|komende week": "next_week", r"vorige week": "last_week",
        r"(?:het|dit|in het) weekend": "weekend", r"(?:het )?einde? van de maand|eind (?:deze )?maand": "end_month", r"volgende maand": "next_month", r"(?:het )?einde? van het jaar": "end_year", r"volgend jaar": "next_year",
        r"kerst(?:mis)?": "christmas", r"pasen": "easter", r"(?:in de |het )?(?:voorjaar|lente)": "spring", r"(?:in de |deze )?zomer": "summer", r"(?:in de |het )?(?:herfst|najaar)": "autumn", r"(?:in de |deze )?winter": "winter",
    },
    leads={
        "by": r"uiterlijk(?: op)?|voor het einde van|ten laatste|vóór", "before": r"voor(?: de)?", "until": r"tot(?: en met| aan| de)?|t/m", "since": r"sinds|vanaf(?: de)?|per|van", "after": r"na(?: de)?", "within": r"binnen", "on": r"op|in|de|per|aanstaande|a\.s\.",
    },
    next_words="volgende|aanstaande|komende", last_words="afgelopen|vorige", this_words="deze|dit",
    counts={"een": 1, "één": 1, "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "tien": 10}, units={"day": "dag(?:en)?", "week": "weken|week", "month": "maand(?:en)?", "year": "jaar|jaren"},
    in_words="over|binnen|in", the="de", ordinal="e|ste|de", to="tot|t/m|tot en met|-|–", doubtful=frozenset({"ma", "di", "wo", "do", "vr", "za", "zo", "mei"}),
    parts={r"begin": "start", r"half|medio|midden": "mid", r"eind|einde": "end"},
)  # fmt: skip

SWEDISH = TimeWords(
    months="januari/jan februari/feb mars/mar april/apr maj juni/jun juli/jul augusti/aug september/sep/sept oktober/okt november/nov december/dec",
    weekdays="måndag/måndagen/mån tisdag/tisdagen/tis onsdag/onsdagen/ons torsdag/torsdagen/tors fredag/fredagen/fre lördag/lördagen/lör söndag/söndagen/sön",
    days={"idag": 0, "i dag": 0, "ikväll": 0, "i kväll": 0, "imorgon": 1, "i morgon": 1, "imorron": 1, "i övermorgon": 2, "igår": -1, "i går": -1, "i förrgår": -2},
    spans={
        r"slutet av (?:veckan|denna vecka)|slutet på veckan": "end_week", r"slutet av nästa vecka": "end_next_week", r"början av nästa vecka": "start_next_week", r"(?:den här|denna) veckan?|i veckan": "this_week", r"nästa vecka": "next_week",
        r"förra veckan": "last_week", r"(?:i )?helgen|till helgen": "weekend", r"slutet av månaden|månadsskiftet": "end_month", r"nästa månad": "next_month", r"slutet av året|årsskiftet": "end_year", r"nästa år": "next_year",
        r"jul(?:en)?": "christmas", r"påsk(?:en)?": "easter", r"(?:i |till )?våren?": "spring", r"(?:i |till )?sommare?n?": "summer", r"(?:i |till )?hösten?": "autumn", r"(?:i |till )?vintern?": "winter",
    },
    leads={
        "by": r"senast(?: den| på)?|till(?: den)?|innan den", "before": r"före(?: den)?|innan", "until": r"tills?(?: och med)?(?: den)?|t\.?o\.?m\.?(?: den)?|fram till(?: den)?", "since": r"från(?: och med)?(?: den)?|fr\.?o\.?m\.?|sedan", "after": r"efter(?: den)?", "within": r"inom",
        "on": r"på|den|i|nu på|nästkommande",
    },
    next_words="nästa|nästkommande", last_words="förra|i", this_words="denna|den här|nu på",
    counts={"en": 1, "ett": 1, "två": 2, "tre": 3, "fyra": 4, "fem": 5, "tio": 10}, units={"day": "dag(?:ar)?", "week": "veckor|vecka", "month": "månad(?:er)?", "year": "år"},
    in_words="om|inom", the="den", ordinal=":?e|:a|:e", to="till|t\\.?o\\.?m\\.?|-|–", doubtful=frozenset({"mars", "maj", "mar", "tis", "ons", "fre", "mån"}),
    parts={r"början av": "start", r"mitten av": "mid", r"slutet av": "end"},
)  # fmt: skip

POLISH = TimeWords(
    months="stycznia/styczniu/styczeń lutego/lutym/luty marca/marcu/marzec kwietnia/kwietniu/kwiecień maja/maju/maj czerwca/czerwcu/czerwiec lipca/lipcu/lipiec sierpnia/sierpniu/sierpień września/wrześniu/wrzesień października/październiku/październik listopada/listopadzie/listopad grudnia/grudniu/grudzień",
    weekdays="poniedziałek/poniedziałku wtorek/wtorku środa/środę/środy czwartek/czwartku piątek/piątku sobota/sobotę/soboty niedziela/niedzielę/niedzieli",
    days={"dziś": 0, "dzisiaj": 0, "dziś wieczorem": 0, "jutro": 1, "jutra": 1, "pojutrze": 2, "wczoraj": -1, "przedwczoraj": -2},
    spans={
        r"końca tygodnia|koniec tygodnia": "end_week", r"(?:w )?tym tygodniu": "this_week", r"(?:w )?(?:przyszłym|następnym) tygodniu": "next_week", r"(?:w )?zeszłym tygodniu": "last_week", r"(?:w )?weekend": "weekend",
        r"końca miesiąca|koniec miesiąca": "end_month", r"(?:w )?(?:przyszłym|następnym) miesiącu": "next_month", r"końca roku|koniec roku": "end_year", r"(?:w )?(?:przyszłym|następnym) roku": "next_year",
        r"świąt|boże narodzenie|bożego narodzenia": "christmas", r"wielkanoc(?:y|ą)?": "easter", r"wiosn[aąęy]": "spring", r"lat[oem]{1,2}": "summer", r"jesie(?:ń|nią|ni)": "autumn", r"zim[aąęy]": "winter",
    },
    leads={
        "by": r"najpóźniej(?: do| w)?|do(?: dnia)?", "before": r"przed", "since": r"od(?: dnia)?", "after": r"po", "within": r"w ciągu", "on": r"w|we|na|dnia|od",
    },
    next_words="przyszł[yąa]|następn[yąa]|najbliższ[yąa]", last_words="zeszł[yąa]|ubiegł[yąa]|miniony", this_words="t[ęeą]|ten",
    counts={"jeden": 1, "dwa": 2, "trzy": 3, "cztery": 4, "pięć": 5, "dziesięć": 10}, units={"day": "dni|dzień", "week": "tygodni[ea]?|tydzień", "month": "miesi[ąę]c[ey]?|miesięcy", "year": "lat|lata|rok"},
    in_words="za|w ciągu", to="do|-|–", doubtful=frozenset({"maja", "maj"}),
    parts={r"początek|na początku|początku": "start", r"połow[ayęie]+": "mid", r"koniec|końca|pod koniec": "end"},
)  # fmt: skip

TIME_WORDS: Mapping[str, TimeWords] = {
    "en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH, "pt": PORTUGUESE, "it": ITALIAN, "nl": DUTCH, "sv": SWEDISH, "pl": POLISH,
}  # fmt: skip
