import type { GoldenExample, GoldenInput, GoldenRecheck, ListQuery, Page } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import type { CheckCall, CheckStatement } from '../statement-checks/index.ts';
import { contentOf } from './content.ts';
import { presentGolden } from './present.ts';
import { proveExample } from './prove.ts';
import { recheckExamples, serveRechecks } from './recheck.ts';
import * as store from './store.ts';

export type GoldenDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Jobs;
  readonly check: CheckStatement;
  readonly now: () => Date;
};

export type GoldenService = ReturnType<typeof createGoldenService>;

const requireExample = async (
  executor: Executor,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<store.GoldenRow> => {
  const example = await store.findGolden(executor, id, options);
  if (!example) throw notFound();
  return example;
};

const refuseTwin = async <T>(write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'golden_examples_question')) throw error;
    throw conflict('golden-example-exists', 'The project has an example for this question on this source.', [
      { path: '/question', message: 'has an example on this data source' },
    ]);
  });

const callOf = ({ userId, kind }: Caller, signal: AbortSignal): CheckCall => ({
  signal,
  callerId: `user ${userId ?? kind}`,
});

/** Creates the service for questions with a known correct answer. */
export function createGoldenService(deps: GoldenDeps) {
  const { database, audit } = deps;
  const record = (tx: Tx, event: `golden.${string}`, by: CallerActor, id: number, projectId: number) =>
    audit.record(tx, { event, by, subject: { kind: 'golden_example', id }, projectId });
  serveRechecks(deps);

  return {
    list: async (
      query: ListQuery & {
        projectId?: number;
        dataSourceId?: number;
        search?: string;
        includeInactive?: boolean;
        brokenOnly?: boolean;
      },
    ): Promise<Page<GoldenExample>> => {
      const page = pageRequest(query, {
        sortable: store.goldenSortable,
        byDefault: 'question',
        unique: 'g.id',
      });
      const filter = {
        projectId: query.projectId ?? null,
        dataSourceId: query.dataSourceId ?? null,
        search: query.search || null,
        includeInactive: query.includeInactive ?? false,
        brokenOnly: query.brokenOnly ?? false,
      };
      const { rows, totalCount } = await store.listGolden(database, filter, page);
      return pageOf(rows.map(presentGolden), totalCount, page);
    },

    get: async (id: number): Promise<GoldenExample> => presentGolden(await requireExample(database, id)),

    create: async (
      by: CallerActor,
      input: GoldenInput & { readonly projectId: number },
      signal: AbortSignal,
    ): Promise<GoldenExample> => {
      const { projectId } = input;
      await requireRight(database, by.caller, projectId, 'Write');
      const content = contentOf(input);
      const checkedAt = await proveExample(deps, projectId, content, callOf(by.caller, signal));
      return database.transaction(async (tx) => {
        const origin = { projectId, userId: by.caller.userId, checkedAt };
        const id = await refuseTwin(store.insertGolden(tx, origin, content));
        if (id === undefined) throw notFound();
        await record(tx, 'golden.example_created', by, id, projectId);
        return presentGolden(await requireExample(tx, id));
      });
    },

    replace: async (
      by: CallerActor,
      id: number,
      input: GoldenInput,
      { expectedVersion, signal }: { expectedVersion: number | undefined; signal: AbortSignal },
    ): Promise<GoldenExample> => {
      const { projectId, version } = await requireExample(database, id);
      assertVersion(version, expectedVersion);
      const content = contentOf(input);
      const checkedAt = await proveExample(deps, projectId, content, callOf(by.caller, signal));
      return database.transaction(async (tx) => {
        assertVersion((await requireExample(tx, id, { forUpdate: true })).version, expectedVersion);
        await refuseTwin(store.replaceGolden(tx, id, content, checkedAt));
        await record(tx, 'golden.example_changed', by, id, projectId);
        return presentGolden(await requireExample(tx, id));
      });
    },

    delete: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const before = await requireExample(tx, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        await store.deleteGolden(tx, id);
        await record(tx, 'golden.example_deleted', by, id, before.projectId);
      }),

    /** Checks active examples again and marks broken examples. */
    recheck: (caller: Caller, projectId: number | null, signal: AbortSignal): Promise<GoldenRecheck> =>
      recheckExamples(deps, { projectId, dataSourceId: null }, callOf(caller, signal)),
  };
}
