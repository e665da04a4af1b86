-- Numbers never come twice and follow the order of commits, so a process that keeps signs in memory reads only new ones.
ALTER TABLE embedding ADD COLUMN number BIGINT GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX embedding_numbered ON embedding (ws, model, number);
ALTER TABLE vector_code ALTER COLUMN signs SET STORAGE EXTERNAL;
