"""Words by which sentence forms are read: what cannot begin a name or a value, and which nouns name people."""

from recollect.text.lexicon import NAME_PARTICLES, POSSESSIVES, PREPOSITIONS

NOT_NAMES = frozenset(
    # Words that are capitalised at the start of a sentence without being names.
    "a about absolutely according after again all almost already also although always am an and another any anybody "
    "anyone anything apart apparently are as asap at basically because before besides both but by can clearly could "
    "currently customers daily dear did do does dont during each either else even everybody everyone everything except "
    "few finally first for fortunately from funny generally had half has have he hello hence her here hers hey hi his "
    "hopefully how however i if in indeed instead is it its just last lately later let lets like likely literally many "
    "may maybe me might mine most mostly much must my myself naturally neither never next no nobody none nor normally "
    "not note nothing now obviously occasionally of off often ok okay on once one only or other others ought our ours "
    "people perhaps personally please possibly presumably previously probably rarely rather really recently remember "
    "say see seldom several shall she should since so some somebody someday someone something sometimes somewhere soon "
    "sorry still such supposedly sure surely technically thanks that the their theirs them then there therefore these "
    "they things this those though thus today together tomorrow tonight too typically under unfortunately unless until "
    "up us usually was we well were what whatever when whenever where whether which while who whoever whom whose why "
    "will with without would yes yesterday yet you your yours "
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december".split()
)
NAMES_IN_S = frozenset(
    "Agnes Anders Andres Carlos Charles Claes Frans Frances Gladys Hans Hughes Ines James Jens Johannes Jules Klaes "
    "Lars Loes Mads Marcos Mercedes Moses Myles Miles Niels Nils Rhys Ros Sanders Wes Yves".split()
)
"""First names that look like plural nouns."""
PREFERENCE_VERB = "(?:prefer|hate|loathe|dislike|detest|adore|like|love|enjoy|rather|sooner|want|eat|drink)s?"
"""A pattern of what somebody does who likes something or not."""
NAME_CONNECTORS = NAME_PARTICLES | {"of", "the", "&"}

PEOPLE_NOUNS = frozenset(
    "sister brother sibling mother father mom mum mummy dad daddy parent wife husband spouse fiance fiancee fiancé "
    "fiancée girlfriend boyfriend son daughter child kid baby twin cousin aunt uncle niece nephew grandmother "
    "grandfather grandma grandpa granny grandson granddaughter stepmother stepfather stepson stepdaughter godmother "
    "godfather boss manager lead supervisor mentor mentee assistant colleague coworker co-worker teammate friend "
    "roommate flatmate housemate landlord landlady neighbour neighbor doctor dentist therapist psychologist "
    "psychiatrist physiotherapist lawyer accountant teacher tutor professor coach trainer vet plumber electrician "
    "hairdresser barber babysitter nanny cleaner ceo cto cfo coo founder cofounder co-founder captain president "
    "director successor predecessor midwife gardener mechanic advisor adviser counsel counselor counsellor solicitor "
    "notary agent partner".split()
)
"""Nouns for people: what they are said to be is a person only if it is a name."""

KIN_BY_BIRTH = frozenset(
    "sister brother sibling mother father mom mum mummy dad daddy parent son daughter child kid baby twin cousin aunt "
    "uncle niece nephew grandmother grandfather grandma grandpa granny grandson granddaughter".split()
)

VAGUE_NOUNS = frozenset(
    "advice answer best biggest case concern day days dream end experience fault favorite favourite fear feeling "
    "feelings first friends future goal guess hope hopes idea impression issue life main mind morning night one "
    "only opinion part plan point problem problems question reason rest second suggestion thing thinking thought "
    "thoughts time turn understanding victory view way week weekend wish work world worry year".split()
)
"""Nouns that are given an opinion or a clause rather than a value."""

TEXT_VALUED_NOUNS = frozenset(
    "account animal band birthday blood-group book brand branch browser city codename color colour company country "
    "currency database dialect diet dish distro domain drink editor email employer encoding engine field film flavor "
    "flavour food font format framework game genre group handle hobby hometown host ide keyboard language layout "
    "library license linter locale login major manager mode model movie name nationality nickname number occupation "
    "os passcode password pet phone pin plan plate position profession pronouns provider region religion role runner "
    "sandwich schema school season series setup shade shell show sign size song sport stack stage stand state status "
    "style subject surname system tea team terminal theme tier timezone title tool topic town type unit university "
    "url username version wifi writer zone zodiac".split()
)
"""Nouns whose value may be a plain word in small letters."""

