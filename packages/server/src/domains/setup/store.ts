import type { Queryable, Tx } from '../../platform/db/index.ts';

/** Returns true once a first administrator was created, archived or not. */
export async function isSetupComplete(executor: Queryable): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'setup-is-complete',
    text: 'select from svc.setup_completion',
  });
  return (rowCount ?? 0) > 0;
}

/** Closes the setup. The table accepts one row, so only one of several concurrent setups succeeds. */
export async function insertCompletion(tx: Tx, superAdminUserId: number): Promise<void> {
  await tx.query('insert into svc.setup_completion (super_admin_user_id) values ($1)', [superAdminUserId]);
}
