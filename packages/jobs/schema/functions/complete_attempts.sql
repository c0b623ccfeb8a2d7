-- Written by `npm run db:schema` from the migrations. Do not edit.

CREATE OR REPLACE FUNCTION svc_jobs.complete_attempts(p_ids uuid[], p_fences integer[], p_durations_ms integer[], p_retention_ms double precision, p_now timestamp with time zone, OUT completed integer, OUT is_awaited boolean, OUT ids uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_now timestamptz := coalesce(p_now, now());
  v_expire_at timestamptz := v_now + p_retention_ms * interval '1 millisecond';
begin
  with done as (
    update "svc_jobs".job j set state = 'Completed', finished_at = v_now, lease_until = null, expire_at = v_expire_at,
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
    insert into "svc_jobs".job_counter (at, name, completed, duration_ms)
    select v_now, t.name, t.jobs, t.duration_ms from totals t
  )
  select coalesce(sum(t.jobs), 0)::integer, coalesce(bool_or(t.has_member), false) into completed, is_awaited
  from totals t;
  if completed < cardinality(p_ids) then
    select array_agg(j.id) into ids
    from unnest(p_ids, p_fences) as i (id, fence) join "svc_jobs".job j on j.id = i.id and j.fence = i.fence
    where j.state = 'Completed' and j.finished_at = v_now;
  end if;
  is_awaited := is_awaited or exists (select from "svc_jobs".job c where c.state = 'AwaitingParent');
end
$function$;
