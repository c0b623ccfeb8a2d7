-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.add_slot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.slot_at := date_trunc('milliseconds', new.due_at);
  return new;
end
$function$;
