import type { FirstSteps } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';

type Scope = {
  /** Condition on `svc.runs` as `r`. */
  readonly visibleRuns: RawBuilder<boolean>;
  /** Null means all projects. */
  readonly projectIds: readonly number[] | null;
  readonly seesAllSources: boolean;
};

/**
 * Returns which kinds of records exist in the given projects, apart from the demo. One statement that reads at most one
 * row per kind.
 */
export async function readFirstSteps(
  executor: Executor,
  { visibleRuns, projectIds, seesAllSources }: Scope,
): Promise<FirstSteps> {
  const isReached = sql`(${projectIds}::int[] is null or q.project_id = any(${projectIds}))`;
  const own = sql`from svc.subscriptions s join svc.queries q on q.id = s.query_id
    where not s.is_demo and ${isReached}`;
  const { rows } = await sql<FirstSteps>`
    with reached as materialized (
      select p.id, p.is_demo from svc.projects p
      where p.archived_at is null and (${projectIds}::int[] is null or p.id = any(${projectIds})))
    select exists (select from reached where not is_demo) as "hasProject",
      exists (select from svc.data_sources d where d.archived_at is null and not d.is_demo and (${seesAllSources} or exists (
        select from svc.project_data_sources l join reached p on p.id = l.project_id
        where l.data_source_id = d.id))) as "hasDataSource",
      exists (select from svc.queries q where q.archived_at is null and not q.is_demo and ${isReached}) as "hasQuery",
      (select s.id ${own} order by s.archived_at is not null, s.id desc limit 1) as "subscriptionId",
      exists (select ${own} and (
        select r.status from svc.runs r where r.subscription_id = s.id and ${visibleRuns}
        order by r.due_at desc, r.id desc limit 1) = 'Sent') as "hasSent"`.execute(executor.kysely);
  const [row] = rows;
  if (!row) throw new Error('One row was asked for.');
  return row;
}
