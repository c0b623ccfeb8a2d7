import type { Answer, AnswerStage } from '@svc/contract';
import type { JobRun } from '@svc/jobs';
import { findUsers, personOf } from '../../users/index.ts';
import type { AskDeps } from '../deps.ts';
import { userIdOf } from '../owner-key.ts';
import { type AnswerRow, endAnswer, findAnswer, setStage } from '../store.ts';
import { lastEndOf } from './ends.ts';
import { answerQuestionJob } from './jobs.ts';
import { answerRequestOf } from './request.ts';
import { answerAndStore, type SettleDeps } from './settle.ts';

type Deps = SettleDeps & Pick<AskDeps, 'jobs' | 'rights' | 'sourcesOf' | 'settingsOf'>;

const stageProgress: Readonly<Record<AnswerStage, { share: number; text: string }>> = {
  Matching: { share: 0.05, text: 'Looking for a checked answer' },
  Grounding: { share: 0.15, text: 'Reading what is known of the data' },
  Writing: { share: 0.3, text: 'Writing the statement' },
  Checking: { share: 0.7, text: 'Checking the statement' },
  Running: { share: 0.85, text: 'Running the statement' },
};

/** Answers waiting questions in jobs. */
export function serveQuestions(deps: Deps): void {
  deps.jobs.handle(answerQuestionJob, async ({ answerId }, job) => {
    try {
      await answerWaiting(deps, answerId, job);
    } catch (error) {
      const end = lastEndOf(error, job);
      if (end !== null) await endAnswer(deps.database, answerId, end);
      throw error;
    }
  });
}

async function answerWaiting(
  deps: Deps,
  answerId: number,
  job: Pick<JobRun, 'signal' | 'progress'>,
): Promise<void> {
  const row = await findAnswer(deps.database, answerId);
  if (!row || row.finishedAt !== null) return;
  const failure = await unanswerableReason(deps, row);
  if (failure !== null)
    return void (await endAnswer(deps.database, answerId, { state: 'Failed', detail: { failure } }));
  const ended = new AbortController();
  const stageUpdates: Promise<unknown>[] = [];
  const onStage = (stage: AnswerStage): void => {
    job.progress(stageProgress[stage].share, stageProgress[stage].text);
    // If a user has ended the answer, the work is aborted. A failed update of the stage is ignored.
    const update = setStage(deps.database, answerId, stage).then((isOpen) => isOpen || ended.abort());
    stageUpdates.push(update.catch(() => undefined));
  };
  const signal = AbortSignal.any([job.signal, ended.signal]);
  const request = await answerRequestOf(deps, row, { signal, onStage });
  await answerAndStore(deps, answerId, request, async () => {
    await Promise.all(stageUpdates);
    // An aborted job is retried by another process.
    if (job.signal.aborted) throw job.signal.reason;
  });
}

/**
 * Returns the reason why a waiting question is no longer answered, or null. Callers without a stored user are checked at
 * the call only.
 */
async function unanswerableReason(
  { database, rights, sourcesOf }: Deps,
  { ownerKey, projectId, dataSourceId }: AnswerRow,
): Promise<Answer['failure']> {
  const userId = userIdOf(ownerKey);
  const [user] = userId === null ? [] : await findUsers(database, [userId]);
  const canRead =
    userId === null || (user !== undefined && (await rights.canRead(database, personOf(user), projectId)));
  if (!canRead) return { code: 'NotReadable', message: 'The project cannot be read any more.' };
  const sources = await sourcesOf(projectId);
  return sources.some(({ id }) => id === dataSourceId)
    ? null
    : { code: 'SourceNotLinked', message: 'The data source is not one of the project any more.' };
}
