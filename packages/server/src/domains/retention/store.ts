import { dropMonth, type Executor, type Month, monthsOf, type Tx } from '../../platform/db/index.ts';

/**
 * Tables of runs with their details and counts, and of copies between data sources. One transaction removes a month of
 * all of them.
 */
export const runTables = [
  'runs',
  'run_days',
  'run_totals',
  'deliveries',
  'run_messages',
  'run_attachments',
  'run_attachment_parts',
  'migration_executions',
  'migration_rejected_rows',
] as const;
export const auditTables = ['audit_events'] as const;

/** Returns the month of the first retained day. The whole month is retained. */
export async function keptFrom(executor: Executor, keepDays: number): Promise<Month> {
  const { rows } = await executor.query<{ month: Month }>(
    `select to_char((now() - $1 * interval '1 day') at time zone 'UTC', 'YYYY-MM') as month`,
    [keepDays],
  );
  const [row] = rows;
  if (!row) throw new Error('The database told no time.');
  return row.month;
}

/** Returns the months of a table before `firstRetained`, oldest first. */
export const monthsBefore = async (
  executor: Executor,
  table: string,
  firstRetained: Month,
): Promise<Month[]> => (await monthsOf(executor, table)).filter((month) => month < firstRetained);

/** Removes a month of runs with their details and counts. Returns the number of runs. */
export async function dropRuns(tx: Tx, month: Month): Promise<number> {
  const { rows } = await tx.query<{ runs: number }>(
    `select coalesce(sum(runs), 0)::bigint as runs from svc.run_totals
     where day >= ($1 || '-01')::date and day < ($1 || '-01')::date + interval '1 month'`,
    [month],
  );
  await tx.query(
    `delete from svc.run_counts_open where day >= ($1 || '-01')::date and day < ($1 || '-01')::date + interval '1 month'`,
    [month],
  );
  // Last, because this locks the tables until the transaction ends.
  await dropMonth(tx, runTables, month);
  return rows[0]?.runs ?? 0;
}

export const dropAuditEvents = (tx: Tx, month: Month): Promise<void> => dropMonth(tx, auditTables, month);

/** Removes expired rows that belong to no month. Returns the number of runs. */
export async function dropRestOfRuns(tx: Tx, firstRetained: Month): Promise<number> {
  const first = `($1 || '-01')::timestamp at time zone 'UTC'`;
  const { rowCount } = await tx.query(`delete from svc.runs_rest where due_at < ${first}`, [firstRetained]);
  for (const table of ['deliveries', 'run_messages', 'run_attachments', 'run_attachment_parts'])
    await tx.query(`delete from svc.${table}_rest where run_due_at < ${first}`, [firstRetained]);
  await tx.query(`delete from svc.migration_executions_rest where created_time < ${first}`, [firstRetained]);
  await tx.query(`delete from svc.migration_rejected_rows_rest where execution_created_time < ${first}`, [
    firstRetained,
  ]);
  for (const table of ['run_days_rest', 'run_totals_rest', 'run_counts_open'])
    await tx.query(`delete from svc.${table} where day < ($1 || '-01')::date`, [firstRetained]);
  return rowCount ?? 0;
}

export async function dropRestOfAudit(tx: Tx, firstRetained: Month): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from svc.audit_events_rest where occurred_at < ($1 || '-01')::timestamp at time zone 'UTC'`,
    [firstRetained],
  );
  return rowCount ?? 0;
}

export type Kept = {
  readonly kind:
    | 'Runs'
    | 'AuditEvents'
    | 'Notices'
    | 'Evaluations'
    | 'Samples'
    | 'FailedJobs'
    | 'LlmContents';
  /** Null: no data yet. */
  readonly oldestAt: Date | null;
  /** Time of the last removal; null: never. */
  readonly removedAt: Date | null;
};

/** Returns the oldest row and the last removal of each kind. */
export async function readKept(executor: Executor): Promise<Kept[]> {
  const { rows } = await executor.query<Kept>(
    `select k.kind, k."oldestAt", (select e.occurred_at from svc.audit_events e
       where e.event = 'retention.removed' and e.detail->>'kind' = k.kind
       order by e.occurred_at desc limit 1) as "removedAt"
     from (values
       ('Runs', (select due_at from svc.runs order by due_at, id limit 1)),
       ('AuditEvents', (select occurred_at from svc.audit_events order by occurred_at, id limit 1)),
       ('Notices', (select min(created_time) from svc.notices)),
       ('Evaluations', (select min(created_time) from svc.contract_evaluations)),
       ('Samples', (select min(e.created_time) from svc.contract_rule_results r
         join svc.contract_evaluations e on e.id = r.evaluation_id where r.sample_sealed is not null)),
       ('LlmContents', (select min(kept_at) from svc.llm_contents)),
       ('FailedJobs', (select min(finished_at) from svc_jobs.job where state = 'Failed'))) as k (kind, "oldestAt")`,
  );
  return rows;
}
