-- Folios, and what was filed in them by one commit.
CREATE TABLE folio (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  readme TEXT,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX folio_named ON folio (ws, folded, tx_to);
CREATE INDEX folio_begun ON folio (ws, tx_from);
CREATE INDEX folio_ended ON folio (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE folio_commit (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  folio TEXT NOT NULL,
  -- What makes a repeat: the day and the hash of the text, or a key of the caller's.
  identity TEXT NOT NULL,
  committed_at BIGINT NOT NULL,
  documents TEXT NOT NULL,
  facts BIGINT NOT NULL,
  links BIGINT NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX folio_commit_identity ON folio_commit (ws, folio, identity, tx_to);
CREATE INDEX folio_commit_begun ON folio_commit (ws, tx_from);
CREATE INDEX folio_commit_ended ON folio_commit (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- Every version of a document that may be shown, by what it is asked for: an index, so neither versioned nor undone.
CREATE TABLE artifact (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  folio TEXT,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  recorded_at BIGINT NOT NULL,
  source_kind TEXT NOT NULL,
  PRIMARY KEY (ws, document, tx_from)
);
CREATE INDEX artifact_last ON artifact (ws, last_at);
CREATE INDEX artifact_recorded ON artifact (ws, recorded_at);
CREATE INDEX artifact_kind ON artifact (ws, kind, last_at);
CREATE INDEX artifact_folio ON artifact (ws, folio, last_at) WHERE folio IS NOT NULL;

CREATE TABLE artifact_tag (
  ws BIGINT NOT NULL,
  tag TEXT NOT NULL,
  document TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  PRIMARY KEY (ws, tag, document, tx_from)
);
CREATE INDEX artifact_tag_document ON artifact_tag (ws, document, tx_from);
