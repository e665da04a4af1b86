-- What is open to all or to some, found by what it says of itself.

-- fragment: fact_stands
f.stale = 0 AND f.certainty <> 'retracted' AND @known(f)

-- fragment: fact_is_common
f.attributes <> '{}' AND @fact_shown_to = 'common'

-- name: facts_shown_to
SELECT f.id FROM fact f
WHERE f.ws = :ws AND f.attributes <> '{}' AND @fact_shown_to = :level AND @fact_stands

-- name: documents_shown_to
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.properties <> '{}' AND @document_shown_to = :level AND @known(d)

-- name: facts_of_documents
SELECT DISTINCT a.fact FROM assertion a WHERE a.ws = :ws AND a.document IN_LIST(:documents) AND @known(a)

-- The beginnings of the lists of those that common facts are known to, each once, by jumping from one to the next.
-- name: known_to_lists
WITH RECURSIVE p(head) AS (
  SELECT MIN(@fact_known_to) FROM fact f WHERE f.ws = :ws AND @fact_is_common
  UNION ALL
  SELECT (
    SELECT MIN(@fact_known_to) FROM fact f WHERE f.ws = :ws AND @fact_is_common AND @fact_known_to > p.head
  ) FROM p WHERE p.head IS NOT NULL
)
SELECT head FROM p WHERE head IS NOT NULL

-- name: facts_known_to
SELECT f.id FROM fact f
WHERE f.ws = :ws AND @fact_is_common AND @fact_known_to IN_LIST(:heads) AND @fact_stands

-- fragment: fact_told_commonly
(@fact_own_word = 'common' OR @fact_own_word IS NULL AND EXISTS (
  SELECT 1 FROM assertion a
  JOIN document d ON d.ws = a.ws AND d.id = a.document AND @known(d)
  WHERE a.ws = :ws AND a.fact = f.id AND @known(a) AND @document_shown_to = 'common'
))

-- What is common at the ends of these groups, by itself or by a document.
-- name: facts_common_at
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:groups) AND @fact_stands AND @fact_told_commonly
UNION
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:groups) AND @fact_stands AND @fact_told_commonly
