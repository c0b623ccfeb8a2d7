-- Members of batches and messages that have not ended: what their parent waits for, however many there were.
create index job_open_member on __schema__.job (batch_id)
  where batch_id is not null and state not in ('Completed', 'Failed', 'Cancelled');

-- Claims that have to count what runs elsewhere: jobs with a concurrency key, and all jobs of a queue with a limit.
-- Such claims take turns by an advisory lock. They are a function, since the count must see what the claim before
-- committed: each statement of a volatile function has a snapshot of its own, taken after the lock was got.
create function __schema__.claim_in_turn(
  p_queue text, p_names text[], p_count integer, p_lease_ms float8, p_worker_id uuid, p_now timestamptz,
  -- Null when the queue has no limit of its own; then jobs without a key are not taken here.
  p_queue_limit integer
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
    select k.key, l.max_running, r.running
    from keys k
    left join __schema__.concurrency_limit l on l.key = k.key
    cross join lateral (
      select count(*) as running from __schema__.job r where r.state = 'Processing' and r.concurrency_key = k.key
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
  )
  update __schema__.job j set state = 'Processing', fence = j.fence + 1, attempt = j.attempt + 1, started_at = v_now,
    lease_until = v_now + p_lease_ms * interval '1 millisecond', worker_id = p_worker_id, progress = null,
    progress_text = null, dedupe_key = case when j.dedupe_ends_at_start then null else j.dedupe_key end
  from picked where j.id = picked.id
  returning j.*;
end
$$;
