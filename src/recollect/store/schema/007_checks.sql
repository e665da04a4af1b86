-- The consistency engine. Rules and flags are what people said, so they are versioned like all else they say.
-- Findings and runs are bookkeeping: they follow from the facts; a finding's tx_from and tx_to say when it was open.

CREATE TABLE ontology_rule (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  cypher TEXT,
  description TEXT,
  severity TEXT NOT NULL,
  enabled SMALLINT NOT NULL,
  min_confidence DOUBLE PRECISION NOT NULL,
  deleted TEXT,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX ontology_rule_begun ON ontology_rule (ws, tx_from);
CREATE INDEX ontology_rule_ended ON ontology_rule (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE review_flag (
  ws BIGINT NOT NULL,
  node TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  flagged_by TEXT NOT NULL,
  flagged_at BIGINT NOT NULL,
  PRIMARY KEY (ws, node, tx_from)
);
CREATE INDEX review_flag_of_kind ON review_flag (ws, kind, tx_to);
CREATE INDEX review_flag_begun ON review_flag (ws, tx_from);
CREATE INDEX review_flag_ended ON review_flag (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE finding (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  rule TEXT NOT NULL,
  category TEXT NOT NULL,
  severity TEXT NOT NULL,
  nodes TEXT NOT NULL,
  relations TEXT NOT NULL,
  message TEXT NOT NULL,
  details TEXT NOT NULL,
  detected_at BIGINT NOT NULL,
  resolved_at BIGINT,
  checked TEXT NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX finding_of_rule ON finding (ws, rule, tx_to);
CREATE INDEX finding_of_category ON finding (ws, category, tx_to);
CREATE INDEX finding_checked ON finding (ws, checked) WHERE tx_to = 9223372036854775807;

-- Every entity and fact that a finding names, for as long as it is remembered.
CREATE TABLE finding_part (
  ws BIGINT NOT NULL,
  part TEXT NOT NULL,
  finding TEXT NOT NULL,
  PRIMARY KEY (ws, part, finding)
);

CREATE TABLE check_run (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  tx BIGINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, id)
);

-- Whether the engine of a workspace is awake, and what it has yet to do.
CREATE TABLE check_state (
  ws BIGINT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, key)
);
