import { setUp } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../support/hosts/database-proxy.ts';
import { scenario } from '../support/scenario.ts';

const route = '/svc/api/health';

scenario(
  ['RT-4.2-01', 'RT-2-04', 'ID-4-01'],
  'the health check answers any caller while the database responds',
  async ({ svc }) => {
    const answer = await svc.client().get(route);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  },
);

scenario(
  ['RT-4.2-02', 'RT-7-09', 'RT-8-03'],
  'the health check returns a 503 problem while the database is silent, with its limit of five seconds, and recovers',
  async ({ start }) => {
    let proxy: DatabaseProxy | undefined;
    try {
      const svc = await start({}, {}, async (connection) => {
        proxy = await startDatabaseProxy(connection);
        return { ...connection, host: proxy.host, port: proxy.port };
      });
      await setUp(svc);
      proxy?.silence();
      // Requests within a second share one result, so wait until no earlier success remains.
      const unwell = async () => (await svc.client().get(route)).status;
      await expect.poll(unwell, { timeout: 120_000 }).toBe(503);
      const answer = await svc.client().get(route);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({
        status: 503,
        detail: 'The metadata database did not answer within 5 seconds.',
      });
      proxy?.restore();
      await expect.poll(unwell, { timeout: 120_000 }).toBe(200);
    } finally {
      await proxy?.close();
    }
  },
  { timeout: 300_000 },
);
