"""An invented and a real world for times in prose, and what is asked of them."""

from recollect.memory import Memory
from tests.surfaces.lore_engine.telling_tools import Builder, Json

MONTHS = [{"name": name, "days": 30} for name in ("Rime", "Sowing", "Blaze", "Reaping")]
PAIR = ("Marrow", "Crimson Pact")


def build_invented(memory: Memory) -> None:
    world = Builder(memory)
    world.do("define_calendar", name="Hearth Count", months=MONTHS)
    world.do("define_era", name="Third Age", start=1, end=500, abbreviation="TA")
    world.do("define_era", name="Fourth Age", start=501, end=900, abbreviation="FO")
    world.do("add_entity", label="Event", name="The Breaking", properties={"date": "third_age.year_330"})
    world.do("add_entity", label="Event", name="Long Frost", properties={})
    ruler = {"born": "third_age.year_260", "died": "third_age.year_320"}
    world.do("add_entity", label="Person", name="King Osric", properties=ruler)
    world.do("add_entity", label="Location", name="Vale", properties={})
    reign = {"valid_from": "third_age.year_290", "valid_until": "third_age.year_320"}
    world.do("add_relation", **{"from": "King Osric", "relation": "RULES", "to": "Vale", **reign})
    add_ends(world)


def build_real(memory: Memory) -> None:
    world = Builder(memory)
    world.do("add_entity", label="Event", name="Peace of Harn", properties={"date": "1641"})
    add_ends(world)


def add_ends(world: Builder) -> None:
    for name in (*PAIR, "House Lorn"):
        world.do("add_entity", label="Faction", name=name, properties={})
    for name in ("Ysmay", "Corin"):
        world.do("add_entity", label="Person", name=name, properties={})
    world.do("add_entity", label="Location", name="Eastmark", properties={})


def tell(world: Builder, sentence: str, **more: object) -> Json:
    said: Json = world.do("add_lore_source", title="annals", source_type="prose", content=sentence, **more)
    return said


def holds(world: Builder, at: str, *, relation: str = "ALLIED_WITH", ends: tuple[str, str] = PAIR) -> bool:
    said = world.do("was_true_at", subject=ends[0], relation=relation, object=ends[1], at_time=at)
    return said["was_true"] is True


def covers(world: Builder, at: str) -> str:
    said = world.do("was_true_at", subject=PAIR[0], relation="ALLIED_WITH", object=PAIR[1], at_time=at)
    return str(said["coverage"])


def ta(*years: int) -> list[str]:
    return [f"third_age.year_{each}" for each in years]
