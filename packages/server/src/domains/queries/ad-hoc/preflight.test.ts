import type { PreflightGate } from '@svc/contract';
import { orderCount, type QueryFixture, startQueryFixture } from '@svc/testkit/runs/query-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: QueryFixture;
beforeAll(async () => {
  fixture = await startQueryFixture();
});
afterAll(() => fixture.close());

const check = (as: string, sql: string, change: Record<string, unknown> = {}) =>
  fixture.app.call(as, 'POST /svc/api/queries/preflight', {
    body: { projectId: fixture.restricted, steps: [{ dataSourceId: fixture.sources.shop, sql }], ...change },
  });

/** Returns the verdict of each gate, and the overall result. */
async function verdicts(sql: string, change: Record<string, unknown> = {}) {
  const { status, body, text } = await check('editor', sql, change);
  expect(status, text).toBe(200);
  const gates: PreflightGate[] = body.gates;
  return {
    isReady: body.isReady,
    gates,
    byGate: gates.map(({ gate, verdict }) => `${gate} ${verdict}`),
    of: (name: PreflightGate['gate']) => gates.find(({ gate }) => gate === name),
  };
}

describe('200', () => {
  test('an executable statement passes every gate, with its masked columns and its limits', async () => {
    const { isReady, byGate, of } = await verdicts('select id, email from orders');
    expect(isReady).toBe(true);
    expect(byGate).toEqual([
      'parameters Passed',
      'statement Passed',
      'source Passed',
      'engine Passed',
      'masking Passed',
      'limits Passed',
    ]);
    expect(of('masking')?.message).toContain('masked: email');
    expect(of('source')).toMatchObject({ stepOrder: 1, message: 'Shop answered.' });
    expect(of('limits')?.message).toContain('2,500 rows');
  });

  test.each([
    ['delete from orders', 'statement'],
    ['select 1; select 2', 'statement'],
    ["select * from orders where customer = '{{name}}'", 'statement'],
    ['select {{nobody_declared}}', 'statement'],
    ['select * from no_such_table', 'engine'],
    ['select no_such_column from orders', 'engine'],
    ['selec 1', 'statement'],
  ] as const)('%s fails at the gate %s, with the next step for the user', async (sql, gate) => {
    const { isReady, gates } = await verdicts(sql, {
      parameters: [{ name: 'name', type: 'String' }],
      values: { name: 'x' },
    });
    expect(isReady).toBe(false);
    const failed = gates.filter(({ verdict }) => verdict === 'Failed');
    expect(failed).toMatchObject([{ gate, next: expect.stringMatching(/\w/), stepOrder: 1 }]);
  });

  test('the position of an error is its position in the original text', async () => {
    const { of } = await verdicts('select {{number}},\n  no_such_column\nfrom orders', {
      parameters: [{ name: 'number', type: 'Number' }],
      values: { number: 7 },
    });
    expect(of('engine')?.position).toEqual({ line: 2, column: 3 });
  });

  test('a missing value is named, and the gates after it are not checked', async () => {
    const { byGate, of } = await verdicts('select {{day}}::date as day', {
      parameters: [{ name: 'day', type: 'Date' }],
    });
    expect(of('parameters')).toMatchObject({ verdict: 'Failed', message: expect.stringContaining('day') });
    expect(byGate.slice(1, 5)).toEqual(
      ['statement', 'source', 'engine', 'masking'].map((gate) => `${gate} NotChecked`),
    );
    const withValues = await verdicts('select {{day}} as day', {
      parameters: [{ name: 'day', type: 'Date' }],
      values: { day: '2026-02-01' },
    });
    expect(withValues.isReady).toBe(true);
  });

  test('an unavailable source fails the gate of the source, not of the statement', async () => {
    const { byGate, of } = await verdicts('', {
      steps: [{ dataSourceId: fixture.sources.away, sql: 'select 1 as one' }],
    });
    expect(byGate.slice(1, 4)).toEqual(['statement Passed', 'source Failed', 'engine NotChecked']);
    expect(of('source')?.next).toContain('Away');
  });

  test('a statement without a plan still has its source checked', async () => {
    const { isReady, byGate } = await verdicts('show server_version');
    expect(isReady).toBe(true);
    expect(byGate.slice(1, 4)).toEqual(['statement Passed', 'source Passed', 'engine NotChecked']);
  });

  test('each step is checked, and the final query as far as possible', async () => {
    const steps = [
      { dataSourceId: fixture.sources.shop, sql: 'select id, email from orders' },
      { dataSourceId: fixture.sources.held, sql: 'select target from targets' },
    ];
    const { isReady, gates } = await verdicts('', { steps, finalQuery: 'select email from step1' });
    expect(isReady).toBe(true);
    expect(gates.filter(({ gate }) => gate === 'source').map(({ stepOrder }) => stepOrder)).toEqual([1, 2]);
    expect(gates.find(({ gate, isFinalQuery }) => gate === 'masking' && isFinalQuery)?.message).toContain(
      'email',
    );
    const refused = await verdicts('', { steps, finalQuery: 'drop table step1' });
    expect(refused.gates.filter(({ verdict }) => verdict === 'Failed')).toMatchObject([
      { gate: 'statement', isFinalQuery: true },
    ]);
  });

  test('a result with more rows than a run may have causes a warning', async () => {
    const { isReady, of } = await verdicts(`select * from generate_series(1, ${orderCount * 4}) g`);
    expect(isReady).toBe(true);
    expect(of('limits')).toMatchObject({ verdict: 'Warned', next: expect.stringContaining('Narrow') });
  });

  test('the statement is not executed', async () => {
    await verdicts('select set_config($$application_name$$, $$touched$$, false)');
    const answer = await verdicts('select 1 / (id - id) as never from orders');
    expect(answer.isReady).toBe(true);
  });
});

describe('400', () => {
  test('refuses a query without a step, with a source that is not linked, or with a repeated name', async () => {
    const codes = await Promise.all([
      check('editor', '', { steps: [] }),
      check('editor', '', { steps: [{ dataSourceId: fixture.sources.unlinked, sql: 'select 1' }] }),
      check('editor', '', {
        steps: ['a', 'A'].map((name) => ({ name, dataSourceId: fixture.sources.shop, sql: 'select 1' })),
      }),
      check('editor', ''),
    ]);
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'query-empty'],
      [400, 'step-source-not-linked'],
      [400, 'name-repeated'],
      [400, expect.any(String)],
    ]);
  });
});

describe('401, 403 and 404', () => {
  test.each([
    ['viewer', 403],
    ['readKey', 403],
    ['noRole', 403],
    ['stranger', 404],
    ['executeKey', 200],
  ] as const)('the caller %s gets %i', async (as, status) => {
    expect((await check(as, 'select 1 as one')).status).toBe(status);
  });
});
