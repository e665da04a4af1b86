-- Entities that nobody confirmed yet, without looking at all the others.
CREATE INDEX entity_provisional ON entity (ws, tx_to) WHERE provisional = 1;
