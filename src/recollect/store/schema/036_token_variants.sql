-- What every token of a name is kept under from now on (model/spelling_variants.py): fewer variants, each without the letters of an
-- error, and its parts from every second place on. Each engine fills its table from here.
CREATE VIEW token_kept_under AS
WITH RECURSIVE word (ws, token, letters) AS MATERIALIZED (
  SELECT ws, token, LENGTH(token) FROM token_variant WHERE variant = token
),
cut (letters, one, two) AS (VALUES (4, 2, 3), (5, 3, 4), (6, 3, 4), (7, 3, 5)),
short_word (ws, token, letters, one, two) AS (
  SELECT w.ws, w.token, w.letters, c.one, c.two FROM word w JOIN cut c ON c.letters = w.letters
),
long_word (ws, token, letters) AS (SELECT ws, token, letters FROM word WHERE letters >= 8),
part (ws, token, letters, place) AS (
  SELECT ws, token, letters, 3 FROM word WHERE letters > 2
  UNION ALL
  SELECT ws, token, letters, place + 2 FROM part WHERE place + 2 <= letters
)
SELECT ws, token AS variant, token FROM word
UNION ALL
SELECT ws, letters || SUBSTR(token, 1, 1) || '/' || SUBSTR(token, one + 1), token FROM short_word
UNION ALL
SELECT ws, letters || SUBSTR(token, 1, one) || '/' || SUBSTR(token, two + 1), token FROM short_word
UNION ALL
SELECT ws, letters || SUBSTR(token, 1, two) || '/', token FROM short_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 5) || '/', token FROM long_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 1) || '/' || SUBSTR(token, letters - 3), token FROM long_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 3) || '/' || SUBSTR(token, letters - 3, 2) || '/', token FROM long_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 3) || '//' || SUBSTR(token, letters - 1), token FROM long_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 1) || '/' || SUBSTR(token, 4, 2) || '/' || SUBSTR(token, letters - 3, 2) || '/', token
FROM long_word
UNION ALL
SELECT ws, SUBSTR(token, 1, 1) || '/' || SUBSTR(token, 4, 2) || '//' || SUBSTR(token, letters - 1), token FROM long_word
UNION ALL
SELECT ws, '/' || SUBSTR(token, place, 24), token FROM part;
