import type { Executor, Tx } from '../../platform/db/index.ts';

/** Ids of the demo's records. `isRemoved` is true after a user removed the demo; it is then never created again. */
export type DemoRecord = {
  projectId: number;
  shopId: number;
  targetsId: number;
  reportsId?: number;
  recipientId: number;
  subscriptionId: number;
  isRemoved: boolean;
};

const key = 'Demo:Installation';
export async function readInstallation(executor: Executor): Promise<DemoRecord | undefined> {
  const { rows } = await executor.query<{ value: DemoRecord }>(
    'select value from svc.runtime_settings where key = $1',
    [key],
  );
  return rows[0]?.value;
}

export async function saveInstallation(executor: Executor, record: DemoRecord): Promise<void> {
  await executor.query(
    'insert into svc.runtime_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value, version = svc.runtime_settings.version + 1, changed_at = now()',
    [key, JSON.stringify(record)],
  );
}

/** Tables whose records can belong to the demo, in the order of archiving. */
const demoTables = [
  'subscriptions',
  'recipients',
  'queries',
  'migration_jobs',
  'data_contracts',
  'data_sources',
  'projects',
] as const;
export type DemoTable = (typeof demoTables)[number];

/**
 * Marks a record as part of the demo. It can then be removed with the demo, and is transferred to the first
 * administrator.
 */
export async function markAsDemo(executor: Executor, table: DemoTable, id: number): Promise<void> {
  await executor.query(`update svc.${table} set is_demo = true where id = $1`, [id]);
}

/** Transfers records of the system to the first administrator, in the transaction of the setup. */
export async function takeOver(tx: Tx, userId: number): Promise<void> {
  for (const table of demoTables) {
    await tx.query(
      `update svc.${table} set created_by_user_id = $1 where is_demo and created_by_user_id is null`,
      [userId],
    );
  }
  for (const table of ['subscriptions', 'migration_jobs', 'data_contracts']) {
    await tx.query(`update svc.${table} set owner_user_id = $1 where is_demo and owner_user_id is null`, [
      userId,
    ]);
  }
  await tx.query(
    `insert into svc.project_members (project_id, user_id, role, added_by_user_id)
     select id, $1, 'ProjectAdmin', $1 from svc.projects where is_demo and archived_at is null on conflict do nothing`,
    [userId],
  );
}

/** Archives all records of the demo. The caller must have stopped its subscriptions before. */
export async function archiveDemo(executor: Executor): Promise<void> {
  for (const table of demoTables) {
    await executor.query(
      `update svc.${table} set archived_at = now(), updated_at = now(), version = version + 1 where is_demo and archived_at is null`,
    );
  }
}

/** Returns ids of demo records that have a schedule. */
export async function demoIds(
  executor: Executor,
  table: 'subscriptions' | 'data_contracts',
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.${table} where is_demo and archived_at is null`,
  );
  return rows.map((row) => row.id);
}
