import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../../http/client.ts';
import { errorOf } from '../../testing/results.ts';
import { hostileBody, runInSmallHeap } from '../../testing/small-heap.ts';
import { readPage } from './page.ts';

const limits = { rowsMax: 3, bytesMax: 10_000, rowBytesMax: 1_000, tooMany: 'Too many.' };
const answerOf = (body: string, pieceBytes = 7): HttpAnswer => ({
  status: 200,
  header: () => undefined,
  isEndMarked: true,
  body: (async function* () {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  })(),
});
const head = {
  jobReference: { projectId: 'p', jobId: 'j', location: 'EU' },
  jobComplete: true,
  totalRows: '2',
  totalBytesProcessed: '7',
  totalBytesBilled: '8',
  schema: { fields: [{ name: 'a', type: 'STRING' }] },
};
const rows = ['{"f":[{"v":"ä"}]}', '{"f":[{"v":null}]}'];
const textOf = (change: object = {}): string =>
  `${JSON.stringify({ ...head, ...change }).slice(0, -1)},"rows":[${rows.join(',')}]}`;

describe('a page of BigQuery rows', () => {
  it('is read in pieces of any size, with the rows first, last or absent', async () => {
    const page = {
      job: { jobId: 'j', location: 'EU' },
      isComplete: true,
      totalRows: 2,
      scannedBytes: 7,
      billedBytes: 8,
      rows,
    };
    const text = textOf();
    const rowsFirst = `{"rows":[${rows.join(',')}],${JSON.stringify(head).slice(1)}`;
    for (const pieceBytes of [1, 7, 10_000])
      for (const each of [text, rowsFirst])
        expect(await readPage(answerOf(each, pieceBytes), limits)).toMatchObject(page);
    expect(await readPage(answerOf(JSON.stringify(head)), limits)).toMatchObject({ rows: [] });
    expect(await readPage(answerOf(textOf({ jobComplete: false })), limits)).toEqual({
      job: page.job,
      isComplete: false,
      rows,
      byteCount: expect.any(Number),
    });
  });

  it('fails with more rows than requested or more bytes than allowed', async () => {
    const codeOf = async (change: Partial<typeof limits>) =>
      (await errorOf(readPage(answerOf(textOf()), { ...limits, ...change }))).code;
    expect(await codeOf({ rowsMax: 1 })).toBe('connection-lost');
    expect(await codeOf({ bytesMax: 100 })).toBe('too-many-bytes');
    expect(await codeOf({ rowBytesMax: 10 })).toBe('value-too-large');
  });

  it('uses the first of repeated members, and ignores __proto__', async () => {
    const twice = `${textOf().slice(0, -1)},"jobComplete":false,"__proto__":{"jobComplete":false}}`;
    expect(await readPage(answerOf(twice), limits)).toMatchObject({ isComplete: true, rows });
    expect('jobComplete' in {}).toBe(false);
  });

  it('fails if it contains rows twice', async () => {
    const twice = answerOf(`${textOf().slice(0, -1)},"rows":[{}]}`);
    await expect(readPage(twice, limits)).rejects.toMatchObject({ code: 'connection-lost' });
  });
});

const page = path.join(import.meta.dirname, 'page.ts');
const rowsModule = path.join(import.meta.dirname, 'rows.ts');
const bytesMax = 33_554_432;
const bounds = `{ rowsMax: 10_001, bytesMax: ${bytesMax}, rowBytesMax: ${bytesMax}, tooMany: 'Too many.' }`;

describe('a BigQuery reader in a process with a small heap', () => {
  it.each<[name: string, start: string, unit: string, outcome: string]>([
    ['endless rows', '{"rows":[{}', ',{}', 'connection-lost'],
    [
      'endless rows after the columns',
      `${JSON.stringify(head).slice(0, -1)},"rows":[{}`,
      ',{}',
      'connection-lost',
    ],
    ['endless columns', '{"schema":{"fields":[{}', ',{}', 'connection-lost'],
    ['an endless unknown member', '{"rowz":[{}', ',{}', 'connection-lost'],
  ])('survives a page with %s', async (_name, start, unit, outcome) => {
    const program = `${hostileBody}
      const { readPage } = await import(process.argv[1]);
      const answer = answerOf(${JSON.stringify(start)}, ${JSON.stringify(unit)}, 11_000_000, ']}');
      process.stdout.write(await outcomeOf(readPage(answer, ${bounds})));
    `;
    expect(await runInSmallHeap(program, page)).toBe(outcome);
  });

  it.each<[unit: string, outcome: string]>([
    ['{},', 'value-too-large'],
    ['[],', 'value-too-large'],
    ['"",', 'value-too-large'],
    [`"${','.repeat(1_000)}",`, 'connection-lost'],
  ])('survives a row that consists of %j', async (unit, outcome) => {
    const program = `${hostileBody}
      const { readRow } = await import(process.argv[1]);
      const unit = ${JSON.stringify(unit)};
      const text = '{"f":[' + unit.repeat(${bytesMax} / unit.length) + '1]}';
      const fields = [{ name: 'a', type: 'STRING', isRepeated: false, fields: [] }];
      const work = Promise.resolve().then(() => readRow(text, fields, { maxCellBytes: 8_388_608 }));
      process.stdout.write(await outcomeOf(work));
    `;
    expect(await runInSmallHeap(program, rowsModule)).toBe(outcome);
  });

  it.each(['[]', '{}', '{"a":1}'])('survives a JSON value that consists of %s', async (unit) => {
    const program = `${hostileBody}
      const { readRow } = await import(process.argv[1]);
      const unit = ${JSON.stringify(unit)} + ',';
      const text = JSON.stringify({ f: [{ v: '[' + unit.repeat(${bytesMax} / unit.length) + '1]' }] });
      const fields = [{ name: 'a', type: 'JSON', isRepeated: false, fields: [] }];
      const work = Promise.resolve().then(() => readRow(text, fields, { maxCellBytes: 8_388_608 }));
      process.stdout.write(await outcomeOf(work));
    `;
    expect(await runInSmallHeap(program, rowsModule)).toBe('value-too-large');
  });

  it('reads a page of the maximum size', async () => {
    const program = `${hostileBody}
      const { readPage } = await import(process.argv[1]);
      const { readRow } = await import(process.argv[2]);
      const row = ',{"f":[{"v":"9223372036854775807"},{"v":"' + 'x'.repeat(3_000) + '"}]}';
      const start = ${JSON.stringify(JSON.stringify(head))}.slice(0, -1) + ',"rows":[' + row.slice(1);
      const { rows } = await readPage(answerOf(start, row, 9_999, ']}'), ${bounds});
      const fields = ['INT64', 'STRING'].map((type) => ({ name: 'a', type, isRepeated: false, fields: [] }));
      const read = rows.map((text) => readRow(text, fields, { maxCellBytes: 8_388_608 }));
      process.stdout.write(JSON.stringify([read.length, new Set(read.map(([a, b]) => a + b.length)).size]));
    `;
    expect(await runInSmallHeap(program, page, rowsModule)).toBe('[10000,1]');
  });
});
