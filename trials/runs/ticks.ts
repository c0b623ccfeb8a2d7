import { tickRuns } from '../../tools/test/runs/tick-trial.ts';
import { withRunFixture } from './own-fixture.ts';

/** `node --conditions=svc-source trials/runs/ticks.ts [ticks]`: runs a two-second schedule on two processes for 100 ticks. */
const ticks = Number(process.argv[2] ?? 100);
const config = { 'Svc:Jobs:Workers': 0, 'Svc:Subscriptions:MinimumIntervalSeconds': 1 };
const report = await withRunFixture('runs-ticks', { config }, (fixture) =>
  tickRuns(fixture, { ticks, onTick: (count) => count % 10 === 0 && console.log(`${count} ticks`) }),
);
console.log(JSON.stringify(report, null, 2));
process.exitCode =
  report.doubled + report.doubledJobs + report.offSchedule + report.doubledMessages + report.missing === 0
    ? 0
    : 1;
