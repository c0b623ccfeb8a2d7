import { expect, test } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

/** Reads whose end the test controls. */
function fixture() {
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

test('a single read starts immediately, and later reads share the next one, which starts after their requests', async () => {
  const { begun, ask } = fixture();
  const answers = [ask(), ask(), ask(), ask()];
  expect(begun).toHaveLength(1);
  begun[0]?.end('first');
  await turn();
  expect(begun).toHaveLength(2);
  const late = ask();
  expect(begun).toHaveLength(2);
  begun[1]?.end('second');
  await turn();
  expect(begun).toHaveLength(3);
  begun[2]?.end('third');
  expect(await Promise.all(answers)).toEqual(['first', 'second', 'second', 'second']);
  expect(await late).toBe('third');
});

test('a hanging read delays no other read: after a moment the next one starts, and no third one', async () => {
  const { begun, ask } = fixture();
  const hanging = ask();
  const beside = [ask(), ask()];
  await expect.poll(() => begun.length).toBe(2);
  const third = ask();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(begun).toHaveLength(2);
  begun[1]?.end('beside');
  expect(await Promise.all(beside)).toEqual(['beside', 'beside']);
  await turn();
  begun[2]?.end('third');
  expect(await third).toBe('third');
  begun[0]?.end('at last');
  expect(await hanging).toBe('at last');
});

test('no result is retained: a request after the end of a read reads again', async () => {
  const { begun, ask } = fixture();
  const first = ask();
  begun[0]?.end('old');
  expect(await first).toBe('old');
  const second = ask();
  begun[1]?.end('new');
  expect(await second).toBe('new');
});

test('reads with different keys are independent', async () => {
  const { begun, ask } = fixture();
  const answers = [ask('a'), ask('b'), ask('c')];
  expect(begun).toHaveLength(3);
  for (const [index, { end }] of begun.entries()) end(String(index));
  expect(await Promise.all(answers)).toEqual(['0', '1', '2']);
});

test('a failure is reported to the requests that shared the read, and the next read still starts', async () => {
  const { begun, ask } = fixture();
  const answers = [ask(), ask(), ask()];
  const settled = Promise.allSettled(answers);
  begun[0]?.fail(new Error('first'));
  await turn();
  begun[1]?.fail(new Error('second'));
  expect((await settled).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual(
    ['Error: first', 'Error: second', 'Error: second'],
  );
  const after = ask();
  begun[2]?.end('after');
  expect(await after).toBe('after');
});
