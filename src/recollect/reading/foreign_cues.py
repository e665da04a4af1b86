"""Words that show what a clause does in German, French, Spanish, Portuguese, Italian, Dutch, Swedish and Polish.

Only the plain forms: commitment, request, decision, cancellation, completion, blocker. Patterns are over small letters.
"""

from collections.abc import Mapping
from functools import cache

from recollect.reading.act_cue import ActCue, cue

_DONE_END = r"(?=\W*$|[,.!;:–-]|\s+(?:und|et|y|e|en|och|i)\b)"

# By language: the patterns of each act, and who is bound by it. A question mark or a negation takes most of them back.
_ROWS: Mapping[str, tuple[tuple[str, str, str, str | None, str], ...]] = {
    "de": (
        ("cancellation", "abgesagt", r"\b(?:abgesagt|storniert|gekündigt|fällt (?:leider )?aus|findet nicht statt|muss (?:ich )?(?:leider )?absagen|sage ab|entfällt|kann (?:leider )?nicht kommen|schaffe es (?:leider )?nicht)\b", None, ""),
        ("decision", "entschieden", r"\b(?:entschieden|beschlossen|vereinbart|genehmigt|bewilligt|wir nehmen|wir bleiben bei|ich nehme|abgemacht|einverstanden|zugesagt|geeinigt)\b", None, r"\bnicht\b(?! mehr)|\bnoch nicht\b"),
        ("blocker", "warten auf", r"\b(?:warte(?:n)? (?:noch |immer noch )?auf|blockiert|kann (?:ich |wir )?(?:erst|nicht)\b.*\b(?:wenn|bis|bevor|ohne)|hängt fest|kommen nicht weiter)\b", None, ""),
        ("request", "bitte", r"\bbitte\b(?! schön| sehr|\W*$)|\b(?:kannst|könntest|können|könnten|würdest|würden|magst) (?:du|sie|ihr)\b|\b(?:ich|wir) (?:brauche|bräuchte|brauchen|benötige|benötigen|bräuchten)\b.*\b(?:von (?:dir|ihnen|euch)|bis|vor|ihre|deine|eure)\b|\bschick(?:e|t|en sie)? (?:mir|uns)\b|\bgib mir bescheid\b|\bmelde dich\b|\bsag (?:mir|uns)\b|\bwir bitten\b|\bich bitte\b", "addressee", r"\bbitteschön\b"),
        ("completion", "erledigt", r"(?:^\W*|\b(?:ist|sind|hab(?:e|en)?|wurde|wurden|bereits|schon|alles|haben wir|habe ich)\b[^.!?]{0,60}?)\b(?:erledigt|fertig|bezahlt|überwiesen|geschickt|verschickt|gesendet|abgeschickt|unterschrieben|bestellt|gebucht|repariert|angekommen|geliefert|abgegeben|eingereicht|gekauft|abgeholt|eingebaut|beigefügt|angehängt)\b|\b(?:anbei|im anhang)\b", "speaker", r"\bnicht\b|\bnoch\b|\bwird\b|\bwerden\b|\bbis\b"),
        ("commitment", "ich werde", r"\b(?:ich|wir) (?:werde|werden|schicke|schicken|sende|senden|mache|machen|kümmere|kümmern|bringe|bringen|rufe|rufen|melde|melden|hole|holen|liefere|liefern|prüfe|prüfen|erledige|erledigen|übernehme|übernehmen|komme|kommen|bestelle|bestellen|schreibe|schreiben|gebe|geben|besorge|besorgen|überweise|zahle|zahlen|lasse)\b|\b(?:werde|schicke|sende|mache|bringe|rufe|melde|hole|liefere|prüfe|erledige|übernehme|bestelle|schreibe|gebe|besorge|überweise|kümmere) (?:ich|mich)\b|\b(?:schicken|senden|liefern|bringen|melden|kümmern|übernehmen|prüfen|erhalten sie|bekommen sie|bekommst du) (?:wir|uns|ihnen|dir)?\b(?=.*\b(?:bis|am|morgen|heute|nächste|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|woche)\b)|^\W*(?:mach ich|mache ich|wird gemacht|wird erledigt)\b", "speaker", r"\bnicht\b|\bwürde\b"),
    ),
    "fr": (
        ("cancellation", "annulé", r"\b(?:annulée?s?|j'annule|nous annulons|je dois annuler|n'aura pas lieu|reportée? sine die|je ne (?:pourrai|peux) (?:plus|pas) venir|résiliée?)\b", None, ""),
        ("decision", "décidé", r"\b(?:(?:avons|ai|a été|est|ont) (?:été )?(?:décidé|convenu|approuvée?|acceptée?|validée?|retenue?)|on prend|nous prenons|c'est décidé|d'accord pour|nous acceptons|j'accepte|on part sur)\b", None, r"\bpas\b"),
        ("blocker", "en attente", r"\b(?:en attente de|j'attends|nous attendons|bloquée?s?|ne (?:peux|pouvons|peut) (?:rien |pas )\w+ (?:avant|sans|tant que))\b", None, ""),
        ("request", "merci de", r"\b(?:merci de (?!votre|ta|tout|nous avoir|m'avoir)|s'il (?:te|vous) pla[iî]t|svp|stp|pourr(?:iez|ais)-(?:vous|tu)|peux-tu|pouvez-vous|tu peux|vous pouvez|veuillez|prière de|envoie(?:z)?-(?:moi|nous)|dis-moi|dites-(?:moi|nous)|j'aurais besoin|nous aurions besoin|j'ai besoin de (?:votre|ta|ton)|je vous (?:prie|demande)|n'oublie(?:z)? pas)\b", "addressee", r"\bveuillez (?:agréer|recevoir|trouver)\b|\bje vous prie d'agréer\b"),
        ("completion", "fait", r"\b(?:c'est fait|j'ai (?:envoyé|payé|signé|réservé|commandé|appelé|réparé|terminé|fini|transmis|reçu|réglé|viré|acheté|déposé)|nous avons (?:envoyé|payé|signé|réservé|commandé|terminé|reçu|transmis|livré)|(?:a|ont|est|sont) (?:été )?(?:envoyée?s?|payée?s?|signée?s?|réservée?s?|livrée?s?|arrivée?s?|terminée?s?|réparée?s?|déposée?s?|prêt[es]?)|ci-joint|en pièce jointe)\b|^\W*(?:fait|envoyé|payé|signé|réservé|réglé|terminé)\b", "speaker", r"\b(?:ne|n')\b|\bpas\b|\bsera\b|\bavant\b"),
        ("commitment", "je vais", r"\b(?:je (?:vais|t'envoie|vous envoie|m'en (?:occupe|charge)|te (?:rappelle|tiens|dis)|vous (?:rappelle|tiens|confirme|transmets|recontacte)|passe(?:rai)?|\w+erai|\w+irai|ferai|viendrai|pourrai te|serai)|nous (?:allons|\w+erons|\w+irons|ferons|viendrons|vous (?:envoyons|tiendrons|livrons))|on s'en occupe|c'est noté, je)\b", "speaker", r"\bne\b|\bpas\b|\bpeut-être\b"),
    ),
    "es": (
        ("cancellation", "cancelado", r"\b(?:cancelad[oa]s?|cancelo|cancelamos|anulad[oa]s?|suspendid[oa]s?|tengo que cancelar|no (?:puedo|podré|podremos) ir|ya no (?:voy|vamos|viene|hace falta))\b", None, ""),
        ("decision", "decidido", r"\b(?:(?:hemos|he|ha|han) (?:decidido|acordado|aprobado|aceptado|elegido)|(?:queda|está|fue|ha sido) (?:aprobad[oa]|aceptad[oa]|decidid[oa]|acordad[oa])|nos quedamos con|aceptamos|acepto|de acuerdo con)\b", None, r"\bno\b"),
        ("blocker", "esperando", r"\b(?:esperando (?:a|la|el|que)|sigo esperando|bloquead[oa]s?|no (?:puedo|podemos) \w+ (?:hasta|sin))\b", None, ""),
        ("request", "por favor", r"\b(?:por favor|porfa|(?:puedes|podrías|puede|podría|podéis|pueden) \w+|(?:envía|manda|dime|díme|avísa|llama|confirma|trae)(?:me|nos)\b|necesito (?:tu|su|que|la|el|saber)\b|necesitamos (?:tu|su|que|la|el)\b|le ruego|te pido|os pido|no olvides)\b", "addressee", r"^\W*se puede\b"),
        ("completion", "hecho", r"\b(?:(?:he|hemos|ha|han|ya) (?:enviado|pagado|firmado|reservado|comprado|llamado|arreglado|terminado|acabado|recibido|hecho|mandado|entregado|pedido)|ya está (?:hecho|pagad[oa]|enviad[oa]|list[oa]|arreglad[oa])|(?:fue|ha sido|está|están) (?:enviad[oa]s?|pagad[oa]s?|firmad[oa]s?|entregad[oa]s?|reservad[oa]s?)|adjunto|(?:ya )?(?:envié|pagué|firmé|compré|llamé|reservé|mandé|entregué)|ha llegado|llegó|llegaron)\b|^\W*(?:hecho|enviado|pagado|listo|firmado|reservado)\b", "speaker", r"\bno\b|\btodavía\b|\bsin\b"),
        ("commitment", "voy a", r"\b(?:(?:voy|vamos) a \w+r(?:l[aoe]s?|te|os|me)?|(?:te|le|os|les|lo|la|se lo|te lo) (?:envío|mando|llamo|confirmo|digo|aviso|traigo|llevo)|me encargo|yo me ocupo|(?:enviaré|mandaré|llamaré|haré|traeré|pagaré|llevaré|terminaré|confirmaré|avisaré|iré|pasaré|compraré|estaré|preguntaré|hablaré|tendré|entregaremos|enviaremos|haremos|pagaremos|llevaremos)|cuenta conmigo)\b", "speaker", r"\bno\b|\bquizás?\b|\btal vez\b"),
    ),
    "pt": (
        ("cancellation", "cancelado", r"\b(?:cancelad[oa]s?|cancelo|cancelámos|cancelamos|desmarcad[oa]|tenho (?:de|que) cancelar|não (?:posso|vou poder|consigo) ir|já não (?:vou|vamos|é preciso))\b", None, ""),
        ("decision", "decidido", r"\b(?:decidi(?:mos|do)?|aprovad[oa]|acordad[oa]|combinad[oa]|ficou (?:decidido|combinado|acordado)|aceit(?:o|amos|ei)|vamos ficar com|ficamos com|escolhemos)\b", None, r"\bnão\b"),
        ("blocker", "à espera", r"\b(?:à espera d[eoa]|estou à espera|aguardo|aguardamos|bloquead[oa]|só posso \w+ (?:depois|quando)|não (?:posso|podemos|consigo) \w+ (?:até|sem|enquanto)|atrasad[oa]s?|em falta)\b", None, ""),
        ("request", "por favor", r"\b(?:por favor|pf|(?:podes|podias|pode|poderia|podiam|consegue|consegues) \w+|(?:envia|manda|diz|avisa|liga|confirma|traz|envie|mande|diga|avise|ligue|confirme|traga)(?:-me|-nos)\b|preciso (?:que|d[aeo]|da tua|do teu|de)\b|precisamos (?:que|d[aeo])\b|peço(?:-te|-lhe|-vos)?\b|não te esqueças|não se esqueça)", "addressee", ""),
        ("completion", "feito", r"\b(?:já (?:enviei|paguei|assinei|reservei|comprei|liguei|fiz|mandei|acabei|terminei|está|estão|chegou|chegaram|recebi|tratei)|(?:enviei|paguei|assinei|reservei|comprei|mandei|transferi|encomendei|marquei)|(?:está|estão|foi|foram) (?:feit[oa]s?|pag[oa]s?|enviad[oa]s?|assinad[oa]s?|entregues?|pront[oa]s?|reservad[oa]s?|marcad[oa]s?|tratad[oa]s?)|em anexo|segue em anexo|chegou|chegaram)\b|^\W*(?:feito|pago|enviado|tratado|assinado|pronto)\b", "speaker", r"\bnão\b|\bainda\b|\bquando\b|\bse\b|\bsó\b"),
        ("commitment", "vou", r"\b(?:(?:vou|vamos) (?!embora|indo|bem|ver se)\w+r(?:-l[aoe]s?|-te|-lhe|-vos)?|(?:envio|mando|trato|levo|trago|ligo|passo|faço|começo|acabo|entrego|pago|confirmo|aviso|digo|compro)(?:-te|-lhe|-vos|-o|-a)?\b(?=.*\b(?:amanhã|hoje|até|segunda|terça|quarta|quinta|sexta|sábado|domingo|dia|semana|mês|de (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro))\b)|trato disso|eu trato|deixa comigo|(?:enviarei|farei|ligarei|levarei|pagarei|irei|estarei|entregarei|confirmarei)|conta comigo|(?:fica|estará|ficará) pront[oa])\b", "speaker", r"\bnão\b|\btalvez\b"),
    ),
    "it": (
        ("cancellation", "annullato", r"\b(?:annullat[oaie]|annullo|annulliamo|disdett[oa]|disdico|devo disdire|devo annullare|salta|non (?:posso|riesco a|potrò) venire|cancellat[oaie])\b", None, ""),
        ("decision", "deciso", r"\b(?:(?:abbiamo|ho|ha|hanno|è stato) (?:deciso|scelto|approvato|accettato|concordato)|(?:è|sono) (?:approvat[oaie]|decis[oaie]|confermat[oaie]|accettat[oaie])|prendiamo|accettiamo|accetto|d'accordo per|andiamo con)\b", None, r"\bnon\b"),
        ("blocker", "in attesa", r"\b(?:in attesa d[ie]|aspetto (?:ancora|la|il)|aspettiamo (?:ancora|la|il)|bloccat[oaie]|non (?:posso|possiamo) \w+ (?:finché|senza|prima))\b", None, ""),
        ("request", "per favore", r"\b(?:per favore|per piacere|per cortesia|(?:puoi|potresti|può|potrebbe|potete|potreste) \w+|(?:manda|invia|dimmi|dammi|avvisa|chiama|conferma|porta|fammi|mandi|invii|mi dica)(?:mi|ci)?\b|serve (?:la|il|una|un|l')|mi serve|ci serve|ho bisogno d|abbiamo bisogno d|vi prego|la prego|ti chiedo|le chiedo|non dimenticare)\b", "addressee", ""),
        ("completion", "fatto", r"\b(?:(?:ho|abbiamo|ha) (?:già )?(?:inviato|mandato|pagato|firmato|prenotato|comprato|chiamato|finito|fatto|ricevuto|ordinato|sistemato|consegnato|spedito)|(?:è|sono) (?:stat[oaie] )?(?:inviat[oaie]|pagat[oaie]|firmat[oaie]|consegnat[oaie]|arrivat[oaie]|pront[oaie]|finit[oaie]|sistemat[oaie])|in allegato|allego)\b|^\W*(?:fatto|inviato|pagato|firmato|prenotato|spedito)\b", "speaker", r"\bnon\b|\bancora\b|\bsarà\b"),
        ("commitment", "farò", r"\b(?:(?:ti|le|vi|glielo|te lo|lo|la) (?:mando|invio|chiamo|confermo|dico|faccio|porto|scrivo)|ci penso io|me ne occupo|posso mandar\w+|(?:manderò|invierò|chiamerò|farò|porterò|pagherò|verrò|sarò|scriverò|confermerò|prenoterò|andrò|finirò|parlerò|chiederò|manderemo|invieremo|faremo|verremo|consegneremo|pagheremo)|passo (?:io|domani|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)|porto io)\b", "speaker", r"\bnon\b|\bforse\b|\bse\b"),
    ),
    "nl": (
        ("cancellation", "geannuleerd", r"\b(?:geannuleerd|afgezegd|afgelast|gaat niet door|moet (?:helaas )?afzeggen|zeg af|vervalt|kan (?:helaas )?niet (?:meer )?komen|opgezegd)\b", None, ""),
        ("decision", "besloten", r"\b(?:besloten|afgesproken|goedgekeurd|akkoord|we nemen|we kiezen|gekozen voor|we houden het op|toegekend)\b", None, r"\bniet\b(?! (?:te|meer))"),
        ("blocker", "wachten op", r"\b(?:wacht(?:en)? (?:nog )?(?:steeds )?op|geblokkeerd|kan(?:nen)? (?:pas|niet)\b.*\b(?:als|tot|voordat|zonder)|vast op|ligt stil)\b", None, ""),
        ("request", "graag", r"\b(?:alsjeblieft|alstublieft|a\.u\.b\.|aub|svp|kun je|kunt u|kan je|kunnen jullie|wil je|wilt u|zou je|zou u|graag (?:je|uw|een|voor|ontvang|vóór)|stuur (?:me|ons|mij|je|die|de|het)|laat (?:me|het|even|ons)\b.*\bweten|ik heb (?:je|uw|nog) .* nodig|we hebben .* nodig van|vergeet niet|bel (?:me|mij|ons|even))\b", "addressee", ""),
        ("completion", "gedaan", r"(?:^\W*|\b(?:heb|heeft|hebben|is|zijn|al|net)\b[^.!?]{0,60}?)\b(?:gedaan|verstuurd|gestuurd|betaald|getekend|geboekt|besteld|gebeld|gerepareerd|geregeld|klaar|ingeleverd|ontvangen|gekocht|opgehaald|overgemaakt|geleverd|aangekomen|binnen)\b|\b(?:bijgevoegd|in de bijlage)\b", "speaker", r"\bniet\b|\bnog\b|\bwordt\b|\bworden\b|\bals\b"),
        ("commitment", "ik zal", r"\b(?:ik|we|wij) (?:zal|zullen|ga|gaan|stuur|sturen|regel|regelen|breng|brengen|bel|bellen|kom|komen|haal|halen|neem|nemen|maak|maken|lever|leveren|zorg|zorgen|bestel|bestellen|check|laat|betaal|betalen|schrijf|vraag)\b|\b(?:zal|stuur|regel|breng|bel|haal|neem|maak|lever|zorg|bestel|betaal|vraag|laat|kom) (?:ik|je ik)\b|\bkomt (?:goed|in orde)\b", "speaker", r"\bniet\b|\bmisschien\b|\bzou\b"),
    ),
    "sv": (
        ("cancellation", "inställt", r"\b(?:inställ[td]a?|ställs in|ställer in|avbokad?e?|avbokat|måste (?:tyvärr )?ställa in|kan (?:tyvärr )?inte komma|uppsag[dt])\b", None, ""),
        ("decision", "beslutat", r"\b(?:beslutat|beslutade|bestämt|bestämde|vi (?:tar|kör på|väljer|valde|går på)|godkän[tnd][ats]?|överens om|antagen|beviljad?)\b", None, r"\binte\b"),
        ("blocker", "väntar på", r"\b(?:väntar (?:fortfarande |ännu )?på|kan inte\b.*\b(?:förrän|innan|utan)|blockerad|står still)\b", None, ""),
        ("request", "snälla", r"\b(?:snälla|vänligen|kan (?:du|ni)|skulle (?:du|ni) kunna|kunde (?:du|ni)|jag behöver (?:din|ditt|dina|er|ert|få|veta|en|ett)|vi behöver (?:din|ditt|er|ert|få|ha|veta)|skicka (?:mig|oss|gärna|in|över)|hör av (?:dig|er)|säg till|glöm inte|ring mig|mejla mig|återkom)\b", "addressee", ""),
        ("completion", "klart", r"(?:^\W*|\b(?:har|är|jag|vi|redan|nu)\b[^.!?]{0,60}?)\b(?:klart|klar|skickat|skickad|betalat|betald|betalt|skrivit på|signerat|signerad|bokat|bokad|beställt|beställd|ringt|fixat|lagat|lagad|levererat|levererad|levererade|lämnat|köpt|hämtat|anlänt|framme)\b|\b(?:bifogas|bifogat|bifogar|bifogad)\b", "speaker", r"\binte\b|\bblir\b|\bska\b|\bnär\b"),
        ("commitment", "jag ska", r"\b(?:jag|vi) (?:ska|skall|kommer(?: att)?|skickar|fixar|ringer|tar|hämtar|ordnar|betalar|bokar|köper|lämnar|levererar|återkommer|kollar|skriver|gör|lagar|ser till)\b|\b(?:ska|skickar|fixar|ringer|tar|hämtar|ordnar|betalar|bokar|köper|lämnar|levererar|kollar|skriver) (?:jag|vi)\b|\b(?:lagas|levereras|skickas|monteras|installeras|repareras|åtgärdas)\b(?=.*\b(?:på|senast|i|den|nästa|imorgon|idag)\b)", "speaker", r"\binte\b|\bkanske\b"),
    ),
    "pl": (
        ("cancellation", "odwołane", r"\b(?:odwołan[eyao]|odwołuję|odwołujemy|anulowan[eyao]|muszę odwołać|nie (?:odbędzie się|dam rady przyjść|przyjdę|będzie)|rezygnuję|zrezygnował\w*)", None, ""),
        ("decision", "ustalone", r"\b(?:zdecydowa(?:liśmy|no|łem|łam)|postanowi(?:liśmy|ono|łem|łam)|ustali(?:liśmy|ono)|zatwierdzon[eyao]|zgoda|zgadzam się|bierzemy|wybieramy|wybraliśmy|przyjęt[aeoy])", None, r"\bnie\b"),
        ("blocker", "czekam na", r"\b(?:czekam(?:y)? (?:jeszcze |wciąż )?na|zablokowan[eyao]|nie (?:mogę|możemy)\b.*\b(?:dopóki|bez|zanim))", None, ""),
        ("request", "proszę", r"\b(?:proszę|prosimy|poproszę|czy (?:możesz|mógłbyś|mogłabyś|możecie|może pan|może pani|mógłby pan)|możesz|(?:wyślij|prześlij|zadzwoń|napisz|daj|przynieś|kup|potwierdź|sprawdź|pamiętaj)\b|potrzebuję (?:od|twoj|pan|do)|potrzebujemy od|nie zapomnij)", "addressee", r"\bproszę bardzo\b"),
        ("completion", "zrobione", r"\b(?:zrobion[eyao]|wysłan[eyao]|wysłał[ea]m|zapłacon[eyao]|zapłacił[ea]m|podpisan[eyao]|podpisał[ea]m|zamówion[eyao]|zamówił[ea]m|kupił[ea]m|zadzwonił[ea]m|gotow[eyai]|przyszł[oya]|przyszli|dotarł[ayo]?|załatwion[eyao]|zarezerwowan[eyao]|zarezerwował[ea]m|w załączniku|oddał[ea]m|naprawion[eyao])", "speaker", r"\bnie\b|\bjeszcze\b|\bbędzie\b"),
        ("commitment", "zrobię", r"\b(?:(?:będę|będziemy) \w+ć|(?:wyślę|prześlę|zadzwonię|zrobię|przyniosę|kupię|zapłacę|napiszę|załatwię|dam|przyjdę|przyjadę|odbiorę|sprawdzę|zajmę się|zamówię|oddam|przygotuję|powiem|zapytam|spróbuję|wyślemy|zrobimy|zapłacimy|przyjedziemy|dostarczymy|odezwę się|biorę to))\b", "speaker", r"\bnie\b|\bmoże\b"),
    ),
}  # fmt: skip

_GUARDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "de": (("conditional", r"\b(?:wenn|falls|sofern|würde|würden|könnte man|hätte)\b(?! möglich)"), ("doubted", r"\b(?:vielleicht|wahrscheinlich|vermutlich|eventuell|angeblich|ich glaube|wohl)\b"), ("hoped", r"\b(?:hoff\w+|wünsch\w+|freue mich auf)\b")),
    "fr": (("conditional", r"\b(?:si (?!possible)|au cas où|à condition)\b|\bs'il (?!te|vous)"), ("doubted", r"\b(?:peut-être|probablement|sans doute|paraît-il|je crois|il semble)\b"), ("hoped", r"\b(?:j'espère|espérons|espérant|souhait\w+|au plaisir)\b")),
    "es": (("conditional", r"\bsi\b(?! es posible)|\ben caso de\b|\ba menos que\b"), ("doubted", r"\b(?:quizás?|tal vez|probablemente|al parecer|creo que|dicen que)\b"), ("hoped", r"\b(?:espero|esperamos|ojalá)\b")),
    "pt": (("conditional", r"\bse (?!possível|faz favor)(?:\w+)\b(?=.*,)|\bcaso\b|\ba menos que\b"), ("doubted", r"\b(?:talvez|provavelmente|parece que|acho que|dizem que)\b"), ("hoped", r"\b(?:espero|esperamos|oxalá|tomara)\b")),
    "it": (("conditional", r"\bse\b(?! possibile)|\bqualora\b|\ba meno che\b"), ("doubted", r"\b(?:forse|probabilmente|magari|pare che|credo che|dicono)\b"), ("hoped", r"\b(?:spero|speriamo|sperando)\b")),
    "nl": (("conditional", r"\b(?:als (?!het mogelijk)|indien|mits|tenzij|zou|zouden)\b(?! (?:je|u)\b)"), ("doubted", r"\b(?:misschien|waarschijnlijk|vermoedelijk|blijkbaar|ik denk|schijnt)\b"), ("hoped", r"\b(?:hoop|hopen|hopelijk)\b")),
    "sv": (("conditional", r"\b(?:om (?!möjligt|det går)(?:du|ni|vi|jag|det|han|hon|de)|ifall|såvida|skulle)\b(?! (?:du|ni) kunna)"), ("doubted", r"\b(?:kanske|förmodligen|troligen|antagligen|jag tror|tydligen)\b"), ("hoped", r"\b(?:hoppas|förhoppningsvis|önskar)\b")),
    "pl": (("conditional", r"\b(?:jeśli|jeżeli|gdyby|o ile|chyba że)\b"), ("doubted", r"\b(?:może (?!pan|pani)|chyba|prawdopodobnie|podobno|pewnie)\b"), ("hoped", r"\b(?:mam nadzieję|oby|życzę)\b")),
}  # fmt: skip


@cache
def foreign_cues(language: str) -> tuple[ActCue, ...]:
    """The rows of a language in the order in which they are tried; none of one that is not read."""
    return tuple(
        cue(name, act, pattern, doer, unless=_unless(act, unless), survives=act == "request", confidence=0.85)  # type: ignore[arg-type]
        for act, name, pattern, doer, unless in _ROWS.get(language, ())
    )


def _unless(act: str, unless: str) -> str:
    asks = "" if act == "request" else r"\?"
    return "|".join(each for each in (unless, asks) if each)


def foreign_guards(language: str) -> tuple[tuple[str, str], ...]:
    """By modality the words of a language that take an act back."""
    return _GUARDS.get(language, ())
