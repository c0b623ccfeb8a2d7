-- The slot: the time for which a schedule made the job. Unlike `due_at`, which is the time of the next attempt, it
-- never changes, so that it can identify what the job makes. Null for a job that no schedule made.
alter table __schema__.job add column slot_at timestamptz;

-- A schedule stores its last 100 ticks, so that this reads and writes few rows.
update __schema__.job j set slot_at = t.due_at from __schema__.schedule_tick t where t.job_id = j.id;

create function __schema__.refuse_other_slot() returns trigger language plpgsql as $$
begin
  raise exception 'The slot of a job never changes.';
end
$$;
-- Fires for no statement that leaves the column out.
create trigger slot_never_changes before update of slot_at on __schema__.job
  for each row when (old.slot_at is distinct from new.slot_at) execute function __schema__.refuse_other_slot();

-- Processes of the version before this one make jobs of schedules without a slot. At that moment the job is due at its
-- slot.
create function __schema__.add_slot() returns trigger language plpgsql as $$
begin
  new.slot_at := date_trunc('milliseconds', new.due_at);
  return new;
end
$$;
create trigger slot_of_schedule before insert on __schema__.job
  for each row when (new.schedule_key is not null and new.slot_at is null) execute function __schema__.add_slot();

-- `claim_ready` with the slot. The earlier one remains for processes of the version before this one: a function cannot
-- return more columns under the same name while they use it.
create function __schema__.claim_next(
  p_queue text, p_names text[], p_count integer, p_lease_ms float8, p_worker_id uuid, p_now timestamptz
) returns table (
  id uuid, name text, fence integer, attempt smallint, attempts_max smallint, trace_id uuid, spawned_by uuid,
  batch_id uuid, schedule_key text, due_ms float8, slot_ms float8, priority smallint, payload jsonb, metadata jsonb
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
    date_part('epoch', j.due_at) * 1000, date_part('epoch', j.slot_at) * 1000, j.priority, j.payload, j.metadata;
end
$$;
