INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('entity', 'entity_provisional', '100000 100000 90000');
ANALYZE sqlite_schema;
