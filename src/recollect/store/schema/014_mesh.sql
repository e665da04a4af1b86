-- Accounts whose bodies may be fetched, and what fetching has used: bookkeeping, never part of a transaction.
CREATE TABLE mesh_account (
  ws BIGINT NOT NULL,
  connector TEXT NOT NULL,
  account TEXT NOT NULL,
  path TEXT NOT NULL,
  enabled SMALLINT NOT NULL,
  refetch SMALLINT NOT NULL,
  retention_days BIGINT,
  PRIMARY KEY (ws, connector, account)
);
CREATE TABLE mesh_secret (
  ws BIGINT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);
CREATE TABLE mesh_token_used (
  ws BIGINT NOT NULL,
  token TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (ws, token)
);
CREATE TABLE mesh_use (
  ws BIGINT NOT NULL,
  at BIGINT NOT NULL,
  id TEXT NOT NULL,
  session TEXT NOT NULL,
  tokens BIGINT NOT NULL,
  PRIMARY KEY (ws, at, id)
);
CREATE TABLE mesh_slot (
  ws BIGINT NOT NULL,
  id TEXT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (ws, id)
);
-- Which document has its body where: an index, so neither versioned nor undone.
CREATE TABLE mesh_body (
  ws BIGINT NOT NULL,
  uri TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (ws, uri, document)
);

-- Other MCP servers whose tools are shown beside ours; secrets stay in the environment, only their names are here.
CREATE TABLE external_server (
  ws BIGINT NOT NULL,
  name TEXT NOT NULL,
  enabled SMALLINT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (ws, name)
);

-- Attached files that are no text, in base64; what is text is held as any document's.
CREATE TABLE attached (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (ws, document)
);
