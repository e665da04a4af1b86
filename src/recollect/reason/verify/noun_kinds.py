"""Common nouns by kind: what a noun implies, and which kinds nothing can belong to at once."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from recollect.text.content_words import content_token

# A kind, what it is a kind of, and its nouns; nouns before `;` mean the kind itself.
_KINDS = """
work
film < work: film movie; blockbuster biopic
series < work: series show; sitcom miniseries soap telenovela
song < work: song; single ballad anthem hymn carol
album < work: album; ep lp mixtape
book < work: book; novel novella memoir autobiography biography textbook cookbook thesaurus
painting < work: painting; watercolour fresco portrait
sculpture < work: sculpture; statue bust
game < work: game
magazine < work: magazine
newspaper < work: newspaper; tabloid
poem < work: poem; sonnet
opera < work: opera
podcast < work: podcast
video < work: video
place
settlement < place: settlement; city capital town village hamlet municipality
country < place: country nation
county < place: county
continent < place: continent
state < place: state; province
water < place
river < water: river; stream creek
lake < water: lake; reservoir
ocean < water: ocean sea
mountain < place: mountain; volcano
planet: planet
person: person human
man < person: man; king prince gentleman boy widower
woman < person: woman; queen princess lady girl actress waitress widow
scientist < person: scientist; physicist chemist biologist astronomer geologist botanist zoologist
musician < person: musician; singer guitarist pianist drummer violinist cellist bassist saxophonist flautist organist
  trumpeter rapper composer songwriter vocalist
writer < person: writer; author novelist poet playwright essayist screenwriter journalist columnist biographer
artist < person: artist; painter sculptor illustrator
performer < person: performer; entertainer
actor < performer: actor; actress comedian
sportsman < person: athlete sportsman; footballer cricketer swimmer sprinter boxer wrestler gymnast skater cyclist
player < person: player; quarterback midfielder goalkeeper linebacker footballer cricketer striker
doctor < person: doctor physician; surgeon cardiologist neurologist paediatrician psychiatrist
jurist < person: lawyer; barrister solicitor attorney
other person < person: teacher baker butcher carpenter plumber electrician engineer architect nurse dentist vet
  pharmacist farmer gardener fisherman sailor soldier pilot politician senator mayor governor president minister
  chancellor statesman director producer dancer choreographer photographer entertainer presenter
  mathematician philosopher historian economist psychologist librarian accountant cook chef tailor potter blacksmith
  entrepreneur businessman businesswoman businessperson activist revolutionary priest bishop monk nun rabbi imam
  policeman detective judge inventor explorer astronaut referee manager
animal: animal
dog < animal: dog; terrier poodle spaniel dachshund beagle greyhound labrador
cat < animal: cat; kitten
horse < animal: horse; pony mare stallion
bird < animal: bird; eagle sparrow parrot owl swan heron gull
fish < animal: fish; salmon trout cod herring shark
insect < animal: insect; beetle butterfly moth ant wasp
reptile < animal: reptile; snake lizard tortoise crocodile
group: group
band < group: band
company < group: company firm; airline brewery
university < group: university
vehicle: vehicle
car < vehicle: car automobile
ship < vehicle: ship; ferry frigate yacht
aircraft < vehicle: aircraft plane airplane aeroplane; helicopter
train < vehicle: train
plant: plant
tree < plant: tree; oak birch elm maple
food: food; cheese bread soup cake
drink: drink beverage; wine beer whisky gin vodka
language: language
instrument: instrument; violin cello guitar piano flute trumpet
building: building; castle cathedral skyscraper
"""
# Kinds that exclude each other, and with them all that are of these kinds.
_DISJOINT = (
    "work place person animal group vehicle plant food drink language instrument building planet",
    "film series song album book painting sculpture game magazine newspaper poem opera podcast video",
    "settlement county continent river lake ocean mountain",
    "country county settlement continent water mountain",
    "state settlement county continent water mountain",
    "dog cat horse bird fish insect reptile",
    "band company university",
    "car ship aircraft train",
)


class _Kind(NamedTuple):
    """A kind of things, what it is a kind of, the nouns that mean it, and those of what belongs to it."""

    name: str
    parent: str
    own: frozenset[str]
    members: frozenset[str]


@cache
def _kinds() -> Mapping[str, _Kind]:
    lines = _KINDS.strip().replace("\n  ", " ").splitlines()
    return {kind.name: kind for kind in map(_read_kind, lines)}


def _read_kind(line: str) -> _Kind:
    head, _, nouns = line.partition(":")
    name, _, parent = head.partition(" < ")
    own, _, members = nouns.partition(";") if ";" in nouns or name in nouns.split() else ("", "", nouns)
    return _Kind(name, parent, _tokens(own), _tokens(members))


def _tokens(nouns: str) -> frozenset[str]:
    return frozenset(map(content_token, nouns.split()))


@cache
def _kinds_of_nouns() -> Mapping[str, frozenset[str]]:
    """For every noun its kinds, with all that these are kinds of."""
    found: dict[str, set[str]] = {}
    for kind in _kinds().values():
        for noun in kind.own | kind.members:
            found.setdefault(noun, set()).update(_line_of(kind))
    return {noun: frozenset(kinds) for noun, kinds in found.items()}


def _line_of(kind: _Kind) -> list[str]:
    line = [kind.name]
    while parent := _kinds()[line[-1]].parent:
        line.append(parent)
    return line


def kinds_of(token: str) -> frozenset[str]:
    return _kinds_of_nouns().get(token, frozenset())


@cache
def implied_nouns(token: str) -> frozenset[str]:
    """The tokens of other nouns that are true of whatever a noun is true of: a terrier is a dog and an animal."""
    return frozenset[str]().union(*(_kinds()[kind].own for kind in kinds_of(token))) - {token}


@cache
def _exclusions() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in map(str.split, _DISJOINT):
        for kind in group:
            found.setdefault(kind, set()).update(each for each in group if each != kind)
    return {kind: frozenset(others) for kind, others in found.items()}


@cache
def are_exclusive(one: str, other: str) -> bool:
    """Whether nothing is both; nouns of unknown kind exclude nothing."""
    kinds, others = kinds_of(one), kinds_of(other)
    return any(_exclusions().get(kind, frozenset()) & others for kind in kinds)
