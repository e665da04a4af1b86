-- Who was told which fact, at which encounter and by whom; no fact itself.
CREATE TABLE told_of (
  ws BIGINT NOT NULL,
  hearer TEXT NOT NULL,
  fact TEXT NOT NULL,
  encounter TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  document TEXT NOT NULL,
  teller TEXT,
  learned TEXT NOT NULL,
  learned_lo BIGINT NOT NULL,
  learned_hi BIGINT NOT NULL,
  learned_grain TEXT NOT NULL,
  PRIMARY KEY (ws, hearer, fact, encounter, tx_from)
);
CREATE INDEX told_of_fact ON told_of (ws, fact, tx_to);
CREATE INDEX told_of_teller ON told_of (ws, teller, tx_to) WHERE teller IS NOT NULL;
CREATE INDEX told_of_document ON told_of (ws, document, tx_to);
CREATE INDEX told_of_encounter ON told_of (ws, encounter, tx_to);
CREATE INDEX told_of_begun ON told_of (ws, tx_from);
CREATE INDEX told_of_ended ON told_of (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- A retcon of several facts at once: the first is named by the new fact itself, the further ones here.
CREATE TABLE retcon (
  ws BIGINT NOT NULL,
  old TEXT NOT NULL,
  fact TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  PRIMARY KEY (ws, old, fact, tx_from)
);
CREATE INDEX retcon_begun ON retcon (ws, tx_from);
CREATE INDEX retcon_ended ON retcon (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- The same encounter told again is known by its text.
CREATE INDEX document_of_encounter ON document (ws, content, tx_to) WHERE kind = 'encounter';
