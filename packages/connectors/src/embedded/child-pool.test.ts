import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import { createChildPool } from './child-pool.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-pool-test-'));
const file = path.join(folder, 'empty.db');
const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n';
const signal = new AbortController().signal;

beforeAll(() => {
  const database = new DatabaseSync(file);
  database.exec('create table t (i int)');
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a pool of child processes', () => {
  it('starts no process before the first job, reuses a warm one, and ends all processes on close', async () => {
    const pool = createChildPool({ kind: 'sqlite', max: 2 });
    const first = await pool.take(signal);
    pool.give(first, true);
    expect(await pool.take(signal)).toBe(first);
    const second = await pool.take(signal);
    expect(second.pid).not.toBe(first.pid);
    await pool.close();
    expect([first.pid, second.pid].filter(isRunning)).toEqual([]);
    await expect(pool.take(signal)).rejects.toMatchObject({ code: 'engine-unavailable' });
  });

  it.runIf(process.platform === 'linux')(
    'starts a spare child next to a long job, and none for consecutive short jobs',
    async () => {
      const children = () =>
        readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
          .length;
      const before = children();
      const ofShortJobs = createChildPool({ kind: 'sqlite', max: 2, spareAfterMs: 3_600_000 });
      for (const _job of [1, 2, 3]) ofShortJobs.give(await ofShortJobs.take(signal), true);
      expect(children() - before).toBe(1);
      await ofShortJobs.close();
      const ofLongJob = createChildPool({ kind: 'sqlite', max: 2, spareAfterMs: 1 });
      await ofLongJob.take(signal);
      await expect.poll(() => children() - before).toBe(2);
      await ofLongJob.close();
    },
  );

  it('lets jobs wait while all children are busy, and removes a cancelled job from the queue', async () => {
    const pool = createChildPool({ kind: 'sqlite', max: 1 });
    const child = await pool.take(signal);
    const controller = new AbortController();
    const leaving = pool.take(controller.signal);
    const waiting = pool.take(signal);
    controller.abort(new ConnectorError('cancelled', 'The run was cancelled.'));
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    pool.give(child, true);
    expect(await waiting).toBe(child);
    await pool.close();
  });

  it('replaces a child that was killed or has served its maximum number of jobs', async () => {
    const pool = createChildPool({ kind: 'sqlite', max: 1, jobsPerChildMax: 2 });
    const first = await pool.take(signal);
    first.kill(new ConnectorError('timed-out', 'The time limit has passed.'));
    await expect(first.receive()).rejects.toMatchObject({ code: 'timed-out' });
    pool.give(first, false);
    const second = await pool.take(signal);
    pool.give(second, true);
    expect(await pool.take(signal)).toBe(second);
    pool.give(second, true);
    expect((await pool.take(signal)).pid).not.toBe(second.pid);
    await pool.close();
  });

  it('passes no secret of its environment to its children, which end with their parent', async () => {
    const source = path.join(import.meta.dirname, 'child-process.ts');
    const program = `
      const { startChild } = await import(${JSON.stringify(pathToFileURL(source).href)});
      const child = startChild('sqlite');
      await child.receive();
      const limits = { maxRows: 1, maxBytes: 1000, maxCellBytes: 1000 };
      child.send({ type: 'start', job: { type: 'sqlite', path: ${JSON.stringify(file)}, sql: ${JSON.stringify(endless)}, values: [], limits } });
      process.stdout.write(String(child.pid));
      setInterval(() => undefined, 1000);`;
    const parent = spawn(
      process.execPath,
      ['--conditions=svc-source', '--input-type=module', '-e', program],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { SECRET: 'planted-secret' },
      },
    );
    const [pid] = await once(parent.stdout, 'data');
    const child = Number(String(pid));
    expect(isRunning(child)).toBe(true);
    if (process.platform === 'linux') {
      expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toContain('planted-secret');
    }
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child)).toBe(false);
  });
});
