INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('said', 'sqlite_autoindex_said_1', '100000 100000 2 1'),
  ('record_identity', 'sqlite_autoindex_record_identity_1', '100000 100000 20000 1'),
  ('awaited', 'sqlite_autoindex_awaited_1', '1000000 1000000 20 1');
ANALYZE sqlite_schema;
