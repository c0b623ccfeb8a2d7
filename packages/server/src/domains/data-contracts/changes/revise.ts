import type { DataContractInput } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { definitionOf } from '../definition.ts';
import { existingContract } from '../reach.ts';
import { detachRecipient } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps, ContractKey } from './dependencies.ts';
import { attachAll } from './recipients.ts';
import type { Replace } from './replace.ts';

/** Creates the function that sets a contract and its recipients in the caller's transaction: both, or neither. */
export const createRevise =
  ({ audit, schedules }: Pick<ChangeDeps, 'audit' | 'schedules'>, replace: Replace) =>
  async (
    tx: Tx,
    by: CallerActor,
    key: ContractKey,
    { recipientIds = [], ...change }: DataContractInput,
  ): Promise<void> => {
    const stored = await existingContract(tx, key.id);
    const next = await definitionOf(change, schedules.explain, stored);
    const row = await replace(tx, by, key, next);
    const attachedIds = row.recipients.map(({ id }) => id);
    const addedIds = recipientIds.filter((id) => !attachedIds.includes(id));
    if (addedIds.length > 0) {
      await attachAll(tx, by, key.id, addedIds);
      await recordChange(audit, tx, by, 'recipients_added', row, { recipientIds: addedIds });
    }
    for (const recipientId of attachedIds.filter((id) => !recipientIds.includes(id))) {
      await detachRecipient(tx, key.id, recipientId);
      await recordChange(audit, tx, by, 'recipient_removed', row, { recipientId });
    }
  };
