-- A second wall behind the condition on ws that every query has: of a table with workspaces a transaction sees the rows of
-- the workspace in its setting recollect.ws, every row if that is 'all', and none without it.
-- Superusers and roles with BYPASSRLS are not held by it.

-- Roles that may read one workspace with SQL of their own.
CREATE TABLE workspace_reader (
  ws BIGINT NOT NULL,
  role TEXT NOT NULL PRIMARY KEY
);

CREATE FUNCTION workspace_tables() RETURNS SETOF NAME LANGUAGE sql STABLE AS $$
  SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'ws' AND NOT a.attisdropped
  WHERE c.relnamespace = CURRENT_SCHEMA()::REGNAMESPACE AND c.relkind IN ('r', 'p') ORDER BY c.relname
$$;

-- Called after every migration, so that new tables are behind the wall and open to the same readers.
-- The words of passages and facts are left to their queries: a GIN index is of no use behind a policy, since its operator
-- is not leakproof. Their lexemes begin with the workspace, and say nothing without the rows they point to.
CREATE FUNCTION protect_workspaces() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  protected NAME;
  visible VARCHAR;
  reader RECORD;
BEGIN
  FOR protected IN SELECT t FROM workspace_tables() t JOIN pg_class c ON c.oid = t::REGCLASS WHERE NOT c.relforcerowsecurity LOOP
    visible := CASE WHEN protected IN ('chunk_word', 'fact_word') THEN 'TRUE' ELSE
      'ws = (SELECT NULLIF(NULLIF(CURRENT_SETTING(''recollect.ws'', TRUE), ''all''), '''')::BIGINT)'
      ' OR (SELECT CURRENT_SETTING(''recollect.ws'', TRUE)) = ''all''' END;
    EXECUTE FORMAT('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', protected);
    EXECUTE FORMAT('CREATE POLICY of_workspace ON %I USING (%s)', protected, visible);
  END LOOP;
  FOR reader IN SELECT r.role, r.ws, t FROM workspace_reader r, workspace_tables() t
    WHERE t NOT IN ('access_token', 'member', 'idempotent_call', 'workspace_reader')
    AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t::REGCLASS AND p.polname = FORMAT('only for %s', r.role)::NAME)
  LOOP
    EXECUTE FORMAT('CREATE POLICY %I ON %I FOR SELECT TO %I USING (ws = %s)', 'also for ' || reader.role, reader.t, reader.role, reader.ws);
    EXECUTE FORMAT('CREATE POLICY %I ON %I AS RESTRICTIVE TO %I USING (ws = %s)', 'only for ' || reader.role, reader.t, reader.role, reader.ws);
    EXECUTE FORMAT('GRANT SELECT ON %I TO %I', reader.t, reader.role);
  END LOOP;
END $$;

-- Let a role read one workspace, and nothing else, with SQL of its own. It must have no other rights on these tables.
CREATE FUNCTION grant_workspace(reader VARCHAR, workspace_name VARCHAR) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  number BIGINT;
BEGIN
  PERFORM SET_CONFIG('recollect.ws', 'all', TRUE);
  SELECT ws INTO STRICT number FROM workspace WHERE name = workspace_name;
  INSERT INTO workspace_reader (ws, role) VALUES (number, reader);
  PERFORM protect_workspaces();
END $$;

CREATE FUNCTION revoke_workspace(reader VARCHAR) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  policy RECORD;
BEGIN
  PERFORM SET_CONFIG('recollect.ws', 'all', TRUE);
  FOR policy IN SELECT polname, polrelid::REGCLASS AS behind FROM pg_policy
    WHERE polname IN (FORMAT('also for %s', reader)::NAME, FORMAT('only for %s', reader)::NAME)
  LOOP
    EXECUTE FORMAT('DROP POLICY %I ON %s', policy.polname, policy.behind);
    EXECUTE FORMAT('REVOKE ALL ON %s FROM %I', policy.behind, reader);
  END LOOP;
  DELETE FROM workspace_reader WHERE role = reader;
END $$;
