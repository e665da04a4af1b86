-- Sync between devices: who this store is, which transactions came from others, and with whom it exchanges them.
-- It belongs to one installation, so it is neither versioned nor exported.
CREATE TABLE sync_device (
  ws BIGINT NOT NULL PRIMARY KEY,
  id TEXT NOT NULL
);

-- A transaction of another device: its number there, and the local one that holds its rows.
CREATE TABLE sync_origin (
  ws BIGINT NOT NULL,
  device TEXT NOT NULL,
  number BIGINT NOT NULL,
  tx BIGINT NOT NULL,
  stamp BIGINT NOT NULL,
  seen TEXT NOT NULL,
  PRIMARY KEY (ws, device, number)
);
CREATE INDEX sync_origin_tx ON sync_origin (ws, tx);

CREATE TABLE sync_peer (
  ws BIGINT NOT NULL,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  synced_at BIGINT,
  PRIMARY KEY (ws, name)
);
