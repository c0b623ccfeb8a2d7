import { runTickTrial } from '../../packages/jobs/src/testing/tick-trial.ts';
import { withJobsDatabase } from './own-database.ts';

/**
 * `node --conditions=svc-source trials/jobs/ticks.ts [ticks]`: runs 1,000 one-second ticks by default on three
 * processes, with kills and clock jumps.
 */
const ticks = Number(process.argv[2] ?? 1_000);
const report = await withJobsDatabase('trial-ticks', (connection) =>
  runTickTrial({
    connection,
    ticks,
    killEveryTicks: 25,
    clockJumpMs: 3_600_000,
    onTick: (count) => count % 50 === 0 && console.log(`${count} ticks`),
  }),
);
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.doubled + report.movedSlots + report.missing === 0 ? 0 : 1;
