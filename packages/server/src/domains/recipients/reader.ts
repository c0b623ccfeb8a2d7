import type { Recipients } from '../../doors/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { RecipientApprovals } from './approval.ts';
import { findRecipient } from './store.ts';

/** Reads recipients for the send door: as they are at that moment, in one statement, never from a cache. */
export const createRecipientReader = (
  executor: Executor,
  approvals: Pick<RecipientApprovals, 'approvalOf'>,
): Recipients => ({
  readCurrent: async (recipientId) => {
    const row = await findRecipient(executor, recipientId);
    if (!row) return undefined;
    return {
      recipientId: row.id,
      type: row.notificationType,
      destinationSealed: row.destinationSealed,
      headersSealed: row.headersSealed,
      signingSecretsSealed: row.signingSecretsSealed,
      bodyTemplate: row.bodyTemplate,
      approval: approvals.approvalOf(row),
    };
  },
});
