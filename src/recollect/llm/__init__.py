"""Language models: any compatible endpoint. Optional everywhere."""

from recollect.llm.factory import language_model_for
from recollect.llm.port import BadAnswer, Json, LanguageModel, ModelRequest, ModelUnavailable

__all__ = ["BadAnswer", "Json", "LanguageModel", "ModelRequest", "ModelUnavailable", "language_model_for"]
