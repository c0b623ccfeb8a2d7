import type { CustomHeaders, NotificationType } from '@svc/channels';
import {
  fingerprint,
  hmac,
  type KeyRing,
  type MacParts,
  type MacVerdict,
  verifyHmac,
} from '../../platform/crypto/index.ts';

/** The approved part of a recipient: destination and headers (spec 3 section 5.5). */
export type RecipientDefinition = {
  readonly type: NotificationType;
  /** Decrypted. */
  readonly destination: string;
  /** Decrypted; empty if there are none. */
  readonly customHeaders: CustomHeaders;
};

/** Normalises headers: names compare without case, and their order is irrelevant. */
function partsOf({ type, destination, customHeaders }: RecipientDefinition): MacParts {
  const headers = Object.entries(customHeaders)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return ['definition', type, destination, ...headers.flat()];
}

/** Returns the hash that is stored on approval: HMAC-SHA-256 under the current key (spec 3 section 5.6). */
export function approvedHashOf(ring: KeyRing, definition: RecipientDefinition): string {
  return hmac(ring, 'approval-hash', partsOf(definition));
}

/** Compares a definition with a stored approved hash, under each key of the ring. */
export function verifyApprovedHash(
  ring: KeyRing,
  definition: RecipientDefinition,
  stored: string,
): MacVerdict {
  return verifyHmac(ring, 'approval-hash', partsOf(definition), stored);
}

/** Fingerprints that reviewers see in place of secrets: 12 hexadecimal characters each. */
export type DefinitionFingerprints = {
  /** Fingerprint of the whole definition. */
  readonly definition: string;
  /** Header names, each with the fingerprint of its value. */
  readonly headers: readonly { readonly name: string; readonly fingerprint: string }[];
};

export function fingerprintsOf(ring: KeyRing, definition: RecipientDefinition): DefinitionFingerprints {
  return {
    definition: fingerprint(ring, partsOf(definition)),
    headers: Object.entries(definition.customHeaders).map(([name, value]) => ({
      name,
      fingerprint: fingerprint(ring, ['header', value]),
    })),
  };
}
