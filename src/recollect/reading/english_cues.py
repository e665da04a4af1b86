"""English words that show what a clause does, as a table: the first row that fits decides.

Patterns are matched against small letters with straight apostrophes, one clause at a time.
"""

from functools import cache

from recollect.reading.act_cue import ActCue, cue
from recollect.reading.english_verbs import action_verbs, ing_form, order_verbs, past_forms, third_person

_ADVERB = (
    r"(?:(?:also|just|still|then|now|soon|again|already|all|both|finally|definitely|certainly|gladly|happily|quickly|"
    r"simply|personally|obviously|of course|try to|have to|need to|go and|come and|be able to|be|first|myself|"
    r"immediately|together|tomorrow|tonight|today|only|even|always|always|not) ){0,3}"
)
_START = r"^(?:\W|\b(?:ok|okay|okey|k|kk|yes|yep|yeah|yea|ya|sure|fine|great|cool|thanks|thank you|thx|ta|alright|right|perfect|good|and|so|also|then|well|oh|ah|no worries|no problem|of course|hi|hey|hello|actually|anyway|btw|ps|p\.s\.?|fyi|but|now|done|next|ha|lol|lovely|noted|deal|agreed|sorry)\b)*"
_NAME = r"[a-zà-ÿ][\wà-ÿ'.-]*(?: [a-zà-ÿ][\wà-ÿ'.-]*)?"
_OBJECT = r"(?:the|a|an|this|that|these|those|my|our|your|their|his|her|its|it|them|him|all|both|every|everything|two|three|four|five|six|ten|some|one|\d+|me|us|you|any)\b"
_YOU = r"(?:you|u|ya|ye|y'all|someone|somebody|anyone|anybody|one of you|you guys|either of you|both of you|you two)"
_NOT_PROMISED = (
    r"(?!have (?!(?:it|them|the|that|this|your|all)\b)|see (?!to\b)|(?:be|bet|admit|confess|miss|need|want|guess|assume|think|hope|know|regret|wonder|say|never|not|"
    r"probably|possibly|hopefully|likely|maybe|perhaps|die|explode|faint|cry|scream|murder|strangle|feel|love|hate|like|"
    r"believe|remember|forget|understand|survive|live|sleep|always|the|a|an|it|you|he|she|they|we|i|to|of|in|on|at|if|as|"
    r"what|who|either|get (?:sick|fat|old|fired|used)|end up|spend|lose|fall|owe|kill|dream|laugh|become|need|regret)\b)"
)
_VERB = rf"{_NOT_PROMISED}[a-z][a-z-]+"
_IDLE_REQUEST = (
    r"(?!(?:note|accept|feel free|excuse|pardon|forgive|be (?:aware|advised|informed|reminded|assured|patient)|"
    r"god|enlighten|contact us|visit our|consider the environment|do not reply|read the)\b|"
    r"(?:find|see|refer)\b(?: \S+){0,4} (?:attached|enclosed|attachments?|below|above))"
)


def _words(verbs: frozenset[str]) -> str:
    return "|".join(sorted(verbs, key=lambda verb: (-len(verb), verb)))


@cache
def english_cues() -> tuple[ActCue, ...]:
    """The rows in the order in which they are tried."""
    return (
        *_set_phrases(),
        *_cancellations(),
        *_decisions(),
        *_blockers(),
        *_requests(),
        *_completions(),
        *_commitments(),
        *_feelings(),
    )


def _set_phrases() -> tuple[ActCue, ...]:
    return (
        cue("leave it with me", "commitment", r"\bleave (?:it|that|this) (?:with|to) me\b|\b(?:i'm|im|i am|we're) on it\b|^\W*on it\b(?! (?:is|was|are|,))|\bi(?:'ve| have)? got (?:this|it covered)\b|\bcount me in\b|\bi'?m in\b(?=[.!,]|$)|\bconsider it done\b|\bmy (?:job|turn|treat)\b(?=[.!,]|$)|\bi volunteer\b|\bi(?:'ll| will)? take (?:that|this|it|care of)\b|\bcan do[.!]*$|\bon my list\b|\bwill be done\b", "speaker", unless=r"\?|\bnot my job\b", hints="leave|on_it|got|count|in|consider|my_|volunteer|take|can_do|list|done"),
        cue("i promise", "commitment", r"\b(?:i|we) promise (?:to|that|you|i)\b|\bpromise[.!]*$", "speaker", fact_type="promise", unless=r"\bcan'?t promise|not promise|no promise", hints="promise"),
    )  # fmt: skip


