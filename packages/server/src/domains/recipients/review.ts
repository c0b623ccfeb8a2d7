import { reviewParts } from '@svc/channels';
import type { ChangedPart, RecipientView } from '@svc/contract';
import { fingerprintsOf, type RecipientDefinition } from '../../gateways/send/index.ts';
import type { KeyRing } from '../../platform/crypto/index.ts';

const unreadable: RecipientView = {
  isReadable: false,
  notificationType: null,
  parts: [],
  headers: [],
  fingerprint: null,
};

/** Returns the view of a definition for a reviewer (spec 3 section 5.5). It contains no secrets. */
export function viewOf(keys: KeyRing, definition: RecipientDefinition | undefined): RecipientView {
  if (!definition) return unreadable;
  const { headers, definition: fingerprint } = fingerprintsOf(keys, definition);
  return {
    isReadable: true,
    notificationType: definition.type,
    parts: reviewParts(definition.type, definition.destination),
    headers: headers
      .map(({ name, fingerprint }) => ({ name, fingerprint }))
      .sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1)),
    fingerprint,
  };
}

/** Returns the visible content, without fingerprints. */
const lookOf = ({ notificationType, parts, headers }: RecipientView): string =>
  JSON.stringify([notificationType, parts, headers.map(({ name }) => name.toLowerCase())]);

/** Returns true if two different definitions look equal. */
export const looksEqual = (before: RecipientView | null, after: RecipientView): boolean =>
  before?.isReadable === true &&
  after.isReadable &&
  before.fingerprint !== after.fingerprint &&
  lookOf(before) === lookOf(after);

const headersText = ({ customHeaders }: RecipientDefinition): string =>
  JSON.stringify(
    Object.entries(customHeaders)
      .map(([name, value]) => [name.toLowerCase(), value])
      .sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
  );

/** Returns the names of the changed parts. */
export const changedPartsOf = (before: RecipientDefinition, after: RecipientDefinition): ChangedPart[] => [
  ...(before.type === after.type ? [] : (['NotificationType'] as const)),
  ...(before.destination === after.destination ? [] : (['Destination'] as const)),
  ...(headersText(before) === headersText(after) ? [] : (['CustomHeaders'] as const)),
];
