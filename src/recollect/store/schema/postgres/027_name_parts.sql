CREATE INDEX token_variant_part ON token_variant (ws, (variant COLLATE "C")) WHERE variant LIKE '/%';
