import type { CodeReference, CodeReferenceKind, ListQuery, Page, Repository } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { scanRepositoryJob } from './jobs.ts';
import * as store from './store.ts';
import type { Tokens } from './tokens.ts';

export type RepositoriesDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Jobs;
  readonly outbound: Pick<Outbound, 'checkDestination'>;
  readonly policy: OutboundPolicy;
  readonly tokens: Tokens;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};

export type RepositoriesService = ReturnType<typeof createRepositoriesService>;

/** Returns the last part of an address, which is the display name of the repository. */
export const nameOf = (url: string): string =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .at(-1)
    ?.replace(/\.git$/, '') ?? url;

const present = ({ tokenSealed, ...row }: store.RepositoryRow): Repository => ({
  ...row,
  name: nameOf(row.url),
  hasToken: tokenSealed !== null,
  scannedAt: row.scannedAt?.toISOString() ?? null,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Creates the service for repositories of a project's code, and for the lines in them that name tables. */
export function createRepositoriesService(deps: RepositoriesDeps) {
  const { database, audit, jobs, outbound, policy, tokens } = deps;

  const find = async (
    executor: Executor,
    id: number,
    options: { readonly forUpdate?: boolean } = {},
  ): Promise<store.RepositoryRow> => {
    const row = await store.findRepository(executor, id, options);
    if (!row) throw notFound();
    return row;
  };

  /** Checks an address and returns its stored form, without parts that git does not need. */
  const checkUrl = async (text: string): Promise<string> => {
    const check = await outbound.checkDestination(text.trim(), policy);
    const url = check.ok ? new URL(check.url) : undefined;
    if (url === undefined || url.search !== '' || url.pathname === '/') {
      const message = check.ok ? 'The address names no repository.' : check.message;
      throw brokenRule('repository-url-not-allowed', message, [{ path: '/url', message }]);
    }
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  };

  const twin = () => conflict('repository-exists', 'The project has this branch of this repository already.');

  return {
    list: async (caller: Caller, projectId: number, query: ListQuery): Promise<Page<Repository>> => {
      await requireRight(database, caller, projectId, 'Read');
      const page = pageRequest(query, {
        sortable: store.repositorySortable,
        byDefault: 'url',
        unique: 'r.id',
      });
      const { rows, total } = await store.listRepositories(database, projectId, page);
      return pageOf(rows.map(present), total, page);
    },

    add: async (
      by: CallerActor,
      projectId: number,
      input: { readonly url: string; readonly branch?: string },
    ): Promise<Repository> => {
      await requireRight(database, by.caller, projectId, 'Write');
      const url = await checkUrl(input.url);
      return database.transaction(async (tx) => {
        await requireRight(tx, by.caller, projectId, 'Write');
        const values = { projectId, url, branch: input.branch ?? 'main', userId: by.caller.userId };
        const id = await store.insertRepository(tx, values);
        if (id === undefined) throw twin();
        return present(await find(tx, id));
      });
    },

    change: async (
      by: CallerActor,
      id: number,
      change: { readonly url?: string; readonly branch?: string },
      expectedVersion: number | undefined,
    ): Promise<Repository> => {
      const repository = await find(database, id);
      await requireRight(database, by.caller, repository.projectId, 'Write');
      const checkedUrl = change.url === undefined ? repository.url : await checkUrl(change.url);
      return database.transaction(async (tx) => {
        const before = await find(tx, id, { forUpdate: true });
        await requireRight(tx, by.caller, before.projectId, 'Write');
        assertVersion(before.version, expectedVersion);
        const url = change.url === undefined ? before.url : checkedUrl;
        const branch = change.branch ?? before.branch;
        if (url === before.url && branch === before.branch) return present(before);
        const keepsToken = new URL(url).origin === new URL(before.url).origin;
        if (!(await store.moveRepository(tx, id, { url, branch, keepsToken }))) throw twin();
        if (before.tokenSealed !== null && !keepsToken)
          await audit.record(tx, { event: 'projects.repository_token_dropped', by, ...about(before) });
        return present(await find(tx, id));
      });
    },

    remove: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await find(tx, id, { forUpdate: true });
        await requireRight(tx, by.caller, row.projectId, 'Write');
        assertVersion(row.version, expectedVersion);
        await store.archiveRepository(tx, id);
      }),

    /** @param token Null removes it. */
    setToken: (by: CallerActor, id: number, token: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await find(tx, id, { forUpdate: true });
        await store.setToken(tx, id, token === null ? null : tokens.seal(id, token));
        const event = token === null ? 'repository_token_removed' : 'repository_token_set';
        await audit.record(tx, { event: `projects.${event}`, by, ...about(row) });
      }),

    scan: (caller: Caller, id: number): Promise<{ jobId: string }> =>
      database.transaction(async (tx) => {
        const row = await find(tx, id, { forUpdate: true });
        await requireRight(tx, caller, row.projectId, 'Write');
        const metadata = deps.startedBy(caller);
        const { jobId } = await jobs.enqueue(
          tx,
          scanRepositoryJob,
          { repositoryId: id },
          metadata ? { metadata } : {},
        );
        // The request joins a scan in progress.
        if (row.scanStatus !== 'Scanning') await store.setScanStatus(tx, id, 'Waiting');
        return { jobId };
      }),

    references: async (
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
      const shown = rows.map(({ url, ...row }) => ({ ...row, repositoryName: nameOf(url) }));
      return pageOf(shown, total, page);
    },
  };
}

const about = ({ id, projectId }: store.RepositoryRow) => ({
  subject: { kind: 'repository', id },
  projectId,
});
