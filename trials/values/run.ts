import { startValueService, type ValueWay, valueWays } from '@svc/testkit/values/compare.ts';
import { type ValueEngine, valueEngines } from '@svc/testkit/values/sources.ts';
import { withOwnDatabases } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/values/run.ts [engine] [rows] [seed] [ways]`: compares values of every output
 * format with the text of the engine. The values are at and beyond the bounds of each type, and random. Without an
 * engine, tests all of them.
 */
const [engine = 'all', rows = '3500', seed = '1', ways = valueWays.join()] = process.argv.slice(2);
const engines = valueEngines.filter((name) => engine === 'all' || name === engine);
const isWay = (name: string): name is ValueWay => valueWays.some((way) => way === name);
await withOwnDatabases('values', undefined, async (makeDatabase) => {
  const [own, watched] = [await makeDatabase('own'), await makeDatabase('shop')];
  const service = await startValueService({ on: { testDatabase: own }, watched });
  try {
    for (const name of engines satisfies readonly ValueEngine[]) {
      const began = performance.now();
      const options = { rowCount: Number(rows), seed: Number(seed), ways: ways.split(',').filter(isWay) };
      const report = await service.compare(name, options);
      const seconds = Math.round((performance.now() - began) / 1_000);
      console.log(JSON.stringify({ engine: name, rows: Number(rows), seconds, ...report }, null, 1));
      if (report.differences.length > 0) process.exitCode = 1;
    }
  } finally {
    await service.close();
    await own.drop();
  }
});
