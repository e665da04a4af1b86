"""Invented encyclopaedia articles with questions: keeps the encoder good at names, dates and general English.

Everything is drawn from word lists here, so nothing is copied from anywhere. Articles of one pool share family names,
towns and years, so that a question is answered by the exact name and not by the kind of thing it asks about.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from training.pairs import Pool, Query

SYLLABLES = {
    "Norwegian": (
        "Hal Tor Ing Sig Bjar As Gun Ein Lei Run",
        "var stein rid mund dis geir vald laug fred hild",
        "Berg Lund Sol Hauge Vik",
        "stad rud heim dal nes",
    ),
    "Polish": (
        "Bog Mir Wac Zby Kaz Jad Ste Lud",
        "dan ław gniew imierz wiga fania mila sław",
        "Wisz Kow Zar Now Lip",
        "ński alczyk ecki akowa owicz",
    ),
    "Italian": (
        "Al Gio Fran Ber Lo Ma Vit",
        "fredo vanni cesca nardo renza tilde torio",
        "Ros Bel Mont Car Fer",
        "setti lini alvo rucci anti",
    ),
    "Japanese": (
        "Haru Ken Yu Nao Mit Aki Sa",
        "ko to miko suke ya hiro chi",
        "Kawa Yama Naka Ishi Mori",
        "saki moto ura bashi zawa",
    ),
    "Nigerian": (
        "Ade Olu Chi Ngo Ife Ob",
        "bayo wale nedu zi oma inna",
        "Oko Ade Eze Nwa Bal",
        "ro yemi kwu chukwu ogun",
    ),
    "Indian": (
        "Ra Su Pri An Vi Ka",
        "jesh nita ya and kram vita",
        "Cha Mu Na Bha Pa",
        "tterjee kherjee rayan ttacharya tel",
    ),
    "English": (
        "Ed Wil Ha Mar Thea Os",
        "win fred rriet garet dora wald",
        "Hart Ash Black Thorn Win",
        "field worth well bury ley",
    ),
    "Turkish": ("Em Yus Nil Sel Or Ay", "re uf gün im han lin", "Yıl Kara Demir Öz Ak", "maz kaya ci türk soy"),
    "Brazilian": (
        "Ro Fer Ju Le Cai Ta",
        "drigo nanda liana andro o tiana",
        "Al Cav Nog Per Sam",
        "meida alcanti ueira eirinha paio",
    ),
    "Hungarian": (
        "Ist Zol Er Ka Lász Gab",
        "ván tán zsébet talin ló or",
        "Ko Sza Ho Ne Tó",
        "vács bó rváth meth thfalvi",
    ),
    "Egyptian": ("Ah Na Mah Lay Khal Sa", "med dia moud la id mir", "Far Hus Man Rah Sab", "ouk sein sour man ry"),
    "Welsh": (
        "Ang Rhi Gwen Mor Car El",
        "harad annon llian gan adog eri",
        "Pen Llew Mor Tre Gwyn",
        "rhos elyn gan fawr edd",
    ),
}
TOWN_ENDS = "burg ford mouth stead ville holm gate minster haven wick ora anka opol eira iya".split()
NOUNS = """
    lantern harbour orchard winter river clock mirror sparrow garden bridge letter shadow island candle storm
    violin tower winter meadow ember anchor glass mountain ferry thread""".split()
ADJECTIVES = """
    silent crimson last hollow distant golden broken northern secret pale burning second endless quiet iron blue
    wandering forgotten""".split()
TRADES = """
    painter composer novelist architect engineer botanist footballer cyclist chess player politician bishop
    physician photographer sculptor jurist astronomer swimmer conductor""".split()
GENRES = "drama comedy thriller western musical documentary war adventure romance horror".split()
MUSIC = "folk jazz punk electronic chamber pop gospel metal reggae".split()
GOODS = (
    "bicycles ceramics locomotives pianos umbrellas chocolate tractors optical instruments textiles typewriters".split()
)


@dataclass
class Cast:
    """The names of one pool: few enough that they recur, many enough to be told apart."""

    random: Random
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        draw = self.random
        self.families = [(country, self._family(country)) for country in draw.choices(sorted(SYLLABLES), k=14)]
        self.towns = [self._town() for _ in range(16)]

    def _family(self, country: str) -> str:
        _, _, first, last = (part.split() for part in SYLLABLES[country])
        return self.random.choice(first) + self.random.choice(last)

    def _town(self) -> str:
        country = self.random.choice(sorted(SYLLABLES))
        return self.random.choice(SYLLABLES[country][2].split()) + self.random.choice(TOWN_ENDS)

    def person(self) -> tuple[str, str]:
        """A new name and where its bearer is from."""
        while True:
            country, family = self.random.choice(self.families)
            first, last, _, _ = (part.split() for part in SYLLABLES[country])
            given = self.random.choice(first) + self.random.choice(last)
            middle = f" {self.random.choice(first)}{self.random.choice(last)}" if self.random.random() < 0.2 else ""
            if (name := f"{given}{middle} {family}") not in self.used:
                self.used.add(name)
                return name, country

    def work(self) -> str:
        """A new title of a book, film or record."""
        while True:
            noun, other, adjective = (
                self.random.choice(NOUNS),
                self.random.choice(NOUNS),
                self.random.choice(ADJECTIVES),
            )
            town = self.random.choice(self.towns)
            forms = (
                f"The {adjective} {noun}",
                f"{noun} and {other}",
                f"A {noun} in {town}",
                f"The {noun} of {town}",
                f"{adjective} {noun}",
                f"{town} {noun}",
            )
            title = " ".join(
                word if word in {"and", "in", "of"} else word[0].upper() + word[1:]
                for word in self.random.choice(forms).split()
            )
            if title not in self.used:
                self.used.add(title)
                return title

    def town(self) -> str:
        return self.random.choice(self.towns)

    def year(self, first: int = 1850, last: int = 2015) -> int:
        return self.random.randint(first, last)


@dataclass(frozen=True)
class Article:
    """A title, sentences, and questions that the article answers."""

    title: str
    text: str
    questions: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    """Questions about this title that need the article of another title as well."""


def _day(draw: Random, year: int) -> str:
    months = "January February March April May June July August September October November December".split()
    return draw.choice(
        (f"{draw.randint(1, 28)} {draw.choice(months)} {year}", f"{draw.choice(months)} {draw.randint(1, 28)}, {year}")
    )


def person(cast: Cast) -> Article:
    draw = cast.random
    name, country = cast.person()
    born, trade, town, school = cast.year(1800, 1985), draw.choice(TRADES), cast.town(), cast.town()
    parent, spouse = cast.person()[0], cast.person()[0]
    short = name.split()[-1]
    first = draw.choice(
        (
            f"{name} (born {_day(draw, born)}) is a {country} {trade}.",
            f"{name} (born {born}, {town}) was a {country} {trade} and teacher.",
            f"{name}, {country} {trade}, was born on {_day(draw, born)} in {town}.",
            f"A {trade} from {town}, {name} came to notice in {born + 27}.",
        )
    )
    more = [
        f"{short} was born in {town} and studied at the University of {school}.",
        f"The child of {parent}, {short} grew up near {town}.",
        f"In {born + 25} {short} married {spouse}.",
        f"{short} died in {cast.town()} in {born + draw.randint(40, 90)}.",
        f"The prize of the {school} academy went to {short} in {born + 35}.",
        f"{short} is remembered above all for the {draw.choice(NOUNS)} of {cast.town()}.",
    ]
    asked = (
        f"Where was {name} born?",
        f"When was {name} born?",
        f"What is {name} known for?",
        f"Who was {name} married to?",
        f"What was the profession of {name}?",
        f"Which university did {name} attend?",
        f"Who are the parents of {name}?",
        f"What nationality is {name}?",
        f"{name} death place",
    )
    return Article(name, _join(draw, first, more), asked)


def film(cast: Cast) -> Article:
    draw = cast.random
    title, director, lead, year = cast.work(), *(cast.person()[0] for _ in range(2)), cast.year(1920)
    genre, country = draw.choice(GENRES), draw.choice(sorted(SYLLABLES))
    first = draw.choice(
        (
            f"{title} is a {year} {country} {genre} film directed by {director}.",
            f"{title} is a {genre} film of {year}, written and directed by {director} and starring {lead}.",
            f"Directed by {director}, {title} is a {country} {genre} film released in {year}.",
        )
    )
    more = [
        f"It stars {lead} as a {draw.choice(TRADES)} who returns to {cast.town()}.",
        f"The film was shot in {cast.town()} and {cast.town()}.",
        f"The music is by {cast.person()[0]}.",
        f"It was shown first at the festival of {cast.town()}.",
        f"Critics praised the {draw.choice(NOUNS)} scene; the film lost money all the same.",
    ]
    asked = (
        f"Who directed the film {title}?",
        f"When was {title} released?",
        f"Who stars in {title}?",
        f"Which genre is the film {title}?",
        f"Where was {title} filmed?",
        f"Which country is {title} from?",
        f"Who wrote the music of {title}?",
    )
    links = tuple(
        (text.format(f"the director of the film {title}"), director)
        for text in ("Where was {} born?", "When did {} die?", "What nationality is {}?")
    )
    return Article(f"{title} (film)" if draw.random() < 0.3 else title, _join(draw, first, more), asked, links)


def book(cast: Cast) -> Article:
    draw = cast.random
    title, author, year = cast.work(), cast.person()[0], cast.year(1860)
    first = draw.choice(
        (
            f"{title} is a novel by {author}, published in {year}.",
            f"Published in {year}, {title} is the {draw.choice(('first', 'second', 'third'))} novel of {author}.",
            f"{title} ({year}) is a collection of stories by {author}.",
        )
    )
    more = [
        f"It is set in {cast.town()} during a hard winter.",
        f"The book follows a {draw.choice(TRADES)} and a stray dog.",
        f"It was translated by {cast.person()[0]} in {year + 9}.",
        f"A film version appeared in {year + 20}.",
        f"The first edition was printed in {cast.town()}.",
    ]
    asked = (
        f"Who wrote {title}?",
        f"When was the novel {title} published?",
        f"Where is {title} set?",
        f"Who translated {title}?",
    )
    return Article(title, _join(draw, first, more), asked, ((f"Where did the author of {title} study?", author),))


def company(cast: Cast) -> Article:
    draw = cast.random
    founder, town, year, goods = cast.person()[0], cast.town(), cast.year(1840), draw.choice(GOODS)
    name = draw.choice(
        (
            f"{founder.split()[-1]} & {cast.person()[0].split()[-1]}",
            f"{town} {goods.split()[-1].title()}",
            f"{founder.split()[-1]} Works",
        )
    )
    first = draw.choice(
        (
            f"{name} is a maker of {goods} based in {town}.",
            f"{name} was founded in {year} by {founder} and makes {goods}.",
            f"{name} is a company from {town} that has made {goods} since {year}.",
        )
    )
    more = [
        f"It was founded by {founder} in {year}.",
        f"It employs about {draw.randint(3, 90) * 20} people.",
        f"In {year + 40} it was bought by {cast.person()[0].split()[-1]} of {cast.town()}.",
        f"The headquarters moved to {cast.town()} in {year + 25}.",
    ]
    asked = (
        f"Who founded {name}?",
        f"What does {name} make?",
        f"Where is {name} based?",
        f"When was {name} founded?",
        f"How many people work at {name}?",
    )
    return Article(name, _join(draw, first, more), asked, ((f"Where was the founder of {name} born?", founder),))


def place(cast: Cast) -> Article:
    draw = cast.random
    town, country = cast.town(), draw.choice(sorted(SYLLABLES))
    kind = draw.choice(("village", "municipality", "river", "lake", "railway station", "island", "parish"))
    name = (
        town
        if kind in {"village", "municipality", "parish"}
        else f"{town} {kind.title()}"
        if kind != "river"
        else f"{town} River"
    )
    first = draw.choice(
        (
            f"{name} is a {kind} in the {draw.choice(('north', 'south', 'east', 'west'))} of {country} {cast.town()}.",
            f"{name} is a {country} {kind} near {cast.town()}.",
        )
    )
    more = [
        f"In {cast.year(1950)} it had {draw.randint(90, 9000)} inhabitants.",
        f"It lies {draw.randint(10, 900)} metres above the sea.",
        f"The old {draw.choice(NOUNS)} was built in {cast.year(1500, 1900)}.",
        f"It is the birthplace of {cast.person()[0]}.",
    ]
    asked = (
        f"Where is {name}?",
        f"What is the population of {name}?",
        f"Who was born in {name}?",
        f"How high is {name}?",
    )
    return Article(name, _join(draw, first, more), asked)


def band(cast: Cast) -> Article:
    draw = cast.random
    name, year, town, music = cast.work(), cast.year(1960), cast.town(), draw.choice(MUSIC)
    record, singer = cast.work(), cast.person()[0]
    first = draw.choice(
        (
            f"{name} are a {music} band from {town}, formed in {year}.",
            f"{name} was a {music} group founded by {singer} in {town}.",
        )
    )
    more = [
        f"Their first record, {record}, came out in {year + 2}.",
        f"The singer is {singer}.",
        f"They broke up in {year + draw.randint(4, 30)}.",
        f"{cast.person()[0]} joined on drums in {year + 3}.",
        f"They toured with an orchestra from {cast.town()}.",
    ]
    asked = (
        f"Who sings in the band {name}?",
        f"What was the first album of {name}?",
        f"Where do {name} come from?",
        f"When did {name} form?",
        f"Who plays drums for {name}?",
    )
    return Article(name, _join(draw, first, more), asked)


KINDS: tuple[Callable[[Cast], Article], ...] = (person, person, film, film, book, company, place, band)


def _join(draw: Random, first: str, more: list[str]) -> str:
    return " ".join([first, *draw.sample(more, draw.randint(1, len(more)))])


def article_pool(random: Random, size: int = 160, queries: int = 120) -> Pool:
    """Articles as titled passages; questions name one title, two to compare, or a person by way of a work.

    Of a question in two steps only the article that it names is gold: nothing in its words leads to the other.
    """
    cast = Cast(random)
    articles: dict[str, Article] = {}
    while len(articles) < size:
        made = random.choice(KINDS)(cast)
        articles.setdefault(made.title, made)
    titles = list(articles)
    passages = tuple(f"{each.title}\n{each.text}" for each in articles.values())
    drawn = [
        _question(random, at, [articles[title] for title in titles])
        for at in random.sample(range(size), min(queries, size))
    ]
    return Pool(passages, tuple(drawn))


def _question(random: Random, at: int, articles: list[Article]) -> Query:
    article = articles[at]
    kind = random.random()
    if kind < 0.2 and article.links:
        return Query(random.choice(article.links)[0], (at,), "bridge")
    if kind < 0.35:
        other = random.randrange(len(articles))
        form = random.choice(
            (
                "Which is older, {} or {}?",
                "Are {} and {} from the same country?",
                "Do both {} and {} come from the same place?",
                "Who was born first, {} or {}?",
                "Which came out first, {} or {}?",
            )
        )
        return Query(form.format(article.title, articles[other].title), tuple(dict.fromkeys((at, other))), "comparison")
    if kind < 0.45:
        words = article.text.split(". ")
        return Query(random.choice(words).strip("."), (at,), "sentence")
    return Query(random.choice(article.questions), (at,), "article")
