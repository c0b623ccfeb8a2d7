import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import type { HttpAnswer } from '../http/client.ts';
import { pageMembers, readPage } from './job.ts';
import { readAnswerWithRows } from './json-answer.ts';

const limits = { rowsMax: 1_000, maxRowBytes: 1_000, bytesMax: 1_000_000, tooMany: 'Too much.' };

/** An answer in pieces, of which it counts those that were taken. */
function answerOf(pieces: Iterable<string>) {
  const taken = { pieces: 0 };
  async function* body() {
    for (const piece of pieces) {
      taken.pieces++;
      yield Buffer.from(piece);
    }
  }
  return { taken, answer: { body: body() } as unknown as HttpAnswer };
}

const read = (pieces: Iterable<string>) => readAnswerWithRows(answerOf(pieces).answer, pageMembers, limits);
const codeOf = async (reading: Promise<unknown>): Promise<string> =>
  await reading.then(
    () => 'none',
    (error: unknown) => (error instanceof ConnectorError ? error.code : String(error)),
  );

describe('an answer of BigQuery with rows', () => {
  it('gives rows as they were written, and the members that are asked for, wherever they stand', async () => {
    const text = '{"jobComplete":true,"rows":[{"f":[{"v":"1.50"}]}, {"f":[]}],"etag":"x","totalRows":"2"}';
    const { json, rows, byteCount } = await read(text);
    expect(rows).toEqual(['{"f":[{"v":"1.50"}]}', '{"f":[]}']);
    expect(json).toEqual({ jobComplete: true, totalRows: '2' });
    expect(byteCount).toBe(text.length);
  });

  it('is turned down at the first row more than was asked for, and reads no further', async () => {
    const pieces = 10_000;
    const { taken, answer } = answerOf(['{"rows":[{}', ...Array.from({ length: pieces }, () => ',{},{},{}')]);
    expect(await codeOf(readAnswerWithRows(answer, pageMembers, limits))).toBe('connection-lost');
    expect(taken.pieces).toBeLessThan(limits.rowsMax);
  });

  it('is bounded in all, in a row and in what stands beside the rows', async () => {
    const long = 'x'.repeat(1_001);
    expect(await codeOf(read([`{"rows":[{"f":"${long}`]))).toBe('value-too-large');
    expect(await codeOf(read([`{"a":"${'x'.repeat(1_000_001)}`]))).toBe('too-many-bytes');
    const { answer } = answerOf([`{"schema":"${'x'.repeat(2_097_200)}"}`]);
    const wide = { ...limits, bytesMax: 10_000_000 };
    expect(await codeOf(readAnswerWithRows(answer, pageMembers, wide))).toBe('connection-lost');
  });

  it.each(['', '{', '[', '{"rows":', '{"rows":1}', '{"rows":[1 2]}'])('is none: %s', async (text) => {
    expect(await codeOf(read([text]))).toBe('connection-lost');
  });

  it('has its own members alone, whatever their names are', async () => {
    const { json } = await read(['{"__proto__":{"jobComplete":true},"constructor":1,"rows":null}']);
    expect(json).toEqual({});
    expect(await codeOf((async () => readPage(json, [], { jobId: 'a', location: 'EU' }))())).toBe(
      'connection-lost',
    );
  });

  it('is of the job that was asked for', () => {
    const of = (jobId: string) => ({ jobComplete: false, jobReference: { jobId, location: 'EU' } });
    const job = { jobId: 'a', location: 'EU' };
    expect(readPage(of('a'), [], job).isComplete).toBe(false);
    for (const answer of [of('b'), { jobComplete: false }])
      expect(() => readPage(answer, [], job)).toThrow(ConnectorError);
  });
});
