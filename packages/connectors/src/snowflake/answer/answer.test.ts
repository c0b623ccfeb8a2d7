import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostileBody, runInSmallHeap } from '../../testing/small-heap.ts';

const modules = ['read.ts', 'types.ts'].map((name) => path.join(import.meta.dirname, name));
const rowsFirst = '{"data":[[]';

describe('a Snowflake reader in a process with a small heap', () => {
  it.each<[name: string, start: string, unit: string, maxRows: number, outcome: string]>([
    ['rows without columns', rowsFirst, ',[]', 1_000_000, 'too-many-rows'],
    ['rows without columns', rowsFirst, ',[]', Number.MAX_SAFE_INTEGER, 'too-many-bytes'],
    ['long rows without columns', rowsFirst, `,["${'ä'.repeat(1_000)}"]`, 1_000_000, 'too-many-bytes'],
    ['endless columns', '{"resultSetMetaData":{"rowType":[{}', ',{}', 1_000_000, 'connection-lost'],
  ])('survives a response with %s', async (_name, start, unit, maxRows, outcome) => {
    const program = `${hostileBody}
      const { startRead } = await import(process.argv[1]);
      const unit = ${JSON.stringify(unit)};
      const answer = answerOf(${JSON.stringify(start)}, unit, Math.ceil(1e8 / unit.length), ']');
      const session = { ask: async () => ({ handle: '', answer }) };
      const limits = { maxRows: ${maxRows}, maxBytes: 1_073_741_824, maxCellBytes: 8_388_608 };
      process.stdout.write(await outcomeOf(startRead(session, { sql: 'select 1' }, limits)));
    `;
    expect(await runInSmallHeap(program, ...modules)).toBe(outcome);
  });

  it.each(['[],', '{},', '"",'])('survives a row that consists of %j', async (unit) => {
    const program = `${hostileBody}
      const { rowReader } = await import(process.argv[2]);
      const text = '[' + ${JSON.stringify(unit)}.repeat(11_000_000) + '1]';
      const column = { name: 'A', type: 'TEXT', precision: 0, scale: 0, length: 0 };
      const read = rowReader([column], { maxCellBytes: 8_388_608 });
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
        const read = rowReader([{ name: 'A', type: 'VARIANT', precision: 0, scale: 0, length: 0 }], { maxCellBytes: 8_388_608 });
        outcomes.push(await outcomeOf(Promise.resolve().then(() => read(text))));
      }
      process.stdout.write(outcomes.join());
    `;
    expect(await runInSmallHeap(program, ...modules)).toBe('value-too-large,value-too-large');
  });
});
