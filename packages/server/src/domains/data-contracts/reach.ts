import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { type ContractRow, findContract, lockContract } from './store.ts';

/** Returns the contract when the caller has the required right in its project; otherwise throws the refusal. */
export type ReachContract = (
  executor: Executor,
  caller: Caller,
  id: number,
  needed: 'Read' | 'Write',
) => Promise<ContractRow>;

export const createReachContract =
  (rights: ProjectRights): ReachContract =>
  async (executor, caller, id, needed) => {
    const row = await existingContract(executor, id);
    await rights.require(executor, caller, row.projectId, needed);
    return row;
  };

/** Returns a contract without a check of rights. Throws 404 when it does not exist. */
export async function existingContract(executor: Executor, id: number): Promise<ContractRow> {
  const row = await findContract(executor, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Locks a contract that the caller may change, so that no concurrent change occurs between the checks and the commit.
 */
export async function lockWritable(
  rights: ProjectRights,
  tx: Tx,
  caller: Caller,
  id: number,
): Promise<ContractRow> {
  await lockContract(tx, id);
  return createReachContract(rights)(tx, caller, id, 'Write');
}

/** Locks a contract for a change of managed members. Refuses a contract that a definition file manages. */
export async function lockUnmanaged(
  rights: ProjectRights,
  tx: Tx,
  by: CallerActor,
  id: number,
): Promise<ContractRow> {
  const row = await lockWritable(rights, tx, by.caller, id);
  await assertUnmanaged(tx, by, 'Contract', id);
  return row;
}
