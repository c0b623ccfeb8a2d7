import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ConnectorError } from '../../error.ts';
import type { Cell } from '../../values.ts';
import { ByteReader } from './byte-reader.ts';
import { createResultReader } from './result-reader.ts';

const limits = { maxCellBytes: 1_000 };
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const column = (name: string, type: string): Buffer =>
  Buffer.concat([hex('00000000 0000'), hex(type), Buffer.from([name.length]), wide(name)]);

const hexOf = (number: number): string => Buffer.from([number & 0xff, number >> 8]).toString('hex');

const latin = '0904d00034';
/** Columns with each encoding of a value's length. */
const header = Buffer.concat([
  hex('81 0600'),
  column('id', '38'),
  column('amount', '6a 11 26 0a'),
  column('name', `e7 6400 ${latin}`),
  column('note', `a7 ffff ${latin}`),
  column('old', `23 ffffff7f ${latin} 01 0100 7400`),
  column('placed', '2a 07'),
]);
const row = Buffer.concat([
  hex('d1 07000000'),
  hex(`11 01 ${'ff'.repeat(15)}0f`),
  hex('0400'),
  wide('é€'),
  hex('feffffffffffffff 02000000 6162 01000000 80 00000000'),
  hex(`10 ${'00'.repeat(16)} ${'00'.repeat(8)} 02000000 6f6b`),
  hex('08 ffbf692ac9 dab937'),
]);
const nulls = hex('d1 00000080 00 ffff ffffffffffffffff 00 00');
const packed = hex('d2 3e 01000000');
const order = hex('a9 0200 0100');
const notice = hex('ab 0300 616263');
const done = hex('fd 1000 c100 0300000000000000');
const answer = Buffer.concat([header, order, row, notice, nulls, packed, done]);

function readIn(answered: Buffer, pieceBytes: number) {
  const reader = createResultReader(limits);
  const rows: (readonly Cell[])[] = [];
  const others: Buffer[] = [];
  let names: string[] = [];
  for (let at = 0; at < answered.length; at += pieceBytes) {
    const part = reader.read(answered.subarray(at, at + pieceBytes));
    if (part.columns) names = part.columns.map(({ name }) => name);
    rows.push(...part.rows);
    others.push(part.others);
  }
  reader.end();
  return { names, rows, others: Buffer.concat(others) };
}

const codeOf = (answered: Buffer): string | undefined => {
  try {
    readIn(answered, answered.length);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectorError) return error.code;
    throw error;
  }
};

describe('rows of a SQL Server response', () => {
  it.each([1, 2, 3, 7, 64, 10_000])(
    'are read exactly from pieces of %d bytes, and the remaining bytes are returned',
    (size) => {
      const { names, rows, others } = readIn(answer, size);
      expect(names).toEqual(['id', 'amount', 'name', 'note', 'old', 'placed']);
      expect(rows).toEqual([
        [7, '2126764793255865396646091296.4485513215', 'é€', 'ab€', 'ok', '9999-12-31T23:59:59.9999999'],
        [-2_147_483_648, null, null, null, null, null],
        [1, null, null, null, null, null],
      ]);
      expect(others).toEqual(Buffer.concat([notice, done]));
    },
  );

  it('are refused with a second result, a truncated response, an unknown token or an unsupported type', () => {
    expect(codeOf(Buffer.concat([answer, header]))).toBe('more-than-one-statement');
    expect(codeOf(answer.subarray(0, -1))).toBe('connection-lost');
    expect(codeOf(hex('00'))).toBe('connection-lost');
    expect(codeOf(nulls)).toBe('connection-lost');
    expect(codeOf(Buffer.concat([hex('81 0100'), column('v', '62 401f0000')]))).toBe('statement-failed');
  });

  /** Formats a value in `count` chunks of one byte. */
  const chunked = (count: number): Buffer =>
    Buffer.concat([hex('feffffffffffffff'), hex('01000000 61'.repeat(count)), hex('00000000')]);

  it('are read with few read operations per byte, for small pieces and chunks', () => {
    const many = 1_000;
    const of = (type: string, row: Buffer): Buffer => {
      const described = Array.from({ length: many }, () => column('a name of some length', type));
      return Buffer.concat([hex(`81 ${hexOf(many)}`), ...described, hex('d1'), row, done]);
    };
    const reads: number[] = [];
    for (const answered of [
      of(`e7 6400 ${latin}`, Buffer.concat(Array.from({ length: many }, () => hex('0200 6100')))),
      Buffer.concat([hex('81 0100'), column('v', `a7 ffff ${latin}`), hex('d1'), chunked(1_000), done]),
    ]) {
      const take = vi.spyOn(ByteReader.prototype, 'take');
      readIn(answered, 3);
      reads.push(take.mock.calls.length / answered.length);
      take.mockRestore();
    }
    for (const readsOfByte of reads) expect(readsOfByte).toBeLessThan(8);
  });

  it('are refused with more columns than the server can send, or with too many name parts', () => {
    expect(codeOf(hex('81 0110'))).toBe('connection-lost');
    expect(codeOf(Buffer.concat([hex('81 0100'), column('v', `23 ffffff7f ${latin} 05`)]))).toBe(
      'statement-failed',
    );
  });

  it('are refused by the length of a value that is too large, before its bytes arrive', () => {
    const one = (type: string, value: string): Buffer =>
      Buffer.concat([hex('81 0100'), column('v', type), hex(`d1 ${value}`)]);
    expect(codeOf(one('a5 ffff', 'e903000000000000'))).toBe('value-too-large');
    expect(codeOf(one('a5 ffff', 'feffffffffffffff ffffff7f'))).toBe('value-too-large');
    expect(codeOf(one('a5 ffff', 'feffffffffffffff ffffffff'))).toBe('value-too-large');
    expect(codeOf(one('ad 401f', 'e903'))).toBe('value-too-large');
    expect(codeOf(one('22 ffffff7f 00', `01 00 ${'00'.repeat(8)} ffffff7f`))).toBe('value-too-large');
  });

  it('end with rows or a connector error for 10,000 hostile responses', () => {
    const damage = fc.array(fc.tuple(fc.nat(answer.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(damage, fc.nat(answer.length), fc.uint8Array({ maxLength: 30 }), (changes, cut, more) => {
        const hostile = Buffer.concat([answer.subarray(0, Math.max(1, cut)), more, answer.subarray(cut)]);
        for (const [at, value] of changes) hostile[at] = value;
        codeOf(hostile);
      }),
      { numRuns: 10_000 },
    );
  });
});
