import type { Query } from '@svc/contract';
import type { Database, Tx } from '../../platform/db/index.ts';
import { changedMeanwhile, conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, AuditEvent, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { holdSources, type SaveApprovals } from './approval.ts';
import { checkDefinition, fieldsOf, type QueryDefinition } from './definition.ts';
import { requireFolder } from './folder.ts';
import { presentQuery } from './present.ts';
import { requireLinked, writableQuery } from './reach.ts';
import { keyedSteps } from './step-keys.ts';
import {
  type FoundQuery,
  findQuery,
  insertQuery,
  lockLinks,
  lockRow,
  replaceSteps,
  setLocked,
  updateQuery,
} from './store.ts';
import {
  addActiveVersion,
  addQueryChange,
  isActiveDefinition,
  isVersionOf,
  type VersionChange,
  type VersionDefinition,
} from './version-store.ts';

export type SavesDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly approvals: SaveApprovals;
};

/** Result of a save. */
export type Saved = {
  readonly query: Query;
  /** True: the saved definition waits for approval. An active definition is unchanged. */
  readonly isWaiting: boolean;
};

/** Old version that becomes the active definition again. */
export type Restored = {
  readonly queryId: number;
  readonly versionId: number;
  readonly versionNumber: number;
  readonly definition: VersionDefinition;
};

/** Definition of a new query, with its project and folder. */
type NewQuery = QueryDefinition & { readonly projectId: number; readonly folderId?: number | null };

type Change = Omit<VersionChange, 'userId'> & {
  readonly event: AuditEvent['event'];
  readonly detail?: AuditEvent['detail'];
  /** True: another user approved the change as part of a plan, so it needs no approval here. */
  readonly isApproved?: boolean;
};

/** Origin of a save. `isApproved`: the save was approved as part of a plan. */
type SavedBy = { readonly source: 'User' | 'AiActor'; readonly isApproved?: boolean };

/** Returns the canonical definition of a save, as a version stores it. */
const canonical = (input: QueryDefinition, stored: FoundQuery['steps']): VersionDefinition => ({
  ...fieldsOf(input),
  steps: keyedSteps(input.steps ?? [], stored),
});

const reasonOf = (reason: string | null | undefined): string | null => reason?.trim() || null;

/**
 * Creates the operations that change queries. A save that changes the definition creates exactly one version. Any other
 * save creates none.
 */
