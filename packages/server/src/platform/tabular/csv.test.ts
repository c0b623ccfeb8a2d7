import { guardFormula } from '@svc/contract';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from '../../../../channels/src/testing/hostile-texts.ts';
import type { TabularBatch, TabularColumn } from './cell-text.ts';
import { csvOf } from './csv.ts';

type Cell = TabularBatch['columns'][number][number];

async function csv(columns: readonly TabularColumn[], batches: readonly TabularBatch[]): Promise<string> {
  async function* eachBatch() {
    yield* batches;
  }
  let text = '';
  for await (const piece of csvOf(columns, eachBatch())) text += piece;
  return text;
}

/** Parses CSV strictly as in RFC 4180. */
function fieldsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 1; at < text.length; ) {
    let field = '';
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1;
        field += text[at];
      }
      at += 1;
    } else {
      while (text[at] !== ',' && text.slice(at, at + 2) !== '\r\n') {
        field += text[at];
        at += 1;
      }
    }
    row.push(field);
    if (text[at] === ',') at += 1;
    else {
      if (text.slice(at, at + 2) !== '\r\n') throw new Error(`A quoted field goes on at ${at}.`);
      rows.push(row);
      row = [];
      at += 2;
    }
  }
  return rows;
}

const columnsOf = (names: readonly string[]): TabularColumn[] =>
  names.map((name) => ({ name, isText: true }));

describe('CSV', () => {
  test('has a byte order mark, a heading, CRLF, and an empty field for NULL', async () => {
    const batch = {
      rowCount: 2,
      columns: [
        [1, null],
        ['a', true],
      ],
    };
    expect(await csv(columnsOf(['id', 'what, then']), [batch])).toBe(
      '\uFEFFid,"what, then"\r\n1,a\r\n,true\r\n',
    );
  });

  test('quotes a field with a quote, a separator or white space', async () => {
    const cells = ['say "hi"', 'a,b', 'a;b', 'a\r\nb', ' a', 'plain'];
    const batch = { rowCount: cells.length, columns: [cells] };
    expect((await csv(columnsOf(['c']), [batch])).split('\r\n').slice(1).join('|')).toBe(
      '"say ""hi"""|"a,b"|"a;b"|"a|b"|" a"|plain|',
    );
  });

  test('escapes formulas in free text, and leaves other values unchanged', async () => {
    const cells = ['=1+1', '+1+1', '-1-1', '@a', '\tb', '\uff1d1'];
    const columns = [
      { name: 'text', isText: true },
      { name: 'number', isText: false },
    ];
    const batch = { rowCount: cells.length, columns: [cells, cells.map(() => '-12.5')] };
    const lines = (await csv(columns, [batch])).split('\r\n').slice(1, -1);
    expect(lines).toEqual([
      `'=1+1,-12.5`,
      `'+1+1,-12.5`,
      `'-1-1,-12.5`,
      `'@a,-12.5`,
      `"'\tb",-12.5`,
      `'\uff1d1,-12.5`,
    ]);
  });

  test('writes text that is only a number without an escape', async () => {
    const numbers = ['-5', '-1.5', '+1', '-.5', '-1e-7', '+49301234567'];
    const others = ['-', '+', '-1-1', '-5 ', '-1,5', '-1e', '+1\n', '-0x1', '-\uff15', '-5%'];
    const infinities = ['-Infinity', '-infinity', '+Infinity', '-NaN'];
    const guarded = [...others, ...infinities];
    const rowCount = numbers.length + guarded.length;
    const written = fieldsOf(
      await csv(columnsOf(['text']), [{ rowCount, columns: [[...numbers, ...guarded]] }]),
    );
    expect(written.slice(1).map(([cell]) => cell)).toEqual([
      ...numbers,
      ...guarded.map((text) => `'${text}`),
    ]);
  });

  test('preserves every hostile text, and starts no formula', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
    const rows = fieldsOf(
      await csv(columnsOf(['text']), [{ rowCount: hostileTexts.length, columns: [[...hostileTexts]] }]),
    );
    const cells = rows.slice(1).map(([cell]) => cell ?? '');
    expect(cells.map((cell, index) => (cell === `'${hostileTexts[index]}` ? cell.slice(1) : cell))).toEqual(
      hostileTexts,
    );
    const starts = cells.filter((cell) => /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell));
    expect(starts.filter((cell) => !/^[+-][\d.]+$/.test(cell))).toEqual([]);
  });

  test('contains every row if there are more rows than in one piece', async () => {
    const count = 1_201;
    const batch = { rowCount: count, columns: [Array.from({ length: count }, (_, row) => row)] };
    const lines = (await csv(columnsOf(['n']), [batch, { rowCount: 1, columns: [[count]] }])).split('\r\n');
    expect(lines.slice(1, -1).map(Number)).toEqual(Array.from({ length: count + 1 }, (_, row) => row));
  });

  test('equals the output of a CSV library, for any cells', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom<Cell>('"', '""', ',', '\r', '\n', ';', ' ', '=', ''),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, async (cellRows) => {
        const batch = {
          rowCount: cellRows.length,
          columns: [0, 1, 2].map((at) => cellRows.map((row) => row[at] ?? null)),
        };
        const guarded = cellRows.map((row) =>
          row.map((one) => (typeof one === 'string' ? guardFormula(one) : one)),
        );
        const byLibrary = stringify([['a', 'b', 'c'], ...guarded], {
          record_delimiter: '\r\n',
          quoted_match: /[\s;]/,
          cast: { boolean: String },
        });
        expect(await csv(columnsOf(['a', 'b', 'c']), [batch])).toBe(`\uFEFF${byLibrary}`);
      }),
      { numRuns: 500 },
    );
  });
});
