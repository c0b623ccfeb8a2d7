import type {
  ListQuery,
  Page,
  QueryChange,
  QueryPreview,
  QueryVersion,
  QueryVersionDiff,
  QueryVersionListItem,
  QueryVersionStatus,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { badRequest, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { notApproved, type PreviewExtent, type QueriesService, readableQuery } from '../queries/index.ts';
import { differencesOf } from './diff.ts';
import { presentChange, presentVersion, presentVersionListItem } from './present.ts';
import {
  type ChangeFilter,
  changeSortable,
  findVersion,
  linkedSources,
  listChanges,
  listVersions,
  type VersionRow,
  versionSortable,
} from './store.ts';

export type QueryVersionsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly queries: Pick<QueriesService, 'previewStored' | 'restore'>;
};

export type QueryVersionsService = ReturnType<typeof createQueryVersionsService>;

/** Statuses of approved versions. Only callers who may change the query can preview other versions, like drafts. */
const wasApproved: ReadonlySet<string> = new Set<QueryVersionStatus>(['Active', 'Archived']);

/**
 * Creates the service for versions of queries: content, time, author and reason. Readers of a query can read its
 * versions.
 */
export function createQueryVersionsService({ database, rights, queries }: QueryVersionsDeps) {
  const readable = async (
    executor: Executor,
    caller: Caller,
    id: number,
  ): Promise<{ version: VersionRow; projectId: number; canEdit: boolean }> => {
    const version = await findVersion(executor, id);
    if (!version) throw notFound();
    const { row, canEdit } = await readableQuery(rights, executor, caller, version.queryId);
    return { version, projectId: row.projectId, canEdit };
  };

  return {
    list: async (caller: Caller, queryId: number, query: ListQuery): Promise<Page<QueryVersionListItem>> => {
      await readableQuery(rights, database, caller, queryId);
      const page = pageRequest(query, {
        sortable: versionSortable,
        byDefault: '-versionNumber',
        unique: 'v.version_number',
      });
      const { rows, totalCount } = await listVersions(database, queryId, page);
      return pageOf(rows.map(presentVersionListItem), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<QueryVersion> => {
      const { version, ...query } = await readable(database, caller, id);
      const ids = version.steps.map((step) => step.dataSourceId);
      return presentVersion(version, query, await linkedSources(database, query.projectId, ids));
    },

    diff: async (caller: Caller, fromId: number, toId: number): Promise<QueryVersionDiff> => {
      // Both versions are read before the comparison, so that no other error reveals an unreadable version.
      const { version: from } = await readable(database, caller, fromId);
      const { version: to } = await readable(database, caller, toId);
      if (from.queryId !== to.queryId)
        throw badRequest('different-queries', 'The two versions belong to different queries.');
      return {
        queryId: from.queryId,
        from: { id: from.id, versionNumber: from.versionNumber },
        to: { id: to.id, versionNumber: to.versionNumber },
        parts: differencesOf(from, to),
      };
    },

    preview: async (
      caller: Caller,
      id: number,
      values: Readonly<Record<string, unknown>>,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      const { version, projectId, canEdit } = await readable(database, caller, id);
      if (!wasApproved.has(version.status) && !canEdit) throw notApproved();
      return queries.previewStored(caller, { ...version, projectId }, values, page, signal);
    },

    restore: async (
      actor: CallerActor,
      id: number,
      changeReason: string | null | undefined,
      expectedVersion: number | undefined,
    ): Promise<Awaited<ReturnType<QueriesService['restore']>>> => {
      // Versions are immutable, so only the query needs a lock. `restore` locks it.
      const { version } = await readable(database, actor.caller, id);
      const { queryId, versionNumber, name, description, finalQuery, parameters, steps } = version;
      return queries.restore(
        actor,
        {
          queryId,
          versionId: id,
          versionNumber,
          definition: { name, description, finalQuery, parameters, steps },
        },
        changeReason,
        expectedVersion,
      );
    },

    changes: async (
      caller: Caller,
      queryId: number,
      query: ListQuery & { readonly [Name in keyof ChangeFilter]?: NonNullable<ChangeFilter[Name]> },
    ): Promise<Page<QueryChange>> => {
      await readableQuery(rights, database, caller, queryId);
      const page = pageRequest(query, { sortable: changeSortable, byDefault: '-at', unique: 'e.id' });
      const { stepKey = null, source = null, from = null, to = null } = query;
      const { rows, totalCount } = await listChanges(database, queryId, { stepKey, source, from, to }, page);
      return pageOf(rows.map(presentChange), totalCount, page);
    },
  };
}
