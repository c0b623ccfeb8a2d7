-- Increments of endpoint statistics that were stored: those whose answer was lost are not added a second time.
create table __schema__.endpoint_flush (
  id uuid primary key,
  at timestamptz not null default now()
);
create index endpoint_flush_at on __schema__.endpoint_flush (at);

-- The claim finds the rows that it has locked by their place, not by another look into the index of ids. A row that
-- was moved between the two is left for the next claim.
create or replace function __schema__.claim_ready(
  p_queue text, p_names text[], p_count integer, p_lease_ms float8, p_worker_id uuid, p_now timestamptz
) returns table (
  id uuid, name text, fence integer, attempt smallint, attempts_max smallint, trace_id uuid, spawned_by uuid,
  batch_id uuid, schedule_key text, due_ms float8, priority smallint, payload jsonb, metadata jsonb
) language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  v_now timestamptz := coalesce(p_now, now());
  v_lease_until timestamptz := v_now + p_lease_ms * interval '1 millisecond';
begin
  return query
  with picked as (
    select r.ctid from __schema__.job r
    where r.queue = p_queue and r.state = 'Enqueued' and r.concurrency_key is null and r.name = any(p_names)
    order by r.priority desc, r.due_at, r.id limit p_count for update skip locked
  )
  update __schema__.job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1, started_at = v_now,
    lease_until = v_lease_until, worker_id = p_worker_id, progress = null, progress_text = null,
    dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
  from picked where j.ctid = picked.ctid
  returning j.id, j.name, j.fence, j.attempt, j.attempts_max, j.trace_id, j.spawned_by, j.batch_id, j.schedule_key,
    date_part('epoch', j.due_at) * 1000, j.priority, j.payload, j.metadata;
end
$$;


-- The rows that were completed are gone through once. Which they were is asked only when they are not all.
create or replace function __schema__.complete_attempts(
  p_ids uuid[], p_fences integer[], p_durations_ms integer[], p_retention_ms float8, p_now timestamptz,
  out completed integer, out is_awaited boolean, out ids uuid[]
) returns record language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  v_now timestamptz := coalesce(p_now, now());
  v_expire_at timestamptz := v_now + p_retention_ms * interval '1 millisecond';
begin
  with done as (
    update __schema__.job j set state = 'Completed', finished_at = v_now, lease_until = null, expire_at = v_expire_at,
      dedupe_key = null, error = null, started_at = v_now - i.duration_ms * interval '1 millisecond'
    from unnest(p_ids, p_fences, p_durations_ms) as i (id, fence, duration_ms)
    where j.id = i.id and j.fence = i.fence and j.lease_until is not null
    returning j.name, j.batch_id is not null as is_member, i.duration_ms
  ),
  totals as (
    select d.name, count(*) as jobs, sum(d.duration_ms) as duration_ms, bool_or(d.is_member) as has_member
    from done d group by d.name
  ),
  counted as (
    insert into __schema__.job_counter (at, name, completed, duration_ms)
    select v_now, t.name, t.jobs, t.duration_ms from totals t
  )
  select coalesce(sum(t.jobs), 0)::integer, coalesce(bool_or(t.has_member), false) into completed, is_awaited
  from totals t;
  if completed < cardinality(p_ids) then
    select array_agg(j.id) into ids
    from unnest(p_ids, p_fences) as i (id, fence) join __schema__.job j on j.id = i.id and j.fence = i.fence
    where j.state = 'Completed' and j.finished_at = v_now;
  end if;
  is_awaited := is_awaited or exists (select from __schema__.job c where c.state = 'AwaitingParent');
end
$$;

-- Starts of jobs with a rate limit: the window begins with the first start after the last one ended.
create table __schema__.rate_window (
  key text primary key,
  ends_at timestamptz not null,
  used integer not null,
  is_full boolean not null
);
create index rate_window_full on __schema__.rate_window (ends_at) where is_full;

-- `claim_in_turn` with rate limits beside those of concurrency. The earlier one stays for processes of the version
-- before this.
create function __schema__.claim_at_rate(
  p_queue text, p_names text[], p_count integer, p_lease_ms float8, p_worker_id uuid, p_now timestamptz,
  -- Null when the queue has no limit of its own; then jobs without a key are not taken here.
  p_queue_limit integer,
  -- Jobs by name of which only so many may start for one key within an interval.
  p_rate_names text[], p_rate_limits integer[], p_rate_intervals_ms float8[]
) returns setof __schema__.job language plpgsql volatile as $$
declare
  v_now timestamptz := coalesce(p_now, now());
  v_count integer := p_count;
begin
  perform pg_advisory_xact_lock(1785684595, hashtext('__schema__'));
  if p_queue_limit is not null then
    select least(p_count, p_queue_limit - count(*)) into v_count
    from __schema__.job r where r.state = 'Processing' and r.kind = 'Job' and r.queue = p_queue;
  end if;
  if v_count <= 0 then
    return;
  end if;
  return query
  with recursive keys as (
    (
      select j.concurrency_key as key from __schema__.job j
      where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is not null
      order by j.concurrency_key limit 1
    )
    union all
    select (
      select j.concurrency_key from __schema__.job j
      where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is not null and j.concurrency_key > k.key
      order by j.concurrency_key limit 1
    )
    from keys k where k.key is not null
  ),
  -- Keys that are full are passed over: there are no more of them than jobs that run.
  free as (
    select k.key, l.max_running, r.running, t.starts
    from keys k
    left join __schema__.concurrency_limit l on l.key = k.key
    cross join lateral (
      select count(*) as running from __schema__.job r where r.state = 'Processing' and r.concurrency_key = k.key
    ) r
    left join lateral (
      select q.max_starts - coalesce(w.used, 0) as starts
      from unnest(p_rate_names, p_rate_limits) as q (name, max_starts)
      left join __schema__.rate_window w on w.key = k.key and w.ends_at > v_now
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
        select * from __schema__.job j
        where j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key = f.key and j.name = any(p_names)
        order by j.priority desc, j.due_at, j.id limit v_count
      ) j
    ) c
    where c.place <= c.room
    union all
    (
      select j.id, j.priority, j.due_at from __schema__.job j
      where p_queue_limit is not null and j.queue = p_queue and j.state = 'Enqueued' and j.concurrency_key is null
        and j.name = any(p_names)
      order by j.priority desc, j.due_at, j.id limit v_count
    )
  ),
  picked as (
    select j.id from __schema__.job j
    where j.state = 'Enqueued' and j.id in (
      select c.id from candidates c order by c.priority desc, c.due_at, c.id limit v_count
    )
    for update skip locked
  ),
  claimed as (
    update __schema__.job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1,
      started_at = v_now, lease_until = v_now + p_lease_ms * interval '1 millisecond', worker_id = p_worker_id,
      progress = null, progress_text = null,
      dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
    from picked where j.id = picked.id
    returning j.*
  ),
  started as (
    insert into __schema__.rate_window as w (key, ends_at, used, is_full)
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
$$;
