-- What all files and memories add up to after a transaction, so that a pull costs by the change: bookkeeping.
CREATE TABLE sync_state (
  ws BIGINT PRIMARY KEY,
  upto BIGINT NOT NULL,
  total TEXT NOT NULL
);
