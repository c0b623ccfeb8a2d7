import os from 'node:os';
import path from 'node:path';
import { startRestartableDatabase } from '../../tools/test/sessions/restartable-database.ts';
import { runSilentTrial } from '../../tools/test/sessions/silent-trial.ts';
import { faultsOfSilence } from '../../tools/test/sessions/silent-verdict.ts';

/**
 * `node --conditions=svc-source trials/half-open/silent.ts [seconds]`: all sessions of a service go silent for 60
 * seconds, under 6 subscriptions and 8 clients. Fails when a limit is exceeded: a request is answered within 35 s, by a
 * success or by 503 with `Retry-After`; a subscription runs again within 60 s.
 */
const [seconds = 60] = process.argv.slice(2).map(Number);
const database = await startRestartableDatabase(path.join(os.tmpdir(), 'svc-trial-half-open'));
try {
  const report = await runSilentTrial({ database, subscriptions: 6, readers: 8, silentMs: seconds * 1_000 });
  console.log(JSON.stringify(report, null, 2));
  const faults = faultsOfSilence(report);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await database.stop();
}
