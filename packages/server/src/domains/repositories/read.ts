import type { CodeReference, CodeReferenceKind, ListQuery, Page, Repository } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { requireRight } from '../projects/index.ts';
import { nameOf } from './address.ts';
import { presentRepository } from './present.ts';
import * as store from './store.ts';

type Deps = { readonly database: Database };

/** @throws HttpProblem 404 for an unknown repository. */
export async function requireRepository(
  executor: Executor,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<store.RepositoryRow> {
  const row = await store.findRepository(executor, id, options);
  if (!row) throw notFound();
  return row;
}

export const createListRepositories =
  ({ database }: Deps) =>
  async (caller: Caller, projectId: number, query: ListQuery): Promise<Page<Repository>> => {
    await requireRight(database, caller, projectId, 'Read');
    const page = pageRequest(query, {
      sortable: store.repositorySortable,
      byDefault: 'url',
      unique: 'r.id',
    });
    const { rows, total } = await store.listRepositories(database, projectId, page);
    return pageOf(rows.map(presentRepository), total, page);
  };

/** Lists the lines of code that name tables. */
export const createListReferences =
  ({ database }: Deps) =>
  async (
    caller: Caller,
    projectId: number,
    query: ListQuery & { search?: string; repositoryId?: number; table?: string; kind?: CodeReferenceKind },
  ): Promise<Page<CodeReference>> => {
    await requireRight(database, caller, projectId, 'Read');
    const page = pageRequest(query, {
      sortable: store.referenceSortable,
      byDefault: 'path',
      unique: 'c.id',
    });
    const filter = {
      search: query.search || null,
      repositoryId: query.repositoryId ?? null,
      table: query.table || null,
      kind: query.kind ?? null,
    };
    const { rows, total } = await store.listReferences(database, projectId, filter, page);
    const items = rows.map(({ url, ...row }) => ({ ...row, repositoryName: nameOf(url) }));
    return pageOf(items, total, page);
  };
