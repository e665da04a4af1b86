INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('message', 'sqlite_autoindex_message_1', '1000000 1000000 100 1 1'),
  ('message', 'message_begun', '1000000 1000000 100'),
  ('message', 'message_ended', '100000 100000 100'),
  ('chat_bullet', 'sqlite_autoindex_chat_bullet_1', '100000 100000 20 5 1 1'),
  ('chat_bullet', 'chat_bullet_begun', '100000 100000 20'),
  ('chat_bullet', 'chat_bullet_ended', '10000 10000 20'),
  ('forgotten', 'sqlite_autoindex_forgotten_1', '1000 1000 1');
ANALYZE sqlite_schema;
