import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';

scenario(
  [
    'ID-1-250',
    'DL-2.2-01',
    'DL-2.2-03',
    'DL-2.2-04',
    'DL-2.2-05',
    'DL-2.2-06',
    'DL-2.2-07',
    'DL-2.2-09',
    'DL-2.2-10',
    'DL-2.2-12',
    'DL-6-03',
    'DL-1-01',
    'DL-5.1-14',
  ],
  'a webhook receives one POST of JSON with the facts of the run',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select n from generate_series(1, 30) n order by n', 'Thirty rows');
    const sentAfterMs = Date.now();
    const { run, received, subscriptionId } = await sendOnce(fixture, query);
    const sentBeforeMs = Date.now();
    expect(run.status).toBe('Sent');
    expect(received).toHaveLength(1);
    const [request] = received;
    expect(request?.method).toBe('POST');
    expect(request?.headers['content-type']).toMatch(/^application\/json/);
    const body = jsonOf(request);
    expect(body).toMatchObject({
      source: 'Svc',
      subscriptionName: 'Thirty rows',
      subscriptionId,
      dataSourceName: fixture.sourceName,
      totalRecords: 30,
      timedOut: false,
      executionTimeMs: expect.any(Number),
    });
    expect(String(body['timestamp'])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const timestampMs = Date.parse(String(body['timestamp']));
    // The clock of the database may differ.
    expect(timestampMs).toBeGreaterThan(sentAfterMs - 60_000);
    expect(timestampMs).toBeLessThan(sentBeforeMs + 60_000);
  },
);

scenario(
  ['DL-2.2-02', 'DL-2.2-08', 'DL-2.2-11', 'DL-5.1-20', 'DL-5.3-04'],
  'query text, previous count and link are in the body only if they exist',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 1 as one');
    const plain = await sendOnce(fixture, query, { showQuery: false });
    const body = jsonOf(plain.received[0]);
    for (const absent of ['sqlQuery', 'previousResultCount', 'anomaly', 'notificationUrl'])
      expect(body).not.toHaveProperty(absent);
    expect(Object.values(body)).not.toContain(null);
    await runNow(fixture.root, plain.subscriptionId);
    expect(jsonOf(plain.requests()[1])).toMatchObject({ previousResultCount: 1 });
    const shown = await sendOnce(fixture, query, { showQuery: true });
    expect(jsonOf(shown.received[0])).toMatchObject({ sqlQuery: expect.stringContaining('select 1 as one') });
  },
);

scenario(
  ['DL-2.2-12'],
  'a run that timed out states it, and includes no count if none exists',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select pg_sleep(60)');
    const { run, received } = await sendOnce(fixture, query, { timeoutSeconds: 1 });
    expect(run.status).toBe('Timeout');
    expect(jsonOf(received[0])).toMatchObject({ timedOut: true, records: [] });
    expect(jsonOf(received[0])).not.toHaveProperty('totalRecords');
  },
);

scenario(
  ['DL-2.2-15', 'DL-5.1-22', 'DL-5.3-01'],
  'with a base URL the webhook body links to the run',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:BaseUrl': 'https://svc.example.org/svc' });
    const { run, received } = await sendOnce(fixture, await fixture.addQuery('select 1 as one'));
    expect(jsonOf(received[0])).toMatchObject({
      notificationUrl: `https://svc.example.org/svc/notifications/${run.id}`,
    });
  },
);

scenario(
  ['DL-2.2-13', 'DL-5.1-15', 'DL-5.1-18', 'DL-5.1-19', 'DL-5.1-23', 'DL-8-01'],
  'the preview contains at most 20 masked rows by column name, or fewer by Max rows, and the full count',
  async ({ deliver }) => {
    const fixture = await deliver();
    await fixture.source.sql(
      "create table people as select n, 'anna' || n || '@example.org' as email from generate_series(1, 30) n",
    );
    const sql = 'select n, email from people order by n';
    const query = await fixture.addQuery(sql);
    const all = jsonOf((await sendOnce(fixture, query)).received[0]);
    expect(all).toMatchObject({ totalRecords: 30 });
    const records = all['records'] as Record<string, unknown>[];
    expect(records.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(Object.keys(records[0] ?? {})).toEqual(['n', 'email']);
    expect(JSON.stringify(records)).not.toContain('anna1@example.org');
    const few = jsonOf((await sendOnce(fixture, query, { maxRows: 3 })).received[0]);
    expect([few['totalRecords'], (few['records'] as unknown[]).length]).toEqual([30, 3]);
    const attach = { includeAttachment: true, attachmentFormat: 'Csv' };
    const [filed] = (await sendOnce(fixture, query, attach)).received;
    expect(filed?.headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(jsonOf(filed))).toEqual(Object.keys(all));
    expect(jsonOf(filed)['records']).toHaveLength(20);
  },
);

scenario(
  ['DL-2.1-05', 'DL-2.3-07', 'DL-2.3-08'],
  'custom headers are sent; a masked value retains the stored one, and a cleared field removes all headers',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery('select 1 as one');
    const sent = await sendOnce(
      fixture,
      query,
      {},
      { customHeaders: { Authorization: 'Bearer abc', 'X-Api-Key': 'k1' } },
    );
    expect(sent.received[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-api-key': 'k1' });
    const path = `/svc/api/recipients/${sent.recipientId}`;
    const shown = (await fixture.root.get(path)).read<{
      name: string;
      destination: string;
      customHeaders: Record<string, string>;
    }>();
    const change = { notificationType: 'Webhook', name: shown.name, destination: shown.destination };
    const kept = { ...shown.customHeaders, 'X-Api-Key': 'k2' };
    const edited = await fixture.root.put(path, { ...change, customHeaders: kept });
    expect(edited.status, edited.text).toBeLessThan(300);
    await runNow(fixture.root, sent.subscriptionId);
    expect(sent.requests()[1]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-api-key': 'k2' });
    expect((await fixture.root.put(path, { ...change, customHeaders: {} })).status).toBeLessThan(300);
    await runNow(fixture.root, sent.subscriptionId);
    expect(sent.requests()[2]?.headers).not.toHaveProperty('authorization');
    expect(sent.requests()[2]?.headers).not.toHaveProperty('x-api-key');
  },
);

scenario(
  ['DL-2.2-16', 'DL-2.2-17', 'DL-2.2-18'],
  'records contain JSON columns as JSON, and numbers in the form that the recipient selects',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery(
      `select 9007199254740993 as big, 1.10 as rate, '{"a": 1.10}'::jsonb as doc`,
      'Forms',
    );
    const sent = await sendOnce(fixture, query);
    const settings = `/svc/api/recipients/${sent.recipientId}`;
    expect(sent.received[0]?.text).toContain('[{"big":"9007199254740993","rate":"1.10","doc":{"a":1.10}}]');
    expect((await fixture.root.put(`${settings}/number-format`, { numbers: 'Number' })).status).toBe(200);
    await runNow(fixture.root, sent.subscriptionId);
    const [, again] = sent.requests();
    expect(again?.text).toContain('[{"big":9007199254740993,"rate":1.10,"doc":{"a":1.10}}]');
    for (const request of [sent.received[0], again])
      expect(jsonOf(request)).toMatchObject({
        subscriptionId: sent.subscriptionId,
        totalRecords: 1,
        executionTimeMs: expect.any(Number),
      });
  },
);
