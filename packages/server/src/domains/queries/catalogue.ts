import type { QueryParameter } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { findQuery, listQueries, type QueryRow, sortable } from './store.ts';

/** Saved query that a caller can find and run. */
export type SavedQuery = {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  /** Number of the stored definition. `version` counts every change. */
  readonly versionNumber: number | null;
  readonly parameters: readonly QueryParameter[];
  readonly dataSourceNames: readonly string[];
  /** SQL of its steps, and last its final query. */
  readonly statements: readonly string[];
};

/**
 * Returns queries of a project, ordered by name, without a check of rights. Queries without an approved definition are
 * excluded. `text`: part of the name or the description.
 */
export async function listSavedQueries(
  executor: Executor,
  projectId: number,
  filter: { readonly text?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ queries: SavedQuery[]; totalCount: number }> {
  const { rows, totalCount } = await listQueries(
    executor,
    [projectId],
    { search: filter.text, isApproved: true },
    {
      limit: filter.limit,
      offset: filter.offset,
      order: [
        { column: sortable.name, descending: false },
        { column: sortable.id, descending: false },
      ],
    },
  );
  return { queries: rows.map(present), totalCount };
}

/**
 * Finds an approved query of a project by its id or its full name (case-insensitive). If several queries have the name,
 * it returns the one with the lowest id.
 */
export async function findSavedQuery(
  executor: Executor,
  projectId: number,
  idOrName: number | string,
): Promise<SavedQuery | undefined> {
  if (typeof idOrName === 'number') {
    const row = await findQuery(executor, idOrName);
    return row?.projectId === projectId && row.activeVersionId !== null ? present(row) : undefined;
  }
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.queries where project_id = $1 and archived_at is null
       and active_version_id is not null and lower(name) = lower($2) order by id limit 1`,
    [projectId, idOrName.trim()],
  );
  return rows[0] && findSavedQuery(executor, projectId, rows[0].id);
}

const present = (row: QueryRow): SavedQuery => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  version: row.version,
  versionNumber: row.versionNumber,
  parameters: row.parameters,
  dataSourceNames: [...new Set(row.steps.map((step) => step.dataSourceName))],
  statements: [...row.steps.map((step) => step.sql), ...(row.finalQuery ? [row.finalQuery] : [])],
});
