import type { CustomHeaders } from '@svc/channels';
import { notificationTypes } from '@svc/contract';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type RecipientDefinition, verifyApprovedHash } from '../../gateways/send/index.ts';
import {
  type EnvelopeLocation,
  type KeyRing,
  open,
  type Randomness,
  seal,
} from '../../platform/crypto/index.ts';

/** Approved definition, stored while the recipient has another one. */
const Stored = Type.Object({
  type: Type.Enum([...notificationTypes]),
  destination: Type.String(),
  customHeaders: Type.Unsafe<CustomHeaders>({ type: 'object', additionalProperties: { type: 'string' } }),
});

const locationOf = (recipientId: number): EnvelopeLocation => ({
  table: 'recipients',
  column: 'approved_sealed',
  rowId: recipientId,
});

/** Encrypts an approved definition for the recipient's row. */
export const sealApproved = (
  keys: KeyRing,
  recipientId: number,
  { type, destination, customHeaders }: RecipientDefinition,
  random: Randomness,
): string =>
  seal(keys, JSON.stringify({ type, destination, customHeaders }), locationOf(recipientId), random);

function parse(text: string): Static<typeof Stored> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Stored, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the approved definition that a row stores. Undefined when it stores none, or when it does not match the
 * approved hash.
 */
export function openApproved(
  keys: KeyRing,
  row: { readonly id: number; readonly approvedSealed: string | null; readonly approvedHash: string | null },
): RecipientDefinition | undefined {
  if (row.approvedSealed === null || row.approvedHash === null) return undefined;
  const opened = open(keys, row.approvedSealed, locationOf(row.id));
  const definition = opened.ok ? parse(opened.secret.reveal()) : undefined;
  if (!definition || verifyApprovedHash(keys, definition, row.approvedHash) === 'Mismatch') return undefined;
  return definition;
}
