import type { Recipients } from '../../doors/send/index.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { RecipientApprovals } from './approval.ts';
import { type RecipientToSend, recipientsToSend } from './store.ts';

/** Recipients that one statement reads at most. */
const batchMax = 200;
/** Statements at a time. */
const statementsMax = 2;

/**
 * Reads recipients for the send door: as they are at that moment, in one statement, never from a cache. Those that
 * are asked for at the same time share a statement, which begins after each of them was asked for.
 */
export function createRecipientReader(
  executor: Executor,
  approvals: Pick<RecipientApprovals, 'approvalOf'>,
): Recipients {
  const reading = createBatcher(
    async (ids: readonly number[]): Promise<(RecipientToSend | undefined)[]> => {
      const rows = new Map((await recipientsToSend(executor, ids)).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    },
    { sizeMax: batchMax, callsMax: statementsMax },
  );
  const readCurrent: Recipients['readCurrent'] = async (recipientId) => {
    const row = await reading.put(recipientId);
    if (!row) return undefined;
    return {
      recipientId: row.id,
      type: row.notificationType,
      destinationSealed: row.destinationSealed,
      headersSealed: row.headersSealed,
      signingSecretsSealed: row.signingSecretsSealed,
      bodyTemplate: row.bodyTemplate,
      numbers: row.numbers,
      approval: approvals.approvalOf(row),
    };
  };
  return { readCurrent };
}
