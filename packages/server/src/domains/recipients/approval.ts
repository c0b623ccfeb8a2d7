import type { RecipientState } from '@svc/contract';
import {
  approvedHashOf,
  openRecipient,
  type RecipientApproval,
  type RecipientDefinition,
  sealRecipient,
  verifyApprovedHash,
} from '../../gateways/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import type {
  ChangeRequests,
  Present,
  RecipientReview,
  WaitingChange,
  WithdrawableSubject,
} from '../approvals/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { openApproved, sealApproved } from './approved-definition.ts';
import { changedPartsOf, looksEqual, viewOf } from './review.ts';
import {
  findRecipient,
  lockRecipient,
  type RecipientRow,
  restoreDefinition,
  type SecretsRow,
  saveSecrets,
  setApproval,
  useCountOf,
} from './store.ts';

export type RecipientApprovalDeps = {
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly audit: Audit;
  readonly requests: ChangeRequests;
  /** True when the workflow is on and covers recipients (spec 3 section 3.2). */
  readonly isCovered: boolean;
  /** Throws 403 unless the caller can read everything that the recipient is attached to. */
  readonly requireReadOfAll: (tx: Tx, caller: Caller, id: number) => Promise<void>;
};

export type RecipientApprovals = ReturnType<typeof createRecipientApprovals>;

/** Save of a recipient, before it is written. */
export type Save = {
  /** Stored row, locked. */
  readonly row: RecipientRow;
  /** Stored definition, decrypted; undefined when it is unreadable. */
  readonly stored: RecipientDefinition | undefined;
  readonly definition: RecipientDefinition;
  /** True when the save changes type, destination or headers. */
  readonly redirects: boolean;
};

const isMatch = (keys: KeyRing, definition: RecipientDefinition, hash: string): boolean => {
  const verdict = verifyApprovedHash(keys, definition, hash);
  return verdict === 'Current' || verdict === 'Previous';
};

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

/**
 * Returns true if approvals apply to a recipient. They apply only if it was created or redirected while the workflow
 * covered recipients.
 */
const isGoverned = (row: Pick<RecipientRow, 'state' | 'approvedHash'>): boolean =>
  row.state !== 'Approved' || row.approvedHash !== null;

