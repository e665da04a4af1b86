-- Both tables are nothing but their key, so they are kept as the index they are. What they held is not overwritten, which
-- would write a large store twice: the words of the same names stand in it anew, and forgetting writes the whole file.
PRAGMA secure_delete = FAST;
CREATE TABLE kept_under (
  ws BIGINT NOT NULL,
  variant TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (ws, variant, token)
) WITHOUT ROWID;
INSERT INTO kept_under (ws, variant, token) SELECT ws, variant, token FROM token_kept_under WHERE TRUE
ON CONFLICT DO NOTHING;
DROP VIEW token_kept_under;
DROP TABLE token_variant;
ALTER TABLE kept_under RENAME TO token_variant;
CREATE TABLE word_of_name (
  ws BIGINT NOT NULL,
  token TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (ws, token, key)
) WITHOUT ROWID;
INSERT INTO word_of_name (ws, token, key) SELECT ws, token, key FROM name_word ORDER BY ws, token, key;
DROP TABLE name_word;
ALTER TABLE word_of_name RENAME TO name_word;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('token_variant', 'token_variant', '2000000 2000000 3 1'),
  ('name_word', 'name_word', '2000000 2000000 20 1');
ANALYZE sqlite_schema;
PRAGMA secure_delete = ON;
