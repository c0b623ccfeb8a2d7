-- What a parameter leaves out and its default say the same: definitions that differ in this alone are one definition.

create function svc.normal_query_parameters(parameters jsonb) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_agg(
    case when p.value -> 'isRequired' = 'true' then jsonb_strip_nulls(p.value) - 'isRequired' else jsonb_strip_nulls(p.value) end
    order by p.ordinality), '[]')
  from jsonb_array_elements(parameters) with ordinality as p
$$;

create or replace function svc.query_definition_hash(name text, description text, final_query text, parameters jsonb, steps jsonb)
  returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(
    jsonb_build_array(name, description, final_query, svc.normal_query_parameters(parameters), steps)::text, 'UTF8')), 'hex')
$$;

-- A stored column is computed where what it is made of is written.
update svc.query_versions set parameters = parameters;
