-- Of the names that one transaction gave an entity, which came first.
ALTER TABLE name ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
