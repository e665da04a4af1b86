"""Countries and their continents: which of two places cannot be the same or lie in one another."""

from collections.abc import Mapping
from functools import cache

# Countries that lie on two continents stand under both.
_COUNTRIES = {
    "europe": "albania,andorra,austria,belarus,belgium,bosnia,bulgaria,croatia,cyprus,czechia,czech republic,denmark,"
    "england,estonia,finland,france,germany,greece,hungary,iceland,ireland,italy,latvia,liechtenstein,lithuania,"
    "luxembourg,malta,moldova,monaco,montenegro,netherlands,north macedonia,northern ireland,norway,poland,portugal,"
    "romania,russia,scotland,serbia,slovakia,slovenia,spain,sweden,switzerland,turkey,ukraine,united kingdom,wales",
    "asia": "afghanistan,armenia,azerbaijan,bahrain,bangladesh,bhutan,cambodia,china,cyprus,georgia,india,indonesia,"
    "iran,iraq,israel,japan,jordan,kazakhstan,kuwait,kyrgyzstan,laos,lebanon,malaysia,maldives,mongolia,myanmar,nepal,"
    "north korea,oman,pakistan,philippines,qatar,russia,saudi arabia,singapore,south korea,sri lanka,syria,taiwan,"
    "tajikistan,thailand,turkey,turkmenistan,united arab emirates,uzbekistan,vietnam,yemen",
    "africa": "algeria,angola,benin,botswana,burkina faso,burundi,cameroon,chad,congo,egypt,eritrea,ethiopia,gabon,"
    "gambia,ghana,guinea,ivory coast,kenya,lesotho,liberia,libya,madagascar,malawi,mali,mauritania,mauritius,morocco,"
    "mozambique,namibia,niger,nigeria,rwanda,senegal,sierra leone,somalia,south africa,sudan,tanzania,togo,tunisia,"
    "uganda,zambia,zimbabwe",
    "north america": "barbados,belize,canada,costa rica,cuba,dominican republic,el salvador,guatemala,haiti,honduras,"
    "jamaica,mexico,nicaragua,panama,united states",
    "south america": "argentina,bolivia,brazil,chile,colombia,ecuador,guyana,paraguay,peru,suriname,uruguay,venezuela",
    "oceania": "australia,fiji,new zealand,papua new guinea,samoa,tonga",
}
_OTHER_NAMES = {"usa": "united states", "us": "united states", "uk": "united kingdom", "britain": "united kingdom",
                "great britain": "united kingdom", "america": "united states", "holland": "netherlands"}  # fmt: skip
_PARTS = {"england": "united kingdom", "scotland": "united kingdom", "wales": "united kingdom",
          "northern ireland": "united kingdom"}  # fmt: skip
_AMERICA = frozenset(("north america", "south america"))
LONGEST_COUNTRY = 3


@cache
def _regions() -> Mapping[str, frozenset[str]]:
    """For every country and continent the places that it lies in, and itself."""
    found: dict[str, set[str]] = {continent: {continent} for continent in _COUNTRIES}
    for continent, names in _COUNTRIES.items():
        for name in names.split(","):
            found.setdefault(name, {name}).add(continent)
    for part, whole in _PARTS.items():
        found[part].add(whole)
    return {name: frozenset(regions) for name, regions in found.items()}


def find_region(name: str) -> str | None:
    """The country or continent that a folded name stands for."""
    name = _OTHER_NAMES.get(name, name)
    return name if name in _regions() else None


def are_regions_apart(one: str, other: str) -> bool:
    """Whether neither of two countries or continents lies in the other."""
    regions = _regions()
    return one not in regions[other] and other not in regions[one]
