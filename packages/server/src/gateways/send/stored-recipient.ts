import {
  type CustomHeaders,
  isSigningSecret,
  type NotificationType,
  parseDestination,
  signingSecretsMax,
} from '@svc/channels';
import {
  type EnvelopeLocation,
  type KeyRing,
  open,
  type Randomness,
  seal,
} from '../../platform/crypto/index.ts';
import type { RecipientDefinition } from './definition.ts';

/** Storage locations that the envelopes of a recipient's secrets are bound to. */
export const recipientSecretLocation = {
  destination: (recipientId: number): EnvelopeLocation => ({
    table: 'recipients',
    column: 'destination_sealed',
    rowId: recipientId,
  }),
  headers: (recipientId: number): EnvelopeLocation => ({
    table: 'recipients',
    column: 'headers_sealed',
    rowId: recipientId,
  }),
  signingSecrets: (recipientId: number): EnvelopeLocation => ({
    table: 'recipients',
    column: 'signing_secrets_sealed',
    rowId: recipientId,
  }),
};

/** Secrets of a recipient in stored form. */
export type StoredSecrets = {
  readonly recipientId: number;
  readonly type: NotificationType;
  readonly destinationSealed: string;
  readonly headersSealed: string | null;
  /** Webhook only: secrets that sign its messages. Absent or null if messages are not signed. */
  readonly signingSecretsSealed?: string | null;
};

/** The definition of a recipient, or the reason why it cannot be decrypted. */
export type OpenedRecipient =
  | {
      readonly ok: true;
      readonly definition: RecipientDefinition;
      /** Empty if messages are not signed. */
      readonly signingSecrets: readonly string[];
      /** False for unencrypted secrets and for secrets under an earlier key: they should be encrypted again. */
      readonly isSealedUnderCurrentKey: boolean;
    }
  | { readonly ok: false; readonly reason: 'DestinationUnreadable' | 'DestinationNotEncrypted' };

type Opened = { readonly text: string; readonly isCurrent: boolean; readonly isUnsealed: boolean };

function openText(ring: KeyRing, stored: string, location: EnvelopeLocation): Opened | undefined {
  const result = open(ring, stored, location);
  if (result.ok) return { text: result.secret.reveal(), isCurrent: result.isCurrentKey, isUnsealed: false };
  return result.failure === 'NotAnEnvelope'
    ? { text: stored, isCurrent: false, isUnsealed: true }
    : undefined;
}

/** Parses stored headers: a JSON object of strings. */
function readHeaders(text: string): CustomHeaders | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const texts = entries.flatMap(([name, item]) => (typeof item === 'string' ? [[name, item] as const] : []));
  return texts.length === entries.length ? Object.fromEntries(texts) : undefined;
}

/**
 * Decrypts the signing secrets of a webhook. Returns an empty list if none are stored, and undefined if decryption fails.
 * Signing secrets never existed unencrypted, so an unencrypted value is rejected.
 */
export function openSigningSecrets(
  ring: KeyRing,
  recipientId: number,
  sealed: string | null | undefined,
): readonly string[] | undefined {
  if (sealed === undefined || sealed === null) return [];
  const result = open(ring, sealed, recipientSecretLocation.signingSecrets(recipientId));
  const secrets = result.ok ? result.secret.reveal().split(' ') : [];
  return secrets.length > 0 && secrets.every(isSigningSecret) ? secrets : undefined;
}

const unreadable = { ok: false, reason: 'DestinationUnreadable' } as const;

/**
 * Decrypts the secrets of a recipient. Secrets from before encryption are read in plain text, unless encryption is
 * required (spec 3 section 2.1). Never throws for invalid stored data.
 */
export function openRecipient(
  ring: KeyRing,
  stored: StoredSecrets,
  options: { readonly requireEncryptedSecrets: boolean },
): OpenedRecipient {
  const { recipientId, type } = stored;
  const destination = openText(
    ring,
    stored.destinationSealed,
    recipientSecretLocation.destination(recipientId),
  );
  const headers =
    stored.headersSealed === null
      ? undefined
      : openText(ring, stored.headersSealed, recipientSecretLocation.headers(recipientId));
  if (!destination || (stored.headersSealed !== null && !headers)) return unreadable;
  const customHeaders = headers ? readHeaders(headers.text) : {};
  // A damaged envelope looks like plain text. Its content is not a valid destination.
  if (!customHeaders || (destination.isUnsealed && !parseDestination(type, destination.text).ok))
    return unreadable;
  const signingSecrets = openSigningSecrets(ring, recipientId, stored.signingSecretsSealed);
  if (!signingSecrets) return unreadable;
  if (options.requireEncryptedSecrets && (destination.isUnsealed || headers?.isUnsealed))
    return { ok: false, reason: 'DestinationNotEncrypted' };
  return {
    ok: true,
    definition: { type, destination: destination.text, customHeaders },
    signingSecrets,
    isSealedUnderCurrentKey: destination.isCurrent && (headers?.isCurrent ?? true),
  };
}

/** Encrypts the secrets of a recipient for its row. */
export function sealRecipient(
  ring: KeyRing,
  recipientId: number,
  definition: Pick<RecipientDefinition, 'destination' | 'customHeaders'>,
  random: Randomness,
): { readonly destinationSealed: string; readonly headersSealed: string | null } {
  const hasHeaders = Object.keys(definition.customHeaders).length > 0;
  return {
    destinationSealed: seal(
      ring,
      definition.destination,
      recipientSecretLocation.destination(recipientId),
      random,
    ),
    headersSealed: hasHeaders
      ? seal(
          ring,
          JSON.stringify(definition.customHeaders),
          recipientSecretLocation.headers(recipientId),
          random,
        )
      : null,
  };
}

/**
 * Encrypts the signing secrets of a webhook for its row: the current one first, then the previous one while receivers
 * change over. Returns null for an empty list.
 *
 * @throws RangeError for more than two secrets, or for an invalid signing secret.
 */
export function sealSigningSecrets(
  ring: KeyRing,
  recipientId: number,
  secrets: readonly string[],
  random: Randomness,
): string | null {
  if (secrets.length > signingSecretsMax || !secrets.every(isSigningSecret))
    throw new RangeError('A webhook has at most two signing secrets of the form whsec_…');
  if (secrets.length === 0) return null;
  return seal(ring, secrets.join(' '), recipientSecretLocation.signingSecrets(recipientId), random);
}
