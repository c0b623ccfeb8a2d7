import { createConnectors } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyRing } from '../../../platform/crypto/index.ts';
import {
  createRunSql,
  type FingerprintRequest,
  type RunBatch,
  type RunSql,
  routeFingerprint,
} from '../index.ts';

const oldKey = 'an earlier encryption key of the tests, 0123456789';
const ring = createKeyRing({
  encryptionKey: 'the encryption key of the tests, 0123456789',
  previousEncryptionKeys: [oldKey],
});
const connectors = createConnectors();
let database: TestDatabase;
let runSql: RunSql;
beforeAll(async () => {
  database = await createEmptyDatabase();
  runSql = createRunSql({ connectors, dial: databaseDial(database.connection), keys: ring });
});
afterAll(async () => {
  await connectors.close();
  await database.drop();
});

const request: FingerprintRequest = {
  domain: 7,
  keyColumns: ['id'],
  watchedColumns: null,
  routeColumn: null,
};

async function run(sql: string, fingerprints: FingerprintRequest | undefined, isMasked = false) {
  const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
  const result = await runSql.run({
    steps: [{ order: 1, sql, dataSource: { id: 'pg', engine: 'PostgreSQL', connection } }],
    masking: { isEnabled: isMasked },
    signal: new AbortController().signal,
    ...(fingerprints && { fingerprints }),
  });
  const batches: RunBatch[] = [];
  for await (const batch of result.batches) batches.push(batch);
  const hex = (codes: Buffer | null | undefined, bytes: number) =>
    codes?.toString('hex').match(new RegExp(`.{${bytes * 2}}`, 'g')) ?? [];
  const all = batches.flatMap((batch) => batch.fingerprints ?? []);
  return {
    missingColumns: result.missingColumns,
    cells: batches.flatMap((batch) => batch.columns),
    keyIds: all.map(({ keyId }) => keyId),
    keys: hex(all[0]?.keys, 16),
    contents: hex(all[0]?.contents, 8),
    routes: hex(all[0]?.routes, 16),
    isTold: batches.some((batch) => 'fingerprints' in batch),
  };
}

const emails =
  "select 1 as id, 'anna@example.org' as email union all select 2, 'anne@example.org' order by 1";

describe('fingerprints', () => {
  it('are absent if the caller does not request them', async () => {
    expect((await run(emails, undefined)).isTold).toBe(false);
  });

  it('are made of the true cells, while the rows are masked', async () => {
    const byEmail = { ...request, keyColumns: ['email'] };
    const [clear, masked] = [await run(emails, byEmail), await run(emails, byEmail, true)];
    expect(masked.cells).not.toEqual(clear.cells);
    expect(JSON.stringify(masked.cells)).not.toContain('anna@');
    expect(masked.keys).toEqual(clear.keys);
    expect(masked.contents).toEqual(clear.contents);
    expect(new Set(masked.keys).size).toBe(2);
    expect(masked.keys[0]).toHaveLength(32);
    expect(masked.contents[0]).toHaveLength(16);
  });

  it('distinguish a changed row from a new one, by the watched columns alone', async () => {
    const watched = { ...request, watchedColumns: ['state'] };
    const before = await run("select 1 as id, 'open' as state, 5 as age", watched);
    const aged = await run("select 1 as id, 'open' as state, 6 as age", watched);
    const changed = await run("select 1 as id, 'shut' as state, 6 as age", watched);
    expect([aged.keys, aged.contents]).toEqual([before.keys, before.contents]);
    expect(changed.keys).toEqual(before.keys);
    expect(changed.contents).not.toEqual(before.contents);
    expect((await run("select 1 as id, 'open' as state, 6 as age", request)).contents).not.toEqual(
      (await run("select 1 as id, 'open' as state, 5 as age", request)).contents,
    );
  });

  it('differ between domains', async () => {
    const [here, there] = [await run(emails, request), await run(emails, { ...request, domain: 8 })];
    expect(there.keys).not.toEqual(here.keys);
  });

  it('of routes match the value as a user writes it, and NULL matches no text', async () => {
    const routed = { ...request, routeColumn: 'team' };
    const { routes } = await run('select 1 as id, 17 as team union all select 2, null order by 1', routed);
    expect(routes[0]).toBe(routeFingerprint(ring, 7, '17').toString('hex'));
    for (const none of ['', 'null', 'NULL'])
      expect(routes[1]).not.toBe(routeFingerprint(ring, 7, none).toString('hex'));
  });

  it('contain only the route of a row if nothing else is requested', async () => {
    const routeAlone = { ...request, keyColumns: [], watchedColumns: [], routeColumn: 'email' };
    const { keys, contents, routes } = await run(emails, routeAlone, true);
    expect([keys, contents]).toEqual([[], []]);
    expect(routes).toEqual(
      ['anna@example.org', 'anne@example.org'].map((value) =>
        routeFingerprint(ring, 7, value).toString('hex'),
      ),
    );
  });

  it('are made under an earlier key in addition to the current one', async () => {
    const keyIds = [ring.current.id, ...ring.previous.map(({ id }) => id)];
    expect(keyIds).toHaveLength(2);
    expect((await run(emails, { ...request, keyIds })).keyIds).toEqual(keyIds);
    await expect(run(emails, { ...request, keyIds: ['000000000000'] })).rejects.toMatchObject({
      code: 'invalid-parameter',
    });
  });

  it('are absent if a column is missing, and the missing columns are reported', async () => {
    const { missingColumns, isTold } = await run(emails, {
      ...request,
      keyColumns: ['id', 'gone'],
      routeColumn: 'team',
    });
    expect({ missingColumns, isTold }).toEqual({ missingColumns: ['gone', 'team'], isTold: false });
  });
});
