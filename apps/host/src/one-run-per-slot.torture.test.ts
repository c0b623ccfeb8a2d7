import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { expect, test } from 'vitest';
import { startRestartableDatabase } from '../../../tools/test/sessions/restartable-database.ts';
import { runSlotTrial } from '../../../tools/test/sessions/slot-trial.ts';

const newDataDirectory = temporaryDataDirectories();

test('each slot makes one run, evaluation or copy and one message per recipient despite terminated sessions, database restarts and requeued ticks', async () => {
  const database = await startRestartableDatabase(newDataDirectory());
  try {
    const report = await runSlotTrial({ database, terminations: 16, restarts: 2 });
    expect(report).toMatchObject({
      doubledSlots: 0,
      doubledJobs: 0,
      offSchedule: 0,
      runAndSkipped: 0,
      interrupted: 0,
      open: 0,
      doubledMessages: 0,
      neverArrived: 0,
      wrongRows: 0,
    });
    const { runs, evaluations, copies, requeued } = report;
    for (const count of [runs, evaluations, copies, requeued]) expect(count).toBeGreaterThan(0);
  } finally {
    await database.stop();
  }
}, 900_000);