def _commitments() -> tuple[ActCue, ...]:
    doing = _words(action_verbs())
    third = _words(frozenset(third_person(verb) for verb in action_verbs()))
    hedge = r"i think|think|doubt|hope|wish|guess|suppose|maybe|perhaps|probably|hopefully|wonder(?: when| if)?|what|when|how|where|why|who|which|said|says|if|promised|not sure|thought|whatever|until|because|that|than|before|after|where"
    return (
        cue("i will", "commitment", rf"\b(?:i|we)(?: will|'ll| shall) {_ADVERB}{_VERB}\b", "speaker", except_after=hedge, unless=r"\b(?:i|we)(?: will|'ll| shall) (?:never|not)\b", hints="will|'ll|shall"),
        cue("i will be there", "commitment", r"\b(?:i|we)(?: will|'ll) be (?:there|in|back|at|bringing|sending|coming|with you|taking|calling|doing|on|with)\b", "speaker", except_after=hedge, hints="be_"),
        cue("ill", "commitment", rf"(?<![\w'])(?<!am )(?<!is )(?<!was )(?<!been )(?<!fell )(?<!feel )(?<!be )(?<!so )(?<!very )(?<!are )ill {_ADVERB}(?:{doing}|do|be there|be in|be back)\b", "speaker", hints="ill_"),
        cue("i won't", "commitment", rf"\b(?:i|we)(?: will not|'ll not| won'?t) {_VERB}\b", "speaker", except_after=hedge, confidence=0.6, hints="won|not"),
        cue("going to", "commitment", rf"\b(?:i'm|im|i am|we're|we are) {_ADVERB}(?:gonna|going to (?!bed\b|town\b|church\b|school\b|work\b|the\b|my\b|a\b)|about to) ?{_VERB}\b", "speaker", except_after=hedge, hints="gonna|going|about"),
        cue("gonna", "commitment", rf"{_START}(?:gonna|imma|ima) {_VERB}\b", "speaker", hints="gonna|ima|imma"),
        cue("will do", "commitment", rf"{_START}(?:will|'ll|wil|shall) (?:do\b|{_ADVERB}(?:{doing})\b)", "speaker", unless=r"\?", hints="will|ll|wil|shall"),
        cue("let me do", "commitment", rf"{_START}let me (?!know\b)(?:check|ask|look|find|see if|call|send|get back|talk|write|try|think about it and|speak|try|confirm|book|order|sort|handle|take care)\b", "speaker", confidence=0.7, unless=r"\?", hints="let_me"),
        cue("i'm doing", "commitment", rf"{_START}(?:i'm|im|i am|we're|we are) (?:(?:now|just|also|still|already) )*(?:calling|coming|driving|bringing|sending|booking|ordering|asking|writing|taking|picking|buying|getting|leaving|checking|working on|looking into|fixing|preparing|handling|starting|meeting|moving|making|collecting|doing|printing|paying|cooking|baking|fetching|going|testing|applying|organising|organizing|joining|visiting|delivering|reviewing|drafting)\b", "speaker", confidence=0.8, needs_time=True, unless=r"\?|\basking (?:you|for)", hints="ing_"),
        cue("doing it on a day", "commitment", rf"{_START}(?:{_words(frozenset(ing_form(verb) for verb in action_verbs()))})\b(?! (?:list|slip|time|day|order|room|table|plan|fee|point|list|of)\b)", "speaker", confidence=0.75, needs_time=True, kinds="chat mail note", unless=r"\?|\b(?:is|was|are|were|yesterday|last)\b", hints="ing"),
        cue("present with date", "commitment", rf"{_START}(?:i|we) (?:(?:also|then|just) )*(?:{doing})\b(?! (?:at|like)\b)", "speaker", confidence=0.8, needs_time=True, unless=r"\?|\b(?:yesterday|last|ago|always|usually|every|talk|leave)\b", hints="i_|we_"),
        cue("i can with date", "commitment", rf"{_START}(?:i|we) can (?:{doing}|do)\b", "speaker", confidence=0.7, needs_time=True, unless=r"\?|\b(?:try|or)\b", hints="can"),
        cue("still have to", "commitment", rf"{_START}(?:(?:i|we) )?(?:still |really |also )*(?:have to|need to|must|gotta|got to|should) (?:{doing})\b", "speaker", kinds="note", confidence=0.7, hints="_to_|must|should|have_to|gotta"),
        cue("note to self", "commitment", rf"^[^\w#]*(?:(?:todo|to do|remember to|must|need to|don'?t forget(?: to)?|and|then|also)\W+)*(?P<verb>{doing})\b(?![,.!?:=]|'|-|/)(?! (?:is|are|was|were|has|have|had|will|would|can|of|and|you\b|i\b|to be|says|said)\b)", "speaker", kinds="note", confidence=0.75, unless=r"\?"),
        cue("they will", "commitment", rf"(?:^[\W]*|\b(?:and|so|but|then|that|ok|sure|yes|also|fine),? )(?P<name>{_NAME}) ?(?:will|'ll|is going to|is gonna) {_ADVERB}(?:{doing}|do)\b", "named", except_after=hedge, hints="will|'ll|going_to|gonna"),
        cue("they do on a day", "commitment", rf"^\W*(?P<name>{_NAME}) (?:{third})\b", "named", needs_time=True, confidence=0.8, unless=r"\?"),
        cue("you get it on a day", "commitment", r"\b(?:you|u)(?:'ll| will)? (?:get|have|receive)\b(?! (?:to|a (?:cold|chance)|used)\b)", "speaker", needs_time=True, confidence=0.75, kinds="mail chat", unless=r"\?|\bif\b|\b(?:can|could|do|did) (?:you|u)\b|\bhave (?:to|until|till|been)\b|\bwhen you\b", hints="you|u_"),
        cue("it will be done", "commitment", r"\bwill (?:be (?:ready|done|sent|shipped|delivered|fixed|repaired|finished|available|completed|installed|posted|paid|with you)|ship|follow|arrive)\b", "speaker", needs_time=True, kinds="mail", confidence=0.75, unless=r"\?", hints="will_"),
        cue("name to do", "commitment", rf"(?:^\W*|[,;:.] ?|\band )(?P<name>{_NAME}) to (?:{doing})\b", "named", kinds="minutes note", confidence=0.75, hints="_to_"),
    )  # fmt: skip


