"""The HTTP API: the verbs of the everyday surface and `ingest`, as JSON over POST."""
