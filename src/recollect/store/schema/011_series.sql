-- Sources of measurements and their single rows; versioned, so that as_of, undo and corrections work as for facts.
CREATE TABLE manifest (
  ws BIGINT NOT NULL,
  source TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, source, tx_from)
);
CREATE INDEX manifest_begun ON manifest (ws, tx_from);
CREATE INDEX manifest_ended ON manifest (ws, tx_to) WHERE tx_to < 9223372036854775807;

CREATE TABLE measurement (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  source TEXT NOT NULL,
  metric TEXT NOT NULL,
  at BIGINT NOT NULL,
  account TEXT NOT NULL,
  category TEXT NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (ws, id, tx_from)
);
CREATE INDEX measurement_at ON measurement (ws, source, metric, at);
CREATE INDEX measurement_begun ON measurement (ws, tx_from);
CREATE INDEX measurement_ended ON measurement (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- What stays of single rows past their retention: exact sums by day, and a mark by which each row is known again.
CREATE TABLE measured_day (
  ws BIGINT NOT NULL,
  source TEXT NOT NULL,
  metric TEXT NOT NULL,
  day BIGINT NOT NULL,
  account TEXT NOT NULL,
  category TEXT NOT NULL,
  total TEXT NOT NULL,
  n BIGINT NOT NULL,
  low DOUBLE PRECISION NOT NULL,
  high DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (ws, source, metric, day, account, category)
);
CREATE TABLE measurement_mark (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (ws, id)
);
