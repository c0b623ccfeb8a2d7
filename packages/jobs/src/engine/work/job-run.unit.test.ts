import { expect, test } from 'vitest';
import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import type { HeldJob } from './held-jobs.ts';
import { createJobRun, type JobRunDeps } from './job-run.ts';

const row = { id: 'job', attempt: 2, attempts_max: 5, fence: 7, slot_ms: 1_700_000_000_000 } as ClaimedJob;

test('the functions of a job run can be separated from it and called alone', async () => {
  const calls: unknown[] = [];
  const deps = {
    notes: {
      addLine: (job: ClaimedJob, level: string, message: string) => calls.push([job.id, level, message]),
      setProgress: (job: ClaimedJob, share: number, text: string | null) => calls.push([job.id, share, text]),
    },
    completeIn: async (held: HeldJob, executor: unknown) => void calls.push([held.row.fence, executor]),
  } as unknown as JobRunDeps;
  const executor = { query: async () => ({ rows: [] }) };
  const { jobId, attempt, attemptsMax, slotAt, fence, log, progress, completeIn } = createJobRun(deps, {
    row,
  } as HeldJob);
  log('half of it');
  log('slow', 'warn');
  progress(0.5);
  await completeIn(executor);
  expect({ jobId, attempt, attemptsMax, fence }).toEqual({
    jobId: 'job',
    attempt: 2,
    attemptsMax: 5,
    fence: 7,
  });
  expect(slotAt).toEqual(new Date(1_700_000_000_000));
  expect(calls).toEqual([
    ['job', 'info', 'half of it'],
    ['job', 'warn', 'slow'],
    ['job', 0.5, null],
    [7, executor],
  ]);
});
