CREATE INDEX artifact_source ON artifact (ws, source);
-- The few entities that stand for somebody: the one who speaks, and where they belong.
CREATE INDEX entity_with_role ON entity (ws, tx_to) WHERE INSTR(properties, '"concept_role"') > 0;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('folio', 'sqlite_autoindex_folio_1', '1000 1000 2 1'),
  ('folio', 'folio_named', '1000 1000 2 1'),
  ('folio', 'folio_begun', '1000 1000 1'),
  ('folio', 'folio_ended', '1000 1000 1'),
  ('folio_commit', 'sqlite_autoindex_folio_commit_1', '100000 100000 1 1'),
  ('folio_commit', 'folio_commit_identity', '100000 100000 100 1 1'),
  ('folio_commit', 'folio_commit_begun', '100000 100000 1'),
  ('folio_commit', 'folio_commit_ended', '100000 100000 1'),
  ('artifact', 'sqlite_autoindex_artifact_1', '1000000 1000000 2 1'),
  ('artifact', 'artifact_last', '1000000 1000000 300'),
  ('artifact', 'artifact_recorded', '1000000 1000000 20'),
  ('artifact', 'artifact_kind', '1000000 1000000 200000 100'),
  ('artifact', 'artifact_folio', '1000000 1000000 1000 2'),
  ('artifact', 'artifact_source', '1000000 1000000 2'),
  ('artifact_tag', 'sqlite_autoindex_artifact_tag_1', '1000000 1000000 1000 1 1'),
  ('artifact_tag', 'artifact_tag_document', '1000000 1000000 3 3'),
  ('entity', 'entity_with_role', '10 10 5');
ANALYZE sqlite_schema;
