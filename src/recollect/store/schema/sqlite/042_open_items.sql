-- Messages of one thread.
CREATE INDEX document_thread ON document (ws, properties ->> 'thread_id', tx_to)
WHERE properties ->> 'thread_id' IS NOT NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('fact', 'fact_item', '10000 10000 20 1 1 1 1 1 1'),
  ('entity', 'entity_deleted', '1000 1000 1'),
  ('document', 'document_thread', '100000 100000 5 4');
ANALYZE sqlite_schema;
