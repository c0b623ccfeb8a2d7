import { runKillTrial } from '../../packages/server/src/domains/data-migration/testing/kill-trial.ts';

/**
 * `node --conditions=svc-source trials/migration/kill.ts [kills] [rows]`: kills the service, source or destination,
 * default 200 times.
 */
const report = await runKillTrial({
  kills: Number(process.argv[2] ?? 200),
  rows: Number(process.argv[3] ?? 20_000),
  onKill: (count, faults) => count % 10 === 0 && console.log(`${count} kills`, faults),
});
console.log(JSON.stringify(report, null, 2));
const { torn, doubled, unknown, leftovers } = report;
process.exitCode = torn.length + doubled.length + unknown.length + leftovers.length === 0 ? 0 : 1;
