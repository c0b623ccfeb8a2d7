import os from 'node:os';
import path from 'node:path';
import { startRestartableDatabase } from '../../tools/test/sessions/restartable-database.ts';
import { runSessionTrial } from '../../tools/test/sessions/session-trial.ts';

/**
 * `node --conditions=svc-source trials/sessions/lost.ts [terminations] [restarts]`: terminates 200 sessions and
 * restarts PostgreSQL 20 times under 16 writers on two replicas.
 */
const [terminations = 200, restarts = 20] = process.argv.slice(2).map(Number);
const database = await startRestartableDatabase(path.join(os.tmpdir(), 'svc-trial-sessions'));
try {
  const report = await runSessionTrial({
    database,
    terminations,
    restarts,
    writers: 16,
    onRestart: (count) => console.log(`${count} restarts`),
  });
  console.log(JSON.stringify(report, null, 2));
  const { exits, badStops, unhandled, wrongAnswers } = report;
  const { lostProjects, lostRuns, doubledRuns, sentTwice, neverArrived } = report;
  const processFaults = exits + badStops + unhandled + wrongAnswers;
  const faults = processFaults + lostProjects + lostRuns + doubledRuns + sentTwice + neverArrived;
  process.exitCode = faults === 0 && report.unavailable > 0 ? 0 : 1;
} finally {
  await database.stop();
}
