import { runKillTrial } from '../../packages/jobs/src/testing/kill-trial.ts';
import { withJobsDatabase } from './own-database.ts';

/**
 * `node --conditions=svc-source trials/jobs/freeze.ts [times]`: stops workers for longer than a lease, 200 times by
 * default.
 */
const kills = Number(process.argv[2] ?? 200);
const report = await withJobsDatabase('trial-freeze', (connection) =>
  runKillTrial({
    connection,
    kills,
    freezes: true,
    leaseMs: 2_000,
    sweepIntervalMs: 500,
    onKill: (count) => count % 20 === 0 && console.log(`${count} times`),
  }),
);
console.log(JSON.stringify(report, null, 2));
const { lost, wrongEffects, unexplainedRuns, unrecordedRuns, doubledClaims, illegalHistories } = report;
const faults = lost + wrongEffects + unexplainedRuns + unrecordedRuns + doubledClaims + illegalHistories;
process.exitCode = faults === 0 ? 0 : 1;
