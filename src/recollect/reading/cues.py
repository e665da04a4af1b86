"""Words and phrases that show how a clause is meant: asked, doubted, hoped, planned, reported or denied.

Every cue is a regular expression with a reach. `complement` reaches from the cue to the end of its clause and leaves
the words before it asserted ("Nils claims | that the mayor left"); `clause` reaches over its whole clause ("perhaps");
`sentence` over the whole sentence ("if").
"""

import re
from dataclasses import dataclass
from typing import Literal

from recollect.text.lexicon import DETERMINERS
from recollect.text.negation import AFFIRMING
from recollect.text.patterns import lazy_pattern
from recollect.when.english.words import NUMBER_PATTERN

Modality = Literal[
    "asserted", "asked", "doubted", "conditional", "hoped", "planned", "considered", "attempted", "reported",
    "figurative", "habitual",
]  # fmt: skip
Reach = Literal["complement", "clause", "sentence"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern, what it shows and how far it reaches; `negates` marks a denial of what it reaches over."""

    modality: Modality
    reach: Reach
    pattern: re.Pattern[str]
    negates: bool = False


# A following determiner or name means that `to` is a preposition, not the mark of an infinitive.
_TO = rf"to(?= )(?! (?:{'|'.join(sorted(DETERMINERS))}|[A-Z]\w*)\b)"
_BE = r"(?:am|is|are|was|were|be|been|being|isn['’]t|wasn['’]t|aren['’]t|weren['’]t|['’]s|['’]re|['’]m)"
_NOT = r"(?:not|n['’]t)"
_SUBJECT = (
    r"(?:the|a|an|his|her|its|their|our|my|your|it|he|she|they|we|I|you|there|this|these|nobody|everyone|[A-Z]\w*)"
)
_START_OF_CLAUSE = rf"(?:that|{_SUBJECT})"
_A = r"(?:the|an?|one|his|her|my|our|their|its|this|that|some)"
_VOUCHING = (
    "fact now given so such true clear confirm confirms confirmed proves proved shows showed shown knows knew know "
    "realised realized discovered found noticed regrets remembers remember revealed means ensured glad sorry news "
    "proof "
    "evidence after all"
)
_NOT_VOUCHED_FOR = "".join(f"(?<!{word} )" for word in _VOUCHING.split())
_SOMEBODY = r"(?:[\w'’-]+ ){0,4}?"


def _cue(modality: Modality, reach: Reach, *patterns: str, negates: bool = False) -> Cue:
    return Cue(modality, reach, lazy_pattern(rf"(?<![\w'’-])(?:{'|'.join(patterns)})(?:(?<= )|(?![\w-]))"), negates)


# In the order in which they are tried where two begin at the same place.
CUES: tuple[Cue, ...] = (
    _cue(
        "figurative", "sentence",
        "as if", "as though", "yeah,? right", "my foot", "so to speak", "figuratively", "metaphorically",
        rf"^[Ii]n (?:{_A}|(?:[\w-]+ )?[\w-]+['’]s?) (?:play|novel|story|dream|tale|legend|myth|joke|game|fairy tale)",
        rf"in (?:{_A} )?(?:[\w-]+ )?(?:dreams?|ballads?|fairy tales?|fiction|legend|myth|daydreams?|nightmares?)",
        r"[Ii]n (?:another|an alternate|a parallel|an imaginary) (?:[\w-]+ )?(?:world|timeline|universe|life|reality)",
        "[Oo]n paper(?: only)?", "[Ii]n name (?:only|alone)", "[Ii]n all but name", "[Ii]n spirit(?: only)?",
        "in a manner of speaking", "just kidding", "only joking", "pigs (?:might |can |will )?fly", "hell freezes",
        "(?:bury|buries|buried) the hatchet", "kick(?:s|ed)? the bucket", "spill(?:s|ed|t)? the beans",
        "(?:bite|bites|bit) the bullet", "the cat out of the bag", "thr(?:ow|ows|ew) in the towel",
        "jump(?:s|ed)? the gun", "two birds with one stone", "pull(?:s|ed)? the plug on",
        "(?:cook|fudg)(?:s|es|ed)? the books",
        r"(?:drown|buri|snow|swamp)(?:ed|ing) (?:in|under|by|with) (?:\w+ )?(?:\w*work|\w+s)",
        "hit(?:s)? the roof", "turn(?:s|ed)? a blind eye", "cut(?:s)? corners",
        "burn(?:s|ed|t)? (?:his|her|their|my|our|all)? ?bridges", "pull(?:s|ed)? (?:my|his|her|your|our|their) leg",
        "like hell", "[Ii]t(?:['’]s| is| was) like", "^[Oo]h,? sure",
    ),
    _cue(
        "doubted", "sentence",
        r"^\s*(?:[-*>]\s*)?[*_]*(?:FALSE|fALSE|[Ff]alse|[Uu]ntrue|[Mm]yths?|[Ll]egends?|[Rr]umou?rs?|[Gg]ossip|[Hh]earsay|"
        r"[Ff]iction|[Ll]ies?|[Dd]isputed|[Uu]nconfirmed|[Dd]oubtful|[Aa]pocryphal|[Dd]ebunked)[*_]*:",
        r"(?:none|not a word) of (?:this|that|it) (?:is|was) (?:true|so|real)",
        r"(?:this|that|it|which|all of (?:this|it)) (?:is|was) (?:simply |plainly |of course )?"
        r"(?:untrue|false|a lie|a myth|nonsense|invented|fiction|not true|made up)(?! that| to)",
        r"\((?:doubtful|disputed|apocryphal|unconfirmed|legendary|uncertain|unproven|false|untrue|spurious|"
        r"unverified|dubious|questionable|sic|\?)[^)]*\)",
    ),
    _cue("planned", "sentence", r"^\s*(?:[-*]\s*)?(?:\[ \]|TODO|todo|tODO|ACTION|aCTION|[Tt]o do:)"),
    _cue(
        "reported", "sentence",
        r"\w+['’]s? (?:theory|view|opinion|claim|guess|story|version|belief|idea|hunch|impression)\b.* (?:is|was) that",
    ),
    _cue(
        "conditional", "sentence",
        "if", "unless", "provided(?: that)?(?= [a-z]+ )", "assuming", "supposing", "suppose", "in case",
        "(?:as|so) long as", "in the event", "or else", "otherwise",
        r"(?:as soon as|once|when|after|before|until) (?:[\w'’-]+ ){1,4}?(?:has|have)(?= \w+)",
        r"^(?:[Hh]ad|[Ww]ere|[Ss]hould) (?=.*\b(?:would|could|might|will)\b)",
    ),
    _cue(
        "asserted", "complement",
        rf"[Ii]t(?: {_BE}|['’]s) (?:simply |just |plainly |quite |really |actually )?{_NOT} "
        "(?:true|the case|correct|right|so|a fact)(?: that)?",
        r"[Ii]t (?:is|was)n['’]t (?:true|the case|correct|right|so|a fact)(?: that)?",
        rf"(?:[Ii]t(?: {_BE}|['’]s) )?(?:simply |just |plainly |quite |utterly )?"
        "(?:false|untrue|incorrect|wrong|a lie|a myth|nonsense|not true)(?: to (?:say|claim|state))? that",
        "(?:fail|fails|failed|failing|refuse|refuses|refused|refusing|decline|declines|declined|neglect|neglects|"
        rf"neglected|forget|forgets|forgot|forgotten|omit|omits|omitted) {_TO}",
        rf"{_BE} (?:unable|powerless) {_TO}",
        rf"(?:{_BE}|did|does|do|could|has|have|had) ?{_NOT} (?:manage|managed|able|bother|bothered) {_TO}",
        rf"{_BE} yet {_TO}", rf"(?:has|have|had) yet {_TO}", "[Ff]ar from (?=\\w+ing\\b)",
        "(?:avoid|avoids|avoided|resist|resists|resisted|escape|escapes|escaped) (?=\\w+ing\\b)",
        r"(?:prevent|stop|keep|kept|discourage|ban|bar|dissuade|block)(?:s|ed|ped|ned|red|"
        r"d)? (?:[\w'’-]+ ){0,4}?from (?=\w+ing\b)",
        "(?:stops?|stopped) short of", "(?:refrain|refrains|refrained|abstain|abstains|abstained) from",
        negates=True,
    ),
    _cue(
        "doubted", "complement",
        "doubts?(?: very much)?(?: that| whether| if)?", "doubted(?: that| whether| if)?",
        "doubtful (?:that|whether|if)",
        rf"(?:do|does|did|am|is|are|was|were|ca|can|could|would)? ?{_NOT} (?:really |quite |at all |entirely )?"
        "(?:believe|think|suppose|imagine|expect|buy|sure|certain|convinced|persuaded|clear|known)(?: that|"
        " whether| if)?",
        "(?:hard|difficult|impossible) to (?:believe|say|tell|imagine)(?: that| whether| if)?",
        "(?:disbelieves?|disbelieved|questions?|questioned) (?:that|whether)",
        "(?:unlikely|improbable|possible|conceivable|likely|probable|unclear|uncertain)(?: that| whether| to)",
        "(?:seem|seems|seemed)(?: to| that| as)?", "(?:appear|appears|appeared) (?:to|that|as)",
        "(?:bet|bets|wager|wagers|gather|gathers)(?: that)?", "[Mm]ake sure(?: that)?", "^[Cc]heck(?: that)?",
        "(?:possibility|chance|likelihood|risk|prospect|fear|hope|impression|feeling) that",
        "(?:do not|don['’]t) forget",
        "no (?:evidence|proof|sign|indication)(?: that| of)?",
        r"(?:[Nn]o (?!doubt|question|secret|denying|mistake|coincidence|wonder|surprise|sooner)|[Nn]othing|[Nn]obody|"
        r"[Nn]one|[Ff]ew|(?:[Hh]ardly|[Ss]carcely|[Bb]arely) any\w*|[Nn]either|[Ll]ittle)(?: ?[\w'’-]+){1,6}? that",
    ),
    _cue("asked", "complement", "whether", "wonder(?:s|ed|ing)?", "ask(?:s|ed|ing)? (?:if|whether|who|why|how|when)"),
    _cue(
        "reported", "complement",
        f"(?:claim|claims|claimed|claiming) (?={_START_OF_CLAUSE}\\b)|claims?(?: |ed |ing )to have",
        "(?:maintain|argue|suggest|state|report|announce|indicate|warn|fear|worry|write|estimate|contend|declare|"
        "conclude|complain|explain|mention|repeat|hint|imply|testify)(?:s|es|d|ed)? that",
        "(?:worries|worried|testifies|testified|implies|implied|wrote|written) that",
        "(?:say|says|said|saying)(?: that)?",
        "(?:insist|allege|assert|boast|reckon|predict|guess)(?:s|es|d|ed)?(?: that)?",
        r"think(?:s|ing)?(?! (?:about|of)\b)(?: that)?", r"thought(?! (?:about|of)\b)(?: that)?",
        "(?:believe|suspect|assume|suppose)(?:s|d|ed)?(?: that)?", "(?:swear|swears|swore|vouch|vouches)(?: that)?",
        r"tells? (?:[\w'’-]+ ){0,3}?that",
        f"(?:told|tells) (?:me|us|him|her|them|everyone|[A-Z]\\w+) (?={_START_OF_CLAUSE}\\b)",
        r"told (?:[\w'’-]+ ){0,3}?that", f"(?:I|we|he|she|they) (?:hear|heard)(?: that)? (?={_START_OF_CLAUSE}\\b)",
        r"(?:accuse|accuses|accused|suspect|suspects|suspected) (?:[\w'’-]+ ){1,5}?of",
        rf"{_BE} (?:said|believed|thought|rumou?red|alleged|reported|understood|supposed|claimed|assumed|accused)"
        "(?: that| to| of)?",
        r"den(?:y|ies|ied|ying) (?:that|(?=(?:having|any|it|\w+ing)\b))",
        "(?:theory|rumou?rs?|claim|allegation|accusation|suspicion|belief|idea|gossip|report|story|suggestion|"
        "notion)s? (?:that|of)",
        "(?:afraid|convinced|confident) that",
        # Any other complement clause, unless its verb vouches for it.
        rf"{_NOT_VOUCHED_FOR}that (?={_SUBJECT}\b)",
    ),
    _cue(
        "reported", "clause",
        "[Aa]pparently", "[Aa]llegedly", "[Rr]eportedly", "[Ss]upposedly", "[Pp]urportedly", "[Aa]ccording to",
        "[Rr]umou?r has it", "[Ww]ord (?:is|has it)", "[Tt]he story goes", "[Ll]egend has it", "[Ss]o-called",
        "[Ii]n (?:my|his|her|their|our) (?:opinion|view)", "they say", "people say", "so (?:I|we) hear",
    ),
    _cue(
        "hoped", "complement",
        "[Ll]et(?:['’]s| us) hope(?: that)?", "hop(?:e|es|ed|ing)(?: that| to| for)?",
        "wish(?:es|ed|ing)?(?: that| to| for)?", "fingers crossed(?: that)?",
        "pray(?:s|ed|ing)? (?:that|for)", "long(?:s|ed|ing) (?:for|to)", "dream(?:s|ing)? (?:that|of|about|to)",
        "dream(?:t|ed)(?: that| of| about)?",
        "would (?:like|love|prefer) to", "if only", "look(?:s|ed|ing)? forward to",
    ),
    _cue("hoped", "clause", "[Hh]opefully", "[Ww]ith (?:any )?luck", "God willing", "^May"),
    _cue(
        "attempted", "complement",
        f"(?:try|tries|tried|trying|attempt|attempts|attempted|attempting|endeavou?rs?|endeavou?red|struggle|struggles|"
        f"struggled|struggling|sought|seek|seeks|seeking|strove|strives?|fought|battled|bid|race[ds]?) {_TO}",
        "(?:attempt|attempts|effort|efforts|bid|bids|struggle) (?:to|at)",
        "(?:try|tries|tried|trying) (?=[a-z]+ing\\b)",
        "(?:came|comes|come) (?:very |so )?(?:close|near) to", "on the (?:verge|brink|point) of", f"about {_TO}",
        "(?:narrowly )?miss(?:es|ed) out on",
    ),
    _cue(
        "attempted", "clause",
        r"(?:nearly|almost)(?! (?:\d|all\b|every|everyone|half\b|a\b|an\b|the\b|no\b|none\b|certainly|always|"
        rf"(?:{NUMBER_PATTERN})\b|entirely|exclusively|identical))",
        "all but(?= [a-z]+ed)",
    ),
    _cue(
        "considered", "complement",
        r"(?:consider|discuss|contemplate|weigh|debate|ponder|mull|propose|suggest|recommend|envisage|float|advise)"
        r"(?:s|es|d|ed|ing)?(?: over)?(?: the (?:idea|possibility|question|option) of)? (?=\w+ing\b|that\b|whether\b)",
        r"(?:considering|contemplating|debating|pondering|proposing|discussing) (?=\w+ing\b|whether\b|that\b)",
        "(?:think|thinks|thought|thinking|talk|talks|talked|talking|speak|speaks|spoke) (?:about|of)",
        "toy(?:s|ed|ing)? with", "the (?:idea|possibility|option|prospect|question|proposal) of",
        "(?:against|in favou?r of|object(?:s|ed)? to|oppos(?:e|es|ed)) (?=\\w+ing\\b)", "calls? for", "called for",
    ),
    _cue("considered", "clause", rf"ought {_TO}", "should", "had better", "['’]d better", "[Ww]hy (?:not|don['’]t)"),
    _cue(
        "planned", "complement",
        rf"(?:plan|plans|planned|planning|intend|intends|intended|intending|aim|aims|aimed|aiming|mean|means|"
        rf"meant|want|"
        rf"wants|wanted|wanting|expect|expects|expected|prepare|prepares|prepared|preparing|arrange|arranges|arranged|"
        rf"agree|agrees|agreed|decide|decides|decided|deciding|promise|promises|promised|vow|vows|vowed|pledge|pledges|"
        rf"pledged|offer|offers|offered|threaten|threatens|threatened|volunteer|volunteers|volunteered|resolve|"
        rf"resolves|"
        rf"resolved|vote|votes|voted|undertook|scheduled|set|due|ready|willing|eager|keen|reluctant|tempted|likely|"
        rf"obliged|required|allowed|permitted|free|need|needs|needed|has|have|had|supposed|destined|bound|poised|"
        rf"determined|going|decision|plan|plans|proposal|proposals|promise|offer|intention|permission|order|orders|"
        rf"request|deal|contract|agreement|right) (?:not )?{_TO}",
        rf"(?:want|wants|wanted|ask|asks|asked|tell|tells|told|order|orders|ordered|expect|expects|expected|"
        rf"invite|invites|"
        rf"invited|urge|urges|urged|beg|begs|begged|advise|advises|advised|instruct|instructs|instructed|remind|"
        rf"reminds|"
        rf"reminded|encourage|encourages|encouraged|request|requests|requested|require|requires|required|need|needs|"
        rf"needed|like|likes|liked|warn|warns|warned|implore|implored|wait|waits|waited|"
        rf"waiting) {_SOMEBODY}(?:not )?{_TO}",
        "(?:promise|vow|pledge|demand|agree|decide|insist|propose|request|order)(?:s|d|ed)? that", "promis(?:e|es|ed)",
        "(?:plan|plans|planned|planning|scheduled|proposal|proposals) (?:on|for)",
        f"{_BE} {_TO}(?= (?:be )?[a-z]+)", "in order to", "so as to", "so that", "[Ll]et(?:['’]s| us)",
    ),
    _cue("planned", "clause", "will(?! have been)", "['’]ll", "shall", "[Pp]lease", "won['’]t", "must(?! have)"),
    _cue(
        "doubted", "clause",
        "[Pp]erhaps", "[Mm]aybe", "[Pp]ossibly", "[Pp]robably", "[Pp]resumably", "[Cc]onceivably", "[Aa]rguably",
        "[Ll]ikely", "[Ss]eemingly", "may(?= [a-z])", "might(?= [a-z])", "must have", "[Bb]arely", "[Rr]arely",
        "[Ss]eldom", "['’]d be (?:surprised|amazed|astonished)", "[Ii]n theory", "[Ii]n principle", "could(?! only)",
        "couldn['’]t",
    ),
    _cue(
        "conditional", "clause",
        r"would(?! (?:later|go on|eventually|soon|subsequently|then|become|remain|again)\b)", "wouldn['’]t",
    ),
    _cue(
        "figurative", "complement",
        "pretend(?:s|ed|ing)?(?: to| that)?", "imagin(?:e|es|ed|ing)(?: that)?", "jok(?:e|es|ed|ing)(?: that| about)?",
        "(?:feels?|felt|looks?|looked|sounds?|sounded) like",
    ),
    _cue(
        "habitual", "clause",
        rf"(?<!is )(?<!was )(?<!are )(?<!were )(?<!be )used {_TO}", "[Uu]sually", "[Nn]ormally", "[Gg]enerally",
        "[Tt]ypically", "[Oo]ften",
        "[Aa]lways", "every (?:day|night|week|month|year|morning|evening|summer|winter|spring|autumn|\\w+day)",
    ),
)  # fmt: skip

# Phrases that hold a cue or a negator and yet affirm; they are passed over.
AFFIRMATIONS = lazy_pattern(
    rf"\b(?:there is no doubt that|there['’]s no doubt that|{AFFIRMING}|beyond (?:a |any |all )?(?:reasonable )?doubt|"
    r"undoubtedly|it is true that|it['’]s true that|it is certain that|I can confirm that|if not more|"
    r"if ever there was one)",
    re.IGNORECASE,
)
# A comment after the statement: "…, says Nils", "…, I think".
TRAILING_SOURCE = lazy_pattern(
    r",\s*(?:or )?(?:so )?(?:(?:says?|said|claims?|claimed|insists?|insisted|writes|wrote|according to|adds?|"
    r"added)\b[^,;]*|"
    r"(?:(?:I|we|he|she|they|people|[A-Z]\w+) (?:say|says|said|think|thinks|thought|believe|believes|guess|"
    r"suppose|hear|"
    r"heard|claim|claims|claimed|hope|reckon|reckons|insists|insisted))|apparently|allegedly|supposedly|perhaps|"
    r"maybe|hopefully|or so [^,;]*\b(?:would have (?:it|us)|have it|goes?|went|tells?|told|sings?|sang|believes?|"
    r"believed|thinks?|thought|hopes?|hoped|wish|wished|likes?|liked)\b[^,;]*)"
    r"\s*[.!]*$"
)
SPEECH = lazy_pattern(
    r"\b(?:say|says|said|read|reads|claims?|claimed|writes?|wrote|states?|stated|shout(?:s|ed)|ask(?:s|ed)|tells?|told|"
    r"repl(?:y|ies|ied)|answer(?:s|ed)|announce[sd]?|joke[sd]?|headline|sign|flyer|poster|quote[sd]?)\b"
)
