"""Names of invented people, towns and works, for articles drawn at random."""

from dataclasses import dataclass, field
from random import Random

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
