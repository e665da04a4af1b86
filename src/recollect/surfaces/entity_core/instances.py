"""Who acts: the instance that a call names, else whoever the client is."""

from dataclasses import replace

from recollect.keep.forms import fit_instance
from recollect.memory import Memory
from recollect.model.actor import LOCAL


def instance_of(memory: Memory, given: str | None) -> str:
    """The instance that acts; a caller without a name is `unknown`."""
    if given is not None:
        return given
    actor = memory.actor
    return fit_instance(actor.client or (None if actor.name == LOCAL else actor.name))


def acting_as(memory: Memory, given: str | None) -> Memory:
    """The memory in the hands of the instance, which is then the actor of the transaction."""
    return replace(memory, actor=replace(memory.actor, name=instance_of(memory, given)))
