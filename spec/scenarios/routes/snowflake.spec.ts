import { make } from '@svc/testkit/client/make.ts';
import { makeKeyPair, startSnowflake, type TestShop } from '@svc/testkit/database/snowflake.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { expect } from 'vitest';
import { type ScenarioContext, scenario } from '../support/scenario.ts';

const sources = '/svc/api/data-sources';

scenario(
  ['RT-4.3-950', 'RT-4.3-951', 'RT-4.3-952'],
  'Snowflake has secrets, and an invalid setting is refused at its field without being repeated',
  async ({ root }) => {
    const offered = await root.get(`${sources}/engines`);
    expect(offered.body.engines).toContainEqual(
      expect.objectContaining({
        engine: 'Snowflake',
        secretFields: ['privateKey', 'passphrase', 'accessToken'],
      }),
    );
    const passphrase = 'the passphrase of the k3y';
    const { privateKey, publicKey } = makeKeyPair(passphrase);
    const good = {
      host: 'org-shop.snowflakecomputing.com',
      user: 'svc',
      privateKey,
      passphrase,
      role: 'reader',
      warehouse: 'work',
      database: 'shop',
    };
    const token = {
      signIn: 'AccessToken',
      privateKey: '',
      passphrase: '',
      accessToken: 'a token of the us3r',
    };
    const middle = privateKey.slice(100, 160);
    const wrong: readonly (readonly [field: string, change: object])[] = [
      ['host', { host: '127.0.0.1' }],
      ['host', { host: 'https://org-shop.snowflakecomputing.com' }],
      ['host', { host: 'org-shop.snowflakecomputing.com/x' }],
      ['privateKey', { privateKey: '' }],
      ['privateKey', { privateKey: privateKey.slice(0, -80) }],
      ['privateKey', { privateKey: publicKey }],
      ['privateKey', { passphrase: 'another passphrase of the k3y' }],
      ['privateKey', { passphrase: '' }],
      ['accessToken', { ...token, accessToken: '' }],
      ['accessToken', token],
      ['role', { role: 'reader; drop role x' }],
      ['warehouse', { warehouse: 'a b' }],
      ['database', { database: '' }],
      ['schema', { schema: '1st' }],
    ];
    for (const [field, change] of wrong)
      for (const path of [sources, `${sources}/test-connection`]) {
        const refused = await root.post(path, {
          ...(path === sources && { name: 'Warehouse' }),
          engine: 'Snowflake',
          connection: { ...good, ...change },
        });
        expect(refused.status, refused.text).toBe(400);
        expect(refused.body.errors).toMatchObject([{ path: `/connection/${field}` }]);
        for (const secret of [middle, 'k3y', 'us3r']) expect(refused.text).not.toContain(secret);
      }
  },
);

type Watched = DeliveryFixture & {
  readonly shop: TestShop;
  /** Connection settings of the simulated Snowflake. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly sourceId: number;
  readonly draft: (sql: string, more?: object) => ReturnType<DeliveryFixture['root']['post']>;
  /** Returns the statements that the service sent during `work`. */
  readonly sentBy: (work: () => Promise<unknown>) => Promise<readonly string[]>;
};

