import type { ListQuery, Page, QueryMcpTool } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import {
  badRequest,
  conflict,
  notFound,
  notPossible,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import { addQueryChange, lockQueryRow } from '../queries/index.ts';
import { toolNameOf } from './offer.ts';
import { type McpState, presentTool } from './present.ts';
import * as store from './store.ts';

export type QueryToolsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  /** Returns the MCP state of each project. */
  readonly mcpIn: (executor: Executor, projectIds: readonly number[]) => Promise<(id: number) => McpState>;
  /** True: queries need approval, so tools run the version approved last. */
  readonly isFollowing: boolean;
};

export type QueryToolsService = ReturnType<typeof createQueryToolsService>;

type Publication = {
  readonly isEnabled: boolean;
  readonly name?: string;
  readonly description?: string | null;
  readonly versionId?: number;
};

const nameTaken = () =>
  badRequest('tool-name-taken', 'Another published query has this name.', [
    { path: '/name', message: 'is taken' },
  ]);

/** Returns the fields to store when a query is unpublished; undefined if it was never published. */
function withdrawn({ name, versionId, description }: store.ToolRow): store.ToolFields | undefined {
  return name === null || versionId === null ? undefined : { isEnabled: false, name, description, versionId };
}

/** Combines the request with the previous publication. */
function publishedFields(row: store.ToolRow, sent: Publication): store.ToolFields {
  const name = sent.name ?? row.name;
  if (name === null)
    throw badRequest('tool-name-needed', 'Give the tool a name.', [{ path: '/name', message: 'is needed' }]);
  if (row.newestVersionId === null)
    throw conflict('query-not-approved', 'Nobody has approved a definition of this query yet.');
  return {
    isEnabled: true,
    name,
    description: sent.description === undefined ? row.description : sent.description?.trim() || null,
    versionId: sent.versionId ?? (row.isEnabled ? row.versionId : null) ?? row.newestVersionId,
  };
}

const isSame = (row: store.ToolRow, fields: store.ToolFields): boolean =>
  row.isEnabled === fields.isEnabled &&
  row.name === fields.name &&
  row.description === fields.description &&
  row.versionId === fields.versionId;

/**
 * Creates the service for queries as tools of AI clients. A SecurityAdmin selects query and version. Readers of the
 * query can see the tool.
 */
export function createQueryToolsService(deps: QueryToolsDeps) {
  const { database, rights, audit, mcpIn, isFollowing } = deps;

  const requireTool = async (executor: Executor, queryId: number): Promise<store.ToolRow> => {
    const row = await store.findTool(executor, queryId);
    if (!row) throw notFound();
    return row;
  };

  const present = async (executor: Executor, rows: readonly store.ToolRow[]): Promise<QueryMcpTool[]> => {
    const mcpOf = await mcpIn(
      executor,
      rows.map((row) => row.projectId),
    );
    return rows.map((row) => presentTool(row, mcpOf(row.projectId), isFollowing));
  };

  const presentOne = async (executor: Executor, queryId: number): Promise<QueryMcpTool> => {
    const [tool] = await present(executor, [await requireTool(executor, queryId)]);
    if (!tool) throw notFound();
    return tool;
  };

  const save = async (tx: Tx, queryId: number, fields: store.ToolFields, userId: number | null) => {
    if (fields.isEnabled && !(await store.isPublishable(tx, queryId, fields.versionId)))
      throw notPossible('version-not-publishable', 'This version of the query cannot be published.', [
        { path: '/versionId', message: 'is no version of the query that may run' },
      ]);
    await store.saveTool(tx, queryId, fields, userId).catch((error: unknown) => {
      throw isUniqueViolation(error, 'query_tools_name') ? nameTaken() : error;
    });
  };

  return {
    get: async (caller: Caller, queryId: number): Promise<QueryMcpTool> => {
      const { projectId } = await requireTool(database, queryId);
      if (!holds(caller, 'SecurityAdmin')) await rights.require(database, caller, projectId, 'Read');
      return presentOne(database, queryId);
    },

    /**
     * Publishes or unpublishes a query. Adds an event to its history but no version: the definition does not change.
     */
    set: (
      by: CallerActor,
      queryId: number,
      sent: Publication,
      expectedVersion: number | undefined,
    ): Promise<QueryMcpTool> =>
      database.transaction(async (tx) => {
        await lockQueryRow(tx, queryId);
        const row = await requireTool(tx, queryId);
        assertVersion(row.version, expectedVersion);
        const fields = sent.isEnabled ? publishedFields(row, sent) : withdrawn(row);
        if (!fields || isSame(row, fields)) return presentOne(tx, queryId);
        const { userId } = by.caller;
        await save(tx, queryId, fields, userId);
        const kind = fields.isEnabled ? 'Published' : 'Unpublished';
        await addQueryChange(tx, queryId, kind, userId, fields.versionId);
        const saved = await presentOne(tx, queryId);
        await audit.record(tx, {
          by,
          event: fields.isEnabled ? 'queries.query_published' : 'queries.query_unpublished',
          subject: { kind: 'query', id: queryId },
          projectId: row.projectId,
          detail: { tool: toolNameOf(fields.name), versionNumber: saved.versionNumber },
        });
        return saved;
      }),

    list: async (
      query: ListQuery & { readonly search?: string; readonly projectId?: number },
    ): Promise<Page<QueryMcpTool>> => {
      const page = pageRequest(query, { sortable: store.sortable, byDefault: 'name', unique: 'q.id' });
      const filter = { search: query.search?.trim() || null, projectId: query.projectId ?? null };
      const { rows, totalCount } = await store.listTools(database, filter, page);
      return pageOf(await present(database, rows), totalCount, page);
    },
  };
}
