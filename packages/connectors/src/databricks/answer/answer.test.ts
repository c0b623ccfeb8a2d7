import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HttpAnswer } from '../../http/client.ts';
import { errorOf } from '../../testing/results.ts';
import { hostileBody, runInSmallHeap } from '../../testing/small-heap.ts';
import { createDatabricksConnector } from '../index.ts';
import { readStatement, type StatementContext } from './answer.ts';

const connection = createDatabricksConnector().settings.parse({
  host: 'x.databricks.test',
  warehouseId: 'abc',
  catalog: 'shop',
  signIn: 'AccessToken',
  accessToken: 's3cret',
});
const context: StatementContext = { connection, secrets: [] };
const id = '01ee4b3f-4f56-1648-825a-c261d31be5f1';
const answerOf = (body: string, pieceBytes: number): HttpAnswer => ({
  status: 200,
  header: () => undefined,
  isEndMarked: true,
  body: (async function* () {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  })(),
});
const limits = { maxRows: 3, maxBytes: 10_000_000, maxCellBytes: 1_000 };
const rowsThen = (rows: readonly string[][], rest: object = {}): string => {
  const data = { result: { data_array: rows }, statement_id: id, status: { state: 'SUCCEEDED' } };
  const manifest = {
    schema: { columns: [{ name: 'a', type_text: 'INT' }] },
    total_chunk_count: 1,
    total_row_count: rows.length,
  };
  return JSON.stringify({ ...data, ...rest, manifest });
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a statement response of Databricks', () => {
  it('may contain its rows before its columns, up to the row limit', async () => {
    const body = rowsThen([['1'], ['2'], ['3']]);
    expect(await readStatement(answerOf(body, 5), limits, context)).toMatchObject({
      state: 'succeeded',
      id,
      first: ['["1"]', '["2"]', '["3"]'],
    });
    const error = await errorOf(readStatement(answerOf(body, 5), { ...limits, maxRows: 2 }, context));
    expect(error).toMatchObject({ code: 'too-many-rows', message: 'The result has more than 2 rows.' });
  });

  it('is parsed only once if it arrives in many pieces', async () => {
    const state = { state: 'SUCCEEDED', note: 'x'.repeat(1_000) };
    const { result, ...head } = JSON.parse(rowsThen([['1']], { status: state }));
    const body = JSON.stringify({ status: state, more: 'y'.repeat(2_000), ...head, result });
    const parse = vi.spyOn(JSON, 'parse');
    await readStatement(answerOf(body, 3), limits, context);
    expect(parse.mock.calls.filter(([text]) => String(text).includes('xxx'))).toHaveLength(1);
  });
});

const modules = ['answer.ts', 'types.ts'].map((name) => path.join(import.meta.dirname, name));
const rowsFirst = '{"result":{"data_array":[[]';

describe('a Databricks reader in a process with a small heap', () => {
  it.each<[name: string, start: string, unit: string, maxRows: number, outcome: string]>([
    ['rows without columns', rowsFirst, ',[]', 1_000_000, 'too-many-rows'],
    ['rows without columns', rowsFirst, ',[]', Number.MAX_SAFE_INTEGER, 'too-many-bytes'],
    ['long rows without columns', rowsFirst, `,["${'ä'.repeat(1_000)}"]`, 1_000_000, 'too-many-bytes'],
    ['endless columns', '{"manifest":{"schema":{"columns":[{}', ',{}', 1_000_000, 'connection-lost'],
    ['an endless state', '{"status":[{}', ',{}', 1_000_000, 'connection-lost'],
  ])('survives a response with %s', async (_name, start, unit, maxRows, outcome) => {
    const program = `${hostileBody}
      const { readStatement } = await import(process.argv[1]);
      const unit = ${JSON.stringify(unit)};
      const answer = answerOf(${JSON.stringify(start)}, unit, Math.ceil(1e8 / unit.length), ']');
      const limits = { maxRows: ${maxRows}, maxBytes: 1_073_741_824, maxCellBytes: 8_388_608 };
      process.stdout.write(await outcomeOf(readStatement(answer, limits, { secrets: [] })));
    `;
    expect(await runInSmallHeap(program, ...modules)).toBe(outcome);
  });

  it.each(['[],', '{},', '"",'])('survives a row that consists of %j', async (unit) => {
    const program = `${hostileBody}
      const { rowReader } = await import(process.argv[2]);
      const text = '[' + ${JSON.stringify(unit)}.repeat(11_000_000) + '1]';
      const read = rowReader([{ name: 'a', type: 'STRING' }], { maxCellBytes: 8_388_608 });
      process.stdout.write(await outcomeOf(Promise.resolve().then(() => read(text))));
    `;
    expect(await runInSmallHeap(program, ...modules)).toBe('connection-lost');
  });

  it.each(['[]', '{}', '{"a":1}'])('survives a JSON value that consists of %s', async (unit) => {
    const program = `${hostileBody}
      const { rowReader } = await import(process.argv[2]);
      const unit = ${JSON.stringify(unit)};
      const outcomes = [];
      for (const length of [8_388_000, 33_554_432]) {
        const text = JSON.stringify(['[' + (unit + ',').repeat(length / (unit.length + 1)) + '1]']);
        const read = rowReader([{ name: 'a', type: 'ARRAY<INT>' }], { maxCellBytes: 8_388_608 });
        outcomes.push(await outcomeOf(Promise.resolve().then(() => read(text))));
      }
      process.stdout.write(outcomes.join());
    `;
    expect(await runInSmallHeap(program, ...modules)).toBe('value-too-large,value-too-large');
  });
});
