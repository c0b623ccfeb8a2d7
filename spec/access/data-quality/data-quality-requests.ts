import { make } from '@svc/testkit/client/make.ts';
import { addDataSource } from '@svc/testkit/runs/watch.ts';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';
import { acknowledgementRecipes } from './acknowledgement-requests.ts';

const contracts = '/svc/api/data-quality/contracts';
const column = (name: string) => ({
  name,
  databaseType: 'name',
  isNullable: false,
  defaultValue: null,
  comment: null,
});
/** Metadata of a table that exists in every database of the engine. */
const snapshot = {
  schemas: ['pg_catalog'],
  areTablesCut: false,
  areColumnsCut: false,
  tables: [
    {
      schema: 'pg_catalog',
      name: 'pg_namespace',
      type: 'Table',
      comment: null,
      primaryKey: ['oid'],
      columns: ['oid', 'nspname'].map(column),
      foreignKeys: [],
      indexes: [],
    },
  ],
};
const sources = new WeakMap<Fixture, Promise<number>>();

/** Returns a data source whose metadata contains one table. The first call creates it. */
function knownSource(fixture: Fixture): Promise<number> {
  const source = sources.get(fixture) ?? makeSource(fixture);
  sources.set(fixture, source);
  return source;
}

async function makeSource({ root, svc, project, connection }: Fixture): Promise<number> {
  const id = await addDataSource(root, project, connection, 'matrix-contracts');
  await svc.sql(
    `insert into svc.data_source_metadata (data_source_id, snapshot, refreshed_at) values ($1, $2, now())`,
    [id, JSON.stringify(snapshot)],
  );
  return id;
}

const volume = { name: 'Some rows', type: 'Volume', config: { minRows: 1 } };

let count = 0;
const contract = async (fixture: Fixture, ...rules: readonly object[]) => {
  count += 1;
  return {
    projectId: fixture.project,
    dataSourceId: await knownSource(fixture),
    schemaName: 'pg_catalog',
    tableName: 'pg_namespace',
    name: `matrix-contract ${count}`,
    rules: [volume, ...rules],
  };
};
const customSql = {
  name: 'All is well',
  type: 'CustomSql',
  config: { kind: 'Verdict', sql: 'select true as passed' },
};

const draft = async (fixture: Fixture, rule: object) => ({
  projectId: fixture.project,
  dataSourceId: await knownSource(fixture),
  schemaName: 'pg_catalog',
  tableName: 'pg_namespace',
  rules: [rule],
});

const odcs = async (fixture: Fixture, check: object) => ({
  projectId: fixture.project,
  dataSourceId: await knownSource(fixture),
  document: JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'matrix',
    version: '1',
    status: 'active',
    schema: [{ name: 'pg_namespace', quality: [check] }],
  }),
});

const freshId = async (fixture: Fixture): Promise<number> =>
  (await make(fixture.root, contracts, await contract(fixture))).id;
const fresh = async (fixture: Fixture): Promise<string> => `${contracts}/${await freshId(fixture)}`;
const freshAt = async (fixture: Fixture, rest = '', body?: unknown) => ({
  path: `${await fresh(fixture)}${rest}`,
  ...(body !== undefined && { body }),
});

/** Requests about data contracts. Each request uses its own contract. */
export const dataQualityRecipes = (
  freshRecipient: (fixture: Fixture) => Promise<number>,
): Readonly<Record<string, Recipe>> => ({
  [`POST ${contracts}`]: async (fixture) => ({ body: await contract(fixture) }),
  [`POST ${contracts} (custom SQL)`]: async (fixture) => ({ body: await contract(fixture, customSql) }),
  [`GET ${contracts}/{id}`]: (fixture) => freshAt(fixture),
  'GET /svc/api/control-tower/contracts/{id}/detail': async (fixture) => ({
    path: `/svc/api/control-tower/contracts/${(await fresh(fixture)).split('/').at(-1)}/detail`,
  }),
  [`PUT ${contracts}/{id}`]: async (fixture) => freshAt(fixture, '', await contract(fixture)),
  [`DELETE ${contracts}/{id}`]: (fixture) => freshAt(fixture),
  [`PUT ${contracts}/{id}/owner`]: (fixture) => freshAt(fixture, '/owner', { userId: fixture.editorId }),
  [`POST ${contracts}/check`]: async (fixture) => ({ body: await draft(fixture, volume) }),
  [`POST ${contracts}/check (custom SQL)`]: async (fixture) => ({ body: await draft(fixture, customSql) }),
  [`GET ${contracts}/{id}/odcs`]: (fixture) => freshAt(fixture, '/odcs'),
  [`POST ${contracts}/import`]: async (fixture) => ({
    body: await odcs(fixture, { metric: 'rowCount', mustBeGreaterThan: 0 }),
  }),
  [`POST ${contracts}/import (custom SQL)`]: async (fixture) => ({
    body: await odcs(fixture, { type: 'sql', query: 'select 1', mustBe: 1 }),
  }),
  [`POST ${contracts}/{id}/evaluate`]: (fixture) => freshAt(fixture, '/evaluate'),
  [`GET ${contracts}/{id}/evaluations`]: (fixture) => freshAt(fixture, '/evaluations'),
  [`GET ${contracts}/{id}/evaluations/{evaluationId}`]: async (fixture) => {
    const path = await fresh(fixture);
    const started = await fixture.root.post(`${path}/evaluate`);
    return { path: `${path}/evaluations/${started.body.evaluationId}` };
  },
  [`POST ${contracts}/{id}/snooze`]: (fixture) => freshAt(fixture, '/snooze', { until: null }),
  ...acknowledgementRecipes(contracts, 'contract_id', freshId),
  [`POST ${contracts}/{id}/recipients`]: async (fixture) =>
    freshAt(fixture, '/recipients', { recipientIds: [await freshRecipient(fixture)] }),
  [`DELETE ${contracts}/{id}/recipients/{recipientId}`]: async (fixture) => {
    const path = await fresh(fixture);
    const recipientId = await freshRecipient(fixture);
    await fixture.root.post(`${path}/recipients`, { recipientIds: [recipientId] });
    return { path: `${path}/recipients/${recipientId}` };
  },
});