def _requests() -> tuple[ActCue, ...]:
    orders = _words(order_verbs())
    return (
        cue("would be great if you", "request", r"\b(?:great|good|nice|lovely|helpful|grateful|glad|appreciate it|appreciated|kind|perfect|better|best|ideal|fantastic|wonderful|awesome|brilliant|handy|happy|obliged|super) if (?:you|someone|we|u)\b(?: could| can| would|'d)?", "addressee", survives=True, hints="_if_"),
        cue("please", "request", rf"\b(?:please|pls|plz|plse|pleas|kindly)[, ]+{_ADVERB}{_IDLE_REQUEST}(?:don'?t |do not |never |also |and )?[a-z]", "addressee", unless=r"^\W*(?:yes|no),? please\W*$|\bplease (?:find|see) (?:attached|enclosed|below)", hints="please|pls|plz|plse|pleas|kindly"),
        cue("please at the end", "request", r"\b\w[^.!?]{2,}[, ](?:please|pls|plz)\b\W*\w{0,8}\W*$", "addressee", confidence=0.85, unless=r"^\W*(?:yes|no|oh|ok)\W+(?:please|pls)|^\W*\w+ (?:please|pls)\W*$", hints="please|pls|plz"),
        cue("can you", "request", rf"\b(?:can|could|cld|cud|would|wld|will) {_YOU}\b(?! (?:believe|imagine|guess|say|prefer|rather|ever|remember|recall|hear|like (?:it|them)|be interested|say so|agree|know)\b)(?:,? (?:please|pls|plz),?)? ?(?:{orders}|[a-z]+)", "addressee", survives=True, except_after=r"\b(?:how|what|when|where|why|who|which|whom|else|whatever|as much as|so|if|that)(?: \w+)?", hints="can|could|cld|cud|would|wld|will"),
        cue("would you mind", "request", rf"\b(?:would|do) you mind\b|\bmind (?:if you|{orders})\w*ing\b|\bany chance (?:you|of|that you|u|we)\b|\bwould it be possible\b|\bis it possible to\b|\bcould (?:i|we) (?:please )?(?:have|get|borrow|ask|see|move|swap|use|change)\b|\bcan (?:i|we) (?:please )?(?:have|get|borrow|ask you)\b|\bmay i (?:have|ask|borrow)\b|\bare you able to\b|\bfancy \w+ing\b", "addressee", survives=True, confidence=0.85, hints="mind|chance|possible|could|can_|may_|able|fancy"),
        cue("need from you", "request", r"\b(?:need|want|require|awaiting|expecting|expect)s? (?:[^.!?]{1,60}? )?from (?:you|u)\b|\b(?:i|we|i'd|we'd|i would|we would|she|he|they)(?:'ll| will| still| really| also)? (?:need|needs|want|wants|like|ask|expect|asking|beg|urge|trust|rely on) (?:you|u|everyone|everybody|someone) to\b|\b(?:i'm|im|i am|we're|we are) asking (?:you|everyone|for)\b", "addressee", hints="need|want|require|await|expect|like|ask|beg|urge|trust|rely"),
        cue("needed by a day", "request", r"\b(?:would |will |'ll |still |also |really )?(?:need|needs|require|requires)\b (?!to (?:be|sleep|think)|a (?:holiday|break|drink))\w+|\b(?:must|has to|have to|needs to|need to|should) be (?:\w+ed|in|sent|paid|done|ready|here|with (?:me|us)|made|back)\b|\b(?:due|expected) (?:back )?(?:by|on|before)\b|\bdeadline (?:is|for)\b", "addressee", kinds="mail chat minutes", needs_time=True, confidence=0.75, unless=r"\?|\b(?:don'?t|doesn'?t|not|no longer) need", hints="need|requir|must|has_to|have_to|should|due|expected|deadline"),
        cue("you bring it?", "request", rf"{_START}(?:u|you) (?:bring|send|get|take|make|do|call|pick|buy|check|book|order|pay|come|drive|cook|write|print)\b[^?]*\?+\W*$", "addressee", survives=True, confidence=0.8, hints="?"),
        cue("need by", "request", r"(?:^|[,;:.!] ?|\b(?:i|we) (?:(?:will|'ll|still|also|really) )*)need (?:to know|an? (?:answer|reply|decision|yes|quote|number|price|date)|(?:it|them|this|that|your|the|those|these|all)\b[^.!?]{0,60}\b(?:by|before|until|til|till|asap|today|tomorrow|tmrw|tonight|eod))\b", "addressee", confidence=0.85, hints="need"),
        cue("let me know", "request", r"\b(?:let (?:me|us) know|lmk|get back to (?:me|us)|keep (?:me|us) (?:posted|updated|informed|in the loop))\b", "addressee", unless=r"\b(?:let (?:me|us) know|lmk) (?:if|should|in case|how it goes)\b|\bi'?ll\b|\bwill let\b|\bto let (?:me|us) know\b|\bthanks for|\bfeel free", confidence=0.85, hints="know|lmk|back|keep"),
        cue("don't", "request", rf"{_START}(?:(?P<name>{_NAME}), )?(?:don'?t|do not|never|stop) (?:you |ever )?(?:{orders}|[a-z]+ing)\b(?! worry| mind)", "addressee", kinds="mail chat", confidence=0.8, unless=r"\b(?:don'?t|do not) (?:worry|mention it|think|know|have|like|want|believe|care|get me|see|feel|remember|need|mind|ask\W*$|say\W*$|be)\b|^\W*never (?:seen|had|been|heard|again|ever|thought|did|mind|say)", hints="don|do_not|never|stop"),
        cue("remind me", "request", r"(?:^|[,;:.!-] ?|\band )(?:please )?(?:remind|send|tell|give|call|ring|text|email|mail|show|help|get|bring|forward|pass|ping|answer|write|teach|lend|buy|make|draft|explain|book|find) (?:me|us)\b", "addressee", unless=r"\?$", kinds="mail chat", hints="_me|_us"),
        cue("you do", "request", rf"{_START}(?:(?P<name>{_NAME}),? )?you (?:must|have to|need to|gotta|got to|will have to|should|better|had better|'d better|please) (?:{orders})\b", "addressee", kinds="mail chat", confidence=0.7, hints="you"),
        cue("imperative", "request", rf"{_START}(?:(?P<name>{_NAME}), ?)?(?P<verb>{orders})\b(?![,.!?:]|'|-)(?! (?:is|are|was|were|has|have|had|will|would|can|of|and|in|for|you\b|i\b|on the|at|to be)\b)", "addressee", kinds="mail chat", confidence=0.75),
        cue("name and a thing", "request", rf"^\W*(?P<name>{_NAME}) ?: (?!.*\b(?:is|was|are|were|has|had|have|said|says|will|can|did|does|do|yes|no|ok|thanks|i|we)\b)(?:\w[^.?:]{{2,60}})!\W*$", "named", kinds="mail chat minutes", confidence=0.75, hints=":"),
        cue("asked to", "request", r"^\W*(?:asked|asks|requested|requests|reminded|wants|urged|proposes|proposed|suggested) (?:that|to|for|everyone|everybody|all|the|him|her)\b", None, kinds="minutes", confidence=0.75, hints="ask|request|remind|wants|urge|propos|suggest"),
    )  # fmt: skip


