import type { EvalComparison, EvalResult, EvalRun, EvalVerdict, ListQuery, Page } from '@svc/contract';
import { brokenRule, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { checkedExamples } from '../golden-examples/index.ts';
import type { EvaluationDeps } from './deps.ts';
import { presentRun } from './present.ts';
import { requireStoredRun, serveEvaluations } from './serve-evaluations.ts';
import * as store from './store.ts';

export type EvaluationService = ReturnType<typeof createEvaluationService>;

type StartInput = {
  readonly projectId?: number;
  readonly goldenIds?: readonly number[];
  readonly repeats?: number;
  readonly maxTokens?: number;
};

/** Creates the service that measures answers to questions with known results. */
export function createEvaluationService(deps: EvaluationDeps) {
  const { database, jobs } = deps;
  serveEvaluations(deps);
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

    get: async (id: number): Promise<EvalRun> => presentRun(await requireRun(deps, id)),

    start: (by: CallerActor, input: StartInput): Promise<EvalRun> => startEvaluation(deps, by, input),

    cancel: async (id: number): Promise<void> => {
      const { jobId } = await requireStoredRun(deps, id);
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
      await requireRun(deps, id);
      const page = pageRequest(query, {
        sortable: store.resultSortable,
        byDefault: 'question',
        unique: 'e.id',
      });
      const { rows, totalCount } = await store.listResults(database, id, query.verdict ?? null, page);
      return pageOf(rows, totalCount, page);
    },

    compare: (id: number, withId: number): Promise<EvalComparison> => compareRuns(deps, id, withId),
  };
}

/** Returns a run for a caller. */
async function requireRun({ database }: Pick<EvaluationDeps, 'database'>, id: number): Promise<store.RunRow> {
  const run = await store.findListedRun(database, id);
  if (!run) throw notFound();
  return run;
}

async function startEvaluation(
  deps: Pick<EvaluationDeps, 'database' | 'requireModel' | 'startRun'>,
  by: CallerActor,
  input: StartInput,
): Promise<EvalRun> {
  const { database } = deps;
  await deps.requireModel(by.caller, 'An evaluation asks a language model.');
  const projectId = input.projectId ?? null;
  const examples = await checkedExamples(database, { projectId, ids: input.goldenIds ?? null });
  if (examples.length === 0)
    throw brokenRule('no-golden-examples', 'There is no sound golden example to ask about.');
  const run = {
    projectId,
    goldenIds: examples.map((example) => example.id),
    userId: by.caller.userId,
    minAccuracy: null,
    repeats: input.repeats ?? 1,
    maxTokens: input.maxTokens ?? null,
  };
  const id = await database.transaction((tx) => deps.startRun(tx, by, run));
  return presentRun(await requireRun(deps, id));
}

async function compareRuns(
  deps: Pick<EvaluationDeps, 'database'>,
  id: number,
  withId: number,
): Promise<EvalComparison> {
  await Promise.all([requireRun(deps, id), requireRun(deps, withId)]);
  const passed = await store.passedOf(deps.database, id);
  const passedBefore = await store.passedOf(deps.database, withId);
  const shared = [...passed.keys()].filter((golden) => passedBefore.has(golden));
  return {
    runId: id,
    withRunId: withId,
    improved: shared.filter((golden) => passed.get(golden) === true && passedBefore.get(golden) === false),
    worsened: shared.filter((golden) => passed.get(golden) === false && passedBefore.get(golden) === true),
    sameCount: shared.filter((golden) => passed.get(golden) === passedBefore.get(golden)).length,
    onlyHereCount: passed.size - shared.length,
    onlyThereCount: passedBefore.size - shared.length,
  };
}
