import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPreviousVersion } from '../../tools/test/previous-version/checkout.ts';
import { runPreviousVersionTrial } from '../../tools/test/previous-version/trial.ts';
import { withOwnDatabases } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/previous-version/run.ts [seconds after each] [seconds after the last]`: runs the
 * previous version under load, 20 s after each migration and 300 s after the last. Writes the verdicts that
 * `migrate --plan` reads.
 */
const [eachSeconds = 20, lastSeconds = 300] = process.argv.slice(2).map(Number);
const file = path.resolve(import.meta.dirname, '../../packages/server/migrations/verdicts.generated.json');
const previous = findPreviousVersion();
if (!previous) throw new Error('The history does not reach back to the previous version: fetch it first.');
const { verdicts, ...report } = await withOwnDatabases('previous', undefined, async (makeDatabase) =>
  runPreviousVersionTrial({
    previous,
    windowMs: eachSeconds * 1_000,
    lastWindowMs: lastSeconds * 1_000,
    databases: { own: await makeDatabase('own'), shop: await makeDatabase('shop') },
    onVerdict: ({ schema, name, verdict, because }) =>
      console.log(`${schema} ${name}: ${verdict} ${because ?? ''}`),
  }),
);
writeFileSync(file, `${JSON.stringify({ previous: report.previous, verdicts }, null, 2)}\n`);
console.log(JSON.stringify(report, null, 2));
