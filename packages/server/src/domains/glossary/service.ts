import type {
  GlossaryImport,
  GlossaryInput,
  GlossaryRecheck,
  GlossaryTerm,
  ListQuery,
  Page,
} from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import type { CheckCall } from '../statement-checks/index.ts';
import { contentOf } from './content.ts';
import { createImport, type ImportDeps } from './exchange/import.ts';
import { termsAsCsv } from './exchange/write.ts';
import { presentTerm } from './present.ts';
import { createProve, type ProveDeps, provedOrRefused } from './prove.ts';
import { recheckTerms, serveRechecks } from './recheck.ts';
import * as store from './store.ts';
import { createTermWrites, requireTerm } from './term-writes.ts';

export type GlossaryDeps = Omit<ProveDeps, 'database'> & {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Jobs;
  readonly sourcesOf: ImportDeps['sourcesOf'];
};

export type GlossaryService = ReturnType<typeof createGlossaryService>;

const callOf = ({ userId, kind }: Caller, signal: AbortSignal): CheckCall => ({
  signal,
  callerId: `user ${userId ?? kind}`,
});

/** Creates the service for business terms and the data that they refer to. */
export function createGlossaryService(deps: GlossaryDeps) {
  const { database } = deps;
  const prove = createProve(deps);
  const writes = createTermWrites(deps.audit);
  const importTerms = createImport({ ...deps, prove, writes });
  serveRechecks(deps);

  return {
    list: async (
      query: ListQuery & {
        projectId?: number;
        dataSourceId?: number;
        search?: string;
        includeInactive?: boolean;
      },
    ): Promise<Page<GlossaryTerm>> => {
      const page = pageRequest(query, { sortable: store.termSortable, byDefault: 'term', unique: 'g.id' });
      const filter = {
        projectId: query.projectId ?? null,
        dataSourceId: query.dataSourceId ?? null,
        search: query.search || null,
        includeInactive: query.includeInactive ?? false,
      };
      const { rows, totalCount } = await store.listTerms(database, filter, page);
      return pageOf(rows.map(presentTerm), totalCount, page);
    },

    get: async (id: number): Promise<GlossaryTerm> => presentTerm(await requireTerm(database, id)),

    create: async (
      by: CallerActor,
      input: GlossaryInput & { readonly projectId: number },
      signal: AbortSignal,
    ): Promise<GlossaryTerm> => {
      const { projectId } = input;
      await requireRight(database, by.caller, projectId, 'Write');
      const content = contentOf(input);
      const call = callOf(by.caller, signal);
      const checkedAt = provedOrRefused(await prove(projectId, content, null, call));
      return database.transaction(async (tx) => {
        const id = await writes.insert(tx, by, projectId, { content, checkedAt });
        return presentTerm(await requireTerm(tx, id));
      });
    },

    replace: async (
      by: CallerActor,
      id: number,
      input: GlossaryInput,
      { expectedVersion, signal }: { expectedVersion: number | undefined; signal: AbortSignal },
    ): Promise<GlossaryTerm> => {
      const term = await requireTerm(database, id);
      const { projectId } = term;
      assertVersion(term.version, expectedVersion);
      const content = contentOf(input);
      const call = callOf(by.caller, signal);
      const checkedAt = provedOrRefused(await prove(projectId, content, term, call));
      return database.transaction(async (tx) => {
        assertVersion((await requireTerm(tx, id, { forUpdate: true })).version, expectedVersion);
        await writes.replace(tx, by, { id, projectId }, { content, checkedAt });
        return presentTerm(await requireTerm(tx, id));
      });
    },

    delete: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const before = await requireTerm(tx, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        await writes.delete(tx, by, before);
      }),

    /** Returns the terms of a project as CSV. */
    export: async (caller: Caller, projectId: number): Promise<AsyncGenerator<string>> => {
      await requireRight(database, caller, projectId, 'Read');
      return termsAsCsv(await store.termsOf(database, projectId));
    },

    import: (
      by: CallerActor,
      input: Parameters<typeof importTerms>[1],
      signal: AbortSignal,
    ): Promise<GlossaryImport> => importTerms(by, input, callOf(by.caller, signal)),

    /** Checks active terms again and marks broken terms. */
    recheck: (caller: Caller, projectId: number | null, signal: AbortSignal): Promise<GlossaryRecheck> =>
      recheckTerms(deps, { projectId, dataSourceId: null }, callOf(caller, signal)),
  };
}
