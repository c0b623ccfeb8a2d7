import { answeringEndpoint } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { hostAnswer, type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let svc: RunningService;
let root: HttpClient;

beforeAll(async () => {
  svc = await startService({
    config: { 'Svc:PathBase': '/tools' },
    svc: {
      dashboard: { prefix: '/warp', observesEndpoints: true },
      endpoints: [
        answeringEndpoint({
          method: 'GET',
          route: '/shop/orders/{id:int}',
          parse: (value) => Number((value as { id: string }).id),
          handler: ({ input }) => {
            if (input === 500) throw new Error('secret of the host');
            return { id: input };
          },
        }),
      ],
    },
  });
  root = await setUp(svc);
});
afterAll(() => svc.close());

describe('endpoints of the host', () => {
  test('are served below the base path, and other requests pass to the host unchanged', async () => {
    const client = svc.client();
    const order = await client.get('/tools/shop/orders/7');
    expect([order.status, order.body]).toEqual([200, { id: 7 }]);
    const other = await client.get('/tools/shop/customers/7');
    expect([other.status, other.text]).toEqual([404, hostAnswer]);
  });

  test('fail with a problem that does not contain the cause', async () => {
    const failed = await svc.client().get('/shop/orders/500');
    expect([failed.status, failed.body]).toEqual([500, expect.objectContaining({ code: 'internal' })]);
    expect(failed.text).not.toContain('secret');
  });

  test('have their calls counted for administrators, and anonymous callers do not see the counts', async () => {
    const counted = async () => (await root.get('/warp/api/endpoints')).text;
    await expect.poll(counted, { timeout: 20_000 }).toContain('/shop/orders/{id}');
    expect((await svc.client().get('/warp/api/endpoints')).status).toBe(401);
  });
});
