import type { CodeReferenceKind, ScanFailure, ScanStatus } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { toStorable } from '../../platform/text/index.ts';
import type { FoundReference } from './scan/find-references.ts';

export type RepositoryRow = {
  readonly id: number;
  readonly projectId: number;
  readonly url: string;
  readonly branch: string;
  readonly tokenSealed: string | null;
  readonly scanStatus: ScanStatus;
  readonly scanFailure: ScanFailure | null;
  readonly scannedAt: Date | null;
  readonly commitId: string | null;
  readonly fileCount: number | null;
  readonly referenceCount: number;
  readonly isCut: boolean;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const repositorySortable: Sortable = {
  url: 'lower(r.url) collate "C"',
  createdTime: 'r.created_time',
  scannedAt: 'r.scanned_at',
  referenceCount: 'r.reference_count',
};

const columns = `r.id, r.project_id as "projectId", r.url, r.branch, r.token_sealed as "tokenSealed",
  r.scan_status as "scanStatus", r.scan_failure as "scanFailure", r.scanned_at as "scannedAt", r.commit_id as "commitId",
  r.file_count as "fileCount", r.reference_count as "referenceCount", r.is_cut as "isCut",
  r.created_time as "createdTime", r.updated_at as "updatedAt", r.version`;
const live = `from svc.repositories r join svc.projects p on p.id = r.project_id and p.archived_at is null
  where r.archived_at is null`;

export async function listRepositories(
  executor: Executor,
  projectId: number,
  page: PageRequest,
): Promise<{ rows: RepositoryRow[]; total: number }> {
  const { rows } = await executor.query<RepositoryRow>(
    `select ${columns} ${live} and r.project_id = $1 order by ${orderBy(page)} limit $2 offset $3`,
    [projectId, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(
    `select count(*)::int as total ${live} and r.project_id = $1`,
    [projectId],
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Finds a repository of a live project. */
export async function findRepository(
  executor: Executor,
  id: number,
  { forUpdate = false }: { readonly forUpdate?: boolean } = {},
): Promise<RepositoryRow | undefined> {
  const { rows } = await executor.query<RepositoryRow>(
    `select ${columns} ${live} and r.id = $1 ${forUpdate ? 'for update of r' : ''}`,
    [id],
  );
  return rows[0];
}

/** @returns the new id; undefined when the project has this branch of this repository already. */
export async function insertRepository(
  tx: Tx,
  repository: {
    readonly projectId: number;
    readonly url: string;
    readonly branch: string;
    readonly userId: number | null;
  },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.repositories (project_id, url, branch, created_by_user_id) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [repository.projectId, repository.url, repository.branch, repository.userId],
  );
  return rows[0]?.id;
}

/**
 * Changes address and branch of a repository. Deletes the references that were found at the former place.
 *
 * @returns false when the project has this branch of this repository already.
 */
export async function moveRepository(
  tx: Tx,
  id: number,
  to: { readonly url: string; readonly branch: string; readonly keepsToken: boolean },
): Promise<boolean> {
  const { rows } = await tx.query(
    `select from svc.repositories r, svc.repositories o where r.id = $1 and o.id <> r.id and o.project_id = r.project_id
       and o.archived_at is null and lower(o.url) = lower($2) and o.branch = $3`,
    [id, to.url, to.branch],
  );
  if (rows.length > 0) return false;
  await tx.query(
    `update svc.repositories set url = $2, branch = $3, token_sealed = case when $4 then token_sealed end,
       scan_status = 'NotScanned', scan_failure = null, scanned_at = null, commit_id = null, file_count = null,
       reference_count = 0, is_cut = false, updated_at = now(), version = version + 1 where id = $1`,
    [id, to.url, to.branch, to.keepsToken],
  );
  await deleteReferences(tx, id);
  return true;
}

export async function archiveRepository(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `update svc.repositories set archived_at = now(), token_sealed = null, reference_count = 0, updated_at = now(),
       version = version + 1 where id = $1`,
    [id],
  );
  await deleteReferences(tx, id);
}

const deleteReferences = (tx: Tx, repositoryId: number) =>
  tx.query('delete from svc.code_references where repository_id = $1', [repositoryId]);

export async function setToken(tx: Tx, id: number, sealed: string | null): Promise<void> {
  await tx.query(
    'update svc.repositories set token_sealed = $2, updated_at = now(), version = version + 1 where id = $1',
    [id, sealed],
  );
}

export async function setScanStatus(
  executor: Executor,
  id: number,
  status: 'Waiting' | 'Scanning',
): Promise<void> {
  await executor.query('update svc.repositories set scan_status = $2, scan_failure = null where id = $1', [
    id,
    status,
  ]);
}

export async function setScanFailed(tx: Tx, id: number, failure: ScanFailure): Promise<void> {
  await tx.query(`update svc.repositories set scan_status = 'Failed', scan_failure = $2 where id = $1`, [
    id,
    failure,
  ]);
}

/** Replaces the result of the last scan. */
export async function saveScan(
  tx: Tx,
  id: number,
  scanned: {
    readonly commitId: string;
    readonly fileCount: number;
    readonly isCut: boolean;
    readonly references: readonly FoundReference[];
  },
): Promise<void> {
  await deleteReferences(tx, id);
  await tx.query(
    `insert into svc.code_references (repository_id, path, line, table_name, kind, snippet)
     select $1, f.path, f.line, f."table", f.kind, f.snippet
     from jsonb_to_recordset($2::jsonb) as f (path text, line int, "table" text, kind text, snippet text)`,
    [
      id,
      JSON.stringify(scanned.references, (_name, value: unknown) =>
        typeof value === 'string' ? toStorable(value) : value,
      ),
    ],
  );
  await tx.query(
    `update svc.repositories set scan_status = 'Completed', scan_failure = null, scanned_at = now(), commit_id = $2,
       file_count = $3, is_cut = $4, reference_count = $5 where id = $1`,
    [id, scanned.commitId, scanned.fileCount, scanned.isCut, scanned.references.length],
  );
}

/** Returns the names of the tables in the stored schemas of a project's data sources. */
export async function tablesOf(executor: Executor, projectId: number): Promise<string[]> {
  const { rows } = await executor.query<{ name: string }>(
    `select distinct t->>'name' as name from svc.project_data_sources l
       join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
       join svc.data_source_metadata m on m.data_source_id = d.id, jsonb_array_elements(m.snapshot->'tables') t
     where l.project_id = $1`,
    [projectId],
  );
  return rows.map(({ name }) => name);
}

export type ReferenceRow = {
  readonly id: number;
  readonly repositoryId: number;
  readonly url: string;
  readonly path: string;
  readonly line: number;
  readonly table: string;
  readonly kind: CodeReferenceKind;
  readonly snippet: string | null;
};

export const referenceSortable: Sortable = {
  path: 'c.path collate "C"',
  table: 'lower(c.table_name) collate "C"',
};

export type ReferenceFilter = {
  readonly search: string | null;
  readonly repositoryId: number | null;
  readonly table: string | null;
  readonly kind: CodeReferenceKind | null;
};

export async function listReferences(
  executor: Executor,
  projectId: number,
  { search, repositoryId, table, kind }: ReferenceFilter,
  page: PageRequest,
): Promise<{ rows: ReferenceRow[]; total: number }> {
  const from = `from svc.code_references c join svc.repositories r on r.id = c.repository_id and r.archived_at is null
    where r.project_id = $1 and ($2::int is null or r.id = $2) and ($3::text is null or lower(c.table_name) = lower($3))
      and ($4::text is null or c.kind = $4)
      and ($5::text is null or position(lower($5) in lower(c.path || ' ' || c.table_name || ' ' || coalesce(c.snippet, ''))) > 0)`;
  const values = [projectId, repositoryId, table, kind, search];
  const { rows } = await executor.query<ReferenceRow>(
    `select c.id, c.repository_id as "repositoryId", r.url, c.path, c.line, c.table_name as "table", c.kind, c.snippet
     ${from} order by ${orderBy(page)} limit $6 offset $7`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(`select count(*)::int as total ${from}`, values);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
