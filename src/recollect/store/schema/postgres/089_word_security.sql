-- The words of passages and facts behind the wall, too. A GIN index is of no use behind a condition on the rows, since its
-- operator is not leakproof; so the condition is left out on a connection that says that it searches, as ours do: every
-- query of theirs names the workspace.

-- Called immutable though it reads a setting: so it is computed when a query is planned, and no condition is left.
CREATE FUNCTION searches_words() RETURNS BOOLEAN LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN COALESCE(CURRENT_SETTING('recollect.searches_words', TRUE), '') = 'yes';
END $$;

DROP POLICY IF EXISTS of_workspace ON chunk_word;
ALTER TABLE chunk_word ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON chunk_word USING (
  searches_words()
  OR ws = (SELECT NULLIF(NULLIF(CURRENT_SETTING('recollect.ws', TRUE), 'all'), '')::BIGINT)
  OR (SELECT CURRENT_SETTING('recollect.ws', TRUE)) = 'all'
);

DROP POLICY IF EXISTS of_workspace ON fact_word;
ALTER TABLE fact_word ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON fact_word USING (
  searches_words()
  OR ws = (SELECT NULLIF(NULLIF(CURRENT_SETTING('recollect.ws', TRUE), 'all'), '')::BIGINT)
  OR (SELECT CURRENT_SETTING('recollect.ws', TRUE)) = 'all'
);

-- The audit log names workspaces and the ids in them; it is written and read for all of them together.
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_all_workspaces ON audit_entry USING ((SELECT CURRENT_SETTING('recollect.ws', TRUE)) = 'all');