/** Starts a service with a project that reads a small shop at the simulated Snowflake. */
async function withShop(
  { deliver, onEnd }: Pick<ScenarioContext, 'deliver' | 'onEnd'>,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Watched> {
  const shop = await startSnowflake(await createTestAuthority(), { host: 'localhost' });
  onEnd(async () => {
    expect(shop.faults).toEqual([]);
    await shop.stop();
  });
  const fixture = await deliver(settings);
  const { root, projectId } = fixture;
  const connection = { ...shop.connection, port: shop.port, account: 'org-shop' };
  const { id } = await make(root, sources, { name: 'Warehouse', engine: 'Snowflake', connection });
  await make(root, `/svc/api/projects/${projectId}/data-sources`, { dataSourceId: id });
  return {
    ...fixture,
    shop,
    connection,
    sourceId: id,
    draft: (sql, more = {}) =>
      root.post('/svc/api/queries/preview', { projectId, steps: [{ dataSourceId: id, sql }], ...more }),
    sentBy: async (work) => {
      const before = shop.submissions.length;
      await work();
      return shop.submissions.slice(before).map(({ statement }) => statement);
    },
  };
}

scenario(
  ['RT-4.3-952', 'RT-4.3-953', 'RT-4.3-965'],
  'a Snowflake role with write access is refused unless accepted, and a source shows its tables and no secret',
  async ({ deliver, onEnd }) => {
    const { root, connection, sourceId } = await withShop({ deliver, onEnd });
    const secret = String(connection['privateKey']).slice(100, 160);
    const save = (role: string, more: object = {}) =>
      root.post(sources, {
        name: `Warehouse of ${role}`,
        engine: 'Snowflake',
        connection: { ...connection, role, ...more },
      });
    // These roles may write: directly, or through another role.
    for (const role of ['writer', 'inheritor', 'of_database']) {
      const refused = await save(role);
      expect(refused, refused.text).toMatchObject({ status: 409, body: { code: 'login-may-write' } });
      expect(refused.body.remedy).toContain(
        'grant select on all tables in database "SHOP" to role svc_reader;',
      );
      expect(refused.text).not.toContain(secret);
    }
    expect((await save('writer', { acceptWritingLogin: true })).status).toBe(201);
    for (const path of [sources, `${sources}/${sourceId}`]) {
      const answer = await root.get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(secret);
    }
    const tested = await root.post(`${sources}/${sourceId}/test`);
    expect(tested).toMatchObject({ status: 200, body: { ok: true } });
    const { body } = await root.get(`${sources}/${sourceId}/metadata`);
    expect(body.tables).toMatchObject([
      {
        schema: 'PUBLIC',
        name: 'CUSTOMERS',
        type: 'Table',
        primaryKey: ['ID'],
        columns: [
          { name: 'ID', databaseType: 'NUMBER(38,0)', isNullable: false },
          { name: 'EMAIL', databaseType: 'VARCHAR(200)', isNullable: true },
        ],
      },
      {
        schema: 'PUBLIC',
        name: 'ORDERS',
        primaryKey: ['ID', 'LINE'],
        foreignKeys: [{ columns: ['CUSTOMER_ID'], toTable: 'CUSTOMERS', toColumns: ['ID'] }],
      },
      { schema: 'sales', name: 'recent orders', type: 'View' },
    ]);
  },
);

scenario(
  ['RT-4.3-954', 'RT-4.3-955', 'RT-4.3-966'],
  'a statement runs at Snowflake only after it compiles as a query, and a statement that does more than read is not sent',
  async ({ deliver, onEnd }) => {
    const { root, projectId, sourceId, draft, sentBy } = await withShop({ deliver, onEnd });
    const sql = 'select id from orders where id > 7';
    const sent = await sentBy(async () => expect((await draft(sql)).status).toBe(200));
    const compiled = sent.indexOf(`explain using json\nselect * from (\n${sql}\n)`);
    expect(compiled).toBeGreaterThanOrEqual(0);
    expect(sent.indexOf(sql)).toBeGreaterThan(compiled);

    const planned = 'select id as planned_to_write from orders';
    const unplanned = await sentBy(async () =>
      expect(await draft(planned)).toMatchObject({ status: 400, body: { code: 'not-a-read' } }),
    );
    expect(unplanned).not.toContain(planned);

    for (const wrong of [
      'delete from orders',
      'call do_it()',
      'select 1; drop table orders',
      'create table t (a int)',
      "select system$cancel_query('x')",
      'select counter.nextval',
      'select $1 from @stage/file.csv',

      "select snowflake.cortex.complete('m', 'x')",
      "select * from identifier('orders')",
      'use role writer',
    ]) {
      const nothing = await sentBy(async () => {
        const refused = await draft(wrong);
        expect(refused.status, `${wrong}: ${refused.text}`).toBe(400);
      });
      expect([wrong, nothing]).toEqual([wrong, []]);
    }

    const preflight = async (statement: string) =>
      (
        await root.post('/svc/api/queries/preflight', {
          projectId,
          steps: [{ dataSourceId: sourceId, sql: statement }],
        })
      ).body.gates.find(({ gate }: { gate: string }) => gate === 'engine');
    for (const [checked, expected] of [
      ['select id from orders where id > 8', { verdict: 'Passed' }],
      [
        'select id,\n  no_such_column from orders',
        { verdict: 'Failed', position: { line: 2 }, message: expect.stringContaining('NO_SUCH_COLUMN') },
      ],
    ] as const) {
      const ran = await sentBy(async () => expect(await preflight(checked)).toMatchObject(expected));
      expect(ran).toContain(`explain using json\nselect * from (\n${checked}\n)`);
      expect(ran).not.toContain(checked);
    }
  },
);

scenario(
  ['RT-4.3-956', 'RT-4.3-957', 'RT-4.3-958', 'RT-4.3-964'],
  'Snowflake values are bound, digits are preserved, personal data is masked, and a busy server gets the same request again',
  async ({ deliver, onEnd }) => {
    const { draft, shop } = await withShop({ deliver, onEnd });
    const value = "' or 1 = 1 --";
    const draftRun = await draft(
      'select id, email, email as e, balance from customers where name <> {{not}}',
      {
        parameters: [{ name: 'not', type: 'String' }],
        values: { not: value },
      },
    );
    expect(draftRun.body.rows).toEqual([
      ['1234567890123456789', 'a***m', 'a***m', '2126764793255865396646091296.4485513215'],
      ['2', 'b***m', 'b***m', expect.stringMatching(/^0\.10*$/)],
    ]);
    expect(shop.submissions.at(-1)?.bindings).toEqual({ 1: { type: 'TEXT', value } });
    expect(shop.submissions.map(({ statement }) => statement).join('\n')).not.toContain('or 1 = 1');

    const before = shop.asked.length;
    shop.failNext(429, 503);
    const busy = await draft('select 1');
    expect(busy.body.rows).toEqual([['1']]);
    expect(busy.body.steps).toMatchObject([{ retries: { count: 2 } }]);
    const submitted = shop.asked
      .slice(before)
      .filter((asked) => asked.startsWith('POST /api/v2/statements?'));
    const idOf = (asked: string) => new URL(asked.slice(5), 'http://x').searchParams.get('requestId');
    const [first, ...again] = submitted.slice(0, 3).map(idOf);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(again).toEqual([first, first]);
  },
);

scenario(
  ['RT-4.3-959'],
  'a statement at Snowflake is cancelled there when it is stopped or reaches its time limit',
  async ({ deliver, onEnd }) => {
    const { root, draft, shop, projectId, sourceId } = await withShop(
      { deliver, onEnd },
      { 'Svc:Query:TimeoutSeconds': 4 },
    );
    const sql = 'select id from endless';
    const isRunning = () => shop.submissions.some(({ statement }) => statement === sql);
    const runKey = crypto.randomUUID();
    const running = root.post(`/svc/api/queries/preview?runKey=${runKey}`, {
      projectId,
      steps: [{ dataSourceId: sourceId, sql }],
    });
    await expect.poll(isRunning).toBe(true);
    expect(shop.cancelled.size).toBe(0);
    const stopped = await root.post(`/svc/api/queries/runs/${runKey}/stop`);
    expect(stopped.body).toEqual({ outcome: 'Stopped' });
    await running;
    await expect.poll(() => shop.cancelled.size).toBe(1);
    expect((await draft(sql)).body).toMatchObject({ code: 'timed-out' });
    await expect.poll(() => shop.cancelled.size).toBe(2);
  },
);
