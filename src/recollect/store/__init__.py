"""Storage: engines, schema, named queries, views and transactions; the only ring that knows SQL."""
