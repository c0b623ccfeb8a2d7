import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineDb } from '../client/executor.ts';
import { createJobs } from '../client/jobs.ts';
import { migrateJobs } from '../db/migrate.ts';
import { CallBatch } from '../sql/endpoints/call-batch.ts';
import {
  copyEndpointCalls,
  keepEndpointSources,
  removeExpiredCalls,
  removeOldSources,
  removeSurplusCalls,
  storedSource,
} from '../sql/endpoints/endpoint-calls.ts';
import { createSql, type Sql } from '../sql/statement.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import { addEndpointObservability } from './observer.ts';
import { endpointIdOf } from './reads.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const sqlAt = (now: Date | null = null): Sql =>
  createSql(createEngineDb(fixture.pool), 'svc_jobs', () => now);

const sourceOf = (routeTemplate: string, machineName = 'one', retentionMs = 60_000) =>
  storedSource(
    { application: null, method: 'GET', routeTemplate, operation: null, machineName },
    retentionMs,
  );

/** Stores calls at these times with their sources. The status code is the number of the call. */
async function store(calls: readonly (readonly [source: ReturnType<typeof sourceOf>, atMs: number])[]) {
  await keepEndpointSources(sqlAt(), [...new Set(calls.map(([source]) => source))]);
  const rows = new CallBatch(100);
  for (const [at, [source, atMs]] of calls.entries()) {
    rows.add({
      source,
      atMs,
      durationMs: at + 0.25,
      outcome: at % 2 === 0 ? 'Success' : 'Failed',
      statusCode: 200 + at,
      groupName: at % 3 === 0 ? null : `group ${at % 3}`,
      traceId: null,
      remoteIp: '10.0.0.1',
      userAgent: at % 4 === 0 ? 'other' : null,
      detail: null,
    });
  }
  await copyEndpointCalls(sqlAt(), [rows]);
}

const callsOf = (route: string) =>
  fixture.jobs().endpoints.calls(endpointIdOf(`GET ${route}`), { limit: 200 });
const statusesOf = async (route: string) => (await callsOf(route)).map(({ statusCode }) => statusCode);
const storedSources = async (route: string): Promise<string[]> => {
  const { rows } = await fixture.pool.query(
    'select machine_name from svc_jobs.endpoint_source where route_template = $1 order by 1',
    [route],
  );
  return rows.map((row) => row.machine_name);
};

const nowMs = Date.now();

describe('calls of an endpoint that several processes serve', () => {
  it('are returned as one list, newest first, for all kinds of calls', async () => {
    const [one, two] = [sourceOf('/both', 'one'), sourceOf('/both', 'two')];
    await store([
      [one, nowMs - 6],
      [two, nowMs - 5],
      [two, nowMs - 4],
      [one, nowMs - 3],
      [one, nowMs - 2],
      [two, nowMs - 1],
    ]);
    const calls = await callsOf('/both');
    expect(
      calls.map((call) => [call.statusCode, call.machineName, call.outcome, call.groupName, call.userAgent]),
    ).toEqual([
      [205, 'two', 'Failed', 'group 2', null],
      [204, 'one', 'Success', 'group 1', 'other'],
      [203, 'one', 'Failed', null, null],
      [202, 'two', 'Success', 'group 2', null],
      [201, 'two', 'Failed', 'group 1', null],
      [200, 'one', 'Success', null, 'other'],
    ]);
    for (const [at, call] of calls.toReversed().entries()) {
      expect(call.at.getTime()).toBe(nowMs - 6 + at);
      expect([call.durationMs, call.remoteIp, call.traceId]).toEqual([at + 0.25, '10.0.0.1', call.id]);
      expect(call.expireAt.getTime() - call.at.getTime()).toBe(60_000);
      expect((await fixture.jobs().endpoints.call(call.id))?.statusCode).toBe(call.statusCode);
    }
    const page = await fixture
      .jobs()
      .endpoints.calls(endpointIdOf('GET /both'), { limit: 2, offset: 3, group: 'group 2' });
    expect(page).toEqual([]);
    const second = await fixture.jobs().endpoints.calls(endpointIdOf('GET /both'), { limit: 2, offset: 3 });
    expect(second.map(({ statusCode }) => statusCode)).toEqual([202, 201]);
  });

  it('are removed above the maximum number, the oldest first', async () => {
    const [one, two] = [sourceOf('/surplus', 'one'), sourceOf('/surplus', 'two')];
    await store(Array.from({ length: 9 }, (_, at) => [at % 3 === 0 ? one : two, nowMs - 9 + at] as const));
    await fixture.pool.query(
      `insert into svc_jobs.endpoint_statistic (application, endpoint, success, failed, duration_ms, buckets)
       values ('', 'GET /surplus', 5, 4, 1, '{}')`,
    );
    while ((await removeSurplusCalls(sqlAt(), null, 4)) > 0);
    expect(await statusesOf('/surplus')).toEqual([208, 207, 206, 205]);
  });
});

