-- fragment: memory_key
d.key

-- fragment: join
GROUP_CONCAT(

-- fragment: joined
)
