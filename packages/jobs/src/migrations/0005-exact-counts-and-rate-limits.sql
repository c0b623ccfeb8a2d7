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
