import type { Query } from '@svc/contract';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { changedMeanwhile, notFound } from '../../../platform/http/index.ts';
import type { Audit, AuditEvent, CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { SaveApprovals } from '../approval.ts';
import { fieldsOf, type QueryDefinition } from '../definition.ts';
import { presentQuery } from '../present.ts';
import { writableQuery } from '../reach.ts';
import { keyedSteps } from '../step-keys.ts';
import { type FoundQuery, findQuery, lockRow, replaceSteps, updateQuery } from '../store.ts';
import { addActiveVersion, type VersionChange, type VersionDefinition } from '../version-store.ts';

export type SavesDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly approvals: SaveApprovals;
};

/** Result of a save. */
export type SaveResult = {
  readonly query: Query;
  /** True: the saved definition waits for approval. An active definition is unchanged. */
  readonly isWaiting: boolean;
};

/** Origin of a save. `isApproved`: another user approved the save as part of a plan. */
export type SaveOrigin = { readonly source: 'User' | 'AiActor'; readonly isApproved?: boolean };

type Change = Omit<VersionChange, 'userId'> & {
  readonly event: AuditEvent['event'];
  readonly detail?: AuditEvent['detail'];
  /** True: another user approved the change as part of a plan, so it needs no approval here. */
  readonly isApproved?: boolean;
};

/** Returns the canonical definition of a save, as a version stores it. */
export const canonical = (input: QueryDefinition, stored: FoundQuery['steps']): VersionDefinition => ({
  ...fieldsOf(input),
  steps: keyedSteps(input.steps ?? [], stored),
});

export const reasonOf = (reason: string | null | undefined): string | null => reason?.trim() || null;

/** Returns the query after a change by the caller. */
export async function presentSaved(tx: Tx, { caller }: CallerActor, id: number): Promise<Query> {
  const row = await findQuery(tx, id);
  if (!row) throw notFound();
  return presentQuery(row, caller, true);
}

/** Locks and returns a query whose definition the caller may change. */
export async function lockForSave(
  rights: ProjectRights,
  tx: Tx,
  actor: CallerActor,
  id: number,
  expectedVersion: number | undefined,
): Promise<FoundQuery> {
  await lockRow(tx, id);
  const row = await writableQuery(rights, tx, actor.caller, id);
  await assertUnmanaged(tx, actor, 'Query', id);
  if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
  return row;
}

/**
 * Writes a definition, either immediately or as a waiting version. The caller must check and lock the links first.
 */
export async function writeDefinition(
  { audit, approvals }: Pick<SavesDeps, 'audit' | 'approvals'>,
  tx: Tx,
  actor: CallerActor,
  query: Pick<FoundQuery, 'id' | 'projectId' | 'activeVersionId'>,
  definition: VersionDefinition,
  { event, detail, isApproved, ...change }: Change,
): Promise<SaveResult> {
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
  return { query: await presentSaved(tx, actor, id), isWaiting };
}