describe('a stored call row', () => {
  it('is removed when the retention of its source ends, not before', async () => {
    const [short, long] = [sourceOf('/ends', 'one', 10_000), sourceOf('/ends', 'one', 3_600_000)];
    await store([
      [short, nowMs],
      [long, nowMs + 1],
      [short, nowMs + 5_000],
    ]);
    const removedAt = async (ms: number) => {
      await removeExpiredCalls(sqlAt(new Date(ms)));
      return statusesOf('/ends');
    };
    expect(await removedAt(nowMs + 10_000)).toEqual([202, 201, 200]);
    expect(await removedAt(nowMs + 10_001)).toEqual([202, 201]);
    expect(await removedAt(nowMs + 15_001)).toEqual([201]);
    expect(await removedAt(nowMs + 3_600_002)).toEqual([]);
  });

  it('with unlimited retention causes no error in the removal', async () => {
    const forEver = sourceOf('/ever', 'one', Number.MAX_SAFE_INTEGER);
    await keepEndpointSources(sqlAt(), [forEver]);
    expect(await removeExpiredCalls(sqlAt(new Date(0)))).toBe(0);
    await fixture.pool.query('delete from svc_jobs.endpoint_source where id = $1', [String(forEver.id)]);
  });
});

describe('a call source', () => {
  it('has the same number in every process, and another number for any difference', () => {
    expect(sourceOf('/same').id).toBe(sourceOf('/same').id);
    const others = [sourceOf('/same', 'two'), sourceOf('/same', 'one', 1), sourceOf('/other')];
    expect(new Set([sourceOf('/same'), ...others].map(({ id }) => id)).size).toBe(4);
  });

  it('is removed after its retention without use, unless it has rows', async () => {
    const sources = ['used', 'unused', 'with rows'].map((machine) => sourceOf('/gone', machine));
    await keepEndpointSources(sqlAt(), sources);
    const last = sources[2];
    if (last) await store([[last, nowMs]]);
    const age = (interval: string) =>
      fixture.pool.query(
        'update svc_jobs.endpoint_source set seen_at = now() - $1::interval where route_template = $2',
        [interval, '/gone'],
      );
    await age('23 hours');
    await removeOldSources(sqlAt());
    expect(await storedSources('/gone')).toEqual(['unused', 'used', 'with rows']);
    await age('25 hours');
    await keepEndpointSources(sqlAt(), sources.slice(0, 1));
    await removeOldSources(sqlAt());
    expect(await storedSources('/gone')).toEqual(['used', 'with rows']);
  });
});

