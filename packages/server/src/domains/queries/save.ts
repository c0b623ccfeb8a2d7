import type { Query } from '@svc/contract';
import type { Database, Tx } from '../../platform/db/index.ts';
import { changedMeanwhile, conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, AuditEvent, CallerActor } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { checkDefinition, fieldsOf, type QueryDefinition } from './definition.ts';
import { requireFolder } from './folder.ts';
import { presentQuery } from './present.ts';
import { requireLinked, writableQuery } from './reach.ts';
import { keyedSteps } from './step-keys.ts';
import {
  findQuery,
  insertQuery,
  lockLinks,
  lockRow,
  type QueryRow,
  replaceSteps,
  setLocked,
  unlinkedSources,
  updateQuery,
} from './store.ts';
import {
  addActiveVersion,
  addQueryChange,
  isActiveDefinition,
  type VersionChange,
  type VersionDefinition,
} from './version-store.ts';

export type SavesDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
};

/** An old version that is made the active definition again. */
export type Restored = {
  readonly queryId: number;
  readonly versionId: number;
  readonly versionNumber: number;
  readonly definition: VersionDefinition;
};

/** What is made in a project, and in which of its folders. */
type NewQuery = QueryDefinition & { readonly projectId: number; readonly folderId?: number | null };

type Change = Omit<VersionChange, 'userId'> & {
  readonly event: AuditEvent['event'];
  readonly detail?: AuditEvent['detail'];
};

/** The canonical definition of a save: what a version holds. */
const canonical = (input: QueryDefinition, stored: QueryRow['steps']): VersionDefinition => ({
  ...fieldsOf(input),
  steps: keyedSteps(input.steps ?? [], stored),
});

const reasonOf = (reason: string | null | undefined): string | null => reason?.trim() || null;

/** What changes queries. A save that changes the definition makes exactly one version; any other makes none. */
export function createSaves({ database, rights, audit }: SavesDeps) {
  /** The links are locked and were found by the caller. */
  const save = async (
    tx: Tx,
    actor: CallerActor,
    query: { readonly id: number; readonly projectId: number },
    definition: VersionDefinition,
    { event, detail, ...change }: Change,
  ): Promise<Query> => {
    await replaceSteps(tx, query.id, definition.steps);
    await addActiveVersion(tx, query.id, definition, { ...change, userId: actor.caller.userId });
    await audit.record(tx, {
      by: actor,
      event,
      subject: { kind: 'query', id: query.id },
      projectId: query.projectId,
      ...(detail && { detail }),
    });
    const row = await findQuery(tx, query.id);
    if (!row) throw notFound();
    return presentQuery(row, true);
  };

  /** A link that is being removed, or a source that is being archived, is waited for. */
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
  ): Promise<QueryRow> => {
    await lockRow(tx, id);
    const row = await writableQuery(rights, tx, actor.caller, id);
    if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
    return row;
  };

  return {
    create: (actor: CallerActor, input: NewQuery): Promise<Query> =>
      database.transaction(async (tx) => {
        const { projectId, folderId = null } = input;
        await rights.require(tx, actor.caller, projectId, 'Write');
        checkDefinition(input);
        const definition = canonical(input, []);
        await lockSources(tx, projectId, definition);
        await requireLinked(tx, projectId, definition.steps);
        if (folderId !== null) await requireFolder(tx, projectId, folderId, '/folderId');
        const id = await insertQuery(tx, projectId, { ...definition, folderId }, actor.caller.userId);
        return save(tx, actor, { id, projectId }, definition, {
          event: 'queries.query_created',
          source: 'User',
          reason: null,
        });
      }),

    update: (
      actor: CallerActor,
      id: number,
      input: QueryDefinition & { readonly changeReason?: string | null },
      expectedVersion: number | undefined,
    ): Promise<Query> =>
      database.transaction(async (tx) => {
        const row = await changeable(tx, actor, id, expectedVersion);
        checkDefinition(input);
        const definition = canonical(input, row.steps);
        // A save that changes nothing is answered with what is there: no version, no new ETag, no event.
        if (await isActiveDefinition(tx, id, definition)) return presentQuery(row, true);
        await lockSources(tx, row.projectId, definition);
        await requireLinked(tx, row.projectId, definition.steps);
        await updateQuery(tx, id, definition, actor.caller.userId);
        return save(tx, actor, row, definition, {
          event: 'queries.query_changed',
          source: 'User',
          reason: reasonOf(input.changeReason),
        });
      }),

    /**
     * Makes what an old version said the definition again, as a save that passes every check of one.
     *
     * @throws Refusal `already-active` where the query says this already, `source-not-linked` where it reads a data
     *   source that its project does not hold any more.
     */
    restore: (
      actor: CallerActor,
      { queryId, versionId, versionNumber, definition }: Restored,
      changeReason: string | null | undefined,
      expectedVersion: number | undefined,
    ): Promise<Query> =>
      database.transaction(async (tx) => {
        const row = await changeable(tx, actor, queryId, expectedVersion);
        checkDefinition(definition);
        if (await isActiveDefinition(tx, queryId, definition))
          throw conflict('already-active', 'The query says already what this version says.');
        await lockSources(tx, row.projectId, definition);
        const ids = definition.steps.map((step) => step.dataSourceId);
        if ((await unlinkedSources(tx, row.projectId, ids)).length > 0)
          throw conflict(
            'source-not-linked',
            "A data source of this version is no longer linked to the query's project.",
          );
        await updateQuery(tx, queryId, definition, actor.caller.userId);
        return save(tx, actor, row, definition, {
          event: 'queries.query_restored',
          detail: { versionNumber },
          source: 'Restore',
          restoredFromId: versionId,
          reason: reasonOf(changeReason),
        });
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
        return presentQuery(await findQuery(tx, id).then((found) => found ?? row), true);
      }),
  };
}
