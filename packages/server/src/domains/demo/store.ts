import type { Executor, Tx } from '../../platform/db/index.ts';

/** What was installed: ids of the demo's records. `isRemoved` once somebody removed the demo: it never comes back. */
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

/** Tables whose records can belong to the demo, in the order in which they are archived. */
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

/** Marks a record as the demo's: it can be removed with the rest, and is handed to the first administrator. */
export async function markAsDemo(executor: Executor, table: DemoTable, id: number): Promise<void> {
  await executor.query(`update svc.${table} set is_demo = true where id = $1`, [id]);
}

/** Hands what belongs to the system to the first administrator, in the transaction of the setup. */
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

/** Archives everything of the demo; its subscriptions must have been stopped before. */
export async function archiveDemo(executor: Executor): Promise<void> {
  for (const table of demoTables) {
    await executor.query(
      `update svc.${table} set archived_at = now(), updated_at = now(), version = version + 1 where is_demo and archived_at is null`,
    );
  }
}

/** What of the demo still runs on a schedule. */
export async function demoIds(
  executor: Executor,
  table: 'subscriptions' | 'data_contracts',
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.${table} where is_demo and archived_at is null`,
  );
  return rows.map((row) => row.id);
}
