import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../../error.ts';
import { JsonScanner, type ScanOptions } from './json-scanner.ts';

const options: ScanOptions = {
  rows: ['result', 'rows'],
  wanted: { next: ['next'], total: ['result', 'total'] },
  maxRowBytes: 1_000_000,
};

function scan(bytes: Buffer, cuts: readonly number[], change: Partial<ScanOptions> = {}) {
  const scanner = new JsonScanner({ ...options, ...change });
  const rows: string[] = [];
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (const [index, place] of places.entries())
    if (index > 0) rows.push(...scanner.push(bytes.subarray(places[index - 1], place)));
  scanner.end();
  return { rows, found: (name: string) => scanner.found(name) };
}

const refusal = (text: string, change: Partial<ScanOptions> = {}): string => {
  try {
    scan(Buffer.from(text), [], change);
    return 'none';
  } catch (error) {
    if (error instanceof ConnectorError) return error.message;
    throw error;
  }
};

describe('the JSON scanner', () => {
  it('extracts the same rows for any division of a response into pieces', () => {
    const before = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        before,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom(undefined, ' ', 2),
        fc.boolean(),
        (rows, others, cuts, space, isMarked) => {
          const { result: _result, next: _next, ...beside } = others;
          const answer = { ...beside, result: { other: others, total: rows.length, rows }, next: 'a"\\b' };
          const text = JSON.stringify(answer, null, space);
          const bytes = Buffer.concat([Buffer.from(isMarked ? [0xef, 0xbb, 0xbf] : []), Buffer.from(text)]);
          const read = scan(bytes, cuts);
          expect(read.rows.map((row) => JSON.parse(row) as unknown)).toEqual(
            JSON.parse(JSON.stringify(rows)),
          );
          expect(JSON.parse(read.found('next') ?? '')).toBe(answer.next);
          expect(read.found('total')).toBe(String(rows.length));
        },
      ),
    );
  });

  it('skips a byte order mark that arrives in pieces, and refuses an incomplete one', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('[1,2]')]);
    expect(scan(marked, [1, 2], { rows: [] }).rows).toEqual(['1', '2']);
    for (const part of [[0xef], [0xef, 0xbb]])
      expect(() => scan(Buffer.from([...part, 0x5b, 0x5d]), [1], { rows: [] })).toThrow(ConnectorError);
    expect(() => scan(Buffer.from([0xef, 0xbb]), [1], { rows: [] })).toThrow(ConnectorError);
  });

  it('refuses a repeated list of rows instead of losing one', () => {
    const twice = '{"result": {"rows": [1], "rows": [2]}}';
    expect(refusal(twice)).toBe('The API’s response names what stands at /result/rows twice.');
    expect(refusal('{"result": {"rows": null}, "result": {"rows": [2]}}')).toMatch(/twice/);
  });

  it.each([
    ['', 'The API’s response is no JSON.'],
    ['{', 'The API’s response is incomplete.'],
    ['{"result": {"rows": [1', 'The API’s response is incomplete.'],
    ['{"result": {"rows": [1 2]}}', 'The API’s response is no JSON.'],
    ['{"result": {"rows": [1,]}}', 'The API’s response is no JSON.'],
    ['{"result": {"rows": [1]}} x', 'The API’s response is no JSON.'],
    ['{"result": {"rows": 5}}', /is no list and no object/],
    ['{"result": {}}', /Nothing stands at \/result\/rows/],
    ['['.repeat(201), /nested deeper than 200 levels/],
    [
      `{"result": {"rows": ["${'x'.repeat(1_000_000)}"]}}`,
      /A row of the result has more than 1,000,000 bytes/,
    ],
    [`{"next": "${'x'.repeat(20_000)}"}`, /a name or a link of more than 16,384 bytes/],
  ])('refuses %j', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });
});