def _decisions() -> tuple[ActCue, ...]:
    return (
        cue("decided", "decision", r"\b(?:i|we|they|he|she|board|committee|team|boss|council|management|everyone|all)(?: have| has|'ve|'s)?(?: now| finally| all| both| just| also| jointly| therefore)* (?:decided|agreed|chose|opted|settled|resolved) (?:to|that|on|against|for|it|not|upon|unanimously|we|the)\b|^\W*(?:it (?:was|is) |unanimously |all )?(?:decided|agreed|resolved|approved|settled|carried|adopted)(?: by all| unanimously)?\b(?=\W|$)|\bit (?:is|was|has been) (?:decided|agreed|resolved)\b|^\W*decision\b[^?]*|\b(?:is|are|was|were|been|got|gets) (?:now |finally |hereby |unanimously )?(?:approved|decided|agreed|granted|accepted|carried|adopted|rejected|refused|elected|confirmed)\b|\b(?:vote|voted|votes)[: ]+(?:accepted|passed|carried|unanimous|for|against|in favour|to)\b|\bunanimous(?:ly)?\b|\bcarried\b(?= unan|[.,!]|$)", None, unless=r"\b(?:not|never|nothing|n't|cannot|yet to be|to be|nobody|hasn'?t|haven'?t|whether|until|once|when|needs? to be|must be|should be|if|are we|is it|have we|as agreed|as decided|as we agreed|like we agreed|as discussed)\b|\?", hints="decid|agree|chose|opted|settle|resolv|approv|carried|adopt|decision|grant|accept|reject|refus|elect|confirm|vote|unanim"),
        cue("not yet decided", "decision", r"\b(?:decided|agreed|chose|voted) (?:not|against)\b", None, unless=r"\?", hints="decid|agree|chose|vote"),
        cue("going with", "decision", r"\b(?:we're|we are|were|i'm|im|i am|we'll|we will|i'll|let's|lets|we) (?:all |now |just |definitely )*(?:going|go|stick|sticking|went) (?:with|for)\b|^\W*(?:ok(?:ay)? |so |then |fine |yes |and )*(?:going|sticking) with\b|\bwe(?:'ll| will)? take (?:the|it|them|that|this|both|all|option|number|\d)|\b(?:i|we) (?:choose|pick (?!up)|opt for|chose|picked (?!up)|opted for|went with|accept|approve|confirm(?: the| that| it)?)\b|\bwe(?:'re| are) (?:keeping|dropping|switching|moving to|closing|ending|skipping|staying)\b", None, unless=r"\?|\b(?:not sure|might|maybe|thinking of|could|would|when)\b", confidence=0.85, hints="going|go|stick|went|take|choose|pick|opt|chose|accept|approv|confirm|keeping|dropp|switch|moving|clos|ending|skip|stay"),
        cue("let's", "decision", r"(?:^|[,;:.!-] ?|\b(?:so|ok|then|and|yes|but|now) )(?:let's|lets|let us) (?:not |just |rather |all )?(?:go (?:with|for|ahead)|take|do (?:it|that|this|the)|use|keep|stick|make it|move|meet|book|skip|drop|cancel|order|buy|postpone|start|stay|split|leave it|say (?:mon|tue|wed|thu|fri|sat|sun|\d)|aim)\b", "we", confidence=0.75, unless=r"\?", hints="let"),
        cue("deal", "decision", r"^\W*(?:(?:ok|okay|yes|yep|good|great|perfect|then|it'?s|its|done|right|fine|thats|that'?s)\W+)*(?:a |the )?(?:deal|agreed|approved|granted|accepted|confirmed|settled|sold|final|signed off|you have a deal)(?:\W|$)|\b(?:approved|signed off on|gave the green light|green light for|okayed|ok'?d|has signed off|rubber.?stamped)\b|\b(?:said|says|say) (?:yes|no)\b(?! to me)|\bis (?:final|settled|agreed|decided|official)\b|\bit'?s (?:settled|decided|final|official)\b|^\W*final[.!:]", None, unless=r"\?|\b(?:not|n't|never|until|if|once|when|will be|to be|big deal|great deal|good deal|a deal with|waiting|need)\b", confidence=0.85, hints="deal|agree|approv|grant|accept|confirm|settle|sold|final|sign|green|ok|said|say|decid|official|stamp"),
        cue("no more", "decision", r"^\W*(?:ok |so |and |then |but )*no (?:more )?[\w' -]{2,40}\b(?:this (?:year|time|season|month|summer|winter)|any ?more|from now on|until further|for now|next (?:year|season|time))\b|\bfrom now on\b|\bnew rule\b|^\W*rule:|\bas of (?:today|now|monday|next)\b", None, unless=r"\?|\bthere (?:is|was|are)\b", confidence=0.75, hints="no_|from_now|rule|as_of"),
    )  # fmt: skip


