import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { expect, test } from 'vitest';
import { startRestartableDatabase } from '../../../tools/test/sessions/restartable-database.ts';
import { runSessionTrial } from '../../../tools/test/sessions/session-trial.ts';

const newDataDirectory = temporaryDataDirectories();

test('two replicas survive terminated sessions and database restarts, and neither lose nor duplicate work', async () => {
  const database = await startRestartableDatabase(newDataDirectory());
  try {
    const report = await runSessionTrial({ database, terminations: 9, restarts: 2, writers: 16 });
    expect(report).toMatchObject({
      samples: [],
      exits: 0,
      badStops: 0,
      unhandled: 0,
      wrongAnswers: 0,
      lostProjects: 0,
      lostRuns: 0,
      doubledRuns: 0,
      sentTwice: 0,
      neverArrived: 0,
    });
    expect(report.unavailable).toBeGreaterThan(0);
    expect(report.projects).toBeGreaterThan(0);
    expect(report.runs).toBeGreaterThan(0);
  } finally {
    await database.stop();
  }
}, 600_000);
