import { startBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createBigQueryConnector } from './index.ts';
import { useBigQuery } from './testing/service.ts';

const { server, connector, connection, options, execute, read, calledMethods } = useBigQuery();

const readOnlyScope = 'https://www.googleapis.com/auth/cloud-platform.read-only';

describe('a BigQuery statement', () => {
  it('starts with a dry run and then runs with a read-only token', async () => {
    expect(await read('select id, status from shop.orders where id = 1')).toEqual([[1, 'open']]);
    expect(server().asked.map(({ method, scope }) => [method, scope])).toEqual([
      ['jobs.insert', 'https://www.googleapis.com/auth/bigquery'],
      ['jobs.query', readOnlyScope],
    ]);
    expect(server().asked[1]?.body).toMatchObject({
      useLegacySql: false,
      location: 'EU',
      maximumBytesBilled: '10737418240',
      defaultDataset: { projectId: 'svc-tests', datasetId: 'shop' },
      formatOptions: { useInt64Timestamp: true },
    });
  });

  it('does not run if the service reports a type other than SELECT', async () => {
    for (const type of ['SCRIPT', 'INSERT', 'EXPORT_DATA', 'CREATE_TABLE_AS_SELECT', 'select', '']) {
      server().service.callIt(/as disguised/, type);
      expect((await errorOf(execute('select 1 as disguised'))).code).toBe('not-a-read');
    }
    expect(calledMethods()).not.toContain('jobs.query');
  });

  it('uses one sign-in per scope for many calls', async () => {
    const before = server().tokensMade.length;
    await read('select 1');
    await read('select 2');
    expect(server().tokensMade.length - before).toBe(0);
    const fresh = createBigQueryConnector();
    await fresh.execute(connection(), { sql: 'select 1' }, options()).then(rowsOf);
    expect(server().tokensMade.slice(before).toSorted()).toEqual([
      'https://www.googleapis.com/auth/bigquery',
      readOnlyScope,
    ]);
  });

  it('fails with the error of the service if it would exceed the billing limit', async () => {
    expect(await errorOf(execute('select n from shop.huge'))).toMatchObject({
      code: 'too-many-bytes',
      engineCode: 'bytesBilledLimitExceeded',
    });
    expect(await read('select n from shop.huge', { connection: { maxBilledGib: 50 } })).toEqual([]);
  });

  it('is sent without location and dataset if the connection has none', async () => {
    await read('select 1', { connection: { location: '', dataset: '' } });
    for (const { body } of server().asked) {
      expect(JSON.stringify(body)).not.toContain('location');
      expect(JSON.stringify(body)).not.toContain('defaultDataset');
    }
  });
});

describe('values of BigQuery tables', () => {
  it('retain every digit, and timestamps are in UTC with microseconds', async () => {
    expect(await read('select id, total, placed from shop.orders order by placed')).toEqual([
      [4, null, null],
      [1, 9.5, '2024-01-01T00:00:00Z'],
      [2, 20, '2024-01-02T00:00:00.000001Z'],
      ['9007199254740993', -3.25, '2024-01-03T00:00:00Z'],
    ]);
  });

  it('become JSON if they are nested, with their fields in the type', async () => {
    server().service.give(/as nested/, {
      fields: [
        {
          name: 'nested',
          type: 'RECORD',
          mode: 'REPEATED',
          fields: [
            { name: 'email', type: 'STRING' },
            { name: 'n', type: 'BIGNUMERIC' },
          ],
        },
      ],
      rows: [[[{ v: { f: [{ v: 'a"b' }, { v: '1.10' }] } }]]],
    });
    const result = await execute('select 1 as nested');
    expect(result.columns).toEqual([
      { name: 'nested', kind: 'json', databaseType: 'ARRAY<STRUCT<email STRING, n BIGNUMERIC>>' },
    ]);
    expect(await rowsOf(result)).toEqual([['[{"email":"a\\"b","n":1.10}]']]);
  });

  it('are bound as parameters of the narrowest type that can represent them', async () => {
    const values: BoundValue[] = [
      { type: 'Number', value: '9007199254740993' },
      { type: 'String', value: "o'pen\\" },
      { type: 'Boolean', value: true },
      { type: 'Date', value: '2024-01-01' },
      { type: 'DateTime', value: '2024-01-01T00:00:00.000Z' },
      { type: 'Number', value: '-0.000000001' },
      { type: 'Number', value: '99999999999999999999.1234567891' },
      { type: 'String', value: null },
    ];
    expect(await read('select @p1, @p2, @p6 as x from shop.orders where id = @p1', { values })).toEqual([
      ['9007199254740993', "o'pen\\", -1e-9],
    ]);
    const [{ body } = { body: undefined }] = server().asked.slice(-1);
    expect(body).toMatchObject({
      parameterMode: 'NAMED',
      queryParameters: [
        { name: 'p1', parameterType: { type: 'INT64' }, parameterValue: { value: '9007199254740993' } },
        { name: 'p2', parameterType: { type: 'STRING' } },
        { name: 'p3', parameterType: { type: 'BOOL' }, parameterValue: { value: 'true' } },
        { name: 'p4', parameterType: { type: 'DATE' }, parameterValue: { value: '2024-01-01' } },
        { parameterType: { type: 'TIMESTAMP' }, parameterValue: { value: '2024-01-01 00:00:00.000+00:00' } },
        { parameterType: { type: 'NUMERIC' } },
        { parameterType: { type: 'BIGNUMERIC' } },
        { parameterType: { type: 'STRING' }, parameterValue: { value: null } },
      ],
    });
  });
});

