import type { Tx } from '../../../platform/db/index.ts';

/** How many of the last evaluations of a contract were good in a row; at most `limit` are looked at. */
export async function readStreak(
  tx: Tx,
  contract: { readonly id: number; readonly alertsOnWarning: boolean },
  limit: number,
): Promise<number> {
  const { rows } = await tx.query<{ status: string }>(
    `select status from svc.contract_evaluations where contract_id = $1 and status in ('Passed', 'Warned', 'Failed')
     order by created_time desc, id desc limit $2`,
    [contract.id, limit],
  );
  const isGood = (status: string) =>
    status === 'Passed' || (status === 'Warned' && !contract.alertsOnWarning);
  const first = rows.findIndex(({ status }) => !isGood(status));
  return first === -1 ? rows.length : first;
}
