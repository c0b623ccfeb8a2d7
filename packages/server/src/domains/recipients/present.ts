import { maskCustomHeaders, maskDestination, type StoredRecipient } from '@svc/channels';
import type { Recipient, RecipientState } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import { isEnvelope, type KeyRing } from '../../platform/crypto/index.ts';
import { isRequester } from '../approvals/index.ts';
import { definitionOf } from './definition.ts';
import type { RecipientRow } from './store/index.ts';

export type PresentDeps = {
  readonly keys: KeyRing;
  /** Returns the effective state. */
  readonly stateOf: (state: RecipientState) => RecipientState;
};

/** Returns the readable secrets of a row. Unreadable secrets are absent: a broken row must not break a list. */
export const storedRecipient = (keys: KeyRing, row: RecipientRow): StoredRecipient =>
  definitionOf(keys, row) ?? { type: row.notificationType };

/** Presents a recipient. The destination is masked for callers who manage recipients, and absent for other callers. */
export function presentRecipient(
  { keys, stateOf }: PresentDeps,
  row: RecipientRow,
  caller: Caller,
): Recipient {
  const showsMasked = holds(caller, 'SecurityAdmin');
  const { destination, customHeaders } = storedRecipient(keys, row);
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
    state: stateOf(row.state),
    needsDestination: !isReadable,
    isEncrypted:
      isEnvelope(row.destinationSealed) && (row.headersSealed === null || isEnvelope(row.headersSealed)),
    pendingChange:
      showsMasked && row.waitingId !== null && row.waitingSubmittedAt !== null
        ? {
            id: row.waitingId,
            requestedByUserName: row.waitingUserName,
            submittedAt: row.waitingSubmittedAt.toISOString(),
            isOwn: isRequester(caller, {
              requestedByUserId: row.waitingUserId,
              requestedByHostUser: row.waitingHostUser,
            }),
          }
        : null,
    subscriptionCount: row.subscriptionCount,
    contractCount: row.contractCount,
    isDemo: row.isDemo,
    createdTime: row.createdTime.toISOString(),
    version: row.version,
  };
}
