"""Language models: any compatible endpoint, and a scripted one for tests. Optional everywhere."""

from recollect.llm.choose import model_for
from recollect.llm.port import Ask, BadAnswer, Json, Model, ModelUnavailable

__all__ = ["Ask", "BadAnswer", "Json", "Model", "ModelUnavailable", "model_for"]
