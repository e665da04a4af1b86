-- fragment: memory_key
d.key COLLATE "C"

-- fragment: join
STRING_AGG(CAST(

-- fragment: joined
AS TEXT), ',')
