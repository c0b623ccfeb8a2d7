import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { expect, test } from 'vitest';
import { startRestartableDatabase } from '../../../tools/test/sessions/restartable-database.ts';
import { runSilentTrial } from '../../../tools/test/sessions/silent-trial.ts';

const newDataDirectory = temporaryDataDirectories();

test('every subscription runs again and every request is answered while the database sessions of the start stay silent', async () => {
  const database = await startRestartableDatabase(newDataDirectory());
  try {
    const report = await runSilentTrial({ database, subscriptions: 3, readers: 4, silentMs: null });
    expect(report).toMatchObject({ wrong: [], resumed: 3 });
    expect(report.silentSessions).toBeGreaterThan(0);
    expect(report.readiness.at(-1)).toBe(200);
  } finally {
    await database.stop();
  }
}, 600_000);
