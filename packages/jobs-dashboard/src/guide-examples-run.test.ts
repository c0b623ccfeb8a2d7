import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobsDashboard } from './index.ts';
import { createFixture, type Fixture } from './testing/served.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

it('the guide produces the described results', async () => {
  const { pool } = fixture;
  const secret = 'Bearer open';
  await pool.query('create table acts (name text, kind text)');
  const dashboard = createJobsDashboard({
    database: { pool },
    prefix: '/jobs',
    authorize: (request) =>
      request.headers.authorization === secret
        ? { kind: 'Admitted', name: 'operator' }
        : { kind: 'Refused', status: 401 },
    audit: (act, transaction) =>
      void transaction.query('insert into acts values ($1, $2)', [act.visitor.name, act.kind]),
  });
  const server = createServer((request, response) =>
    dashboard.handle(request, response, () => response.writeHead(404).end()),
  );
  const app = fastify();
  app.register(dashboard.fastify);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const plain = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const mounted = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: secret, 'content-type': 'application/json' };
  for (const origin of [plain, mounted]) {
    expect((await fetch(`${origin}/jobs/api/session`)).status).toBe(401);
    expect((await fetch(`${origin}/jobs/api/session`, { headers })).status).toBe(200);
    expect((await fetch(`${origin}/other`)).status).toBe(404);
  }
  await fetch(`${mounted}/jobs/api/queues/mail/pause`, { method: 'POST', headers, body: '{}' });
  const { rows } = await pool.query('select * from acts');
  expect(rows).toEqual([{ name: 'operator', kind: 'PauseQueue' }]);
  await app.close();
  await new Promise((resolve) => server.close(resolve));
  await dashboard.close();
});

it('the code of the guide is equal to the code of this test', () => {
  const guide = readFileSync(new URL('../../../docs/guides/job-dashboard.md', import.meta.url), 'utf8');
  const here = readFileSync(import.meta.filename, 'utf8').split('\n');
  const testedLines = new Set(here.map((line) => line.trim()));
  const blocks = [...guide.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? '');
  expect(blocks.length).toBeGreaterThan(2);
  expect(
    blocks.flatMap((block) => block.split('\n')).filter((line) => !testedLines.has(line.trim())),
  ).toEqual([]);
});
