INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('snapshot', 'sqlite_autoindex_snapshot_1', '10000 10000 3000 10 1'),
  ('snapshot', 'snapshot_at', '10000 10000 10'),
  ('instance', 'sqlite_autoindex_instance_1', '20 20 1');
ANALYZE sqlite_schema;