export function createSaves({ database, rights, audit, approvals }: SavesDeps) {
  const present = async (tx: Tx, { caller }: CallerActor, id: number): Promise<Query> => {
    const row = await findQuery(tx, id);
    if (!row) throw notFound();
    return presentQuery(row, caller, true);
  };

  /**
   * Writes a definition, either immediately or as a waiting version. The caller must check and lock the links first.
   */
  const put = async (
    tx: Tx,
    actor: CallerActor,
    query: Pick<FoundQuery, 'id' | 'projectId' | 'activeVersionId'>,
    definition: VersionDefinition,
    { event, detail, isApproved, ...change }: Change,
  ): Promise<Saved> => {
    const { id, projectId, activeVersionId } = query;
    const isWaiting = isApproved !== true && approvals.isNeeded(actor.caller);
    // A query that was never approved has no active definition, so it shows the proposed one.
    if (!isWaiting || activeVersionId === null) {
      if (event !== 'queries.query_created') await updateQuery(tx, id, definition, actor.caller.userId);
      await replaceSteps(tx, id, definition.steps);
    }
    const by = { ...change, userId: actor.caller.userId };
    if (isWaiting) await approvals.submit(tx, actor, query, definition, by);
    else {
      await approvals.withdraw(tx, actor, query, 'WorkflowOff');
      await addActiveVersion(tx, id, definition, by);
    }
    await audit.record(tx, {
      by: actor,
      event: isWaiting && activeVersionId !== null ? 'queries.change_proposed' : event,
      subject: { kind: 'query', id },
      projectId,
      ...(detail && { detail }),
    });
    return { query: await present(tx, actor, id), isWaiting };
  };

  /** Locks the links of a definition. Waits for a concurrent removal of a link or archiving of a source. */
  const lockSources = (tx: Tx, projectId: number, { steps }: VersionDefinition): Promise<void> =>
    lockLinks(
      tx,
      projectId,
      steps.map((step) => step.dataSourceId),
    );

  const changeable = async (
    tx: Tx,
    actor: CallerActor,
    id: number,
    expectedVersion: number | undefined,
  ): Promise<FoundQuery> => {
    await lockRow(tx, id);
    const row = await writableQuery(rights, tx, actor.caller, id);
    await assertUnmanaged(tx, actor, 'Query', id);
    if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
    return row;
  };

  const create = async (
    tx: Tx,
    actor: CallerActor,
    input: NewQuery,
    by: SavedBy = { source: 'User' },
  ): Promise<Saved> => {
    const { projectId, folderId = null } = input;
    await rights.require(tx, actor.caller, projectId, 'Write');
    checkDefinition(input);
    const definition = canonical(input, []);
    await lockSources(tx, projectId, definition);
    await requireLinked(tx, projectId, definition.steps);
    if (folderId !== null) await requireFolder(tx, projectId, folderId, '/folderId');
    const id = await insertQuery(tx, projectId, { ...definition, folderId }, actor.caller);
    return put(tx, actor, { id, projectId, activeVersionId: null }, definition, {
      event: 'queries.query_created',
      source: by.source,
      reason: null,
      isApproved: by.isApproved === true,
    });
  };

  const update = async (
    tx: Tx,
    actor: CallerActor,
    id: number,
    input: QueryDefinition & { readonly changeReason?: string | null },
    { expectedVersion, ...by }: SavedBy & { readonly expectedVersion: number | undefined },
  ): Promise<Saved> => {
    const row = await changeable(tx, actor, id, expectedVersion);
    checkDefinition(input);
    const definition = canonical(input, row.steps);
    // A save without a change returns the stored query: no version, no new ETag, no event.
    if (await isActiveDefinition(tx, id, definition)) {
      await approvals.putBack(tx, actor, row);
      return { query: await present(tx, actor, id), isWaiting: false };
    }
    if (await approvals.isSubmitted(tx, actor.caller, id, definition))
      return { query: presentQuery(row, actor.caller, true), isWaiting: true };
    await lockSources(tx, row.projectId, definition);
    await requireLinked(tx, row.projectId, definition.steps);
    return put(tx, actor, row, definition, {
      event: 'queries.query_changed',
      source: by.source,
      reason: reasonOf(input.changeReason),
      isApproved: by.isApproved === true,
    });
  };

  return {
    /** Variants of `create` and `update` in the caller's transaction. */
    createIn: create,
    updateIn: update,

    create: async (actor: CallerActor, input: NewQuery): Promise<Query> =>
      (await database.transaction((tx) => create(tx, actor, input))).query,

    update: (
      actor: CallerActor,
      id: number,
      input: QueryDefinition & { readonly changeReason?: string | null },
      expectedVersion: number | undefined,
    ): Promise<Saved> =>
      database.transaction((tx) => update(tx, actor, id, input, { source: 'User', expectedVersion })),

    /**
     * Makes an old version the active definition again. All checks of a save apply.
     *
     * Restoring the active definition withdraws the caller's waiting change.
     *
     * @throws Refusal `already-active` when the active definition is the same, `source-not-linked` when one of its data
     *   sources is no longer linked to the project.
     */
    restore: (
      actor: CallerActor,
      { queryId, versionId, versionNumber, definition }: Restored,
      changeReason: string | null | undefined,
      expectedVersion: number | undefined,
    ): Promise<Saved> =>
      database.transaction(async (tx) => {
        const row = await changeable(tx, actor, queryId, expectedVersion);
        checkDefinition(definition);
        if (await isActiveDefinition(tx, queryId, definition)) {
          if (await approvals.putBack(tx, actor, row))
            return { query: await present(tx, actor, queryId), isWaiting: false };
          throw conflict('already-active', 'The query says already what this version says.');
        }
        await holdSources(tx, row.projectId, definition);
        return put(tx, actor, row, definition, {
          event: 'queries.query_restored',
          detail: { versionNumber },
          source: 'Restore',
          restoredFromId: versionId,
          reason: reasonOf(changeReason),
        });
      }),

    /**
     * Withdraws the caller's own version that waits for approval. The active definition does not change.
     *
     * @throws Refusal `not-your-request` where another user requested the approval, `change-over` where the version no
     *   longer waits.
     */
    withdraw: (actor: CallerActor, id: number, versionId: number): Promise<Query> =>
      database.transaction(async (tx) => {
        await lockRow(tx, id);
        const row = await writableQuery(rights, tx, actor.caller, id);
        if (!(await isVersionOf(tx, id, versionId))) throw notFound();
        await approvals.withdrawOwn(tx, actor, row, versionId);
        return present(tx, actor, id);
      }),

    setLocked: (actor: CallerActor, id: number, isLocked: boolean): Promise<Query> =>
      database.transaction(async (tx) => {
        await lockRow(tx, id);
        const row = await writableQuery(rights, tx, actor.caller, id);
        if (await setLocked(tx, id, isLocked, actor.caller.userId))
          await addQueryChange(tx, id, isLocked ? 'Locked' : 'Unlocked', actor.caller.userId);
        await audit.record(tx, {
          by: actor,
          event: isLocked ? 'queries.query_locked' : 'queries.query_unlocked',
          subject: { kind: 'query', id },
          projectId: row.projectId,
        });
        return present(tx, actor, id);
      }),
  };
}
