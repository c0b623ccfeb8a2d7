import type { Recipients } from '../../doors/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { findRecipient } from './store.ts';

/** Reads recipients for the send door: as they are at that moment, in one statement, never from a cache. */
export const createRecipientReader = (executor: Executor): Recipients => ({
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
      // No workflow governs recipients yet: every one delivers as it is.
      approval: { kind: 'NotGoverned' },
    };
  },
});
