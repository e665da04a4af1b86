-- Facts whose subject or object may be several entities: not recorded until a person decides which one is meant.
CREATE TABLE held_fact (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  document TEXT,
  candidates TEXT NOT NULL,
  held_at BIGINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX held_fact_open ON held_fact (ws, tx_to, held_at);
CREATE INDEX held_fact_begun ON held_fact (ws, tx_from);
CREATE INDEX held_fact_ended ON held_fact (ws, tx_to) WHERE tx_to < 9223372036854775807;