COLOURS = frozenset(
    "red green blue yellow black white grey gray brown orange purple pink violet turquoise beige silver gold".split()
)
STATE_NOUNS = frozenset({"status", "stage", "state"})
CHOICE_ADJECTIVES = frozenset("favorite favourite default preferred current".split())
PREFERENCE_ADJECTIVES = frozenset("favorite favourite preferred".split())
PASTIME_NOUNS = frozenset("hobby sport activity exercise pastime".split())
"""Nouns whose value may be a verb in -ing; `my job is draining` tells no job."""
ACTIVITY_NOUNS = PASTIME_NOUNS | {"job", "profession", "occupation"}
ADDRESS_NOUNS = frozenset(
    "server site website docs documentation repo repository dashboard wiki page blog portfolio api endpoint staging "
    "registry instance host url homepage tracker board calendar".split()
)

NOT_VALUES = frozenset(
    # Words that begin an opinion, a place, a clause or a reference instead of a value.
    "a about above across after against all almost also always am among an and another anything are around as at "
    "available away back because been before behind being below best better between both by called coming dead "
    "definitely doing down due during each either else enough even every everything far fewer for from getting given "
    "going gone good great had half having he her here hers him his how i if in inside into is it its just later "
    "least less like likely located lost made making many me mine missing more most much my near nearly never next no "
    "nobody none nor not nothing now off on once one only onto or other our ours out outside over part past perhaps "
    "pretty probably quite rather really same she should since so some someone something sometimes soon still such "
    "supposed than that the their theirs them then there these they this those through to together too toward towards "
    "under unless unlike until up upon usually very via was we well were what when where whether which while who whom "
    "whose why will with within without worse worst would yet you your yours".split()
)
JUDGEMENTS = frozenset(
    # Adjectives that say how something is, and so change or depend on who speaks.
    "able absent active alive amazing angry annoying asleep awake aware awesome awful bad beautiful big boring broke "
    "broken busy cheap clean clear closed cold complete complicated confidential correct crazy cute damaged dangerous "
    "dark delicious different difficult dirty down dry easy empty enormous excellent exhausted expensive fantastic "
    "fast faulty fine finished fixed flat free full fun funny glad good gorgeous great happy hard healthy heavy here "
    "high hilarious horrible hot huge ill important impossible incomplete incorrect incredible injured insane "
    "interesting invalid irrelevant late light limited long loose loud low lucky mad nice noisy obvious obsolete odd "
    "off offline ok okay old online open outdated overdue painful perfect poor pregnant present private public quick "
    "quiet ready right rough sad safe scared secret secure sensitive serious short sick silent similar simple slow "
    "small smart sore special stable stolen strange strict strong stuck stupid sufficient sure sweet tall terrible "
    "thin tight tiny tired top tough tricky ugly unavailable unclear uncertain undecided unhappy unknown unlimited "
    "unsafe unstable unusual upset useful useless vague valid vital warm weak weird wet wide wild wonderful worried "
    "worthless wrong young".split()
)
PRONOUN_OBJECTS = frozenset("it this that these those them him her you me us one ones everything nothing".split())
FIGURATIVE_ALLERGENS = frozenset(
    # What people call themselves allergic to when they only dislike it.
    "bs bullshit crap nonsense stupidity idiots idiocy fools people humans drama gossip lies liars lying excuses "
    "hypocrisy politics politicians bureaucracy paperwork meetings mondays mornings work working effort exercise "
    "sports sport school homework housework cleaning cooking commitment responsibility change failure mediocrity "
    "negativity jargon buzzwords hype marketing javascript java php microservices fun love happiness weddings kids "
    "children smalltalk waiting losing boredom yaml spreadsheets powerpoint morons arrogance ignorance "
    "poverty taxes capitalism early alarm clocks".split()
)
INTERJECTIONS = frozenset(
    "ah aha alas anyway argh bah bye cheers cool damn duh eh etc gosh ha haha hahaha heh hehe hey hm hmm hooray huh "
    "hurray lol meh nah nope oh ok okay omg oof ouch phew please pff pfft sadly sigh sorry thanks though thx ugh uh um "
    "unfortunately well whatever whoa whoops wow wtf yay yeah yep yes yikes yuck".split()
)
RESTRICTIONS = frozenset(
    # Words that limit a claim to some cases, or compare it.
    "only just except unless if when whenever while but however though although because than more less most least "
    "better worse rather sometimes occasionally rarely seldom hardly barely never not no nor neither without almost "
    "nearly maybe perhaps probably possibly usually normally generally typically often instead or whether that which "
    "who whose where soon later yet anymore ever tomorrow since until till ago before after during once every each "
    "next last again too enough so temporarily eventually recently lately someday".split()
)
OUTER_PREPOSITIONS = PREPOSITIONS - {"of", "as"}
"""Prepositions that begin another phrase; *of* and *as* may stand within that of a thing."""

