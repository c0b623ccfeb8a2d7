-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.refuse_other_slot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The slot of a job never changes.';
end
$function$;
