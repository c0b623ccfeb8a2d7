-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.claim_at_rate(p_queue text, p_names text[], p_count integer, p_lease_ms double precision, p_worker_id uuid, p_now timestamp with time zone, p_queue_limit integer, p_rate_names text[], p_rate_limits integer[], p_rate_intervals_ms double precision[])
 RETURNS SETOF svc_jobs.job
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
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
    select k.key, l.max_running, r.running, t.starts
    from keys k
    left join "svc_jobs".concurrency_limit l on l.key = k.key
    cross join lateral (
      select count(*) as running from "svc_jobs".job r where r.state = 'Processing' and r.concurrency_key = k.key
    ) r
    left join lateral (
      select q.max_starts - coalesce(w.used, 0) as starts
      from unnest(p_rate_names, p_rate_limits) as q (name, max_starts)
      left join "svc_jobs".rate_window w on w.key = k.key and w.ends_at > v_now
      -- A key begins with the name of its job.
      where q.name = k.key or starts_with(k.key, q.name || ':')
      order by length(q.name) desc limit 1
    ) t on true
    where k.key is not null and r.running < coalesce(l.max_running, 2147483647) and coalesce(t.starts, 1) > 0
    limit 500
  ),
  candidates as (
    select c.id, c.priority, c.due_at
    from free f
    cross join lateral (
      select j.id, j.priority, j.due_at, least(coalesce(f.max_running, j.concurrency_limit, 1) - f.running, f.starts) as room,
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
  ),
  claimed as (
    update "svc_jobs".job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1,
      started_at = v_now, lease_until = v_now + p_lease_ms * interval '1 millisecond', worker_id = p_worker_id,
      progress = null, progress_text = null,
      dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
    from picked where j.id = picked.id
    returning j.*
  ),
  started as (
    insert into "svc_jobs".rate_window as w (key, ends_at, used, is_full)
    select c.concurrency_key, v_now + q.interval_ms * interval '1 millisecond', count(*), count(*) >= q.max_starts
    from claimed c join unnest(p_rate_names, p_rate_limits, p_rate_intervals_ms) as q (name, max_starts, interval_ms)
      on q.name = c.name
    where c.concurrency_key is not null
    group by c.concurrency_key, q.interval_ms, q.max_starts
    on conflict (key) do update set
      ends_at = case when w.ends_at > v_now then w.ends_at else excluded.ends_at end,
      used = case when w.ends_at > v_now then w.used else 0 end + excluded.used,
      is_full = case when w.ends_at > v_now then w.used else 0 end + excluded.used >= (
        select q.max_starts from claimed c join unnest(p_rate_names, p_rate_limits) as q (name, max_starts)
          on q.name = c.name
        where c.concurrency_key = excluded.key limit 1
      )
  )
  select * from claimed;
end
$function$;
