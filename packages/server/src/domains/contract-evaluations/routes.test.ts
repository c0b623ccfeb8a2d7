import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { evaluateNow, finishedEvaluation } from '@svc/testkit/runs/evaluate.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { dropOldEvaluations, dropOldSamples } from './retention-store.ts';

const path = '/svc/api/data-quality/contracts';
let fixture: RunFixture;
let stranger: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 } });
  await refresh();
  stranger = await fixture.person('stranger', 'Editor');
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
});
beforeEach(() => fixture.svc.sql('update svc.data_contracts set archived_at = now()'));
afterAll(() => fixture.close());

async function refresh(): Promise<void> {
  await fixture.svc.sql('update svc.data_sources set metadata_refresh_asked_at = null');
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  expect(status).toBe(200);
}

const small = { name: 'Small', type: 'Range', columns: ['total'], config: { max: 2 } };
const named = { name: 'Named', type: 'NullRate', columns: ['email'] };
const table = () => ({
  projectId: fixture.projectId,
  dataSourceId: fixture.sourceId,
  schemaName: 'public',
  tableName: 'orders',
});
const make = async (rules: object[] = [small, named], more: object = {}) =>
  (await fixture.make(path, { ...table(), name: 'Orders', rules, ...more })).id;

describe('an evaluation', () => {
  test('reports the result of each rule, with failing rows that are masked and sealed', async () => {
    const id = await make();
    const ended = await evaluateNow(fixture.root, id);
    expect(ended).toMatchObject({ status: 'Failed', totalRows: 3, trigger: 'Manual' });
    expect(ended.score).toBeCloseTo(83.33, 1);
    expect(ended.results).toMatchObject([
      { name: 'Small', outcome: 'Failed', failing: 1, total: 3, sampleReason: null },
      { name: 'Named', outcome: 'Passed', failing: 0, sample: null, sampleReason: null },
    ]);
    const [{ sample } = { sample: null }] = ended.results;
    expect(sample?.columns).toEqual(['id', 'total', 'email']);
    expect(sample?.rows).toMatchObject([[3, '3.00', expect.stringContaining('***')]]);
    const [stored] = await fixture.svc.sql<{ text: string }>(
      `select sample_sealed as text from svc.contract_rule_results where sample_sealed is not null order by id desc`,
    );
    expect(stored?.text).toMatch(/^v1\./);
    const { body } = await fixture.root.get(`${path}/${id}/evaluations`);
    expect(body).toMatchObject({ totalCount: 1, items: [{ id: ended.id, status: 'Failed' }] });
    expect((await fixture.root.get(`${path}/${id}/evaluations?status=Warned`)).body.totalCount).toBe(0);
  });

  test('stores no failing rows if the contract disables them, and deletes them after the retention time', async () => {
    const without = await evaluateNow(fixture.root, await make([small], { keepsSamples: false }));
    expect(without.results).toMatchObject([
      { failing: 1, sample: null, sampleReason: 'The contract does not store failing rows.' },
    ]);
    const id = await make([small]);
    const ended = await evaluateNow(fixture.root, id);
    const database = createDatabase(fixture.svc.database);
    await fixture.svc.sql(
      `update svc.contract_evaluations set created_time = now() - interval '31 days' where id = $1`,
      [ended.id],
    );
    expect(await dropOldSamples(database, 32, 10)).toBe(0);
    expect(await dropOldSamples(database, 30, 10)).toBe(1);
    const kept = await finishedEvaluation(fixture.root, id, ended.id);
    expect(kept.results).toMatchObject([
      { failing: 1, sample: null, sampleReason: 'They were deleted after their retention time.' },
    ]);
    expect(await dropOldEvaluations(database, 30, 10)).toBe(1);
    expect((await fixture.root.get(`${path}/${id}/evaluations/${ended.id}`)).status).toBe(404);
  });

  test('executes only enabled rules, and retains the results of removed rules', async () => {
    const id = await make([small, { ...named, isEnabled: false }]);
    const ended = await evaluateNow(fixture.root, id);
    expect(ended.results.map(({ name }) => name)).toEqual(['Small']);
    await fixture.root.put(`${path}/${id}`, { ...table(), name: 'Orders', rules: [named] });
    expect((await finishedEvaluation(fixture.root, id, ended.id)).results).toMatchObject([{ name: 'Small' }]);
    expect((await evaluateNow(fixture.root, id)).results).toMatchObject([{ name: 'Named' }]);
  });

  test('is an Error without a score if the table does not exist', async () => {
    await fixture.shop.query('create table brief (id int primary key)');
    await refresh();
    const rule = { name: 'Rows', type: 'Volume', config: { minRows: 1 } };
    const id = await make([rule], { tableName: 'brief' });
    expect(await evaluateNow(fixture.root, id)).toMatchObject({ status: 'Failed', score: 0 });
    await fixture.shop.query('drop table brief');
    expect(await evaluateNow(fixture.root, id)).toMatchObject({
      status: 'Error',
      score: null,
      reason: null,
      results: [{ outcome: 'Error', message: expect.stringContaining('brief') }],
    });
    await refresh();
    expect(await evaluateNow(fixture.root, id)).toMatchObject({
      status: 'Error',
      reason: 'TableUnknown',
      results: [],
    });
  });
});

