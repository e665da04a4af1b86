-- The inner parts of the tokens of names, each marked by a slash, beside their beginnings: a text that stands in the
-- middle of a name is found by them.
INSERT INTO token_variant (ws, variant, token)
WITH RECURSIVE part (ws, token, place) AS (
  SELECT ws, token, 2 FROM token_variant WHERE variant = token AND LENGTH(token) > 2
  UNION ALL
  SELECT ws, token, place + 1 FROM part WHERE place + 2 <= LENGTH(token)
)
SELECT ws, '/' || SUBSTR(token, place, 24), token FROM part WHERE TRUE
ON CONFLICT DO NOTHING;
