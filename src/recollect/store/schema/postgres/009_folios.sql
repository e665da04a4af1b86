-- Ranges of sources by their bytes, whatever the collation of the database.
CREATE INDEX artifact_source ON artifact (ws, (source COLLATE "C"));
-- The few entities that stand for somebody: the one who speaks, and where they belong.
CREATE INDEX entity_with_role ON entity (ws, tx_to) WHERE STRPOS(properties, '"concept_role"') > 0;
