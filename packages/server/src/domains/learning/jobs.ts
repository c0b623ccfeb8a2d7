import { defineJob, type Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';

const learnFromUse = defineJob<null>({
  name: 'learn-from-use',
  queue: 'maintenance',
  retry: { attemptsMax: 3 },
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

const learnFromUseOfProject = defineJob<{ readonly projectId: number }>({
  name: 'learn-from-use-of-project',
  queue: 'maintenance',
  retry: { attemptsMax: 3 },
  // Signals that arrive during a job require another one.
  dedupe: { key: ({ projectId }) => String(projectId), until: 'Started' },
  parse: (value) => {
    const { projectId } = Object(value) as { projectId?: unknown };
    if (typeof projectId !== 'number' || !Number.isSafeInteger(projectId))
      throw new TypeError('projectId must be an integer.');
    return { projectId };
  },
});

/** Starts learning from the use of one project, in the caller's transaction. */
export const createStartLearning =
  (jobs: Jobs) =>
  async (
    tx: Tx,
    projectId: number,
    metadata: Record<string, string> | undefined,
  ): Promise<{ readonly jobId: string }> => {
    const { jobId } = await jobs.enqueue(
      tx,
      learnFromUseOfProject,
      { projectId },
      metadata ? { metadata } : {},
    );
    return { jobId };
  };

/** Learns from all projects every hour, and from one project when a user starts it. Users decide about each pattern. */
export function createLearningJobs({
  jobs,
  learn,
}: {
  readonly jobs: Jobs;
  readonly learn: (signal: AbortSignal, onlyProjectId?: number | null) => Promise<void>;
}) {
  jobs.handle(learnFromUse, (_payload, { signal }) => learn(signal));
  jobs.handle(learnFromUseOfProject, ({ projectId }, { signal }) => learn(signal, projectId));
  return {
    /** Registers the recurring job. Called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:learn-from-use',
        cron: '17 * * * *',
        timeZone: 'UTC',
        job: learnFromUse,
        payload: null,
      });
    },
  };
}