describe('the schedule of a contract', () => {
  const waitUntil = (what: string, look: () => Promise<boolean>) =>
    until(what, async () => (await look()) || undefined);
  const evaluations = async (id: number): Promise<{ status: string; trigger: string }[]> =>
    (await fixture.root.get(`${path}/${id}/evaluations`)).body.items;

  test('starts evaluations, and sends the owner one notice for repeated Errors', async () => {
    const id = await make([{ ...small, severity: 'Critical' }], {
      cronExpression: '* * * * * *',
      name: 'On time',
    });
    const ended = async (wanted: string) =>
      (await evaluations(id)).filter(({ status }) => status === wanted).length;
    await waitUntil('an evaluation', async () => (await ended('Failed')) > 0);
    expect((await evaluations(id))[0]).toMatchObject({ trigger: 'Schedule' });
    const notices = async () =>
      (await fixture.root.get('/svc/api/notices?pageSize=200')).body.items.filter(
        ({ kind }: { kind: string }) => kind === 'ContractError',
      );
    expect(await notices()).toEqual([]);
    await fixture.root.delete(`/svc/api/projects/${fixture.projectId}/data-sources/${fixture.sourceId}`);
    await waitUntil('two errors', async () => (await ended('Error')) > 1);
    await fixture.root.post(`/svc/api/projects/${fixture.projectId}/data-sources`, {
      dataSourceId: fixture.sourceId,
    });
    await fixture.root.delete(`${path}/${id}`);
    expect(await notices()).toMatchObject([
      {
        subjectKind: 'Contract',
        subjectId: id,
        subjectName: 'On time',
        text: 'The data contract "On time" could not be judged. Its data source is no longer linked to its project.',
      },
    ]);
  });

  test('exists only while the contract is enabled and not archived', async () => {
    const scheduled = async (id: number) =>
      (await fixture.svc.sql(`select from svc_jobs.schedule where key = 'contract:' || $1`, [id])).length;
    const id = await make([small], { cronExpression: '0 0 1 1 *' });
    expect(await scheduled(id)).toBe(1);
    const off = { ...table(), name: 'Off', rules: [small], cronExpression: '0 0 1 1 *', isEnabled: false };
    await fixture.root.put(`${path}/${id}`, off);
    expect(await scheduled(id)).toBe(0);
    await fixture.root.put(`${path}/${id}`, { ...off, isEnabled: true });
    expect(await scheduled(id)).toBe(1);
    await fixture.root.delete(`${path}/${id}`);
    expect(await scheduled(id)).toBe(0);
  });
});

test('a draft is checked rule by rule, and none of it is stored', async () => {
  const count = async () => (await fixture.svc.sql('select from svc.contract_evaluations')).length;
  const before = await count();
  const { status, body } = await fixture.root.post(`${path}/check`, { ...table(), rules: [small, named] });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.results).toMatchObject([
    { name: 'Small', outcome: 'Failed', failing: 1, sample: { rows: [[3, '3.00', expect.any(String)]] } },
    { name: 'Named', outcome: 'Passed', score: 100 },
  ]);
  expect(await count()).toBe(before);
});

test('the overview counts the contracts that the caller may read', async () => {
  const failing = await make([{ ...small, severity: 'Critical' }]);
  await evaluateNow(fixture.root, failing);
  await evaluateNow(fixture.root, await make([named]));
  await make([named]);
  const { body } = await fixture.root.get('/svc/api/data-quality/overview');
  expect(body).toMatchObject({
    contractCount: 3,
    passedCount: 1,
    failedCount: 1,
    warnedCount: 0,
    unevaluatedCount: 1,
    tables: [{ tableName: 'orders', contractCount: 3 }],
  });
  expect(body.tables[0].score).toBeCloseTo(66.67, 1);
  const other = await stranger.get('/svc/api/data-quality/overview');
  expect(other.body).toMatchObject({ contractCount: 0, tables: [] });
});

describe('refused requests', () => {
  test('refuses a draft with an invalid rule with 400', async () => {
    const rules = [{ ...small, columns: ['nothing'] }];
    const { status, body } = await fixture.root.post(`${path}/check`, { ...table(), rules });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid-contract', '/rules/0/columns/0']);
  });

  test('returns 404 for a contract and its evaluations to a user without access, and for unknown evaluations', async () => {
    const id = await make();
    const ended = await evaluateNow(fixture.root, id);
    for (const sent of [
      stranger.post(`${path}/${id}/evaluate`),
      stranger.get(`${path}/${id}/evaluations`),
      stranger.get(`${path}/${id}/evaluations/${ended.id}`),
      stranger.post(`${path}/check`, { ...table(), rules: [small] }),
      fixture.root.get(`${path}/${id}/evaluations/999999`),
      fixture.root.get(`${path}/${await make()}/evaluations/${ended.id}`),
    ])
      expect((await sent).status).toBe(404);
  });

  test('refuses a second simultaneous evaluation of a contract with 409', async () => {
    const id = await make();
    await fixture.svc.sql(
      `insert into svc.contract_evaluations (contract_id, trigger, status) values ($1, 'Manual', 'Running')`,
      [id],
    );
    const { status, body } = await fixture.root.post(`${path}/${id}/evaluate`);
    expect([status, body.code]).toEqual([409, 'evaluation-running']);
  });
});