def _blockers() -> tuple[ActCue, ...]:
    return (
        cue("blocked", "blocker", r"(?:[,;:–-] ?)(?:still )?(?:blocked|stuck|on hold|held up|stalled) (?:on|by|until|because|for|with|at|in)\b|\b(?:is|are|am|'m|'s|'re|i'm|im|still|currently|totally|completely|remains?|got|was|were|been) (?:\w+ )?(?:blocked|stuck|on hold|held up|stalled|at a standstill|blocking)\b|^\W*(?:blocked|stuck|on hold|blocker|held up|stalled)\b|\bstuck (?:on|with|at|in|until|because)\b|\bblock(?:s|ing) (?:us|me|the|everything|this)\b", None, unless=r"\b(?:not|no longer|n't|never|nothing|nobody) (?:\w+ )?(?:blocked|stuck|blocking)\b|\?", confidence=0.85, hints="block|stuck|hold|held|stall|standstill"),
        cue("can't until", "blocker", r"\b(?:can'?t|cannot|can not|cant|couldn'?t|won'?t be able to|unable to|not able to|impossible to)\b(?! wait\b| believe\b| help\b| stand\b| imagine\b).*\b(?:until|till|til|unless|without|before|because|as long as|since)\b|\b(?:until|till|without)\b[^.]*\b(?:can'?t|cannot|can not|cant)\b|\bnothing (?:\w+ ){0,4}(?:until|till|without)\b|\bno \w+ (?:until|till) (?:we|i|the|he|she|they)\b", None, unless=r"\?|\bcan'?t (?:complain|say|remember|tell)\b", confidence=0.8, hints="can|could|won|unable|able|impossible|nothing|no_"),
        cue("waiting for", "blocker", r"\b(?:am|are|is|i'm|im|we're|still|currently|just|'s|been|and|they're|she's|he's) (?:still |just |all |now )*(?:waiting|wait) (?:for|on|til|until)\b|^\W*(?:still )?(?:waiting|awaiting) (?:for|on|the|his|her|their|a|your)\b|\bawaiting\b", None, unless=r"\?|\bwaiting for you\b|can'?t wait", confidence=0.75, hints="wait"),
        cue("not working", "blocker", r"\b(?:is|are|'s|are|was|still|completely) (?:still |again |totally )*(?:down|broken|bust(?:ed)?|out of order|offline|not working|out of stock|back.?ordered|on back.?order|delayed|jammed|flat|dead|leaking|missing)\b(?! to|-)|\b(?:doesn'?t|does not|won'?t|don'?t|not) (?:work|working|start|turn on|open|boot|load|fit)\b(?! for (?:him|her|them)| out)|\bback.?ordered\b|^\W*no (?:access|signal|internet|power|water|spark|heating|electricity)\b|\bstill (?:no|haven'?t|hasn'?t|not) (?:got|received|arrived|here|heard|come|had|any|sign|answer|reply|word|plates|news|response|delivered|paid)\b|\b(?:haven'?t|hasn'?t|have not|has not|did not|didn'?t) (?:yet )?(?:received|arrived|got the|get the|come back|heard back|replied)\b", None, unless=r"\?|\bnot broken\b|\bno longer\b|\bif\b|\bbattery is flat joke", confidence=0.7, hints="down|broken|bust|order|offline|working|work|stock|delay|jam|flat|dead|leak|missing|start|turn|open|boot|load|fit|no_|still|n't|not_"),
    )  # fmt: skip


