import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileView } from './file-view.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-source-cache-'));
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

/** A connection that collects its statements, except `create view`. */
const statements: string[] = [];
/** Error of each statement that the connection collects. */
let interruption: Error | undefined;
const counting = new Proxy(connection, {
  get: (target, member: keyof DuckDBConnection) => {
    const value = target[member];
    if (typeof value !== 'function') return value;
    return (sql: string, ...rest: unknown[]) => {
      if (typeof sql === 'string' && !sql.startsWith('CREATE VIEW')) {
        statements.push(sql);
        if (interruption) return Promise.reject(interruption);
      }
      return Reflect.apply(value, target, [sql, ...rest]);
    };
  },
});

let viewCount = 0;

/** Returns the rows of a file or its refusal, and the number of statements that detect its reading. */
async function read(
  file: string,
  settings: object = {},
  format = path.extname(file).slice(1),
  bytesMax = 1_000_000,
) {
  viewCount += 1;
  const name = `view${viewCount}`;
  statements.length = 0;
  const decoded = {
    path: path.join(folder, `${name}.copy`),
    space: { bytesMax, bytesLeft: bytesMax },
  };
  const view = await createFileView(
    counting,
    { name, path: file, format: format === 'csv' ? 'csv' : 'json', settings },
    { decoded, memoryBytes: 512_000_000 },
  );
  const detections = statements.length;
  if ('refusal' in view) return { detections, refusal: view.refusal };
  const rows = await connection.runAndReadAll(`SELECT * FROM ${name}`);
  return { detections, rows: rows.getRowsJson() };
}

const rowsOf = async (...args: Parameters<typeof read>) => (await read(...args)).rows;

const latin = Buffer.from('id,name\n1,Zoë\n', 'latin1');

describe('the reading of a file', () => {
  it.each([
    ['plain.csv', 'id,name\n1,Zoë\n', 'id,name\n1,Mia\n'],
    ['latin.csv', latin, 'id,name\n1,Mia\n'],
    ['plain.json', '{"id":"1","name":"Zoë","half":0.5}', '{"id":"1","name":"Mia","half":0.5}'],
    ['marked.json', '\ufeff{"id":"1","name":"Zoë"}', '{"id":"1","name":"Mia"}'],
  ])('of %s is detected once, and again after a change of the file', async (name, first, second) => {
    const file = path.join(folder, name);
    writeFileSync(file, first);
    const detected = await read(file);
    expect(detected.detections).toBeGreaterThan(0);
    expect(detected.rows?.[0]?.slice(0, 2)).toEqual(['1', 'Zoë']);
    expect(await read(file)).toEqual({ ...detected, detections: 0 });
    writeFileSync(file, second);
    utimesSync(file, 1_000, 1_000);
    const changed = await read(file);
    expect(changed.detections).toBeGreaterThan(0);
    expect(changed.rows?.[0]?.slice(0, 2)).toEqual(['1', 'Mia']);
  });

  it('of JSON needs at most three reads of the file', async () => {
    const file = path.join(folder, 'nested.json');
    writeFileSync(file, '{"a_1":1,"a":2,"half":0.5,"at":"2024-01-02","deep":{"n":1.5,"list":[1]}}');
    const { detections } = await read(file);
    expect(detections).toBeLessThanOrEqual(3);
  });

  it('of JSON divides each row once, for any number of nested columns', async () => {
    const file = path.join(folder, 'wide.json');
    const members = Array.from({ length: 20 }, (_, at) => `"m${at}":{"n":12345678901234567,"t":"","d":0.5}`);
    writeFileSync(file, `{${members.join()}}`);
    await read(file);
    expect(statements.join('\n').match(/json_extract\(/g)).toHaveLength(1);
  });

  it.each(['write', 'replace'] as const)(
    'is detected again after a %s that keeps the size and the modification time',
    async (how) => {
      const file = path.join(folder, `${how}.json`);
      writeFileSync(file, '[{"a":1}]');
      utimesSync(file, 1_000, 1_000);
      expect(await rowsOf(file)).toEqual([['1']]);
      const written = how === 'write' ? file : `${file}.new`;
      writeFileSync(written, '[{"b":2}]');
      utimesSync(written, 1_000, 1_000);
      if (how === 'replace') renameSync(written, file);
      expect(await rowsOf(file)).toEqual([['2']]);
    },
  );

  it('is detected again under another format, as a link with another ending gives it', async () => {
    const file = path.join(folder, 'both.json');
    writeFileSync(file, '{"id":"1"}');
    expect(await rowsOf(file)).toEqual([['1']]);
    expect(await rowsOf(file, { hasHeader: false, quote: "'" }, 'csv')).toEqual([['{"id":"1"}']]);
    expect(await rowsOf(file)).toEqual([['1']]);
    expect(await rowsOf(file, {}, 'csv')).not.toEqual([['1']]);
  });

  it('is detected again under other settings', async () => {
    const file = path.join(folder, 'settings.csv');
    writeFileSync(file, 'id\n1\n');
    await read(file);
    expect(await rowsOf(file, { hasHeader: false })).toEqual([['id'], ['1']]);
    expect(await rowsOf(file, { hasHeader: true })).toEqual([['1']]);
  });
});

describe('the refusal of a file', () => {
  it.each([
    ['ragged.csv', 'id,name\n1,Zoë\n2,x,y\n', 'Line 3 of ragged.csv', 'id,name\n1,Mia\n'],
    ['members.json', '{"id":"1","":2}', 'Row 1 of members.json', '{"id":"1","name":"Mia"}'],
    ['broken.json', '{"id":"1"}\n{"id":\n', 'of broken.json cannot be read', '{"id":"1","name":"Mia"}'],
  ])('of %s is determined once, and again after a change of the file', async (name, bad, refusal, sound) => {
    const file = path.join(folder, name);
    writeFileSync(file, bad);
    const refused = await read(file);
    expect(refused.refusal).toContain(refusal);
    expect(refused.detections).toBeGreaterThan(0);
    expect(await read(file)).toEqual({ detections: 0, refusal: refused.refusal });
    writeFileSync(file, sound);
    expect(await rowsOf(file)).toEqual([['1', 'Mia']]);
  });

  it('does not remain if it results from the space that other files of the statement use', async () => {
    const file = path.join(folder, 'large.csv');
    writeFileSync(file, latin);
    expect((await read(file, {}, 'csv', 3)).refusal).toContain('large.csv is larger than the');
    expect(await rowsOf(file)).toEqual([['1', 'Zoë']]);
  });

  it('does not remain if the engine was interrupted', async () => {
    const file = path.join(folder, 'interrupted.csv');
    writeFileSync(file, 'id,name\n1,Zoë\n');
    interruption = new Error('INTERRUPT Error: Interrupted!');
    expect((await read(file)).refusal).toBeDefined();
    interruption = undefined;
    expect(await rowsOf(file)).toEqual([['1', 'Zoë']]);
  });
});