describe('BigQuery rows', () => {
  it('are fetched page by page', async () => {
    const rows = await read('select n from shop.many order by n');
    expect(rows.length).toBe(25_000);
    expect(rows.at(-1)).toEqual([25_000]);
    expect(calledMethods()).toEqual([
      'jobs.insert',
      'jobs.query',
      'jobs.getQueryResults',
      'jobs.getQueryResults',
    ]);
  });

  it('are awaited while the job runs', async () => {
    expect(await read('select n from shop.slow')).toEqual([[1]]);
    expect(calledMethods()).toContain('jobs.getQueryResults');
  });

  it('fail the run if their number or size exceeds a limit', async () => {
    const sql = 'select n from shop.many';
    expect((await errorOf(read(sql, { options: { maxRows: 24_999 } }))).code).toBe('too-many-rows');
    expect(await errorOf(read(sql, { options: { maxBytes: 100_000 } }))).toMatchObject({
      code: 'too-many-bytes',
      message: 'The result has more than 100,000 bytes.',
    });
    const long = "select status from shop.orders where status = 'open'";
    expect((await errorOf(read(long, { options: { maxCellBytes: 3 } }))).code).toBe('value-too-large');
  });

  it('are requested only up to the required number plus one', async () => {
    expect((await read('select n from shop.many', { options: { rowsWanted: 5 } })).length).toBe(6);
    expect(server().asked.at(-1)?.body).toMatchObject({ maxResults: 6 });
  });
});

describe('an abandoned BigQuery statement', () => {
  const endless = 'select n from shop.endless';

  it('is cancelled at the service by the next request, with or without a known job id', async () => {
    await read('select 1');
    for (const method of ['jobs.query', 'jobs.getQueryResults'] as const) {
      server().asked.length = 0;
      const canceller = new AbortController();
      const running = errorOf(execute(endless, { options: { signal: canceller.signal } }));
      await expect.poll(calledMethods, { interval: 5 }).toContain(method);
      canceller.abort();
      expect((await running).code).toBe('cancelled');
      // The job still runs at the service, so the caller does not wait for its end.
      expect(server().service.runningJobs()).toBe(1);
      await expect.poll(() => server().service.runningJobs(), { interval: 10 }).toBe(0);
      expect(calledMethods().slice(-2)).toEqual([method, 'jobs.cancel']);
    }
  });

  it('ends at the time limit, at the service as well', async () => {
    const error = await errorOf(execute(endless, { options: { timeoutMs: 1_000 } }));
    expect(error.code).toBe('timed-out');
    await expect.poll(() => server().service.runningJobs()).toBe(0);
  });

  it('leaves no open socket after an early close or an unfinished iteration', async () => {
    const result = await execute('select n from shop.many');
    await result.close();
    await result.close();
    const walked = await execute('select n from shop.many');
    for await (const _batch of walked.batches) break;
    await expect.poll(() => server().openSockets()).toBe(0);
    expect(calledMethods()).not.toContain('jobs.cancel');
  });
});

