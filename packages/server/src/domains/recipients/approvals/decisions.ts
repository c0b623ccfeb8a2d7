import { approvedHashOf, sealRecipient, verifyApprovedHash } from '../../../gateways/send/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import type { KeyRing, Randomness } from '../../../platform/crypto/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict, notFound } from '../../../platform/http/index.ts';
import type { RecipientReview, WithdrawableSubject } from '../../approvals/index.ts';
import type { Audit } from '../../audit/index.ts';
import { definitionOf } from '../definition.ts';
import {
  findRecipient,
  lockRecipient,
  restoreDefinition,
  saveSecrets,
  setApproval,
  useCountOf,
} from '../store/index.ts';
import { openApproved } from './approved-definition.ts';
import { reviewOf } from './review.ts';

export type DecisionDeps = {
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly audit: Audit;
  /** Throws 403 unless the caller can read everything that the recipient is attached to. */
  readonly requireReadOfAll: (tx: Tx, caller: Caller, id: number) => Promise<void>;
};

/** Creates the effects of decisions on waiting changes of recipients. */
export function createDecisions(deps: DecisionDeps): WithdrawableSubject<RecipientReview> {
  const { keys, random } = deps;
  return {
    lock: async (tx, id) => void (await lockRecipient(tx, id)),
    review: async (executor, change) =>
      reviewOf(keys, await findRecipient(executor, change.targetId), change),
    approve: async (tx, change) => {
      const row = await lockRecipient(tx, change.targetId);
      if (!row) throw notFound();
      const definition = definitionOf(keys, row);
      if (!definition)
        throw conflict(
          'destination-unreadable',
          'The destination cannot be read, so nobody can say what would be approved. It must be entered again.',
        );
      // A hash under a removed key cannot be compared. The reviewer has seen the definition that is approved here.
      if (verifyApprovedHash(keys, definition, change.proposedHash) === 'Mismatch')
        throw conflict(
          'change-stale',
          'The recipient is not what was submitted. It must be saved again before it can be approved.',
        );
      await setApproval(tx, row.id, {
        state: 'Approved',
        approvedHash: approvedHashOf(keys, definition),
        approvedSealed: null,
      });
    },
    reject: async (tx, change) => {
      const row = await lockRecipient(tx, change.targetId);
      if (!row) throw notFound();
      const { approvedHash, approvedSealed } = row;
      await setApproval(tx, row.id, { state: 'Rejected', approvedHash, approvedSealed });
    },
    restore: async (tx, by, change) => {
      const row = await lockRecipient(tx, change.targetId);
      const definition = row && openApproved(keys, row);
      if (!row || !definition)
        throw conflict(
          'nothing-to-restore',
          change.isNew
            ? 'This recipient was never approved, so there is nothing to go back to. Change it, or delete it.'
            : 'What was approved cannot be read any more. Enter it again at the recipient.',
        );
      await deps.requireReadOfAll(tx, by.caller, row.id);
      await restoreDefinition(tx, row.id, {
        notificationType: definition.type,
        headerNames: Object.keys(definition.customHeaders),
      });
      await saveSecrets(tx, row.id, sealRecipient(keys, row.id, definition, random));
      await setApproval(tx, row.id, {
        state: 'Approved',
        approvedHash: approvedHashOf(keys, definition),
        approvedSealed: null,
      });
      await deps.audit.record(tx, {
        by,
        event: 'recipients.recipient_changed',
        subject: { kind: 'recipient', id: row.id },
        detail: { redirects: true, restores: true },
      });
    },
    countUses: useCountOf,
  };
}