COMPOUND_NOUNS = frozenset(
    "e-mail wi-fi co-op x-ray t-shirt follow-up check-in check-out check-up well-being self-care co-worker co-founder "
    "mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law in-law add-on plug-in log-in "
    "sign-up set-up back-up start-up hang-out get-together make-up work-out long-term short-term full-time part-time "
    "half-time old-school high-school pre-school e-commerce e-book ice-cream".split()
)
"""Compound nouns that may stand without an article and are not names."""

FIELDS_OF_WORK = frozenset("AI BI CD CI CI/CD CRM DNS ERP ETL HR IT ML OCR ORM PDFs QA SEO SSO TLS UI UX VPN".split())
"""What a tool is used for, in capitals though no name: `we use Jenkins for CI`."""
TOOLS_AND_TEAMS = frozenset(
    # Capitalised words that one moves to without living there.
    "accounting administration agile android angular ansible apple arch asana aws azure bitbucket chrome chromium "
    "circleci claude cloudflare consulting cursor customer debian design devops discord django docker dvorak "
    "eclipse edge elasticsearch emacs engineering english excel fastapi fedora figma finance firebase firefox flask "
    "flutter gcp git github gitlab gmail go golang google graphql hetzner heroku hr icloud intellij ios it java "
    "javascript jenkins jira julia kafka kanban kotlin kubernetes laravel legal linear linux logistics mac macos "
    "management mariadb marketing mongodb mysql neovim netlify next nix nixos node notion office onedrive opera "
    "operations oracle outlook php pnpm podman postgres postgresql procurement product production purchasing pycharm "
    "python pytorch qa quality rails react redis research ruby rust safari sales scala scrum security signal skype "
    "slack spring sqlite staging strategy supabase support svelte swift tableau tailwind teams telegram tensorflow "
    "terraform testing trello typescript ubuntu unity vercel vim vite vscode vue wayland webpack whatsapp windows "
    "wordpress yarn zed zoom".split()
)

NOT_TOOLS_ALONE = frozenset(
    "accounting administration agile apple cloudflare consulting customer design engineering english finance github "
    "gitlab go google heroku hetzner hr it legal logistics management marketing next office operations oracle "
    "procurement product production purchasing qa quality research sales security spring staging strategy support "
    "teams testing unity".split()
)
"""Those of them that are as likely a department, an employer or a plain word."""

DONE_STATES = frozenset(
    "done paid finished completed complete delivered sent signed submitted shipped resolved fixed solved cancelled "
    "canceled".split()
)
"""Adjectives that report something as done, and so are no value of it."""

