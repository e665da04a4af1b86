"""What can be put right about an entity: facts and names added, its type, and who is who."""

from recollect.model.ids import FACT_PREFIX, FactId, format_entity_id, is_id, read_id
from recollect.serve.web.framework.cards import find_entity_page
from recollect.serve.web.framework.pages import Action, ActionResult, PageRequest, optional_field, required_field
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.parameters import find_entity
from recollect.surfaces.recollect.remember import remember
from recollect.write.entity_edits import edit_entity
from recollect.write.merge import merge, split_off
from recollect.write.names import add_alias

WEB_SOURCE = "written in the web app"


def add_fact(request: PageRequest) -> ActionResult:
    """Record a fact about the entity, as the everyday surface would."""
    target = "object" if request.text("target_kind") == "entity" else "value"
    fact: dict[str, object] = {
        "subject": {"id": request.path["id"]},
        "predicate": required_field(request, "predicate", 100),
        target: required_field(request, "target"),
    }
    for name in ("valid_from", "valid_until"):
        if request.text(name):
            fact[name] = request.text(name)
    if request.text("replaces"):
        fact["replaces"] = True
    source = optional_field(request, "source") or WEB_SOURCE
    result = remember(request.acting("remember"), facts=[fact], source=source).value
    recorded = result["facts"][0]
    message = f"{recorded['outcome'].capitalize()}: {recorded['text']}"
    return ActionResult(f"entity/{request.path['id']}", message, result.get("undo"))


def add_name(request: PageRequest) -> ActionResult:
    alias = required_field(request, "alias", 200)
    with request.acting("add_alias").write() as change:
        entity = find_entity_page(change, request.path["id"])
        if not add_alias(change, entity, alias):
            raise InvalidInput(f"{entity.name} is already known as {alias}", field="alias")
        return ActionResult(f"entity/{request.path['id']}", f"{entity.name} is also known as {alias}.", change.tx)


def edit(request: PageRequest) -> ActionResult:
    """Rename or retype the entity."""
    name, type_ = required_field(request, "name", 200), required_field(request, "type", 64)
    with request.acting("edit_entity").write() as change:
        entity = find_entity_page(change, request.path["id"])
        edit_entity(change, entity, entity._replace(name=name, type=type_.strip().lower().replace(" ", "_")))
        undo = change.own_tx
    return ActionResult(f"entity/{request.path['id']}", f"Saved {name}.", undo)


def merge_with(request: PageRequest) -> ActionResult:
    """Merge another entity into this one; undoing separates them."""
    other_name = required_field(request, "other", 200)
    memory = request.acting("merge")
    with memory.write() as change:
        entity = find_entity_page(change, request.path["id"])
        other = find_entity(memory, change, other_name, "other")
        joined = merge(change, other, entity)
        return ActionResult(
            f"entity/{format_entity_id(joined.id)}", f"{other.name} is now part of {joined.name}.", change.tx
        )


def split(request: PageRequest) -> ActionResult:
    """Move some facts to a new entity; undoing joins the two again."""
    name = required_field(request, "name", 200)
    chosen = [str(each) for each in request.form.getlist("fact")]
    facts = {FactId(read_id(each, FACT_PREFIX)) for each in chosen if is_id(each, FACT_PREFIX)}
    with request.acting("split").write() as change:
        entity = find_entity_page(change, request.path["id"])
        other = split_off(change, entity, name, facts)
        return ActionResult(
            f"entity/{format_entity_id(other.id)}", f"{len(facts)} facts moved to a new {name}.", change.tx
        )


ENTITY_CHANGES = (
    Action("entity/{id}/split", split),
    Action("entity/{id}/facts", add_fact),
    Action("entity/{id}/aliases", add_name),
    Action("entity/{id}/edit", edit),
    Action("entity/{id}/merge", merge_with),
)