def _completions() -> tuple[ActCue, ...]:
    done = _words(past_forms())
    passive = "done|sent|paid|fixed|booked|ordered|signed|called|shipped|merged|deployed|submitted|delivered|finished|sorted|bought|picked up|collected|returned|posted|emailed|mailed|registered|renewed|completed|installed|repaired|replaced|uploaded|updated|published|released|printed|confirmed|transferred|cleaned|closed|resolved|filed|handed (?:over|in|out)|invoiced|refunded|reserved|scheduled|set up|set|tested|checked|written|moved|tagged|framed|packed|counted|changed|cancelled|painted|translated|corrected|amended|measured|cleared|arranged|prepared|mounted|built|hung|planted|received|archived|signed off|dealt with|taken care of|tidied|mended|swapped|made|copied|added|removed|assigned|labelled|unpacked|washed|passed|applied"
    return (
        cue("attached", "completion", r"\b(?:is|are|i've|i have|here|see|please find|find|pls find|the|my|contract|invoice|list|draft|photos?|file|plan|report|offer|quote|slides|minutes|form)?[^.!?]{0,40}\b(?:attached|enclosed)\b|^\W*(?:i )?(?:attach|enclose)\b|^\W*(?:hi \w+,? )?here(?:'s| is| are|s) (?:the|my|a|your|our|his|her|all)\b|\bhave attached\b", "speaker", unless=r"\?|\b(?:emotionally|very|so|not) attached\b|\battached to (?:the|a|this|his|her|my|it|him)\b|\bif\b", confidence=0.85, hints="attach|enclos|here"),
        cue("done", "completion", rf"^\W*(?:(?:ok|okay|yes|yep|all|and|now|just|already|finally|both|also|so|hi \w+|great|right|everything|it'?s|its|that'?s|is|are|too|well)\W+)*(?:{passive})\b(?! (?:if|when|by (?:mon|tues?|wed|thurs?|fri|sat|sun|the|end|\d)|to be|people|with me|cost|time|price|for \d|of|up with|on the|in the)\b)(?!-)", "speaker", unless=r"\?|\b(?:set|made|well done|changed my mind|closed on|closed (?:for|from|until)|moved by|written by|done with (?:you|this|him|her)|called me)\b", confidence=0.85),
        cue("i have done", "completion", rf"\b(?:i|we)(?:'ve| have|ve| had)(?: already| just| now| finally| also| both| all| since)* (?:not )?(?:{done})\b", "speaker", unless=r"\?|\b(?:have|'ve)(?: \w+)? (?:not|never|n't|always|often|ever)\b|\b(?:haven'?t|never|almost|nearly)\b|\b(?:have|'ve) (?:found|felt|heard|seen|learned|worked|tried|kept|used|lived|loved)\b", confidence=0.85, hints="i|we"),
        cue("i did", "completion", rf"(?:^|[,;:.!-] ?|\band |\bbut |\bso |\bok |\byes |\bthen )(?:i|we) (?:already |just |also |finally |even )*(?:{done})\b(?! (?:of|about|like|to (?:be|have))\b)", "speaker", unless=r"\?|\b(?:almost|nearly|used to|never|didn'?t|tried|wanted|stopped|quit|started|gave up|thought|felt|saw|heard|knew|found|looked|liked|loved|worked|played|asked for|stayed|lived|decided|agreed|waited|watched|went|walked|slept|learned|told you|kept|needed|meant|hoped)\b", confidence=0.75, hints="i_|we_"),
        cue("has been done", "completion", rf"\b(?:has|have|'s|'ve) (?:now |just |already |finally |all |also )*been (?:{passive})\b|\b(?:is|are|'s|'re) (?:now |all |both |finally |already |also |back |just )*(?:done|finished|ready|here|complete|completed|fixed|sorted|sent|signed|paid|booked|ordered|live|merged|deployed|delivered|installed|in place|set up|up and running|working again|submitted|sorted out|resolved|solved|confirmed|back online|back up|arranged)\b(?! (?:to|for|by|in|of|if|when|at|on|until|before)\b)|\b(?:was|were|got) (?:finally |already |just |also )*(?:sent|paid|delivered|submitted|signed|fixed|booked|shipped|installed|repaired|completed|ordered|posted|filed|published|transferred|handed over|replaced|resolved|solved|merged)\b|\b(?:works?|working) (?:now|again|fine now)\b", None, unless=r"\?|\b(?:not|n't|never|no|nothing|almost|nearly|until|till|once|when|before|if|after|should|must|will|needs? to|supposed|half|as soon as|hope|nobody|none|ready to|think|says|said|hardly)\b", confidence=0.8, hints="been|is_|are_|'s_|'re_|was|were|got|work"),
        cue("arrived", "completion", r"\b(?:has |have |'s |'ve |just |finally |all |already |)(?:arrived|came in|came today|turned up|landed|showed up|came back)\b|\b(?:it|they|both|all|\w+s?) (?:is|are) (?:finally |now )?(?:here|in|home|back)\W*$", None, unless=r"\?|\b(?:not|n't|never|no|nothing|if|when|until|once|after|before|who|nobody|none|think|hope|only|of)\b", confidence=0.75, hints="arriv|came|turn|land|show|here|in|home|back"),
        cue("went well", "completion", r"\bwent (?:fine|well|ok|okay|smoothly|through|great|live|perfectly)\b|\b(?:is|are) out the door\b|\bgot it (?:done|sorted|working|fixed)\b", None, confidence=0.75, unless=r"\?|\b(?:if|not|hope)\b", hints="went|out_the|got_it"),
        cue("past at start", "completion", rf"^\W*(?:(?:ok|yes|and|also|already|just|finally|then|so)\W+)*(?:{done}) (?:(?:in|out|up|back|off|over|down) )?(?:the|a|an|my|our|your|his|her|their|it|them|him|all|both|everything|everyone|two|three|four|\d+|[a-z]+ (?:the|a|to|for|about)|q\d+)\b", "speaker", kinds="mail chat note", confidence=0.75, unless=r"\?|\b(?:was|were|is|are|felt|heard|saw|knew|lost|read the|got (?:a|the|my) (?:letter|cold|mail)|thought|tried|wanted|almost|nearly|not|never|n't|dreamt?|if|used)\b"),
        cue("short passive", "completion", rf"^\W*(?:(?:the|my|your|our|all|both|his|her|new|#?\d+)\W+)?(?:[\w'&./#-]+ ){{1,3}}(?:(?:now|already|all|finally) )?(?:{passive})(?:\W*$|\W*[.!✅✔,;:(–-]| (?:on|yesterday|today|this morning|last|monday|tuesday|wednesday|thursday|friday|saturday|sunday|and|with|for|to|from|at|by|just now)\b)", None, unless=r"\?|\b(?:not|n't|never|no|nothing|almost|nearly|until|till|once|when|before|if|after|should|must|will|needs?|be|was|were|is|are|get|gets|being|half|as soon as|hope|none|i|we|he|she|they|you|who|that|nobody|to|well|ask|why)\b", confidence=0.75),
        cue("check mark", "completion", r"✅|✔|☑|\[x\]", None, unless=r"\?", confidence=0.8, hints="✅|✔|☑|[x]"),
    )  # fmt: skip


