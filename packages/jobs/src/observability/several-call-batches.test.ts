import { describe, expect, it } from 'vitest';
import { recordingLogger } from '../testing/fixture.ts';
import { isCopy, observedCalls, stopped } from '../testing/observed-calls.ts';
import type { EndpointObservabilityOptions } from './options.ts';

const { fixture, observed, disturbedPool } = observedCalls();

describe('several batches of call rows', () => {
  const batchesOfTwo = (options: EndpointObservabilityOptions) => {
    options.callLogFlushBatchSize = 2;
    options.callLogBufferCapacity = 24;
  };

  it('share one transaction with a COPY per batch, and use further transactions if too many wait', async () => {
    let copies = 0;
    const pool = disturbedPool((run, query) => {
      if (isCopy(query)) copies += 1;
      return run();
    });
    await pool.query(`create table svc_jobs.copied (rows bigint, at xid8);
      create function svc_jobs.look() returns trigger language plpgsql as
        $$ begin insert into svc_jobs.copied select count(*), pg_current_xact_id() from added; return null; end $$;
      create trigger look after insert on svc_jobs.endpoint_call_log referencing new table as added
        for each statement execute function svc_jobs.look()`);
    const { observer, call, rows } = observed('/several', { pool }, batchesOfTwo);
    await observer.flush();
    for (let at = 0; at < 9; at += 1) call({ status: 200 + at });
    await observer.flush();
    const { rows: copied } = await pool.query(
      'select array_agg(rows::integer) as rows from svc_jobs.copied group by at order by at',
    );
    await pool.query('drop table svc_jobs.copied; drop function svc_jobs.look() cascade');
    // One transaction stores at most a quarter of the buffer.
    expect(copied.map((one) => one.rows)).toEqual([
      [2, 2, 2],
      [2, 1],
    ]);
    expect((await rows()).map((row) => row.statusCode)).toEqual([
      208, 207, 206, 205, 204, 203, 202, 201, 200,
    ]);
    expect([copies, observer.droppedCount()]).toEqual([2, 0]);
    await stopped(observer, pool);
  });

  it('can contain rows with and without details, in any order', async () => {
    const logger = recordingLogger();
    await fixture().pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/mixed', { logger });
    const statuses = Array.from({ length: 150 }, (_, at) =>
      at === 75 ? 418 : at % 3 === 0 || at > 120 ? 500 + (at % 100) : 200 + (at % 100),
    );
    for (const [at, status] of statuses.entries()) {
      const traceId = at % 5 === 0 ? `00000000-0000-7000-8000-000000000${100 + at}` : undefined;
      call({ status, body: `body ${at}`, ...(traceId && { traceId }) });
    }
    await observer.flush();
    await fixture().pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    const expected = statuses.flatMap((status, at) => (status === 418 ? [] : [{ at, status }]));
    expect((await rows()).toReversed()).toMatchObject(
      expected.map(({ at, status }) => ({
        statusCode: status,
        userAgent: 'tester/1',
        requestBody: status >= 500 ? `body ${at}` : null,
        ...(at % 5 === 0 && { traceId: `00000000-0000-7000-8000-000000000${100 + at}` }),
      })),
    );
    expect(logger.lines.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
    await stopped(observer);
  });

  it('lose only the row that the table refuses, in any batch', async () => {
    const logger = recordingLogger();
    await fixture().pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/several-refusing', { logger }, batchesOfTwo);
    for (const status of [200, 201, 202, 418, 204, 205]) call({ status });
    await observer.flush();
    await fixture().pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    expect((await rows()).map((row) => row.statusCode)).toEqual([205, 204, 202, 201, 200]);
    expect(logger.lines.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
    expect(observer.droppedCount()).toBe(0);
    await stopped(observer);
  });

  it('contain nothing of earlier batches when their memory is reused', async () => {
    const { observer, call, rows } = observed('/again', {}, (options) => {
      batchesOfTwo(options);
      options.captureRequestBodies = 'Always';
      options.captureHeaders = 'Always';
      options.maxCapturedBodySize = 400_000;
      options.maxCapturedHeaderSize = 400_000;
    });
    // Bodies larger than a retained block, with many three-byte characters, and with many headers.
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x-${at}`, `${at}\u8d64`]));
    const bodies = ['a', '\u8d64'.repeat(120_000), 'b'.repeat(3_000), '', 'c'];
    for (const [at, body] of bodies.entries()) {
      call({ body, status: 200 + at, headers: at === 2 ? many : { 'user-agent': `agent/${at} \u00e9` } });
      if (at % 2 === 0) await observer.flush();
    }
    await observer.flush();
    const stored = (await rows()).toReversed();
    expect(stored.map((row) => row.requestBody)).toEqual(bodies);
    expect(stored.map((row) => row.userAgent)).toEqual([
      'agent/0 é',
      'agent/1 é',
      null,
      'agent/3 é',
      'agent/4 é',
    ]);
    expect(stored[2]?.requestHeaders).toEqual(many);
    expect(stored.map((row) => row.statusCode)).toEqual([200, 201, 202, 203, 204]);
    await stopped(observer);
  });

  it('are stored once after a connection loss, and new calls replace the oldest ones in the buffer', async () => {
    let isAway = true;
    const pool = disturbedPool((run, query) =>
      isCopy(query) && isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : run(),
    );
    const { observer, call, rows } = observed('/several-lost', { pool }, batchesOfTwo);
    await observer.flush();
    const count = 100;
    for (let at = 0; at < count; at += 1) {
      call({ status: 200 + at });
      if (at % 7 === 0) await observer.flush().catch(() => undefined);
    }
    isAway = false;
    await observer.flush();
    const stored = (await rows()).map((row) => row.statusCode);
    expect(stored.length + observer.droppedCount()).toBe(count);
    expect(stored).toEqual(Array.from({ length: 24 }, (_, at) => 200 + count - 1 - at));
    await stopped(observer, pool);
  });
});