/** Creates the approval of recipients: the effective state, waiting requests and the effects of decisions. */
export function createRecipientApprovals(deps: RecipientApprovalDeps) {
  const { keys, random, requests, isCovered } = deps;

  /** Returns the hash that is approved before a save, and its definition if that is the stored one. */
  const approvedBefore = ({
    row,
    stored,
  }: Save): { hash: string | null; definition: RecipientDefinition | undefined } => {
    if (row.approvedHash !== null) {
      const isStored = row.state === 'Approved' && stored && isMatch(keys, stored, row.approvedHash);
      return { hash: row.approvedHash, definition: isStored ? stored : undefined };
    }
    // The recipient is older than the workflow. A return to its current destination needs no approval.
    if (row.state === 'Approved' && stored) return { hash: approvedHashOf(keys, stored), definition: stored };
    return { hash: null, definition: undefined };
  };

  const reviewOf = (row: RecipientRow | undefined, change: WaitingChange): Present<RecipientReview> => {
    const present = row && definitionOf(keys, row);
    const before = change.isNew ? null : viewOf(keys, row && openApproved(keys, row));
    const after = viewOf(keys, present);
    const stamp = `${row?.approvedHash ?? ''} ${present ? approvedHashOf(keys, present) : 'unreadable'}`;
    return { before, after, looksEqual: looksEqual(before, after), stamp };
  };

  const review: WithdrawableSubject<RecipientReview>['review'] = async (executor, change) =>
    reviewOf(await findRecipient(executor, change.targetId), change);

  const withdraw = async (
    tx: Tx,
    by: CallerActor,
    row: RecipientRow,
    why: Parameters<ChangeRequests['withdraw']>[3],
  ) => {
    const waiting = await requests.waitingFor(tx, 'Recipient', row.id);
    if (!waiting) return;
    const { stamp: _stamp, ...shown } = reviewOf(row, waiting);
    await requests.withdraw(tx, by, waiting, why, shown);
  };

  const submitSave = async (tx: Tx, by: CallerActor, save: Save): Promise<void> => {
    const { row, definition } = save;
    const waiting = await requests.waitingFor(tx, 'Recipient', row.id);
    if (waiting && !waiting.isBy(by.caller))
      throw conflict(
        'change-waits',
        "Somebody else's change of this recipient waits for approval. It must be decided or withdrawn first.",
      );
    const approved = approvedBefore(save);
    if (approved.hash !== null && isMatch(keys, definition, approved.hash)) {
      await withdraw(tx, by, row, 'PutBack');
      if (isGoverned(row))
        await setApproval(tx, row.id, {
          state: 'Approved',
          approvedHash: approvedHashOf(keys, definition),
          approvedSealed: null,
        });
      return;
    }
    const before = approved.definition ?? openApproved(keys, row);
    await setApproval(tx, row.id, {
      state: 'AwaitingApproval',
      approvedHash: approved.hash,
      approvedSealed:
        row.approvedSealed ??
        (approved.definition ? sealApproved(keys, row.id, approved.definition, random) : null),
    });
    const isNew = waiting?.isNew ?? (approved.hash === null && row.state !== 'Approved');
    await requests.submit(
      tx,
      by,
      {
        kind: 'Recipient',
        targetId: row.id,
        isNew,
        changedParts: before ? changedPartsOf(before, definition) : isNew ? [] : ['Destination'],
        proposedHash: approvedHashOf(keys, definition),
        versionId: null,
      },
      waiting,
    );
  };

  const subject: WithdrawableSubject<RecipientReview> = {
    lock: async (tx, id) => void (await lockRecipient(tx, id)),
    review,
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

  return {
    subject,
    isCovered,

    /** Returns the effective state. While the workflow does not cover recipients, every recipient delivers. */
    stateOf: (state: RecipientState): RecipientState => (isCovered ? state : 'Approved'),

    /** Returns the approval for the check of the send gateway. */
    approvalOf: (row: Pick<RecipientRow, 'state' | 'approvedHash'>): RecipientApproval =>
      isCovered && isGoverned(row)
        ? { kind: 'Governed', state: row.state, approvedHash: row.approvedHash }
        : { kind: 'NotGoverned' },

    /** Requests the approval of a new recipient. */
    afterCreate: async (tx: Tx, by: CallerActor, id: number, definition: RecipientDefinition) => {
      if (!isCovered) return;
      await setApproval(tx, id, { state: 'AwaitingApproval', approvedHash: null, approvedSealed: null });
      const proposedHash = approvedHashOf(keys, definition);
      await requests.submit(
        tx,
        by,
        { kind: 'Recipient', targetId: id, isNew: true, changedParts: [], proposedHash, versionId: null },
        undefined,
      );
    },

    /** Updates the approval for a save. Call it in the transaction of the save, before the save is written. */
    beforeSave: async (tx: Tx, by: CallerActor, save: Save): Promise<void> => {
      const { row, redirects } = save;
      if (isCovered) {
        // A save of a rejected recipient submits it again, regardless of the change.
        if (redirects || row.state === 'Rejected') await submitSave(tx, by, save);
        return;
      }
      if (!redirects || !isGoverned(row)) return;
      // Without the workflow no approver reviews the change. The earlier decision was about another definition.
      await withdraw(tx, by, row, 'WorkflowOff');
      await setApproval(tx, row.id, { state: 'Approved', approvedHash: null, approvedSealed: null });
    },

    /** Withdraws a waiting request. Call it in the transaction that archives the recipient. */
    beforeArchive: (tx: Tx, by: CallerActor, row: RecipientRow): Promise<void> =>
      withdraw(tx, by, row, 'RecordArchived'),
  };
}
