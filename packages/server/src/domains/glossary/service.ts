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
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { type CheckCall, recheckStatements } from '../statement-checks/index.ts';
import { contentOf } from './content.ts';
import { type Change, createImport, type ImportDeps } from './exchange/import.ts';
import { termsAsCsv } from './exchange/write.ts';
import { checkTermsJob } from './jobs.ts';
import { presentTerm } from './present.ts';
import { createProve, type ProveDeps, provedOrRefused } from './prove.ts';
import { statementsOf, withoutPlace } from './statements.ts';
import * as store from './store.ts';

export type GlossaryDeps = Omit<ProveDeps, 'database'> & {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Jobs;
  readonly sourcesOf: ImportDeps['sourcesOf'];
};

export type GlossaryService = ReturnType<typeof createGlossaryService>;

const requireTerm = async (
  executor: Executor,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<store.TermRow> => {
  const term = await store.findTerm(executor, id, options);
  if (!term) throw notFound();
  return term;
};

const refuseTwin = async <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'glossary_terms_term')) throw error;
    throw conflict('glossary-term-exists', 'The glossary of this project has this term.', [
      { path: '/term', message: 'is taken in this project' },
    ]);
  });

const recheckedMax = 5_000;

const callerIdOf = ({ userId, kind }: Caller): string => `user ${userId ?? kind}`;

/** Creates the service for business terms and the data that they refer to. */
export function createGlossaryService(deps: GlossaryDeps) {
  const { database, audit, check, dialectOf, now } = deps;
  const prove = createProve(deps);
  const record = (tx: Tx, event: `glossary.${string}`, by: CallerActor, id: number, projectId: number) =>
    audit.record(tx, { event, by, subject: { kind: 'glossary_term', id }, projectId });

  const insert = async (
    tx: Tx,
    by: CallerActor,
    projectId: number,
    { content, checkedAt }: Change,
  ): Promise<number> => {
    const about = { projectId, userId: by.caller.userId, checkedAt };
    const id = await refuseTwin(store.insertTerm(tx, about, content));
    if (id === undefined) throw notFound();
    await record(tx, 'glossary.term_created', by, id, projectId);
    return id;
  };

  const change = async (
    tx: Tx,
    by: CallerActor,
    { id, projectId }: { readonly id: number; readonly projectId: number },
    { content, checkedAt }: Change,
  ): Promise<void> => {
    await refuseTwin(store.replaceTerm(tx, id, content, checkedAt));
    await record(tx, 'glossary.term_changed', by, id, projectId);
  };

  const importTerms = createImport({ ...deps, prove, insert, change });

  const lookAgain = async (
    of: { readonly projectId: number | null; readonly dataSourceId: number | null },
    call: CheckCall,
  ): Promise<GlossaryRecheck> =>
    recheckStatements(
      await store.checkableTerms(database, of, recheckedMax),
      (term) => statementsOf(term, dialectOf(term.engine)),
      (term, checkedAt, reason) =>
        store.markChecked(database, term, checkedAt, reason === null ? null : withoutPlace(reason)),
      { check, now, call },
    );

  deps.jobs.handle(checkTermsJob, async ({ dataSourceId }, { signal }) => {
    const { uncheckedCount, remainingCount } = await lookAgain(
      { projectId: null, dataSourceId },
      { signal, callerId: 'glossary' },
    );
    const left = uncheckedCount + remainingCount;
    if (left > 0) throw new Error(`${left} terms could not be checked in this attempt.`);
  });

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
      const call = { signal, callerId: callerIdOf(by.caller) };
      const checkedAt = provedOrRefused(await prove(projectId, content, null, call));
      return database.transaction(async (tx) =>
        presentTerm(await requireTerm(tx, await insert(tx, by, projectId, { content, checkedAt }))),
      );
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
      const call = { signal, callerId: callerIdOf(by.caller) };
      const checkedAt = provedOrRefused(await prove(projectId, content, term, call));
      return database.transaction(async (tx) => {
        assertVersion((await requireTerm(tx, id, { forUpdate: true })).version, expectedVersion);
        await change(tx, by, { id, projectId }, { content, checkedAt });
        return presentTerm(await requireTerm(tx, id));
      });
    },

    delete: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const before = await requireTerm(tx, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        await store.deleteTerm(tx, id);
        await record(tx, 'glossary.term_deleted', by, id, before.projectId);
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
    ): Promise<GlossaryImport> => importTerms(by, input, { signal, callerId: callerIdOf(by.caller) }),

    /** Checks active terms again and marks broken terms. */
    recheck: (caller: Caller, projectId: number | null, signal: AbortSignal): Promise<GlossaryRecheck> =>
      lookAgain({ projectId, dataSourceId: null }, { signal, callerId: callerIdOf(caller) }),
  };
}
