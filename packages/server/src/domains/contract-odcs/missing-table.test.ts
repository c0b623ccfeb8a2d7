import { createJobs } from '@svc/jobs';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const path = '/svc/api/data-quality/contracts';
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  expect(status).toBe(200);
});
afterAll(() => fixture.close());

const documentOf = (table: object) =>
  JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'early',
    version: '1.0.0',
    status: 'draft',
    schema: [table],
  });
const ordered = {
  name: 'arrivals',
  properties: [
    { name: 'id', required: true, unique: true },
    {
      name: 'status',
      quality: [{ metric: 'invalidValues', arguments: { validValues: ['open', 'paid'] }, mustBe: 0 }],
    },
  ],
  quality: [{ metric: 'rowCount', mustBeGreaterThan: 0 }],
};
const place = () => ({ projectId: fixture.projectId, dataSourceId: fixture.sourceId });
const importing = async (table: object, more: object = {}) =>
  fixture.root.post(`${path}/import`, { ...place(), document: documentOf(table), ...more });

/** Fires the schedule of a contract once and returns the ended evaluation. */
async function tick(id: number): Promise<{ status: string; reason: string | null }> {
  const last = async () => (await fixture.root.get(`${path}/${id}/evaluations`)).body.items[0];
  const before = (await last())?.id;
  const jobs = createJobs({ pool: fixture.svc.database });
  await jobs.schedules.trigger(jobs.executor, `contract:${id}`);
  return until('an evaluation', async () => {
    const next = await last();
    return next?.id !== before && next?.finishedAt ? next : undefined;
  });
}

test('a document can be imported before its table exists, sends one notice and is evaluated after the table is created', async () => {
  const trial = await importing(ordered, { dryRun: true });
  expect(trial.body, trial.text).toMatchObject({
    contracts: [{ id: null, schemaName: 'public', tableName: 'arrivals', ruleCount: 5, tableExists: false }],
    refused: [],
  });
  const { body } = await importing(ordered);
  const [{ id }] = body.contracts;
  for (let count = 0; count < 2; count += 1)
    expect(await tick(id)).toMatchObject({ status: 'Error', reason: 'TableUnknown' });
  const notices = (await fixture.root.get('/svc/api/notices?pageSize=200')).body.items.filter(
    ({ subjectId, kind }: { subjectId: number; kind: string }) =>
      subjectId === id && kind === 'ContractError',
  );
  expect(notices).toMatchObject([{ text: expect.stringContaining('The table does not exist') }]);

  // No caller refreshes the metadata: the evaluation reads it from the data source.
  await fixture.shop.query(
    `create table arrivals (id int, status text); insert into arrivals values (1, 'open')`,
  );
  expect(await tick(id)).toMatchObject({ status: 'Passed', reason: null });
  await fixture.shop.query(`insert into arrivals values (1, 'lost')`);
  expect(await tick(id)).toMatchObject({ status: 'Failed' });
  const { text } = await fixture.root.get(`${path}/${id}/odcs`);
  expect(text).toContain('id: early');
});

test('a contract without an existing table can be changed, but not moved to another missing table', async () => {
  const { body } = await importing({ ...ordered, name: 'departures' });
  const one = `${path}/${body.contracts[0].id}`;
  const { projectId, dataSourceId, schemaName, tableName, rules } = (await fixture.root.get(one)).body;
  const saved = { projectId, dataSourceId, schemaName, tableName, rules, name: 'Departures' };
  expect((await fixture.root.put(one, saved)).body).toMatchObject({ name: 'Departures' });
  const moved = await fixture.root.put(one, { ...saved, tableName: 'nowhere' });
  expect([moved.status, moved.body.errors?.[0]?.path]).toEqual([400, '/tableName']);
});

test('refuses an ambiguous table name without a schema with 400', async () => {
  await fixture.shop.query(`create schema one; create schema two; create table one.twins (id int);
    create table two.twins (id int)`);
  await fixture.svc.sql('update svc.data_sources set metadata_refresh_asked_at = null');
  await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  const { status, body } = await importing({ ...ordered, name: 'twins' });
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([
    { path: '/document/schema/0', message: expect.stringContaining('more than once') },
  ]);
  const named = await importing({ ...ordered, name: 'three.twins' }, { dryRun: true });
  expect(named.body.contracts).toMatchObject([{ schemaName: 'three', tableExists: false }]);
});
