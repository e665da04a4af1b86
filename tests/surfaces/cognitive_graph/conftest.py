from tests.surfaces.cognitive_graph.asking import graph

__all__ = ["graph"]
