import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInSmallHeap } from '../../testing/small-heap.ts';
import { JsonScanner } from './json-scanner.ts';

const options = { rows: ['rows'], wanted: { head: ['head'] }, maxRowBytes: 1_000, maxWantedBytes: 1_000 };

describe('values extracted from a JSON response', () => {
  it('are the same for pieces of any size', () => {
    const text = '{"head":{"ä":["€",1]},"rows":[["é\\"",1],{"a":"😀"},7,"x"],"more":[1]}';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size++) {
      const scanner = new JsonScanner(options);
      const rows: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        rows.push(...scanner.push(Buffer.from(bytes.subarray(at, at + size))));
      scanner.end();
      expect(rows).toEqual(['["é\\"",1]', '{"a":"😀"}', '7', '"x"']);
      expect(scanner.found('head')).toBe('{"ä":["€",1]}');
    }
  });

  it('are limited in size, for pieces of any size', () => {
    for (const [text, code] of [
      [`{"rows":["${'x'.repeat(999)}"]}`, 'value-too-large'],
      [`{"head":"${'x'.repeat(999)}"}`, 'statement-failed'],
    ] as const)
      for (const size of [1, 7, 2_000]) {
        const scanner = new JsonScanner(options);
        const scan = () => {
          for (let at = 0; at < text.length; at += size) scanner.push(Buffer.from(text.slice(at, at + size)));
        };
        expect(scan).toThrow(expect.objectContaining({ code }));
      }
  });

  it('fit into a small heap if each byte arrives alone', async () => {
    const program = `
      const { JsonScanner } = await import(process.argv[1]);
      const scanner = new JsonScanner({ rows: ['rows'], wanted: {}, maxRowBytes: 8_000_000 });
      const bytes = Buffer.from('{"rows":["' + 'x'.repeat(5_000_000) + '"]}');
      let length = 0;
      for (let at = 0; at < bytes.length; at++)
        for (const row of scanner.push(bytes.subarray(at, at + 1))) length += row.length;
      scanner.end();
      process.stdout.write(String(length));
    `;
    const scanner = path.join(import.meta.dirname, 'json-scanner.ts');
    expect(await runInSmallHeap(program, scanner)).toBe('5000002');
  });
});
