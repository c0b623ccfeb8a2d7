-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.claim_next(p_queue text, p_names text[], p_count integer, p_lease_ms double precision, p_worker_id uuid, p_now timestamp with time zone)
 RETURNS TABLE(id uuid, name text, fence integer, attempt smallint, attempts_max smallint, trace_id uuid, spawned_by uuid, batch_id uuid, schedule_key text, due_ms double precision, slot_ms double precision, priority smallint, payload jsonb, metadata jsonb)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_now timestamptz := coalesce(p_now, now());
  v_lease_until timestamptz := v_now + p_lease_ms * interval '1 millisecond';
begin
  return query
  with picked as (
    select r.ctid from "svc_jobs".job r
    where r.queue = p_queue and r.state = 'Enqueued' and r.concurrency_key is null and r.name = any(p_names)
    order by r.priority desc, r.due_at, r.id limit p_count for update skip locked
  )
  update "svc_jobs".job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1, started_at = v_now,
    lease_until = v_lease_until, worker_id = p_worker_id, progress = null, progress_text = null,
    dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
  from picked where j.ctid = picked.ctid
  returning j.id, j.name, j.fence, j.attempt, j.attempts_max, j.trace_id, j.spawned_by, j.batch_id, j.schedule_key,
    date_part('epoch', j.due_at) * 1000, date_part('epoch', j.slot_at) * 1000, j.priority, j.payload, j.metadata;
end
$function$;
