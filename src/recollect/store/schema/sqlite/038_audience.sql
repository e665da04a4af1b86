-- One index for both questions, so that a fact that says nothing of its audience is looked at once and not read as JSON.
DROP INDEX fact_known_to;
DROP INDEX fact_shown_to;
CREATE INDEX fact_shown_to ON fact (
  ws, attributes ->> 'visibility', substr(attributes ->> 'known_to', 1, 400), tx_to
) WHERE attributes <> '{}';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('fact', 'fact_shown_to', '100000 100000 1000 100 90');
ANALYZE sqlite_schema;
