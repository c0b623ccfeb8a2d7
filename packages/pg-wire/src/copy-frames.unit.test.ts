import { describe, expect, test } from 'vitest';
import { createCopyFrames } from './copy-frames.ts';

const frame = (code: string, body: string): Buffer => {
  const head = Buffer.from(`${code}    `);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

const answer = [
  frame('H', '\0\0\0'),
  frame('d', 'first row'),
  frame('d', ''),
  frame('N', 'a notice whose body holds d and Z'),
  frame('d', 'dddddddddd'),
  frame('c', ''),
  frame('C', 'COPY 3\0'),
  frame('Z', 'T'),
];
const isRow = (bytes: Buffer) => bytes[0] === 'd'.charCodeAt(0);
const rows = Buffer.concat(answer.filter(isRow));
const others = Buffer.concat(answer.filter((bytes) => !isRow(bytes)));

function read(chunks: readonly Buffer[], frameBytesMax = 1_000) {
  const taken: Buffer[] = [];
  const passed: Buffer[] = [];
  let begun = 0;
  const see = createCopyFrames({
    frameBytesMax,
    onTooLarge: (bytes) => {
      throw new Error(`${bytes} bytes`);
    },
    onRows: (bytes, frames) => {
      taken.push(bytes);
      begun += frames;
    },
    onOther: (bytes) => void passed.push(bytes),
  });
  for (const chunk of chunks) see(chunk);
  return { rows: Buffer.concat(taken), others: Buffer.concat(passed), begun };
}

describe('the frames of a COPY', () => {
  const whole = Buffer.concat(answer);

  test('are separated correctly if a chunk ends at any position', () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      for (const next of [1, 3, 17]) {
        const chunks = [whole.subarray(0, cut), whole.subarray(cut, cut + next), whole.subarray(cut + next)];
        expect(read(chunks)).toEqual({ rows, others, begun: 3 });
      }
    }
  });

  test('are separated correctly if each byte arrives alone', () => {
    expect(read([...whole].map((byte) => Buffer.from([byte])))).toEqual({ rows, others, begun: 3 });
  });

  test('are refused after their header if a row is too large, and other frames have no limit', () => {
    const head = frame('d', 'x'.repeat(50)).subarray(0, 5);
    expect(() => read([head], 53)).toThrow('54 bytes');
    expect(read([head], 54).rows).toEqual(head);
    expect(read([frame('N', 'x'.repeat(50))], 10).begun).toBe(0);
  });
});
