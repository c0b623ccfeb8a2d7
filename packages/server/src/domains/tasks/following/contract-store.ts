import type { Tx } from '../../../platform/db/index.ts';

/** Returns the number of consecutive good evaluations of a contract, counted from the newest. Reads at most `limit`. */
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
