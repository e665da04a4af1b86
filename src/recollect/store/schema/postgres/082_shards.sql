-- Workspaces on several clusters. The catalogue is in the first database: a workspace that it does not name is there.
CREATE TABLE shard (
  name TEXT NOT NULL PRIMARY KEY,
  address TEXT NOT NULL,
  added_at BIGINT NOT NULL
);
CREATE TABLE shard_workspace (
  ws BIGINT NOT NULL PRIMARY KEY,
  shard TEXT NOT NULL,
  moving_to TEXT
);
-- The store that this database is a part of; empty as long as it has one database only.
CREATE TABLE shard_store (
  id TEXT NOT NULL PRIMARY KEY
);
-- The workspaces that were here and have moved away: a server that has not heard of it yet is told by this.
CREATE TABLE closed_workspace (
  ws BIGINT NOT NULL PRIMARY KEY
);

CREATE FUNCTION check_workspace_open(number BIGINT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM closed_workspace WHERE ws = number) THEN
    RAISE EXCEPTION 'workspace % has moved', number USING ERRCODE = 'RC001';
  END IF;
END $$;

-- Whoever moves a workspace holds the lock alone. The check is a statement of its own, so it sees what was committed
-- while we waited for the lock.
CREATE FUNCTION begin_workspace_write(number BIGINT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM PG_ADVISORY_XACT_LOCK_SHARED(7273303, number::INTEGER);
  PERFORM check_workspace_open(number);
END $$;
