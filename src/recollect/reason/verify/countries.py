"""Countries and their continents: which of two places cannot be the same or lie in one another."""

from collections.abc import Mapping
from functools import cache

from recollect.text.content_words import content_token

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
                "great britain": "united kingdom", "america": "united states"}  # fmt: skip
_PARTS = {"england": "united kingdom", "scotland": "united kingdom", "wales": "united kingdom",
          "northern ireland": "united kingdom"}  # fmt: skip
_ADJECTIVES = {
    "american": "united states", "british": "united kingdom", "english": "england", "scottish": "scotland",
    "welsh": "wales", "irish": "ireland", "french": "france", "german": "germany", "italian": "italy",
    "spanish": "spain", "portuguese": "portugal", "dutch": "netherlands", "belgian": "belgium",
    "swiss": "switzerland", "austrian": "austria", "swedish": "sweden", "norwegian": "norway", "danish": "denmark",
    "finnish": "finland", "icelandic": "iceland", "polish": "poland", "czech": "czechia", "hungarian": "hungary",
    "romanian": "romania", "bulgarian": "bulgaria", "greek": "greece", "turkish": "turkey", "russian": "russia",
    "ukrainian": "ukraine", "serbian": "serbia", "croatian": "croatia", "chinese": "china", "japanese": "japan",
    "vietnamese": "vietnam", "thai": "thailand", "indian": "india", "pakistani": "pakistan", "iranian": "iran",
    "iraqi": "iraq", "israeli": "israel", "egyptian": "egypt", "moroccan": "morocco", "nigerian": "nigeria",
    "kenyan": "kenya", "ethiopian": "ethiopia", "canadian": "canada", "mexican": "mexico", "brazilian": "brazil",
    "argentine": "argentina", "argentinian": "argentina", "chilean": "chile", "colombian": "colombia",
    "peruvian": "peru", "cuban": "cuba", "jamaican": "jamaica", "australian": "australia", "european": "europe",
    "african": "africa", "asian": "asia",
}  # fmt: skip
# Parts of countries: a town may lie in one.
_REGIONS = {
    "united states": "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,"
    "illinois,indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,"
    "missouri,montana,nebraska,nevada,new hampshire,new jersey,new mexico,north carolina,north dakota,ohio,oklahoma,"
    "oregon,pennsylvania,rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,west virginia,"
    "wisconsin,wyoming",
    "canada": "alberta,british columbia,manitoba,new brunswick,newfoundland,nova scotia,ontario,quebec,saskatchewan",
    "australia": "new south wales,queensland,south australia,tasmania,victoria,western australia",
    "germany": "bavaria,saxony,thuringia,hesse,saarland,brandenburg,lower saxony,rhineland,westphalia,swabia,franconia",
    "austria": "styria,tyrol,carinthia,burgenland,vorarlberg,lower austria,upper austria",
    "england": "yorkshire,lancashire,kent,essex,sussex,surrey,cornwall,devon,dorset,somerset,norfolk,suffolk,cumbria,"
    "cheshire,derbyshire,shropshire,hampshire,northumberland,durham,lincolnshire,wiltshire,gloucestershire",
    "france": "brittany,normandy,burgundy,alsace,lorraine,provence,gascony,picardy,champagne,corsica",
    "italy": "tuscany,umbria,lombardy,piedmont,veneto,liguria,calabria,apulia,sicily,sardinia,lazio,campania",
    "spain": "catalonia,andalusia,galicia,aragon,castile,navarre,asturias,extremadura",
    "switzerland": "ticino,valais,vaud,aargau,thurgau,jura",
    "netherlands": "holland,friesland,zeeland,brabant,limburg,gelderland",
}
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
    for country, parts in _REGIONS.items():
        for name in parts.split(","):
            found.setdefault(name, {name}).update(found[country])
    return {name: frozenset(regions) for name, regions in found.items()}


def find_region(name: str) -> str | None:
    """The country or continent that a folded name stands for."""
    name = _OTHER_NAMES.get(name, name)
    return name if name in _regions() else None


@cache
def region_of_adjective(token: str) -> str | None:
    """The country or continent of a nationality, by its token."""
    return {content_token(word): region for word, region in _ADJECTIVES.items()}.get(token)


def are_regions_apart(one: str, other: str) -> bool:
    """Whether neither of two countries or continents lies in the other."""
    regions = _regions()
    return one not in regions[other] and other not in regions[one]