describe('rows of a table from before call sources', () => {
  it('all exist after the migration with their values', async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    const folder = new URL('../migrations/', import.meta.url);
    await client.query('create schema svc_jobs');
    await client.query(
      'create table svc_jobs.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    for (const name of readdirSync(folder).sort()) {
      if (name >= '0010') continue;
      const text = readFileSync(new URL(name, folder), 'utf8');
      await client.query(text.replaceAll('__schema__', '"svc_jobs"'));
      await client.query('insert into svc_jobs.migrations values ($1, $2)', [
        name,
        createHash('sha256').update(text).digest('hex'),
      ]);
    }
    // The id of the last call begins with its time in whole ms.
    const [first, second, third] = ['01', '02', '03'].map(
      (digits) => `00000000-0000-7000-8000-0000000000${digits}`,
    );
    const traceId = '5bf92f35-77b3-4da6-a3ce-929d0e0e4736';
    await client.query(
      `insert into svc_jobs.endpoint_call_log (id, application, method, route_template, operation, group_name, at,
         duration_ms, outcome, status_code, remote_ip, request_headers, request_body, machine_name, trace_id, tags, expire_at)
       values ($1, null, 'GET', '/old', null, null, '2026-01-01T00:00:00Z', 1.5, 'Success', 200, null, null, null, 'm', $1,
         null, '2026-01-08T00:00:00.0004Z'),
       ($2, null, 'GET', '/old', null, 'team', '2026-01-02T00:00:00Z', 2.5, 'Failed', 503, '10.0.0.1', '{"a": "b"}', 'body',
         'm', $4, '{"tag": "x"}', '2026-01-09T00:00:00Z'),
       ($3, 'app', 'POST', '/old', 'make', null, '2026-01-03T00:00:00Z', 3.5, 'Success', 201, null, null, null, 'm', $3,
         null, '2026-01-04T00:00:00Z')`,
      [first, second, third, traceId],
    );
    expect((await migrateJobs(client))[0]).toBe('0010-call-sources.sql');
    const pool = new pg.Pool(database.connection);
    const jobs = createJobs({ pool });
    expect(await jobs.endpoints.calls(endpointIdOf('GET /old'))).toMatchObject([
      {
        id: second,
        outcome: 'Failed',
        statusCode: 503,
        groupName: 'team',
        remoteIp: '10.0.0.1',
        requestHeaders: { a: 'b' },
        requestBody: 'body',
        tags: { tag: 'x' },
        traceId,
        at: new Date('2026-01-02T00:00:00Z'),
        expireAt: new Date('2026-01-09T00:00:00Z'),
      },
      { id: first, outcome: 'Success', traceId: first, expireAt: new Date('2026-01-08T00:00:00Z') },
    ]);
    expect(await jobs.endpoints.call(third ?? '')).toMatchObject({
      application: 'app',
      method: 'POST',
      operation: 'make',
      durationMs: 3.5,
      expireAt: new Date('2026-01-04T00:00:00Z'),
    });
    expect((await jobs.endpoints.origin(traceId))?.id).toBe(second);
    expect((await jobs.endpoints.origin(first ?? ''))?.id).toBe(first);
    const { rows: counted } = await client.query(
      'select count(*)::int as count from svc_jobs.endpoint_source',
    );
    expect(counted).toEqual([{ count: 2 }]);
    await pool.end();
    await client.end();
    await database.drop();
  });
});

describe('the cleanup of an observer', () => {
  it('continues until all old and surplus rows are removed, for any number of statements', async () => {
    const [old, many] = [sourceOf('/old', 'one', 1_000), sourceOf('/many')];
    const count = 2_500;
    await store(Array.from({ length: count }, () => [old, nowMs - 10_000] as const));
    await store(Array.from({ length: count }, () => [many, nowMs + 10_000] as const));
    const kept = async () => {
      const { rows } = await fixture.pool.query(
        `select count(*) filter (where source_id = $1)::int as old, count(*) filter (where source_id = $2)::int as many
         from svc_jobs.endpoint_call_log`,
        [String(old.id), String(many.id)],
      );
      return rows[0];
    };
    expect(await kept()).toEqual({ old: count, many: count });
    const observer = addEndpointObservability({ pool: fixture.pool }, (options) => {
      options.endpointCallLogRetentionCount = 10;
    });
    // The next cleanup is a minute later.
    await eventually(async () => {
      const { old: oldCount, many: manyCount } = await kept();
      return oldCount === 0 && manyCount === 10;
    });
    await observer.stop();
  });
});
