-- fragment: has_role
STRPOS(e.properties, '"concept_role"') > 0

-- fragment: artifact_source
x.source COLLATE "C"

-- fragment: name_part
v.variant COLLATE "C"

-- fragment: token_holds
STRPOS(v.token, :text) > 0
