CREATE TEMPORARY TABLE kept_under ON COMMIT DROP AS SELECT DISTINCT ws, variant, token FROM token_kept_under;
DROP VIEW token_kept_under;
TRUNCATE token_variant;
INSERT INTO token_variant (ws, variant, token) SELECT ws, variant, token FROM kept_under;
