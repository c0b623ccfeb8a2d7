import { parseDestination } from '@svc/channels';
import {
  approvedHashOf,
  type RecipientDefinition,
  sealRecipient,
  verifyApprovedHash,
} from '../../gateways/send/index.ts';
import { isEnvelope, type KeyRing, type Randomness } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { ChangeRequests } from '../approvals/index.ts';
import type { KeyDependency, KeyDependents } from '../secrets/index.ts';
import { definitionOf } from './approval.ts';
import { openApproved } from './approved-definition.ts';
import {
  findRecipient,
  governedRecipientIds,
  lockSecrets,
  plainRecipientIds,
  type RecipientRow,
  replaceApprovedHash,
  saveSecrets,
} from './store.ts';

export type KeyDependentsDeps = {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly requests: ChangeRequests;
};

type Outcome = 'Current' | 'Unresolved' | { readonly hash: string };

/**
 * Creates the work of a key rotation on recipients, other than on sealed columns: secrets from before encryption, and
 * approved hashes.
 */
export function createKeyDependents({
  database,
  keys,
  random,
  requests,
}: KeyDependentsDeps): Omit<KeyDependents, 'remembered'> {
  /** Returns the hash under the current key of the candidate that matches a stored hash. */
  const renew = (stored: string, candidates: readonly (RecipientDefinition | undefined)[]): Outcome => {
    const isCurrent = stored.split('.')[1] === keys.current.id;
    if (isCurrent) return 'Current';
    const match = candidates.find(
      (definition) => definition && verifyApprovedHash(keys, definition, stored) === 'Previous',
    );
    return match ? { hash: approvedHashOf(keys, match) } : 'Unresolved';
  };

  const encryptOne = (id: number): Promise<number> =>
    database.transaction(async (tx) => {
      const row = await lockSecrets(tx, id);
      const definition = row && definitionOf(keys, row);
      // A damaged envelope is no valid destination. It remains and is reported as undecryptable.
      if (!row || !definition || !parseDestination(definition.type, definition.destination).ok) return 0;
      const plain = [row.destinationSealed, row.headersSealed].filter(
        (text) => text !== null && !isEnvelope(text),
      );
      await saveSecrets(tx, id, sealRecipient(keys, id, definition, random));
      return plain.length;
    });

  const rehashApproved = async (row: RecipientRow): Promise<Outcome> => {
    const stored = row.approvedHash ?? '';
    const outcome = renew(stored, [definitionOf(keys, row), openApproved(keys, row)]);
    if (typeof outcome === 'object') await replaceApprovedHash(database, row.id, stored, outcome.hash);
    return outcome;
  };

  return {
    encryptKept: async () => {
      let count = 0;
      for (const id of await plainRecipientIds(database)) count += await encryptOne(id);
      return count;
    },

    rehash: async () => {
      const unresolved: KeyDependency[] = [];
      let rehashed = 0;
      const note = (outcome: Outcome, dependency: KeyDependency) => {
        if (outcome === 'Unresolved') unresolved.push(dependency);
        else if (outcome !== 'Current') rehashed += 1;
      };
      for (const id of await governedRecipientIds(database)) {
        const row = await findRecipient(database, id);
        if (row) note(await rehashApproved(row), { kind: 'Recipient', id, recipientId: id });
      }
      for (const { id, recipientId, hash } of await requests.waitingHashes(database)) {
        const row = await findRecipient(database, recipientId);
        const outcome = renew(hash, [row && definitionOf(keys, row)]);
        if (typeof outcome === 'object') await requests.replaceHash(database, id, hash, outcome.hash);
        note(outcome, { kind: 'ApprovalRequest', id, recipientId });
      }
      return { rehashed, unresolved };
    },
  };
}
