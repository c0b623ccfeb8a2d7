import { expect, test } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

/** Reads that end when the test says so. */
function world() {
  const { read } = createSharedReads();
  const begun: { readonly end: (answer: string) => void; readonly fail: (error: Error) => void }[] = [];
  const ask = (key = 'key') =>
    read(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      begun.push({ end: resolve, fail: reject });
      return promise;
    });
  return { begun, ask };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one alone and a second begin at once; those that come later share the next, which begins after they asked', async () => {
  const { begun, ask } = world();
  const answers = [ask(), ask(), ask(), ask(), ask()];
  expect(begun).toHaveLength(2);
  begun[0]?.end('first');
  await turn();
  expect(begun).toHaveLength(3);
  const late = ask();
  begun[2]?.end('third');
  begun[1]?.end('second');
  await turn();
  expect(begun).toHaveLength(4);
  begun[3]?.end('fourth');
  expect(await Promise.all(answers)).toEqual(['first', 'second', 'third', 'third', 'third']);
  expect(await late).toBe('fourth');
});

test('nothing is kept: whoever asks after the end reads anew', async () => {
  const { begun, ask } = world();
  const first = ask();
  begun[0]?.end('old');
  expect(await first).toBe('old');
  const second = ask();
  begun[1]?.end('new');
  expect(await second).toBe('new');
});

test('reads of other things are no business of each other', async () => {
  const { begun, ask } = world();
  const answers = [ask('a'), ask('b'), ask('c')];
  expect(begun).toHaveLength(3);
  for (const [index, { end }] of begun.entries()) end(String(index));
  expect(await Promise.all(answers)).toEqual(['0', '1', '2']);
});

test('a failure is told to those who shared it, and the next begins all the same', async () => {
  const { begun, ask } = world();
  const answers = [ask(), ask(), ask(), ask()];
  const settled = Promise.allSettled(answers);
  begun[0]?.fail(new Error('first'));
  await turn();
  begun[1]?.end('second');
  begun[2]?.fail(new Error('third'));
  expect((await settled).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual(
    ['Error: first', 'second', 'Error: third', 'Error: third'],
  );
  const after = ask();
  begun[3]?.end('after');
  expect(await after).toBe('after');
});
