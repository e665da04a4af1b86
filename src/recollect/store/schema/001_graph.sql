-- Every versioned row names the tx that began it and the tx that ended it; 9223372036854775807 is an open end.
-- Every table and key starts with the workspace, so that the schema shards by it.

CREATE TABLE workspace (
  ws BIGINT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  last_tx BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE tx (
  ws BIGINT NOT NULL,
  tx BIGINT NOT NULL,
  at BIGINT NOT NULL,
  surface TEXT NOT NULL,
  tool TEXT NOT NULL,
  actor TEXT NOT NULL,
  undoes BIGINT,
  PRIMARY KEY (ws, tx)
);
CREATE INDEX tx_at ON tx (ws, at, tx);

CREATE TABLE setting (
  ws BIGINT NOT NULL,
  key TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, key, tx_from)
);

CREATE TABLE definition (
  ws BIGINT NOT NULL,
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, kind, slug, tx_from)
);

CREATE TABLE predicate (
  ws BIGINT NOT NULL,
  name TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  first_surface TEXT NOT NULL,
  is_symmetric SMALLINT NOT NULL,
  PRIMARY KEY (ws, name, tx_from)
);

CREATE TABLE entity (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  provisional SMALLINT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  properties TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  confirmed_at BIGINT NOT NULL,
  reason TEXT NOT NULL,
  merged_into TEXT,
  deleted TEXT,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX entity_begun ON entity (ws, tx_from);
CREATE INDEX entity_ended ON entity (ws, tx_to) WHERE tx_to < 9223372036854775807;
CREATE INDEX entity_of_type ON entity (ws, type, tx_to);

CREATE TABLE name (
  ws BIGINT NOT NULL,
  folded TEXT NOT NULL,
  entity TEXT NOT NULL,
  kind TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  spelling TEXT NOT NULL,
  key TEXT NOT NULL,
  digits TEXT NOT NULL,
  type TEXT NOT NULL,
  PRIMARY KEY (ws, folded, entity, kind, tx_from)
);
CREATE INDEX name_of_entity ON name (ws, entity, tx_to);
CREATE INDEX name_key ON name (ws, digits, key, entity, type);
CREATE INDEX name_plain_key ON name (ws, key);
CREATE INDEX name_begun ON name (ws, tx_from);
CREATE INDEX name_ended ON name (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- The vocabulary of name tokens and its deletion neighbourhood: an index, so neither versioned nor undone.
CREATE TABLE token_variant (
  ws BIGINT NOT NULL,
  variant TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (ws, variant, token)
);
CREATE TABLE name_word (
  ws BIGINT NOT NULL,
  token TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (ws, token, key)
);

CREATE TABLE fact (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT,
  literal TEXT,
  label TEXT NOT NULL,
  fact_type TEXT NOT NULL,
  policy TEXT NOT NULL,
  slot BIGINT NOT NULL,
  is_alias SMALLINT NOT NULL,
  words TEXT,
  evidence TEXT,
  valid_from TEXT,
  from_lo BIGINT,
  from_hi BIGINT,
  from_grain TEXT,
  valid_until TEXT,
  until_lo BIGINT,
  until_hi BIGINT,
  until_grain TEXT,
  begins BIGINT NOT NULL,
  until_said_at BIGINT,
  source_at BIGINT NOT NULL,
  recorded_at BIGINT NOT NULL,
  confirmed_at BIGINT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  certainty TEXT NOT NULL,
  source_kind TEXT NOT NULL,
  stale SMALLINT NOT NULL,
  replaced_by TEXT,
  disputed SMALLINT NOT NULL,
  supersedes TEXT,
  attributes TEXT NOT NULL,
  newest TEXT NOT NULL,
  source_count BIGINT NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX fact_of_subject ON fact (ws, subject, tx_to);
CREATE INDEX fact_of_object ON fact (ws, object, tx_to) WHERE object IS NOT NULL;
CREATE INDEX fact_in_slot ON fact (ws, slot, tx_to);
CREATE INDEX fact_of_predicate ON fact (ws, predicate, tx_to);
CREATE INDEX fact_superseding ON fact (ws, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX fact_begun ON fact (ws, tx_from);
CREATE INDEX fact_ended ON fact (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE dispute (
  ws BIGINT NOT NULL,
  one TEXT NOT NULL,
  other TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (ws, one, other, tx_from)
);
CREATE INDEX dispute_other ON dispute (ws, other, tx_to);
CREATE INDEX dispute_begun ON dispute (ws, tx_from);
CREATE INDEX dispute_ended ON dispute (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE assertion (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  fact TEXT NOT NULL,
  document TEXT,
  source_key TEXT NOT NULL,
  source_url TEXT,
  given TEXT,
  quote TEXT,
  evidence TEXT,
  extracted_by TEXT NOT NULL,
  surface TEXT NOT NULL,
  tool TEXT NOT NULL,
  actor TEXT NOT NULL,
  source_at BIGINT NOT NULL,
  recorded_at BIGINT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  certainty TEXT NOT NULL,
  source_kind TEXT NOT NULL,
  valid_from TEXT,
  from_lo BIGINT,
  from_hi BIGINT,
  from_grain TEXT,
  valid_until TEXT,
  until_lo BIGINT,
  until_hi BIGINT,
  until_grain TEXT,
  begins BIGINT NOT NULL,
  attributes TEXT NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX assertion_of_fact ON assertion (ws, fact, tx_to);
CREATE INDEX assertion_of_document ON assertion (ws, document, tx_to) WHERE document IS NOT NULL;
CREATE INDEX assertion_retracting ON assertion (ws, fact) WHERE certainty = 'retracted';
CREATE INDEX assertion_begun ON assertion (ws, tx_from);
CREATE INDEX assertion_ended ON assertion (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE document (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  title TEXT,
  author TEXT,
  url TEXT,
  source_at BIGINT NOT NULL,
  content TEXT,
  properties TEXT NOT NULL,
  deleted TEXT,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX document_key ON document (ws, kind, key, tx_to);
CREATE INDEX document_at ON document (ws, source_at);
CREATE INDEX document_begun ON document (ws, tx_from);
CREATE INDEX document_ended ON document (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- Texts by their hash: a new version of a document that keeps its text does not copy it.
CREATE TABLE content (
  ws BIGINT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (ws, hash)
);

CREATE TABLE mention (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  entity TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  PRIMARY KEY (ws, document, entity, tx_from)
);
CREATE INDEX mention_of_entity ON mention (ws, entity, tx_to);
CREATE INDEX mention_begun ON mention (ws, tx_from);
CREATE INDEX mention_ended ON mention (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- Lines already taken in, by the hash of what they say; versioned, so that undoing a line lets it come again.
CREATE TABLE line (
  ws BIGINT NOT NULL,
  hash TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  PRIMARY KEY (ws, hash, tx_from)
);
CREATE INDEX line_begun ON line (ws, tx_from);
CREATE INDEX line_ended ON line (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE embedding (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (ws, model, hash)
);

CREATE TABLE job (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  error TEXT,
  PRIMARY KEY (ws, id)
);
CREATE INDEX job_due ON job (ws, due_at);

CREATE TABLE access_token (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  PRIMARY KEY (ws, id)
);
CREATE UNIQUE INDEX access_token_hash ON access_token (hash);