def _cancellations() -> tuple[ActCue, ...]:
    return (
        cue("can't any more", "cancellation", r"\b(?:can'?t|cannot|cant|won'?t be able to|unable to|not able to) (?:do|make|come|attend|join|take|go|be)\b[^?]*\b(?:any ?more|after all|tomorrow|tmrw|today|tonight|this (?:week|weekend|time)|on the \d|on (?:mon|tue|wed|thu|fri|sat|sun)\w*)\b", "speaker", confidence=0.8, unless=r"\?|\b(?:if|until|unless|maybe)\b", hints="can|won|able"),
        cue("cancelled", "cancellation", r"\b(?:cancel+ed|called off|call it off|calling off|scrapped|pulled out|backed out|withdrew|withdrawn|no longer (?:needed|happening|necessary|required|coming|going|on)|not (?:happening|going ahead|taking place)|won'?t (?:happen|take place|be happening|be going ahead)|abandoned|binned|is off|are off|fell through|fallen through|dropped out)\b|\b(?:have|has|need|must|had|'ll have) to cancel\b|\b(?:i'm|im|i am|we're|we are|i|we) (?:cancel+ing|cancel|withdraw(?:ing)?)\b|\bcan'?t make it\b|\bcannot make it\b|\bcant make it\b|\bwon'?t (?:make it|be (?:able to (?:come|make|attend|join)|coming|there|joining))\b|\b(?:forget|scrap|drop|skip) (?:it|that|about|the \w+)[.!,]*$|^\W*never ?mind\b|\boff the table\b", None, unless=r"\?|\b(?:not|n't|never) (?:be )?(?:cancel+ed|called off)\b|\bif\b|\bday off\b|\bi'?m off\b|\btime off\b|\bmight\b|\bmaybe\b|\boff the (?:road|hook)\b|\bfree cancel", confidence=0.8, hints="cancel|call|scrap|pull|back|withdr|longer|not|won|aband|bin|off|fell|fall|drop|make|forget|skip|never|mind"),
    )  # fmt: skip


