import http from 'node:http';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { withRunFixture } from '../runs/own-fixture.ts';

/**
 * `node --conditions=svc-source trials/access/key-timing.ts [count]`: measures the time of refusals of revoked and
 * unknown API keys, alternately; default 5,000 of each. Fails when the medians differ by 0.1 ms or more.
 */
const count = Number(process.argv[2] ?? 5_000);
const warmUp = 500;
const differenceMaxMs = 0.1;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

async function timeOf(origin: string, authorization: string): Promise<number> {
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const request = http.get(
      `${origin}/svc/api/projects`,
      { agent, headers: { authorization } },
      (answer) => {
        if (answer.statusCode !== 401) reject(new Error(`A bad key was answered with ${answer.statusCode}.`));
        answer.resume().once('end', resolve);
      },
    );
    request.once('error', reject);
  });
  return performance.now() - startedAt;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const times: { revoked: number[]; unknown: number[] } = { revoked: [], unknown: [] };
await withRunFixture('key-timing', { config: { 'Svc:Jobs:Workers': 0 } }, async ({ svc }) => {
  const owner = await createUser(svc.database, 'owner of a revoked key', 'Editor');
  const { id, authorization: revoked } = await createKey(svc.database, owner, { scopes: ['Execute'] });
  await svc.database.query('update svc.api_keys set revoked_at = now() where id = $1', [id]);
  const unknown = `${revoked.slice(0, -8)}AAAAAAAA`;
  for (let n = -warmUp; n < count; n += 1) {
    const turn = { revoked: await timeOf(svc.origin, revoked), unknown: await timeOf(svc.origin, unknown) };
    if (n < 0) continue;
    times.revoked.push(turn.revoked);
    times.unknown.push(turn.unknown);
  }
  agent.destroy();
});
const [revokedMs, unknownMs] = [median(times.revoked), median(times.unknown)];
console.log({ count, revokedMs, unknownMs, apartMs: Math.abs(revokedMs - unknownMs) });
process.exitCode = Math.abs(revokedMs - unknownMs) < differenceMaxMs ? 0 : 1;
