import type { Repository } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { checkAddress } from './address.ts';
import { scanRepositoryJob } from './jobs.ts';
import { presentRepository } from './present.ts';
import { createListReferences, createListRepositories, requireRepository } from './read.ts';
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

const duplicate = () =>
  conflict('repository-exists', 'The project has this branch of this repository already.');

const subjectOf = ({ id, projectId }: store.RepositoryRow) => ({
  subject: { kind: 'repository', id },
  projectId,
});

/** Creates the service for repositories of a project's code, and for the lines in them that name tables. */
export function createRepositoriesService(deps: RepositoriesDeps) {
  const { database, audit, jobs, tokens } = deps;
  return {
    list: createListRepositories(deps),
    references: createListReferences(deps),

    add: async (
      by: CallerActor,
      projectId: number,
      input: { readonly url: string; readonly branch?: string },
    ): Promise<Repository> => {
      await requireRight(database, by.caller, projectId, 'Write');
      const url = await checkAddress(deps, input.url);
      return database.transaction(async (tx) => {
        await requireRight(tx, by.caller, projectId, 'Write');
        const values = { projectId, url, branch: input.branch ?? 'main', userId: by.caller.userId };
        const id = await store.insertRepository(tx, values);
        if (id === undefined) throw duplicate();
        return presentRepository(await requireRepository(tx, id));
      });
    },

    change: async (
      by: CallerActor,
      id: number,
      change: { readonly url?: string; readonly branch?: string },
      expectedVersion: number | undefined,
    ): Promise<Repository> => {
      const repository = await requireRepository(database, id);
      await requireRight(database, by.caller, repository.projectId, 'Write');
      const checkedUrl = change.url === undefined ? repository.url : await checkAddress(deps, change.url);
      return database.transaction(async (tx) => {
        const before = await requireRepository(tx, id, { forUpdate: true });
        await requireRight(tx, by.caller, before.projectId, 'Write');
        assertVersion(before.version, expectedVersion);
        const url = change.url === undefined ? before.url : checkedUrl;
        const branch = change.branch ?? before.branch;
        if (url === before.url && branch === before.branch) return presentRepository(before);
        const keepsToken = new URL(url).origin === new URL(before.url).origin;
        if (!(await store.moveRepository(tx, id, { url, branch, keepsToken }))) throw duplicate();
        if (before.tokenSealed !== null && !keepsToken)
          await audit.record(tx, { event: 'projects.repository_token_dropped', by, ...subjectOf(before) });
        return presentRepository(await requireRepository(tx, id));
      });
    },

    remove: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await requireRepository(tx, id, { forUpdate: true });
        await requireRight(tx, by.caller, row.projectId, 'Write');
        assertVersion(row.version, expectedVersion);
        await store.archiveRepository(tx, id);
      }),

    /** @param token Null removes it. */
    setToken: (by: CallerActor, id: number, token: string | null): Promise<void> =>
      database.transaction(async (tx) => {
        const row = await requireRepository(tx, id, { forUpdate: true });
        await store.setToken(tx, id, token === null ? null : tokens.seal(id, token));
        const event = token === null ? 'repository_token_removed' : 'repository_token_set';
        await audit.record(tx, { event: `projects.${event}`, by, ...subjectOf(row) });
      }),

    scan: (caller: Caller, id: number): Promise<{ jobId: string }> =>
      database.transaction(async (tx) => {
        const row = await requireRepository(tx, id, { forUpdate: true });
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
  };
}
