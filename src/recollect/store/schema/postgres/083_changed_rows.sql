-- Which rows of a workspace have changed since it began to be copied to another database. Filled by triggers that exist
-- only meanwhile, whose arguments are the workspace and the columns of the key.
CREATE TABLE changed_row (
  ws BIGINT NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  changed TEXT NOT NULL,
  key JSONB NOT NULL,
  PRIMARY KEY (ws, number)
);

CREATE FUNCTION note_changed_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved BIGINT := TG_ARGV[0];
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.ws = moved THEN
    INSERT INTO changed_row (ws, changed, key)
    SELECT moved, TG_TABLE_NAME, JSONB_OBJECT_AGG(k, TO_JSONB(OLD) -> k) FROM UNNEST(TG_ARGV[1:]) k;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.ws = moved THEN
    INSERT INTO changed_row (ws, changed, key)
    SELECT moved, TG_TABLE_NAME, JSONB_OBJECT_AGG(k, TO_JSONB(NEW) -> k) FROM UNNEST(TG_ARGV[1:]) k;
  END IF;
  RETURN NULL;
END $$;
