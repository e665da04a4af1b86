"""A surface of three tools, to prove the machinery without a store."""
