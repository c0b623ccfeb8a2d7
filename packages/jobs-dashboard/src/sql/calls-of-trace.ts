import type { Db } from '../db.ts';

/**
 * Returns a subquery for the calls of trace `$1`: calls with that trace id, and the call with that id and no trace id.
 * The latter is searched in each source, because sources are few and the index begins with them. `began_at` is the
 * start time.
 */
export const callsOfTrace = ({ schema }: Pick<Db, 'schema'>): string => `(
  select c.*, coalesce(c.at, ${schema}.time_of_uuid(c.id)) as began_at from ${schema}.endpoint_call_log c where c.trace_id = $1::uuid
  union all
  select c.*, coalesce(c.at, ${schema}.time_of_uuid(c.id)) as began_at from ${schema}.endpoint_source e cross join lateral (
    select * from ${schema}.endpoint_call_log o where o.source_id = e.id and o.id = $1::uuid offset 0
  ) c where c.trace_id is null
)`;
