INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('memory_link', 'sqlite_autoindex_memory_link_1', '1000000 1000000 20 2 1 1'),
  ('memory_link', 'memory_link_other', '1000000 1000000 20 15'),
  ('memory_link', 'memory_link_begun', '1000000 1000000 20'),
  ('memory_link', 'memory_link_ended', '100000 100000 20'),
  ('memory_place', 'sqlite_autoindex_memory_place_1', '1000000 1000000 1'),
  ('memory_place', 'memory_in_stream', '1000000 1000000 10000 2 1'),
  ('memory_trait', 'sqlite_autoindex_memory_trait_1', '1000000 1000000 900000 10 1'),
  ('memory_trait', 'memory_trait_of', '1000000 1000000 5'),
  ('title', 'sqlite_autoindex_title_1', '1000000 1000000 2 1');
ANALYZE sqlite_schema;