def _feelings() -> tuple[ActCue, ...]:
    return (
        cue("goal", "goal", r"^\W*(?:our |my |the |new |main )*(?:goal|target|aim|objective|mission)s?\b(?: for [\w ]+)?(?: is|:| are| =| remains| now)|\b(?:goal|target|aim|objective) (?:is|for (?:this|next|the)|of (?:the|this))\b|\b(?:we|i)(?:'re| are|'m| am)? (?:aim(?:ing)?|targeting|target) (?:for|to|at)?\b|\b(?:we|i) (?:(?:still|all|really) )?want (?:to (?:have|get|reach|be|finish|ship|open|launch|sell|grow|double|raise|save|run|hit|publish|complete|move)|\d+|at least|a full|all)\b[^?]*\b(?:by|before|until|this year|next year|in \d{4}|this (?:season|month|quarter)|within|end of)\b|\bplan is to (?:have|get|reach|be|finish|ship|open|launch)\b", None, unless=r"\?", confidence=0.8, hints="goal|target|aim|objective|mission|want|plan_is"),
        cue("worry", "concern", r"\b(?:i'm|im|i am|we're|we are|is|are|'s|a bit|little|really|so|very|quite|slightly|getting|also|still) (?:\w+ ){0,2}(?:worried|afraid|concerned|uneasy|nervous|anxious|scared)\b(?! i (?:can'?t|have to|must|won'?t|don'?t|need)| not\b)|\b(?:worries|worrying|concerns|bothers|scares|troubles) me\b|\bmy (?:worry|concern|fear|only worry|main worry)\b|\bi (?:fear|worry)\b|\b(?:there'?s|there is|is|big|real|the|a|at|main) (?:a |the |some |real )?risk\b|^\W*risks?:|\b(?:might|may) not (?:make|be (?:ready|enough|done|able|finished|in time)|arrive|work|come|hold|last|get|finish|survive)\b|\bi don'?t like the (?:look|sound)\b|\b(?:don'?t think|doubt) (?:we|i|it|they|he|she)(?:'ll| will| can|'re going to) (?:make|be ready|finish|manage|get it done|hold|last|arrive)\b|\bbad feeling\b|\bnot (?:going to )?(?:make|be ready|enough time)\b.*\bin time\b|\bdangerous(?:ly)?\b|\brunning out of\b|\bcutting it (?:close|fine)\b", None, unless=r"\?|\b(?:not|n't|no longer|nothing|never) (?:\w+ )?(?:worried|afraid|concerned|nervous|scared|worry|bother)|\bno risk\b|\bi'?m afraid (?:i|we|so|not|you|it'?s)\b|\bif\b", confidence=0.75, hints="worr|afraid|concern|uneas|nervous|anxious|scare|bother|troubl|fear|risk|not|n't|doubt|bad_feel|danger|running_out|cutting"),
        cue("prefer", "preference", r"\b(?:i|we|she|he|they|mum|dad|mom|" + _NAME + r")(?:'d| would)? (?:really |much |strongly |always |also )*(?:prefers?|rather|sooner|hates?|loathes?|dislikes?|detests?|adores?)\b(?! (?:say|not say|than)\b)|\b(?:i|we|she|he|they) (?:really |also |still )*(?:love|loves|like|likes|enjoy|enjoys) (?!to (?:hear|know|think|see|talk)|it when|how|what|your|that you|this|the (?:idea|sound|look))\w+|\b(?:do not|don'?t|doesn'?t|does not|never|cannot|can'?t) (?:really )?(?:like|want|enjoy|stand|bear|eat|drink)\b|\bfavou?rite\b|\bi(?:'d| would) (?:like|love) (?:to (?:keep|have|stay|see it|avoid)|the|it|a|an|my|them)\b|\bmy (?:preference|inclination|own inclination)\b|^\W*(?:always|never) (?:use|put|call|send|book|buy|ask|write|wear|take|mix|schedule|order)\b", None, unless=r"\?|\bwould you like\b|\b(?:you|u) (?:like|want|prefer|rather)\b|\bfeels? like\b|\blooks? like\b|\bif you\b|\bdon'?t want to (?:be|bother|sound|complain|interrupt|miss)\b", confidence=0.7, hints="prefer|rather|sooner|hate|loath|dislike|detest|ador|like|love|enjoy|favo|want|stand|bear|eat|drink|inclination|always|never"),
    )  # fmt: skip
