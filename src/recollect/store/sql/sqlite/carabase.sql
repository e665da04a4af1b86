-- fragment: has_role
INSTR(e.properties, '"concept_role"') > 0

-- fragment: artifact_source
x.source

-- fragment: name_part
v.variant

-- fragment: token_holds
INSTR(v.token, :text) > 0
