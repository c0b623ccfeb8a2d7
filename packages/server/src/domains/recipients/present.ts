import { maskCustomHeaders, maskDestination, type StoredRecipient } from '@svc/channels';
import type { Recipient, RecipientState } from '@svc/contract';
import { isEnvelope } from '../../platform/crypto/index.ts';
import type { RecipientRow } from './store.ts';

/** A recipient as it is shown: masked to those who manage recipients, without destination to everybody else. */
export const presentRecipient = (
  row: RecipientRow,
  stored: StoredRecipient,
  view: {
    readonly showsMasked: boolean;
    /** The state that counts. */
    readonly state: RecipientState;
    /** The caller made the request that waits. */
    readonly isOwnChange: boolean;
  },
): Recipient => {
  const { showsMasked } = view;
  const { destination, customHeaders } = stored;
  const isReadable = destination !== undefined;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    notificationType: row.notificationType,
    destination:
      showsMasked && destination !== undefined ? maskDestination(row.notificationType, destination) : null,
    customHeaders: showsMasked && isReadable ? { ...maskCustomHeaders(customHeaders ?? {}) } : null,
    bodyTemplate: showsMasked ? row.bodyTemplate : null,
    state: view.state,
    needsDestination: !isReadable,
    isEncrypted:
      isEnvelope(row.destinationSealed) && (row.headersSealed === null || isEnvelope(row.headersSealed)),
    pendingChange:
      showsMasked && row.waitingId !== null && row.waitingSubmittedAt !== null
        ? {
            id: row.waitingId,
            requestedByUserName: row.waitingUserName,
            submittedAt: row.waitingSubmittedAt.toISOString(),
            isOwn: view.isOwnChange,
          }
        : null,
    subscriptionCount: row.subscriptionCount,
    contractCount: row.contractCount,
    isDemo: row.isDemo,
    createdTime: row.createdTime.toISOString(),
    version: row.version,
  };
};
