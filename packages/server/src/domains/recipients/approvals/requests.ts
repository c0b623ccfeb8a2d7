import {
  approvedHashOf,
  type RecipientDefinition,
  verifyApprovedHash,
} from '../../../gateways/send/index.ts';
import type { KeyRing, Randomness } from '../../../platform/crypto/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { ChangeRequests } from '../../approvals/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { type RecipientRow, setApproval } from '../store/index.ts';
import { openApproved, sealApproved } from './approved-definition.ts';
import { changedPartsOf, reviewOf } from './review.ts';

export type RequestDeps = {
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly requests: ChangeRequests;
};

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

/**
 * Returns true if approvals apply to a recipient. They apply only if it was created or redirected while the workflow
 * covered recipients.
 */
export const isGoverned = (row: Pick<RecipientRow, 'state' | 'approvedHash'>): boolean =>
  row.state !== 'Approved' || row.approvedHash !== null;

/** Withdraws the waiting request of a recipient, if one exists. */
export async function withdrawRequest(
  { keys, requests }: RequestDeps,
  tx: Tx,
  by: CallerActor,
  row: RecipientRow,
  reason: Parameters<ChangeRequests['withdraw']>[3],
): Promise<void> {
  const waiting = await requests.waitingFor(tx, 'Recipient', row.id);
  if (!waiting) return;
  const { stamp: _stamp, ...review } = reviewOf(keys, row, waiting);
  await requests.withdraw(tx, by, waiting, reason, review);
}

/**
 * Requests the approval of a save, or changes the caller's waiting request. A return to the approved definition needs
 * no approval and withdraws the request.
 *
 * @throws Refusal 409 while a change by another user waits.
 */
export async function submitSave(deps: RequestDeps, tx: Tx, by: CallerActor, save: Save): Promise<void> {
  const { keys, random, requests } = deps;
  const { row, definition } = save;
  const waiting = await requests.waitingFor(tx, 'Recipient', row.id);
  if (waiting && !waiting.isBy(by.caller))
    throw conflict(
      'change-waits',
      "Somebody else's change of this recipient waits for approval. It must be decided or withdrawn first.",
    );
  const approved = approvedBefore(keys, save);
  if (approved.hash !== null && isMatch(keys, definition, approved.hash)) {
    await withdrawRequest(deps, tx, by, row, 'PutBack');
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
}

/** Returns the hash that is approved before a save, and its definition if that is the stored one. */
function approvedBefore(
  keys: KeyRing,
  { row, stored }: Save,
): { hash: string | null; definition: RecipientDefinition | undefined } {
  if (row.approvedHash !== null) {
    const isStored = row.state === 'Approved' && stored && isMatch(keys, stored, row.approvedHash);
    return { hash: row.approvedHash, definition: isStored ? stored : undefined };
  }
  // The recipient is older than the workflow. A return to its current destination needs no approval.
  if (row.state === 'Approved' && stored) return { hash: approvedHashOf(keys, stored), definition: stored };
  return { hash: null, definition: undefined };
}

const isMatch = (keys: KeyRing, definition: RecipientDefinition, hash: string): boolean => {
  const verdict = verifyApprovedHash(keys, definition, hash);
  return verdict === 'Current' || verdict === 'Previous';
};
