import type { RecipientState } from '@svc/contract';
import {
  approvedHashOf,
  type RecipientApproval,
  type RecipientDefinition,
} from '../../../gateways/send/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { type RecipientRow, setApproval } from '../store/index.ts';
import { createDecisions, type DecisionDeps } from './decisions.ts';
import { isGoverned, type RequestDeps, type Save, submitSave, withdrawRequest } from './requests.ts';

export type RecipientApprovalDeps = DecisionDeps &
  RequestDeps & {
    /** True when the workflow is on and covers recipients (spec 3 section 3.2). */
    readonly isCovered: boolean;
  };

export type RecipientApprovals = ReturnType<typeof createRecipientApprovals>;

/** Creates the approval of recipients: the effective state, waiting requests and the effects of decisions. */
export function createRecipientApprovals(deps: RecipientApprovalDeps) {
  const { keys, requests, isCovered } = deps;
  return {
    subject: createDecisions(deps),
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
        if (redirects || row.state === 'Rejected') await submitSave(deps, tx, by, save);
        return;
      }
      if (!redirects || !isGoverned(row)) return;
      // Without the workflow no approver reviews the change. The earlier decision was about another definition.
      await withdrawRequest(deps, tx, by, row, 'WorkflowOff');
      await setApproval(tx, row.id, { state: 'Approved', approvedHash: null, approvedSealed: null });
    },

    /** Withdraws a waiting request. Call it in the transaction that archives the recipient. */
    beforeArchive: (tx: Tx, by: CallerActor, row: RecipientRow): Promise<void> =>
      withdrawRequest(deps, tx, by, row, 'RecordArchived'),
  };
}
