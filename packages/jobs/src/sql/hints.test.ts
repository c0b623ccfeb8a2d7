import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFixture } from '../testing/fixture.ts';
import { hintPayload, parseHint } from './hints.ts';

const source = path.join(import.meta.dirname, '..');

test('the hint payloads of PostgreSQL are parsed as the corresponding hints', async () => {
  const { pool, close } = await createFixture();
  const read = async (payload: string) => {
    const { rows } = await pool.query<{ payload: string }>(`select ${payload} as payload`);
    return parseHint(rows[0]?.payload ?? '');
  };
  expect(await read(hintPayload.jobsReady("'mail:late'"))).toEqual({ kind: 'JobsReady', queue: 'mail:late' });
  expect(await read(hintPayload.cancelRequested('7'))).toEqual({ kind: 'CancelRequested', jobId: '7' });
  expect(await read(hintPayload.groupsChanged)).toEqual({ kind: 'GroupsChanged' });
  expect(await read(hintPayload.jobScheduled)).toEqual({ kind: 'TimesChanged' });
  expect(await read(hintPayload.timesChanged)).toEqual({ kind: 'TimesChanged' });
  await close();
});

test('a hint of another version is parsed as changed times', () => {
  expect(parseHint('x:1')).toEqual({ kind: 'TimesChanged' });
});

test('only one file sends hints', () => {
  const sending = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] }).filter((file) =>
    readFileSync(path.join(source, file), 'utf8').includes('pg_notify('),
  );
  expect(sending).toEqual(['sql/hints.ts']);
});
