import { maskCustomHeaders, maskDestination, type StoredRecipient } from '@svc/channels';
import type { Recipient, RecipientState } from '@svc/contract';
import { isEnvelope } from '../../platform/crypto/index.ts';
import type { RecipientRow } from './store.ts';

/** Presents a recipient. The destination is masked for callers who manage recipients, and absent for other callers. */
export const presentRecipient = (
  row: RecipientRow,
  stored: StoredRecipient,
  view: {
    readonly showsMasked: boolean;
    /** Effective state. */
    readonly state: RecipientState;
    /** True when the caller made the waiting request. */
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
