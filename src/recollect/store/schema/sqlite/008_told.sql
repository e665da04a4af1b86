-- What is open to all or to some is found by what it says of itself.
CREATE INDEX fact_shown_to ON fact (ws, attributes ->> 'visibility', tx_to) WHERE attributes <> '{}';
CREATE INDEX fact_known_to ON fact (ws, substr(attributes ->> 'known_to', 1, 400), tx_to)
WHERE attributes ->> 'visibility' = 'common';
CREATE INDEX document_shown_to ON document (ws, properties ->> 'visibility', tx_to) WHERE properties <> '{}';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('told_of', 'sqlite_autoindex_told_of_1', '100000 100000 20 1 1 1'),
  ('told_of', 'told_of_fact', '100000 100000 5 5'),
  ('told_of', 'told_of_teller', '100000 100000 20 15'),
  ('told_of', 'told_of_document', '100000 100000 5 5'),
  ('told_of', 'told_of_encounter', '100000 100000 5 5'),
  ('told_of', 'told_of_begun', '100000 100000 5'),
  ('told_of', 'told_of_ended', '10000 10000 5'),
  ('retcon', 'sqlite_autoindex_retcon_1', '1000 1000 1 1 1'),
  ('retcon', 'retcon_begun', '1000 1000 2'),
  ('retcon', 'retcon_ended', '1000 1000 2'),
  ('document', 'document_of_encounter', '100000 100000 1 1'),
  ('fact', 'fact_shown_to', '100000 100000 1000 900'),
  ('fact', 'fact_known_to', '10000 10000 100 90'),
  ('document', 'document_shown_to', '10000 10000 500 400');
ANALYZE sqlite_schema;
