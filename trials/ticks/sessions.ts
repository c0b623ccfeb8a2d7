import os from 'node:os';
import path from 'node:path';
import { startRestartableDatabase } from '../../tools/test/sessions/restartable-database.ts';
import { runSlotTrial } from '../../tools/test/sessions/slot-trial.ts';

/**
 * `node --conditions=svc-source trials/ticks/sessions.ts [terminations] [restarts]`: terminates 200 sessions and
 * restarts PostgreSQL 20 times during ticks of two replicas: runs, evaluations, copies and requeued ticks.
 */
const [terminations = 200, restarts = 20] = process.argv.slice(2).map(Number);
const database = await startRestartableDatabase(path.join(os.tmpdir(), 'svc-trial-ticks'));
try {
  const report = await runSlotTrial({
    database,
    terminations,
    restarts,
    onRestart: (count) => console.log(`${count} restarts`),
  });
  console.log(JSON.stringify(report, null, 2));
  const { runs, evaluations, copies, terminated, restarts: _, requeued, ...faults } = report;
  const isMeaningful = [runs, evaluations, copies, terminated, requeued].every((count) => count > 0);
  process.exitCode = isMeaningful && Object.values(faults).every((count) => count === 0) ? 0 : 1;
} finally {
  await database.stop();
}
