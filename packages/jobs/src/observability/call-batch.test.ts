import { describe, expect, it } from 'vitest';
import { eventually, recordingLogger } from '../testing/fixture.ts';
import { isCopy, observedCalls, stopped } from '../testing/observed-calls.ts';
import { endpointIdOf } from './reads.ts';

const { fixture, observed, disturbedPool, idle } = observedCalls();

describe('a batch of call rows', () => {
  it('is not stored twice if its response is lost', async () => {
    let lost = 0;
    const pool = disturbedPool(async (run, query) => {
      const result = await run();
      if (!isCopy(query) || lost > 0) return result;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    });
    const { observer, call, rows } = await idle('/lost', pool);
    for (let at = 0; at < 5; at += 1) call();
    await expect(observer.flush()).rejects.toThrow(/terminated/);
    await observer.flush();
    expect(await rows()).toHaveLength(5);
    expect([lost, observer.droppedCount()]).toEqual([1, 0]);
    await stopped(observer, pool);
  });

  it('that could not be sent is sent in order with the next flush', async () => {
    let refused = 0;
    const pool = disturbedPool((run, query) => {
      if (!isCopy(query) || refused > 0) return run();
      refused += 1;
      return Promise.reject(new Error('connect ECONNREFUSED'));
    });
    const { observer, call, rows } = await idle('/refused', pool);
    call({ status: 201 });
    await expect(observer.flush()).rejects.toThrow(/ECONNREFUSED/);
    call({ status: 202 });
    await observer.flush();
    expect((await rows()).map((row) => row.statusCode)).toEqual([202, 201]);
    await stopped(observer, pool);
  });

  it('loses only the row that the table refuses, and reports it without captured content', async () => {
    const logger = recordingLogger();
    await fixture().pool.query(
      'alter table svc_jobs.endpoint_call_log add constraint no_teapots check (status_code <> 418) not valid',
    );
    const { observer, call, rows } = observed('/refusing', { logger });
    for (const status of [200, 418, 204]) call({ status, body: 'planted' });
    await observer.flush();
    await fixture().pool.query('alter table svc_jobs.endpoint_call_log drop constraint no_teapots');
    expect((await rows()).map((row) => row.statusCode)).toEqual([204, 200]);
    const failureLines = logger.lines.filter((line) => line.includes('could not be stored'));
    expect(failureLines).toHaveLength(1);
    expect(failureLines[0]).toMatch(/"callId":"[0-9a-f-]{36}","sqlState":"23514"/);
    expect(failureLines[0]).not.toContain('planted');
    await stopped(observer);
  });

  it('retains the remaining rows if the database becomes unavailable while rows are stored singly', async () => {
    let isAway = false;
    const pool = disturbedPool((run, query) => {
      if (isCopy(query)) {
        // The error of a table that refuses a row.
        if (!isAway) return Promise.reject(Object.assign(new Error('refused'), { code: '23514' }));
        return run();
      }
      const text = (query as { text: string }).text;
      if (!isAway && /insert into \S+\.endpoint_call_log/.test(text)) {
        isAway = true;
        return Promise.reject(new Error('connect ECONNREFUSED'));
      }
      return run();
    });
    const { observer, call, rows } = await idle('/left', pool);
    for (let at = 0; at < 3; at += 1) call();
    await expect(observer.flush()).rejects.toThrow(/ECONNREFUSED/);
    await observer.flush();
    expect(await rows()).toHaveLength(3);
    await stopped(observer, pool);
  });

  it('is stored row by row if the connections do not support COPY', async () => {
    const pool = disturbedPool((run, query) =>
      isCopy(query) ? Promise.reject(new Error('not supported in pipeline mode')) : run(),
    );
    Object.assign(pool.options, { pipeline: true });
    const { observer, call, rows } = observed('/pipelined', { pool });
    for (let at = 0; at < 3; at += 1) call();
    await observer.flush();
    const all = await rows();
    expect(all).toHaveLength(3);
    for (const row of all) expect(row.traceId).toBe(row.id);
    await stopped(observer, pool);
  });

  it('is committed asynchronously, unlike other work on its connection', async () => {
    const pool = disturbedPool((run) => run());
    Object.assign(pool.options, { max: 1, options: '-c synchronous_commit=on' });
    await pool.query(`create table svc_jobs.seen (setting text);
      create function svc_jobs.look() returns trigger language plpgsql as
        $$ begin insert into svc_jobs.seen values (current_setting('synchronous_commit')); return null; end $$;
      create trigger look after insert on svc_jobs.endpoint_call_log for each statement execute function svc_jobs.look()`);
    const { observer, call } = await idle('/disk', pool);
    call();
    await observer.flush();
    await pool.query("insert into svc_jobs.seen select current_setting('synchronous_commit')");
    const { rows: seen } = await pool.query('select setting from svc_jobs.seen');
    await pool.query('drop table svc_jobs.seen; drop function svc_jobs.look() cascade');
    expect(seen).toEqual([{ setting: 'off' }, { setting: 'on' }]);
    await stopped(observer, pool);
  });

  it('is stored soon after it is full, and counters at most once a second', async () => {
    const flushes: string[] = [];
    const pool = disturbedPool((run, query) => {
      flushes.push(isCopy(query) ? 'rows' : 'other');
      return run();
    });
    const { observer, call, rows } = observed('/often', { pool }, (options) => {
      options.callLogFlushBatchSize = 2;
    });
    // The first flush of counts.
    call();
    await eventually(async () => (await rows()).length === 1);
    flushes.length = 0;
    for (let batch = 0; batch < 4; batch += 1) {
      call();
      call();
      await eventually(async () => (await rows()).length === 3 + batch * 2);
    }
    const counted = async () =>
      (await fixture().jobs().endpoints.detail(endpointIdOf('GET /often')))?.totalCalls;
    expect(flushes.filter((what) => what === 'rows')).toHaveLength(4);
    await eventually(async () => (await counted()) === 9);
    await stopped(observer, pool);
  });
});

describe('counter increments', () => {
  it('are stored once per flush, and calls during a flush are counted in the next one', async () => {
    let stored = 0;
    let whileStored: () => void = () => undefined;
    const pool = disturbedPool(async (run, query) => {
      const { text = '' } = query as { text?: string };
      if (!text.includes('endpoint_flush (id)')) return run();
      stored += 1;
      if (stored <= 50) whileStored();
      return run();
    });
    const { observer, call } = await idle('/counted', pool);
    whileStored = call;
    call();
    await observer.flush();
    // One flush of the test and, on a slow machine, several that the observer begins every second.
    expect(stored).toBeLessThan(10);
    whileStored = () => undefined;
    await observer.flush();
    const endpoint = await fixture().jobs().endpoints.detail(endpointIdOf('GET /counted'));
    expect(endpoint?.totalCalls).toBe(stored);
    await stopped(observer, pool);
  });
});
