import { setTimeout } from 'node:timers/promises';
import type { EvalComparison, EvalResult, EvalRun, EvalVerdict, ListQuery, Page } from '@svc/contract';
import type { JobRun, Jobs } from '@svc/jobs';
import type { LlmFailure } from '../../gateways/llm/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Answering, Asked, Outcome } from '../ask/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { checkedExamples } from '../golden-examples/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import { type Assessed, assessRows, assessUnanswerable } from './assess.ts';
import { evaluateExamplesJob } from './jobs.ts';
import { presentRun } from './present.ts';
import type { StartRun } from './starting.ts';
import * as store from './store.ts';

export type EvaluationDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly requireModel: RequireModel;
  readonly answering: Answering;
  /** Returns a function that finds tables of the data source in a statement. */
  readonly tablesOf: (dataSourceId: number) => Promise<(sql: string) => ReadonlySet<string>>;
  /** Statements generated for each question of a project. */
  readonly candidatesOf: (projectId: number) => Promise<number>;
  /** Delay after the model refuses a call because of its rate limit. */
  readonly pauseMs: number;
  readonly startRun: StartRun;
  /** Called in the transaction that completes an evaluation, after all its questions. */
  readonly onCompleted: (tx: Tx, run: EvalRun) => Promise<void>;
};

export type EvaluationService = ReturnType<typeof createEvaluationService>;

type Example = Awaited<ReturnType<typeof checkedExamples>>[number];

/** Temporary failures of a model. */
const passing = ['TooManyCalls', 'RateLimited', 'Overloaded'] as const satisfies readonly LlmFailure[];
const passes: ReadonlySet<string> = new Set(passing);
/** Failures that end the evaluation, because every further question would fail as well. */
const ends: ReadonlySet<string> = new Set<LlmFailure>([
  'NotConfigured',
  'SwitchedOff',
  'Unauthorised',
  'UnknownModel',
  'DestinationRefused',
  'BudgetSpent',
  // After the last wait.
  ...passing,
]);
const waitsMax = 12;

/** Failure code when the evaluation's remaining tokens do not cover another call. */
const spentFailure: LlmFailure = 'EvaluationSpent';

/** The model is unavailable for all further questions. */
class CannotGoOn extends Error {
  override readonly name = 'CannotGoOn';
}

const comparedRowsMax = 1_000;
const callerId = 'evaluation';

