import type { Db } from '../db.ts';

/**
 * Rows of calls whose trace is `$1`, to be read from: those with that trace, and the one that has it as its own id. That
 * one is looked for in each source: there are few, and the index begins with them. `began_at` is when a call began.
 */
export const callsOfTrace = ({ schema }: Pick<Db, 'schema'>): string => `(
  select c.*, coalesce(c.at, ${schema}.time_of_uuid(c.id)) as began_at from ${schema}.endpoint_call_log c where c.trace_id = $1::uuid
  union all
  select c.*, coalesce(c.at, ${schema}.time_of_uuid(c.id)) as began_at from ${schema}.endpoint_source e cross join lateral (
    select * from ${schema}.endpoint_call_log o where o.source_id = e.id and o.id = $1::uuid offset 0
  ) c where c.trace_id is null
)`;
