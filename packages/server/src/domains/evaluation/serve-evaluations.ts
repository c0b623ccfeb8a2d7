import type { JobRun } from '@svc/jobs';
import { notFound } from '../../platform/http/index.ts';
import { checkedExamples } from '../golden-examples/index.ts';
import type { EvaluationDeps } from './deps.ts';
import { type EvaluateDeps, evaluateExample, ModelUnavailable } from './evaluate-example.ts';
import { evaluateExamplesJob } from './jobs.ts';
import { presentRun } from './present.ts';
import * as store from './store.ts';

type Deps = EvaluateDeps & Pick<EvaluationDeps, 'jobs' | 'onCompleted'>;
type Job = Pick<JobRun, 'signal' | 'progress'>;

/** Runs evaluations in jobs. */
export const serveEvaluations = (deps: Deps): void =>
  deps.jobs.handle(evaluateExamplesJob, ({ runId }, job) => runEvaluation(deps, runId, job));

/** Returns a run for its job and for its cancellation. The job continues after its project was archived. */
export async function requireStoredRun(
  { database }: Pick<EvaluationDeps, 'database'>,
  id: number,
): Promise<store.RunRow> {
  const run = await store.findRun(database, id);
  if (!run) throw notFound();
  return run;
}

async function runEvaluation(deps: Deps, runId: number, job: Job): Promise<void> {
  const { database } = deps;
  if (!(await store.markRunning(database, runId))) return;
  try {
    const stopReason = await evaluateRemaining(deps, await requireStoredRun(deps, runId), job);
    if (stopReason !== null) return void (await store.endRun(database, runId, 'Stopped', stopReason));
    await database.transaction(async (tx) => {
      if (!(await store.endRun(tx, runId, 'Completed'))) return;
      const run = await store.findRun(tx, runId);
      if (run) await deps.onCompleted(tx, presentRun(run));
    });
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    await store.endRun(database, runId, 'Failed', error.message);
  }
}

/**
 * Evaluates the remaining questions.
 *
 * @returns the reason for a stop; null after all questions.
 */
async function evaluateRemaining(
  deps: Deps,
  run: store.RunRow,
  { signal, progress }: Job,
): Promise<string | null> {
  const examples = await checkedExamples(deps.database, { projectId: null, ids: run.goldenIds });
  const done = await store.evaluatedCasesOf(deps.database, run.id);
  const cases = examples.flatMap((example) =>
    Array.from({ length: run.repeats }, (_, at) => ({ example, repeatNo: at + 1 })),
  );
  for (const [at, each] of cases.entries()) {
    if (done.has(`${each.example.id}/${each.repeatNo}`)) continue;
    // A user has ended the evaluation. The stop changes nothing then.
    if ((await requireStoredRun(deps, run.id)).state !== 'Running') return '';
    progress(at / cases.length, `Question ${at + 1} of ${cases.length}`);
    const stopReason = await evaluateExample(deps, run, each, signal);
    if (stopReason !== null) return stopReason;
  }
  return null;
}