/** Creates the service that measures answers to questions with known results. */
export function createEvaluationService(deps: EvaluationDeps) {
  const { database, jobs, answering, clock } = deps;

  /** Returns a run for a caller. */
  const requireRun = async (id: number): Promise<store.RunRow> => {
    const row = await store.findListedRun(database, id);
    if (!row) throw notFound();
    return row;
  };

  /** Returns a run for its job and for its cancellation. The job continues after its project was archived. */
  const stored = async (id: number): Promise<store.RunRow> => {
    const row = await store.findRun(database, id);
    if (!row) throw notFound();
    return row;
  };

  const asked = async (example: Example, userId: number | null, signal: AbortSignal): Promise<Asked> => ({
    candidates: await deps.candidatesOf(example.projectId),
    // The evaluation measures generated statements, not stored checked statements.
    isCheckedOnly: false,
    projectId: example.projectId,
    dataSourceId: example.dataSourceId,
    question: example.question,
    turns: [],
    isRun: true,
    userId,
    purpose: 'Evaluation' as const,
    withoutExampleId: example.id,
    rowsMax: comparedRowsMax,
    onStage: () => undefined,
    signal,
    callerId,
  });

  const assess = async (example: Example, outcome: Outcome, signal: AbortSignal): Promise<Assessed> => {
    if (example.sql === null) return assessUnanswerable(outcome);
    const ran = await answering.run(await asked(example, null, signal), example.sql);
    const isOrdered = /\border\s+by\b/i.test(example.sql);
    return assessRows(
      outcome,
      { sql: example.sql, ran, isOrdered },
      await deps.tablesOf(example.dataSourceId),
    );
  };

  /** Waits and retries after temporary failures, because they do not measure the quality of answers. */
  const patientAnswer = async (question: Asked, pauseMs: number): Promise<Outcome> => {
    for (let waits = 0; ; waits += 1) {
      const outcome = await answering.answer(question);
      if (waits >= waitsMax || !passes.has(outcome.failure?.code ?? '')) return outcome;
      await setTimeout(pauseMs, undefined, { signal: question.signal });
    }
  };

  /**
   * Evaluates one question.
   *
   * @returns the reason to stop the evaluation; null to continue.
   */
  const evaluate = async (
    run: store.RunRow,
    example: Example,
    repeatNo: number,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const beganAt = clock.now();
    const question = {
      ...(await asked(example, run.startedByUserId, signal)),
      evaluation: { id: run.id, maxTokens: run.maxTokens },
    };
    const outcome = await patientAnswer(question, deps.pauseMs);
    if (outcome.failure?.code === spentFailure) return outcome.failure.message;
    if (outcome.failure !== null && ends.has(outcome.failure.code))
      throw new CannotGoOn(outcome.failure.message);
    const assessed = await assess(example, outcome, signal);
    // An aborted question does not measure the model, so it gets no result.
    signal.throwIfAborted();
    await store.insertResult(database, run.id, outcome.model, {
      goldenId: example.id,
      repeatNo,
      question: example.question,
      expected: example.expected,
      goldSql: example.sql,
      sql: outcome.sql,
      repairs: outcome.repairs,
      tokens: outcome.tokens,
      ...assessed,
      durationMs: clock.now().getTime() - beganAt.getTime(),
    });
    return null;
  };

  /**
   * Evaluates the remaining questions.
   *
   * @returns the reason for a stop; null after all questions.
   */
  const askAll = async (
    run: store.RunRow,
    { signal, progress }: Pick<JobRun, 'signal' | 'progress'>,
  ): Promise<string | null> => {
    const examples = await checkedExamples(database, { projectId: null, ids: run.goldenIds });
    const done = await store.askedOf(database, run.id);
    const cases = examples.flatMap((example) =>
      Array.from({ length: run.repeats }, (_, at) => ({ example, repeatNo: at + 1 })),
    );
    const left = cases.filter(({ example, repeatNo }) => !done.has(`${example.id}/${repeatNo}`));
    for (const { example, repeatNo } of left) {
      // A user has ended the evaluation.
      if ((await stored(run.id)).state !== 'Running') return '';
      const at = cases.findIndex((one) => one.example === example && one.repeatNo === repeatNo);
      progress(at / cases.length, `Question ${at + 1} of ${cases.length}`);
      const stopped = await evaluate(run, example, repeatNo, signal);
      if (stopped !== null) return stopped;
    }
    return null;
  };

  const work = async (runId: number, job: Pick<JobRun, 'signal' | 'progress'>): Promise<void> => {
    if (!(await store.markRunning(database, runId))) return;
    try {
      const stopped = await askAll(await stored(runId), job);
      if (stopped !== null) return void (await store.endRun(database, runId, 'Stopped', stopped));
      await database.transaction(async (tx) => {
        if (!(await store.endRun(tx, runId, 'Completed'))) return;
        const run = await store.findRun(tx, runId);
        if (run) await deps.onCompleted(tx, presentRun(run));
      });
    } catch (error) {
      if (!(error instanceof CannotGoOn)) throw error;
      await store.endRun(database, runId, 'Failed', error.message);
    }
  };

  jobs.handle(evaluateExamplesJob, ({ runId }, job) => work(runId, job));

  return {
    list: async (query: ListQuery & { readonly projectId?: number }): Promise<Page<EvalRun>> => {
      const page = pageRequest(query, {
        sortable: store.runSortable,
        byDefault: '-createdTime',
        unique: 'r.id',
      });
      const { rows, totalCount } = await store.listRuns(database, query.projectId ?? null, page);
      return pageOf(rows.map(presentRun), totalCount, page);
    },

    get: async (id: number): Promise<EvalRun> => presentRun(await requireRun(id)),

    start: async (
      by: CallerActor,
      input: {
        readonly projectId?: number;
        readonly goldenIds?: readonly number[];
        readonly repeats?: number;
        readonly maxTokens?: number;
      },
    ): Promise<EvalRun> => {
      await deps.requireModel(by.caller, 'An evaluation asks a language model.');
      const { projectId = null, goldenIds: ids = null } = input;
      const examples = await checkedExamples(database, { projectId, ids });
      if (examples.length === 0)
        throw brokenRule('no-golden-examples', 'There is no sound golden example to ask about.');
      const { userId } = by.caller;
      const id = await database.transaction((tx) =>
        deps.startRun(tx, by, {
          projectId,
          goldenIds: examples.map((example) => example.id),
          userId,
          minAccuracy: null,
          repeats: input.repeats ?? 1,
          maxTokens: input.maxTokens ?? null,
        }),
      );
      return presentRun(await requireRun(id));
    },

    cancel: async (id: number): Promise<void> => {
      const { jobId } = await stored(id);
      await database.transaction(async (tx) => {
        if (!(await store.endRun(tx, id, 'Cancelled')))
          throw conflict('eval-run-ended', 'The evaluation has ended already.');
        if (jobId !== null) await jobs.cancel(tx, jobId);
      });
    },

    results: async (
      id: number,
      query: ListQuery & { readonly verdict?: EvalVerdict },
    ): Promise<Page<EvalResult>> => {
      await requireRun(id);
      const page = pageRequest(query, {
        sortable: store.resultSortable,
        byDefault: 'question',
        unique: 'e.id',
      });
      const { rows, totalCount } = await store.listResults(database, id, query.verdict ?? null, page);
      return pageOf(rows, totalCount, page);
    },

    compare: async (id: number, withId: number): Promise<EvalComparison> => {
      await Promise.all([requireRun(id), requireRun(withId)]);
      const here = await store.passedOf(database, id);
      const there = await store.passedOf(database, withId);
      const both = [...here.keys()].filter((golden) => there.has(golden));
      return {
        runId: id,
        withRunId: withId,
        improved: both.filter((golden) => here.get(golden) === true && there.get(golden) === false),
        worsened: both.filter((golden) => here.get(golden) === false && there.get(golden) === true),
        sameCount: both.filter((golden) => here.get(golden) === there.get(golden)).length,
        onlyHereCount: here.size - both.length,
        onlyThereCount: there.size - both.length,
      };
    },
  };
}
