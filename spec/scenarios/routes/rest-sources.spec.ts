import { SpanKind } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { make } from '@svc/testkit/client/make.ts';
import { type RestHandler, startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { type ScenarioContext, scenario } from '../support/scenario.ts';

type Start = Pick<ScenarioContext, 'deliver' | 'onEnd'>;
type Sources = DeliveryFixture & {
  readonly api: TestRestApi;
  readonly apiId: number;
  readonly connection: Readonly<Record<string, unknown>>;
  readonly draft: (sql: string, more?: object) => ReturnType<DeliveryFixture['root']['post']>;
};

/** Starts a service with an API as a data source of its project, in addition to its database. */
async function withApi(
  { deliver, onEnd }: Start,
  connection: object,
  tracerProvider?: NodeTracerProvider,
): Promise<Sources> {
  const api = await startRestApi(() => ({ body: [] }));
  onEnd(api.stop);
  const fixture = await deliver(
    {},
    tracerProvider ? { telemetry: { tracerProvider, meterProvider: new MeterProvider() } } : {},
  );
  const { root, projectId } = fixture;
  const whole = {
    baseUrl: api.baseUrl.replace('rest.test', '127.0.0.1'),
    endpoints: ['/orders', '/people'],
    ...connection,
  };
  const { id } = await make(root, '/svc/api/data-sources', {
    name: 'The API',
    engine: 'Rest',
    connection: whole,
  });
  await make(root, `/svc/api/projects/${projectId}/data-sources`, { dataSourceId: id });
  const draft = (sql: string, more: object = {}) =>
    root.post('/svc/api/queries/preview', {
      projectId,
      steps: [{ dataSourceId: id, sql }],
      ...more,
    });
  return { ...fixture, api, apiId: id, connection: whole, draft };
}

/** Answers with the URL of the request, which contains the key, for each status. */
const echo: RestHandler = (url, request) => {
  const self = `http://${request.headers.host}${request.url}`;
  const status = Number(url.searchParams.get('status') ?? 200);
  if (status !== 200) return { status, body: { message: `cannot read ${self}` } };
  return { body: { data: [{ id: 1, self }], next: null } };
};
const step = (query: object = {}) => JSON.stringify({ path: '/orders', rows: '/data', query });

scenario(
  ['RT-4.3-1030', 'RT-4.3-1031', 'RT-4.3-1032'],
  'an API key in a query parameter is sent with every request, and appears in no output of the service',
  async ({ deliver, onEnd }) => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const key = 'pl4nted/k3y+of the-API';
    const fixture = await withApi(
      { deliver, onEnd },
      { auth: 'ApiKeyInQuery', keyParameter: 'app-key', secret: key },
      tracerProvider,
    );
    const { svc, root, api, apiId, sink, draft, connection, projectId } = fixture;
    const keys: (string | null)[] = [];
    api.answer((url, request) => {
      keys.push(url.searchParams.get('app-key'));
      return echo(url, request);
    });
    const answers = [
      await root.get(`/svc/api/data-sources/${apiId}`),
      await root.get('/svc/api/data-sources'),
      await root.post(`/svc/api/data-sources/${apiId}/test`),
      await root.post('/svc/api/data-sources/test-connection', { engine: 'Rest', connection }),
      await draft(step()),
      await draft(step({ status: 418 })),
      await draft(step({ status: 401 })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 424]);
    const self = `${String(connection['baseUrl'])}/orders?app-key=•••`;
    expect(answers[4]?.body.rows).toEqual([['1', self]]);
    expect(answers[5]?.body.detail).toContain('The API refused the request (error HTTP 418).');

    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    for (const [index, query] of [{}, { status: 418 }].entries()) {
      const { id: queryId } = await make(root, '/svc/api/queries', {
        projectId,
        name: `Orders ${index}`,
        steps: [{ dataSourceId: apiId, sql: step(query) }],
      });
      const subscription = await addSubscription(root, { queryId, recipientIds: [recipientId] });
      const run = await runNow(root, subscription);
      expect(run.status).toBe(index === 0 ? 'Sent' : 'Failed');
      answers.push(await root.get(`/svc/api/notifications/${run.id}`));
      answers.push(await root.get(`/svc/api/notifications/${run.id}/timeline`));
    }
    expect(keys).toHaveLength(7);
    expect(new Set(keys)).toEqual(new Set([key]));
    expect(sink.received[0]?.text).toContain('app-key=•••');

    for (const name of ['app-key', 'APP-KEY']) {
      const refused = await draft(JSON.stringify({ path: '/orders', query: { [name]: 'mine' } }));
      expect(refused).toMatchObject({ status: 400, body: { code: 'syntax-refused' } });
      answers.push(refused);
    }
    expect(keys).toHaveLength(7);

    const expectNoKey = (what: unknown) => expect(JSON.stringify(what)).not.toContain('k3y');
    for (const { text } of answers) expectNoKey(text);
    expectNoKey(sink.received);
    expectNoKey(svc.log);
    const spans = exporter.getFinishedSpans();
    expect(
      spans.filter(({ kind, name }) => kind === SpanKind.CLIENT && /Rest/.test(name)).length,
    ).toBeGreaterThan(3);
    expectNoKey(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
    const tables = await svc.sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['svc.runs', 'svc.data_sources']));
    for (const { name } of tables) {
      const leaks = await svc.sql(`select 1 from ${name} t where t::text like '%k3y%'`);
      expect([name, leaks]).toEqual([name, []]);
    }
    await tracerProvider.shutdown();
  },
);

