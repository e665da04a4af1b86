-- Names for moments, and who ever pulled or pushed: bookkeeping, so neither versioned nor part of a transaction.
CREATE TABLE snapshot (
  ws BIGINT NOT NULL,
  category TEXT NOT NULL,
  stem TEXT NOT NULL,
  at BIGINT NOT NULL,
  tx BIGINT NOT NULL,
  reason TEXT NOT NULL,
  source TEXT NOT NULL,
  flagged SMALLINT NOT NULL,
  label TEXT,
  -- A text that never became a version, with all that belongs to it.
  held TEXT,
  PRIMARY KEY (ws, category, stem, at)
);
CREATE INDEX snapshot_at ON snapshot (ws, at);

CREATE TABLE instance (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT,
  version DOUBLE PRECISION,
  synced_at BIGINT NOT NULL,
  synced_tx BIGINT NOT NULL,
  PRIMARY KEY (ws, id)
);

-- How reading memories for entities and facts has gone, over the life of the workspace.
CREATE TABLE extraction_health (
  ws BIGINT NOT NULL PRIMARY KEY,
  attempts BIGINT NOT NULL,
  successes BIGINT NOT NULL,
  nodes BIGINT NOT NULL,
  edges BIGINT NOT NULL,
  attempted_at BIGINT,
  succeeded_at BIGINT,
  failed_at BIGINT,
  error TEXT
);
