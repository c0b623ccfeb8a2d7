import { openRecipient, type RecipientDefinition } from '../../gateways/send/index.ts';
import type { KeyRing } from '../../platform/crypto/index.ts';
import type { SecretsRow } from './store/index.ts';

/** Returns the definition of a row; undefined when it is unreadable. */
export function definitionOf(keys: KeyRing, row: SecretsRow): RecipientDefinition | undefined {
  const opened = openRecipient(
    keys,
    {
      recipientId: row.id,
      type: row.notificationType,
      destinationSealed: row.destinationSealed,
      headersSealed: row.headersSealed,
    },
    { requireEncryptedSecrets: false },
  );
  return opened.ok ? opened.definition : undefined;
}