scenario(
  ['RT-4.3-1033', 'RT-4.3-1034'],
  'a request that an API temporarily refuses is retried within limits, and the record reports it',
  async ({ deliver, onEnd }) => {
    const fixture = await withApi({ deliver, onEnd }, {});
    const { root, api, apiId, sink, draft, projectId } = fixture;
    let asked = 0;
    const busyOnce = (status: number): RestHandler => {
      asked = 0;
      return () =>
        asked++ === 0 ? { status, headers: { 'retry-after': '1' } } : { body: { data: [{ id: 1 }] } };
    };
    for (const status of [429, 503]) {
      api.answer(busyOnce(status));
      const { body } = await draft(step());
      expect(body.rows).toEqual([['1']]);
      expect(body.steps).toMatchObject([{ outcome: 'Succeeded', retries: { count: 1, waitedMs: 1_000 } }]);
      expect(body.executionTimeMs).toBeGreaterThan(950);
    }
    api.answer(() => (asked++ === 2 ? 'reset' : { body: { data: [{ id: 1 }] } }));
    expect((await draft(step())).body.steps).toMatchObject([{ retries: { count: 1 } }]);
    api.answer(() => ({ body: { data: [{ id: 1 }] } }));
    expect((await draft(step())).body.steps[0]).not.toHaveProperty('retries');

    api.answer(() => ({ status: 429, headers: { 'retry-after': '0' } }));
    expect((await draft(step())).body).toMatchObject({
      detail: expect.stringContaining('sent 5 requests again'),
    });
    expect(api.asked).toHaveLength(6);
    for (const after of ['61', '86400']) {
      api.answer(() => ({ status: 503, headers: { 'retry-after': after } }));
      expect((await draft(step())).status).toBe(400);
      expect(api.asked).toHaveLength(1);
    }

    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    const { id: queryId } = await make(root, '/svc/api/queries', {
      projectId,
      name: 'Orders',
      steps: [{ dataSourceId: apiId, sql: step() }],
    });
    const subscription = await addSubscription(root, { queryId, recipientIds: [recipientId] });
    const statementsOf = async (): Promise<unknown> => {
      const { id } = await runNow(root, subscription);
      return (await root.get(`/svc/api/notifications/${id}/timeline`)).body.statements;
    };
    api.answer(busyOnce(503));
    expect(await statementsOf()).toMatchObject([
      { outcome: 'Succeeded', retries: { count: 1, waitedMs: 1_000 } },
    ]);
    api.answer(() => ({ status: 429, headers: { 'retry-after': '0' } }));
    expect(await statementsOf()).toMatchObject([{ outcome: 'Failed', retries: { count: 5, waitedMs: 0 } }]);
  },
);

