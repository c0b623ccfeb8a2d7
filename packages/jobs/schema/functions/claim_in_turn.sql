-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.claim_in_turn(p_queue text, p_names text[], p_count integer, p_lease_ms double precision, p_worker_id uuid, p_now timestamp with time zone, p_queue_limit integer)
 RETURNS SETOF svc_jobs.job
 LANGUAGE plpgsql
AS $function$
declare
  v_now timestamptz := coalesce(p_now, now());
  v_count integer := p_count;
begin
  perform pg_advisory_xact_lock(1785684595, hashtext('"svc_jobs"'));
  if p_queue_limit is not null then
    select least(p_count, p_queue_limit - count(*)) into v_count
    from "svc_jobs".job r where r.state = 'Processing' and r.kind = 'Job' and r.queue = p_queue;
  end if;
  if v_count <= 0 then
    return;
  end if;
  return query
  with recursive keys as (
    (
      select j.concurrency_key as key from "svc_jobs".job j
      where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is not null
      order by j.concurrency_key limit 1
    )
    union all
    select (
      select j.concurrency_key from "svc_jobs".job j
      where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is not null and j.concurrency_key > k.key
      order by j.concurrency_key limit 1
    )
    from keys k where k.key is not null
  ),
  -- Keys that are full are passed over: there are no more of them than jobs that run.
  free as (
    select k.key, l.max_running, r.running
    from keys k
    left join "svc_jobs".concurrency_limit l on l.key = k.key
    cross join lateral (
      select count(*) as running from "svc_jobs".job r where r.state = 'Processing' and r.concurrency_key = k.key
    ) r
    where k.key is not null and r.running < coalesce(l.max_running, 2147483647)
    limit 500
  ),
  candidates as (
    select c.id, c.priority, c.due_at
    from free f
    cross join lateral (
      select j.id, j.priority, j.due_at, coalesce(f.max_running, j.concurrency_limit, 1) - f.running as room,
        row_number() over (order by j.priority desc, j.due_at, j.id) as place
      from (
        select * from "svc_jobs".job j
        where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key = f.key and j.name = any(p_names)
        order by j.priority desc, j.due_at, j.id limit v_count
      ) j
    ) c
    where c.place <= c.room
    union all
    (
      select j.id, j.priority, j.due_at from "svc_jobs".job j
      where p_queue_limit is not null and j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is null
        and j.name = any(p_names)
      order by j.priority desc, j.due_at, j.id limit v_count
    )
  ),
  picked as (
    select j.id from "svc_jobs".job j
    where j.state = 'Enqueued' and j.id in (
      select c.id from candidates c order by c.priority desc, c.due_at, c.id limit v_count
    )
    for update skip locked
  )
  update "svc_jobs".job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1, started_at = v_now,
    lease_until = v_now + p_lease_ms * interval '1 millisecond', worker_id = p_worker_id, progress = null,
    progress_text = null, dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
  from picked where j.id = picked.id
  returning j.*;
end
$function$;
