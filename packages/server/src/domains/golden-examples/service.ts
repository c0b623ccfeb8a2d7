import type { GoldenExample, GoldenInput, GoldenRecheck, ListQuery, Page } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound, pageOf, pageRequest, Refusal } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { type CheckCall, type CheckStatement, recheckStatements } from '../statement-checks/index.ts';
import { checkExamplesJob } from './jobs.ts';
import { presentGolden } from './present.ts';
import { questionKey } from './question.ts';
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

const refuseTwin = async <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'golden_examples_question')) throw error;
    throw conflict('golden-example-exists', 'The project has an example for this question on this source.', [
      { path: '/question', message: 'has an example on this data source' },
    ]);
  });

const refuse = (path: string, message: string): Refusal =>
  brokenRule('invalid-golden-example', `The example cannot be kept: ${message}.`, [{ path, message }]);

/** Returns trimmed content. Refuses a statement that does not match the expected outcome. */
function contentOf(input: GoldenInput): store.GoldenContent {
  const question = input.question.trim();
  const expected = input.expected ?? 'Rows';
  const sql = input.sql ?? null;
  if (expected === 'Rows' && sql === null) throw refuse('/sql', 'the statement of the answer is missing');
  if (expected === 'NoAnswer' && sql !== null)
    throw refuse('/sql', 'what has no answer has no statement either');
  return {
    question,
    questionKey: questionKey(question),
    expected,
    sql,
    dataSourceId: input.dataSourceId,
    notes: input.notes?.trim() || null,
    isActive: input.isActive ?? true,
  };
}

const recheckedMax = 5_000;

const callerIdOf = ({ userId, kind }: Caller): string => `user ${userId ?? kind}`;

/** Creates the service for questions with a known correct answer. */
export function createGoldenService({ database, audit, jobs, check, now }: GoldenDeps) {
  const record = (tx: Tx, event: `golden.${string}`, by: CallerActor, id: number, projectId: number) =>
    audit.record(tx, { event, by, subject: { kind: 'golden_example', id }, projectId });

  /**
   * Refuses examples with an invalid data source or statement. Returns the time of the check; null without a statement.
   */
  const prove = async (
    caller: Caller,
    projectId: number,
    { dataSourceId, sql }: store.GoldenContent,
    signal: AbortSignal,
  ): Promise<Date | null> => {
    if (!(await store.isLinked(database, projectId, dataSourceId)))
      throw refuse('/dataSourceId', 'it is not a data source of the project');
    if (sql === null) return null;
    const { verdict, message } = await check(dataSourceId, sql, { signal, callerId: callerIdOf(caller) });
    if (verdict === 'Failed')
      throw brokenRule('invalid-golden-example', `A gate refuses the statement. ${message}`, [
        { path: '/sql', message },
      ]);
    if (verdict === 'Unchecked') throw new Refusal('golden-example-unchecked', { detail: message });
    return now();
  };

  const lookAgain = async (
    of: { readonly projectId: number | null; readonly dataSourceId: number | null },
    call: CheckCall,
  ): Promise<GoldenRecheck> =>
    recheckStatements(
      await store.checkableGolden(database, of, recheckedMax),
      ({ sql }) => [sql],
      (example, checkedAt, reason) => store.markChecked(database, example, checkedAt, reason),
      { check, now, call },
    );

  jobs.handle(checkExamplesJob, async ({ dataSourceId }, { signal }) => {
    const { uncheckedCount, remainingCount } = await lookAgain(
      { projectId: null, dataSourceId },
      { signal, callerId: 'golden examples' },
    );
    const left = uncheckedCount + remainingCount;
    if (left > 0) throw new Error(`${left} golden examples could not be checked in this attempt.`);
  });

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
      const checkedAt = await prove(by.caller, projectId, content, signal);
      return database.transaction(async (tx) => {
        const about = { projectId, userId: by.caller.userId, checkedAt };
        const id = await refuseTwin(store.insertGolden(tx, about, content));
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
      const checkedAt = await prove(by.caller, projectId, content, signal);
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
      lookAgain({ projectId, dataSourceId: null }, { signal, callerId: callerIdOf(caller) }),
  };
}
