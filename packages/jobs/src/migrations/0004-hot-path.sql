-- The two statements that every job goes through, as functions: so that their plans are kept, and are the right ones
-- whatever the table looked like when they were made. As a prepared statement, a plan made on an empty table reads the
-- whole table until the next analyze, and one for a claim of unknown size is made for a tenth of the backlog.

create function __schema__.claim_ready(
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
    select r.id from __schema__.job r
    where r.queue = p_queue and r.state = 'Enqueued' and r.concurrency_key is null and r.name = any(p_names)
    order by r.priority desc, r.due_at, r.id limit p_count for update skip locked
  )
  update __schema__.job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1, started_at = v_now,
    lease_until = v_lease_until, worker_id = p_worker_id, progress = null, progress_text = null,
    dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
  from picked where j.id = picked.id
  returning j.id, j.name, j.fence, j.attempt, j.attempts_max, j.trace_id, j.spawned_by, j.batch_id, j.schedule_key,
    date_part('epoch', j.due_at) * 1000, j.priority, j.payload, j.metadata;
end
$$;

-- A row is this worker's as long as it carries the fence and has a lease: only running jobs have one, and unlike the
-- state it is in no index, so that the rows are found by their ids.
create function __schema__.complete_attempts(
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
    returning j.id, j.name, j.batch_id, i.duration_ms
  ),
  counted as (
    insert into __schema__.job_counter (at, name, completed, duration_ms)
    select v_now, d.name, count(*), sum(d.duration_ms) from done d group by d.name
  )
  select count(*)::integer, coalesce(bool_or(d.batch_id is not null), false),
    case when count(*) < cardinality(p_ids) then array_agg(d.id) end
  into completed, is_awaited, ids
  from done d;
  is_awaited := is_awaited or exists (select from __schema__.job c where c.state = 'AwaitingParent');
end
$$;
