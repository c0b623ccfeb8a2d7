import { maskCustomHeaders, maskDestination, type StoredRecipient } from '@svc/channels';
import type { Recipient } from '@svc/contract';
import type { RecipientRow } from './store.ts';

/** A recipient as it is shown: masked to those who manage recipients, without destination to everybody else. */
export const presentRecipient = (
  row: RecipientRow,
  stored: StoredRecipient,
  showsMasked: boolean,
): Recipient => {
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
    state: row.state,
    needsDestination: !isReadable,
    subscriptionCount: row.subscriptionCount,
    isDemo: row.isDemo,
    createdTime: row.createdTime.toISOString(),
    version: row.version,
  };
};