describe('errors of BigQuery statements', () => {
  it('have the message of the service and the position in the text', async () => {
    expect(await errorOf(execute('select id,\n  nme from shop.orders'))).toMatchObject({
      code: 'statement-failed',
      engineCode: 'invalidQuery',
      message: 'Unrecognized name: nme at [2:3]',
      position: { offset: 13, line: 2, column: 3 },
    });
    expect(await errorOf(execute('select 1 from shop.nowhere'))).toMatchObject({ engineCode: 'notFound' });
  });

  it('of a dry run with a prefix have the position in the prefixed text', async () => {
    const { prefix } = connector.dryRun?.plan ?? { prefix: '' };
    expect(await errorOf(execute(`${prefix}select nme from shop.orders`))).toMatchObject({
      position: { offset: prefix.length + 7 },
    });
    expect(await errorOf(execute(`${prefix}select 1; select 2`))).toMatchObject({
      code: 'more-than-one-statement',
      position: { offset: prefix.length + 10 },
    });
  });

  it('of a revoked key have the code authentication-failed and the message of Google', async () => {
    const otherServer = await startBigQuery(await createTestAuthority());
    const call = { ...options(), dial: otherServer.dial };
    const ours = connector.settings.parse(otherServer.connection);
    await connector.execute(ours, { sql: 'select 1' }, call).then(rowsOf);
    otherServer.revoke();
    expect(await errorOf(connector.execute(ours, { sql: 'select 1' }, call))).toMatchObject({
      code: 'authentication-failed',
      engineCode: 'authError',
    });
    // The cached token was removed, so the key signs in again.
    const error = await errorOf(connector.execute(ours, { sql: 'select 1' }, call));
    expect(error.message).toBe('Google refuses the key file: Invalid JWT Signature.');
    await otherServer.stop();
  });
});

describe('functions of BigQuery datasets', () => {
  it('run if their code runs within BigQuery', async () => {
    server().service.give(/shop\.(twice|remote|snake|unknown)\(/, {
      fields: [{ name: 'a', type: 'INTEGER' }],
      rows: [['2']],
    });
    expect(await read('select shop.twice(1)')).toEqual([[2]]);
    expect(calledMethods()).toEqual(['jobs.insert', 'routines.get', 'jobs.query']);
  });

  it.each(['remote', 'snake'])('are refused if their code runs elsewhere: %s', async (name) => {
    expect(await errorOf(execute(`select shop.${name}(1)`))).toMatchObject({ code: 'function-refused' });
    expect(calledMethods()).not.toContain('jobs.query');
  });

  it('are refused if the service does not list them', async () => {
    server().service.give(/`shop`\.`twice`/, { fields: [{ name: 'a', type: 'INTEGER' }], rows: [['2']] });
    const error = await errorOf(execute('select `shop`.`twice`(1)'));
    expect(error.code).toBe('function-refused');
    expect(calledMethods()).toEqual(['jobs.insert']);
  });
});

describe('scanned and billed bytes', () => {
  const bytesOf = async (sql: string) => {
    const { scannedBytes, billedBytes } = await execute(sql);
    return [scannedBytes, billedBytes];
  };

  it('are returned with the columns, and billed bytes are unknown if the first response omits them', async () => {
    expect(await bytesOf('select 1')).toEqual([1_024, 10_485_760]);
    expect(await bytesOf('select n from shop.slow')).toEqual([1_024, null]);
    expect(await bytesOf('select 1 as policed')).toEqual([1_024, null]);
  });

  it('are absent from a plan, because a plan is not billed', async () => {
    const { prefix = '' } = connector.dryRun?.plan ?? {};
    const { close, ...plan } = await execute(`${prefix}select n from shop.huge`);
    await close();
    expect(plan).not.toHaveProperty('billedBytes');
  });
});

describe('a BigQuery plan', () => {
  it('returns the amount that would be scanned, and runs nothing', async () => {
    const { prefix = '', readPlan } = connector.dryRun?.plan ?? {};
    const plan = readPlan?.(
      await read(`${prefix}select n from shop.huge h join shop.orders o on o.id = h.n`),
    );
    expect(plan).toMatchObject({
      estimatedCost: 53_687_091_200,
      writes: false,
      steps: ['Scan 50 GiB', '  Read shop.huge', '  Read shop.orders'],
    });
    expect(calledMethods()).toEqual(['jobs.insert']);
    // The limit applies to billed bytes. A plan may report more.
    expect(JSON.stringify(server().asked[0]?.body)).not.toContain('maximumBytesBilled');
  });
});
