ALTER TABLE access_token ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';

CREATE TABLE member (
  ws BIGINT NOT NULL,
  subject TEXT NOT NULL,
  scope TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (ws, subject)
);
CREATE INDEX member_subject ON member (subject);

CREATE TABLE audit_entry (
  number BIGINT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  workspace TEXT NOT NULL,
  actor TEXT NOT NULL,
  client TEXT NOT NULL,
  surface TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL,
  ids TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE TABLE audit_chain (
  id BIGINT NOT NULL PRIMARY KEY,
  first_number BIGINT NOT NULL,
  first_hash TEXT NOT NULL,
  last_number BIGINT NOT NULL,
  last_hash TEXT NOT NULL
);
INSERT INTO audit_chain (id, first_number, first_hash, last_number, last_hash) VALUES (1, 0, '', 0, '');

CREATE TABLE idempotent_call (
  ws BIGINT NOT NULL,
  subject TEXT NOT NULL,
  key TEXT NOT NULL,
  call TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer BLOB,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (ws, subject, key)
);
CREATE INDEX idempotent_call_age ON idempotent_call (created_at);
