-- fragment: fact_shown_to
f.attributes ->> 'visibility'

-- The same, but not for the index of it: what is asked about is found by its ends.
-- fragment: fact_own_word
(+f.attributes) ->> 'visibility'

-- fragment: fact_known_to
substr(f.attributes ->> 'known_to', 1, 400)

-- fragment: document_shown_to
d.properties ->> 'visibility'
