from asking import graph

__all__ = ["graph"]
