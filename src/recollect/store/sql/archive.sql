-- What an archive holds of the graph: the whole of it.

-- name: archive_statements
SELECT @fact_columns FROM fact f
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND @known(s) AND s.deleted IS NULL
WHERE f.ws = :ws AND f.object IS NULL AND f.certainty <> 'retracted' AND @known(f)
