import type { Recipients } from '../../gateways/send/index.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { RecipientApprovals } from './approval.ts';
import { type RecipientToSend, recipientsToSend } from './store.ts';

/** Maximum number of recipients per statement. */
const batchMax = 200;
/** Maximum number of concurrent statements. */
const statementsMax = 2;

/**
 * Creates the reader of recipients for the send gateway. It reads current rows, never a cache. Concurrent calls share
 * one statement, which begins after the last of these calls.
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
