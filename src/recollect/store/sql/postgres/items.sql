-- fragment: thread
(CAST(d.properties AS JSONB) ->> 'thread_id')

-- fragment: is_item
f.predicate IN @item_predicates