scenario(
  ['RT-4.3-1033'],
  'no request to an API is retried after the time limit of its run',
  async ({ deliver, onEnd }) => {
    const fixture = await withApi(
      { deliver: (config, svc) => deliver({ ...config, 'Svc:Query:TimeoutSeconds': 50 }, svc), onEnd },
      {},
    );
    const { api, draft } = fixture;
    api.answer(() => ({ status: 503, headers: { 'retry-after': '55' } }));
    // At the time limit the code would be timed-out.
    const refused = await draft(step());
    expect(refused).toMatchObject({ status: 400, body: { code: 'statement-failed' } });
    expect(api.asked).toHaveLength(1);
  },
);

scenario(
  ['RT-4.3-1036'],
  'rows of an API can be joined with rows of PostgreSQL, and a run delivers the result',
  async ({ deliver, onEnd }) => {
    const fixture = await withApi({ deliver, onEnd }, {});
    const { root, api, apiId, dataSourceId, source, sink, projectId } = fixture;
    await source.sql(
      `create table customers (id int8 primary key, email text, credit numeric(38, 10));
       insert into customers values (9007199254740993, 'ann@example.com', 12345678901234567890.0000000001),
         (9007199254740992, 'bob@example.com', 1), (7, 'cid@example.com', 2)`,
    );
    api.answer((url) => ({
      body: `{"data": [
        {"order": ${url.searchParams.get('page')}1, "customer": 9007199254740993, "phone": "+49 30 1234567", "total": 0.1},
        {"order": ${url.searchParams.get('page')}2, "customer": 7, "phone": null, "total": 12345678901234567890.2}
      ], "next": ${url.searchParams.get('page') === '1' ? '"/v1/orders?page=2"' : 'null'}}`,
    }));
    const query = {
      projectId,
      steps: [
        {
          name: 'orders',
          dataSourceId: apiId,
          sql: JSON.stringify({
            path: '/orders',
            query: { page: 1 },
            rows: '/data',
            pages: { next: '/next' },
            columns: {
              order: { at: '/order', type: 'integer' },
              customer: { at: '/customer', type: 'integer' },
              phone: '/phone',
              total: { at: '/total', type: 'number' },
            },
          }),
        },
        { name: 'customers', dataSourceId, sql: 'select id, email, credit from customers' },
      ],
      finalQuery: `select o."order", c.id, c.email, o.phone as p, o.total, c.credit
        from orders o join customers c on c.id = o.customer order by o."order"`,
    };
    const ann = ['9007199254740993', 'a***m', expect.not.stringContaining('1234567'), '0.1'];
    const cid = ['7', 'c***m', null, '12345678901234567890.2', '2.0000000000'];
    const credit = '12345678901234567890.0000000001';
    const { body } = await root.post('/svc/api/queries/preview', query);
    expect(body.rows).toEqual([
      ['11', ...ann, credit],
      ['12', ...cid],
      ['21', ...ann, credit],
      ['22', ...cid],
    ]);
    expect(body.steps).toMatchObject([
      { name: 'orders', outcome: 'Succeeded', rowCount: 4 },
      { name: 'customers', outcome: 'Succeeded', rowCount: 3 },
    ]);
    expect(body.columns.map(({ isMasked }: { isMasked: boolean }) => isMasked)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);

    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination: sink.url });
    const { id: queryId } = await make(root, '/svc/api/queries', { ...query, name: 'Orders and credit' });
    const run = await runNow(root, await addSubscription(root, { queryId, recipientIds: [recipientId] }));
    expect(run).toMatchObject({ status: 'Sent', resultCount: 4 });
    const text = sink.received.at(-1)?.text ?? '';
    for (const visibleValue of ['9007199254740993', credit, '12345678901234567890.2', 'a***m'])
      expect(text).toContain(visibleValue);
    for (const personal of ['ann@example.com', '1234567"']) expect(text).not.toContain(personal);
  },
);