PLACE_NOUNS = frozenset(
    "office headquarters hq shop studio school gym clinic workshop warehouse branch plant lab".split()
)
"""Nouns whose value may be a place: `our office is in Leeds`."""
OCCUPATIONS = frozenset(
    "accountant actor actress analyst architect artist astronomer baker barista beekeeper biologist bricklayer builder "
    "butcher carpenter chef chemist cook consultant dancer dentist designer developer doctor driver economist editor "
    "electrician engineer farmer firefighter florist gardener geologist hairdresser historian illustrator journalist "
    "judge lawyer lecturer librarian locksmith manager mathematician mechanic midwife musician nurse optician painter "
    "paramedic pharmacist photographer physicist physiotherapist pilot plumber policeman policewoman postman "
    "programmer professor psychologist psychiatrist receptionist recruiter reporter sailor scientist sculptor "
    "secretary singer sociologist soldier student surgeon tailor teacher therapist translator tutor vet "
    "violinist waiter waitress welder writer zoologist".split()
)
DEPARTMENTS = (
    "accounting communications compliance data design development engineering finance growth hr it legal logistics "
    "marketing operations people procurement product production purchasing qa research sales security support training"
).split()
ROLE_FIELDS = (
    "account art chief creative engineering finance general junior lead managing marketing office product project "
    "research sales senior team technical"
).split()
"""Words before a role that tell its field or rank: `our product manager`."""
DIETS = frozenset("vegan vegetarian pescatarian".split())
CONDITIONS = frozenset("diabetic coeliac celiac asthmatic colour-blind color-blind dyslexic epileptic".split())
ILLNESSES = frozenset(
    "adhd anaemia anemia angina arthritis asthma autism cancer coeliac celiac dementia depression diabetes eczema "
    "endometriosis epilepsy glaucoma gout haemophilia hemophilia hypertension hypothyroidism migraines osteoporosis "
    "parkinson's psoriasis rheumatism sciatica scoliosis tinnitus vertigo".split()
)
"""Lasting conditions that somebody may be said to have."""

SETTING_NOUNS = frozenset(
    "account address alarm bucket budget capacity cluster code codename combination currency database deadline domain "
    "endpoint fee folder hostname iban licence license limit login number passcode passphrase password passwort pin "
    "phrase plate port postcode price queue quota rate region repo repository rent schedule server shift ssid subnet "
    "temperature thermostat timeout timezone token url username vat version wifi".split()
)
"""Nouns for what a household or a team sets once: `the wifi password is …` tells theirs, though it names no owner."""
LONE_SETTINGS = frozenset("database passcode passphrase password pin rent ssid thermostat wifi".split())
"""Those of them that need no further word to be told apart."""
SYSTEM_SETTINGS = frozenset(
    "bucket cluster database domain endpoint hostname port queue repo repository server subnet timeout url".split()
)
"""Those of them that a program has, and not a household."""
GROUP_NOUNS = frozenset(
    "agency bakery business clinic company crew department firm gallery garage lab laboratory museum office "
    "organisation organization practice shop startup studio team theatre workshop".split()
)
"""Nouns by which people call what they belong to: `our team uses …`."""
CALL_TOOLS = frozenset("discord facetime messenger signal skype slack teams telegram whatsapp zoom".split())
"""Tools that one is on for the length of a call."""
WORK_ITEMS = frozenset(
    "absences bookings bugs budgets clients code contacts contracts customers deals defects docs documentation "
    "documents expenses files finances holidays hours incidents inventory invoices issues leads members notes orders "
    "passwords payroll photos projects recipes requests schedules shifts sprints stock tasks tests tickets time todos "
    "vacations work".split()
)
"""What is kept in a tool: `we track bugs in …`."""
WORKPLACES = frozenset(
    "agency airport army authority bakery bank brewery brigade cafe charity church clinic college council court dairy "
    "embassy factory farm garage government hall hospital hotel kindergarten laboratory library ministry museum navy "
    "newspaper nursery office parish pharmacy police port prison railway restaurant school shipyard shop startup "
    "studio supermarket surgery theatre university warehouse waterworks zoo".split()
)
"""Nouns for places of work, which tell an employer without its name."""
DEFINITE = ("the", *sorted(POSSESSIVES - {"your", "its"}))
"""Words before a certain thing."""
NOT_THINGS = frozenset(
    # What one has without holding it, or has for the moment.
    "ability advantage attention audacity authority back blues chance choice courage cold edge energy experience eye "
    "eyes fever final floor flu guts habit heart hiccups honour honor impression info intention job knack last lead "
    "luck luxury majority measles mood nerve nerves next number numbers option patience permission pleasure potential "
    "power pox priority right rights runs same say sense shivers situation skills sorry stomach strength support "
    "sympathy talent trust upper will word words shift stage".split()
)
DATE_NOUNS = frozenset(
    "birthday deadline anniversary date expiry renewal birthdate launch release wedding exam appointment flight "
    "interview party surgery demo go-live handover audit".split()
)
"""Nouns whose value is a date: `my birthday is 12 May`."""

SCHOOLS = frozenset(
    "academy class college department gymnasium kindergarten nursery preschool school team university uni".split()
)
"""Nouns for where one learns or belongs, which one may switch to and does not use."""
