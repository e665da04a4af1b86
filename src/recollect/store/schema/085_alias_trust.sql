-- How far whoever gave an entity this name is trusted; names that were given before count as the owner's.
ALTER TABLE name ADD COLUMN trust TEXT NOT NULL DEFAULT 'owner';
