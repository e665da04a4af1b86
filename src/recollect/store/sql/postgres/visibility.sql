-- fragment: fact_shown_to
(CAST(f.attributes AS JSONB) ->> 'visibility')

-- fragment: fact_own_word
(CAST(f.attributes AS JSONB) ->> 'visibility')

-- fragment: fact_known_to
substr(CAST(f.attributes AS JSONB) ->> 'known_to', 1, 400)

-- fragment: document_shown_to
(CAST(d.properties AS JSONB) ->> 'visibility')
