"""Invented encyclopaedia articles with questions: keeps the encoder good at names, dates and general English.

Everything is drawn from word lists here, so nothing is copied from anywhere. Articles of one pool share family names,
towns and years, so that a question is answered by the exact name and not by the kind of thing it asks about.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from training.invented_names import NOUNS, SYLLABLES, Cast
from training.pairs import Pool, Query

TRADES = """
    painter composer novelist architect engineer botanist footballer cyclist chess player politician bishop
    physician photographer sculptor jurist astronomer swimmer conductor""".split()
GENRES = "drama comedy thriller western musical documentary war adventure romance horror".split()
MUSIC = "folk jazz punk electronic chamber pop gospel metal reggae".split()
TITLED = 0.75
GOODS = (
    "bicycles ceramics locomotives pianos umbrellas chocolate tractors optical instruments textiles typewriters".split()
)


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
        f"{name} was born in {town}.",
        f"{name} worked as a {trade}.",
        f"{name} has never been to {school}.",
        f"{name} was {country} by birth.",
        f"{name} and {spouse} were a couple.",
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
        f"{title} was directed by {director}.",
        f"{lead} refused a part in {title}.",
        f"{title} came out in {year}.",
        f"{title} is a {genre}.",
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
        f"{author} wrote {title}.",
        f"{title} is a book that came out after {year - 10}.",
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
        f"{name} sells {goods}.",
        f"{founder} set up {name}.",
        f"{name} has its seat in {town}.",
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
        f"{name} is a {kind}.",
        f"{name} lies in {country} country.",
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
        f"{name} play {music}.",
        f"{singer} left {name}.",
        f"{name} were formed in {year}.",
    )
    return Article(name, _join(draw, first, more), asked)


KINDS: tuple[Callable[[Cast], Article], ...] = (person, person, film, film, book, company, place, band)


def _join(draw: Random, first: str, more: list[str]) -> str:
    text = " ".join([first, *draw.sample(more, draw.randint(1, len(more)))])
    return re.sub(r"\b([Aa]) (?=[AEIOUaeiou])", r"\1n ", text)


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
    passages = tuple(_passage(random, each) for each in articles.values())
    drawn = [
        _question(random, at, [articles[title] for title in titles])
        for at in random.sample(range(size), min(queries, size))
    ]
    return Pool(passages, tuple(drawn))


def _passage(random: Random, article: Article) -> str:
    """Mostly the whole article under its title, else its first sentence, which has the name as well."""
    if random.random() < TITLED:
        return f"{article.title}\n{article.text}"
    return article.text.partition(". ")[0] + "."


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
