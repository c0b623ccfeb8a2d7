import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { conflict, forbidden } from '../../platform/http/index.ts';
import type { ChangeRequests } from '../approvals/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { lockLinks, type QueryRow, replaceSteps, unlinkedSources, updateQuery } from './store.ts';
import {
  activatePending,
  addPendingVersion,
  endPendingVersion,
  isPendingDefinition,
  type StoredVersion,
  type VersionChange,
  type VersionDefinition,
} from './version-store.ts';

export type SaveApprovalsDeps = {
  readonly requests: ChangeRequests;
  /** True when the approval workflow is on and covers queries. */
  readonly isCovered: boolean;
};

type Saved = Pick<QueryRow, 'id' | 'activeVersionId'>;
type Waiting = NonNullable<Awaited<ReturnType<ChangeRequests['waitingFor']>>>;

export type SaveApprovals = ReturnType<typeof createSaveApprovals>;

/** Creates the approval steps of a save. They run in its transaction, while the row of the query is locked. */
export function createSaveApprovals({ requests, isCovered }: SaveApprovalsDeps) {
  const waitingFor = (tx: Tx, queryId: number) => requests.waitingFor(tx, 'Query', queryId);

  const end = async (
    tx: Tx,
    by: CallerActor,
    { id, activeVersionId }: Saved,
    waiting: Waiting,
    why: 'PutBack' | 'Withdrawn' | 'WorkflowOff',
  ): Promise<void> => {
    await endPendingVersion(tx, id, 'Withdrawn');
    await requests.withdraw(tx, by, waiting, why, { activeVersionId, looksEqual: false });
  };

  return {
    /** Returns true if a change needs approval. Changes by the service itself, such as the demo, do not. */
    isNeeded: (caller: Caller): boolean => isCovered && caller.kind !== 'system',

    /** Returns true if the caller's waiting change has exactly this definition. */
    isSubmitted: async (
      tx: Tx,
      caller: Caller,
      queryId: number,
      definition: VersionDefinition,
    ): Promise<boolean> => {
      if (!isCovered) return false;
      const waiting = await waitingFor(tx, queryId);
      return waiting?.isBy(caller) === true && isPendingDefinition(tx, queryId, definition);
    },

    /**
     * Stores the definition until another user decides about it. Replaces an earlier waiting definition of the caller.
     */
    submit: async (
      tx: Tx,
      by: CallerActor,
      { id, activeVersionId }: Saved,
      definition: VersionDefinition,
      change: VersionChange,
    ): Promise<void> => {
      const waiting = await waitingFor(tx, id);
      if (waiting && !waiting.isBy(by.caller))
        throw conflict(
          'change-awaiting-approval',
          "Another user's change of this query waits for approval. An Approver must decide on it first.",
        );
      const version = await addPendingVersion(tx, id, definition, change);
      const isNew = activeVersionId === null;
      const submitted = {
        kind: 'Query' as const,
        targetId: id,
        isNew,
        changedParts: version.changedParts,
        proposedHash: version.hash,
        versionId: version.id,
      };
      await requests.submit(tx, by, submitted, waiting);
    },

    /**
     * Withdraws the caller's waiting change, after a save of the active definition. @returns true if a change waited.
     */
    putBack: async (tx: Tx, by: CallerActor, query: Saved): Promise<boolean> => {
      const waiting = await waitingFor(tx, query.id);
      if (!waiting?.isBy(by.caller)) return false;
      await end(tx, by, query, waiting, 'PutBack');
      return true;
    },

    /** Withdraws a waiting version that the caller submitted. */
    withdrawOwn: async (tx: Tx, by: CallerActor, query: Saved, versionId: number): Promise<void> => {
      const waiting = await waitingFor(tx, query.id);
      if (waiting?.versionId !== versionId)
        throw conflict('change-over', 'This version no longer waits for approval.');
      if (!waiting.isBy(by.caller))
        throw forbidden('not-your-request', 'Only the user who requested this approval may withdraw it.');
      await end(tx, by, query, waiting, 'Withdrawn');
    },

    /** Ends the waiting request, also when another user made it. */
    withdraw: async (tx: Tx, by: CallerActor, query: Saved, why: 'WorkflowOff'): Promise<void> => {
      const waiting = await waitingFor(tx, query.id);
      if (waiting) await end(tx, by, query, waiting, why);
    },
  };
}

/**
 * Locks the links to the data sources of a definition until the transaction ends.
 *
 * @throws Refusal `source-not-linked` when one of its data sources is no longer linked to the project.
 */
export async function holdSources(
  tx: Tx,
  projectId: number,
  { steps }: Pick<VersionDefinition, 'steps'>,
): Promise<void> {
  const sources = steps.map((step) => step.dataSourceId);
  await lockLinks(tx, projectId, sources);
  if ((await unlinkedSources(tx, projectId, sources)).length > 0)
    throw conflict(
      'source-not-linked',
      "A data source of this version is no longer linked to the query's project.",
    );
}

/** Makes the waiting version the active definition. The caller must lock the row of the query first. */
export async function activateVersion(tx: Tx, queryId: number, version: StoredVersion): Promise<void> {
  await updateQuery(tx, queryId, version, version.createdByUserId);
  await replaceSteps(tx, queryId, version.steps);
  await activatePending(tx, queryId, version.id);
}
