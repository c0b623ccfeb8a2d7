import path from 'node:path';
import { Pool } from 'undici';
import { callMessage, mcpServiceSettings, prepareMcp } from '../../bench/mcp/prepare.ts';
import { startBenchDatabase } from '../../bench/run/database.ts';
import { startSubject } from '../../bench/run/subject.ts';

/**
 * `node --conditions=svc-source trials/mcp/heap.ts [calls] [seconds]`: calls the tool `query` with one key over eight
 * connections. Each statement is different, so that caches by text fill up. The heap after a garbage collection may
 * grow by at most 1 MB per 10,000 calls between the first fifth and the end.
 */
const callsWanted = Number(process.argv[2] ?? 100_000);
const secondsMax = Number(process.argv[3] ?? 1_800);
const connections = 8;
const readings = 5;
const bytesPerMb = 1_048_576;
const slopeMaxMb = 1;

type Memory = { readonly heapUsed: number; readonly external: number; readonly rss: number };

const database = await startBenchDatabase();
const shop = { ...database.loopback, database: 'shop' };
const service = await startSubject('service', path.join(import.meta.dirname, 'served.ts'), {
  connection: database.connection,
  settings: mcpServiceSettings,
});
const origin = String(service.ready['origin']);
const headers = { ...(await prepareMcp(origin, database, shop)), 'mcp-name': 'query' };
const pool = new Pool(origin, { connections, pipelining: 1 });
const endsAt = performance.now() + secondsMax * 1_000;
let calls = 0;
let failures = 0;

async function callUntil(count: number): Promise<void> {
  while (calls < count && performance.now() < endsAt) {
    calls += 1;
    const sql = `select id, name, amount from orders where id > ${calls % 997} and ${calls} > 0 order by id limit 20`;
    const { statusCode, body } = await pool.request({
      path: '/svc/mcp',
      method: 'POST',
      headers,
      body: callMessage('query', sql),
    });
    const text = await body.text();
    if (statusCode !== 200 || text.includes('"isError":true')) failures += 1;
  }
}

const points: { readonly calls: number; readonly heapMb: number; readonly rssMb: number }[] = [];
for (let reading = 1; reading <= readings; reading += 1) {
  const until = (callsWanted / readings) * reading;
  await Promise.all(Array.from({ length: connections }, () => callUntil(until)));
  const { heapUsed, rss } = (await service.act({})) as Memory;
  const point = { calls, heapMb: round(heapUsed / bytesPerMb), rssMb: round(rss / bytesPerMb) };
  points.push(point);
  console.log(JSON.stringify(point));
}
await pool.close();
await service.stop();
await database.stop();

const [first] = points;
const last = points.at(-1);
if (!first || !last || last.calls === first.calls) throw new Error('There was no time for a second reading.');
const slopeMb = ((last.heapMb - first.heapMb) / (last.calls - first.calls)) * 10_000;
console.log(JSON.stringify({ calls, failures, heapMbPer10000Calls: round(slopeMb) }));
process.exit(failures === 0 && slopeMb < slopeMaxMb ? 0 : 1);

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
