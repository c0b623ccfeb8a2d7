import { describe, expect, test } from 'vitest';
import type { Dispatch } from './create-send.ts';
import type { Ledger } from './ports.ts';
import { dispatch, governed, useSendHarness } from './testing/harness.ts';
import { createMemoryLedger } from './testing/stores.ts';

const harness = useSendHarness();

/** Starts `count` deliveries through a gateway of four slots, to a receiver that answers only when it is released. */
async function underWay(count: number, changes: Partial<Dispatch> = {}) {
  for (let id = 0; id < count; id += 1) harness.addRecipient(id, `/status/200/${id}`);
  const gate = Promise.withResolvers<void>();
  let atOnce = 0;
  let atOnceMax = 0;
  harness.receiver.onReceived = async () => {
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    await gate.promise;
    atOnce -= 1;
  };
  const send = harness.openSend({ concurrency: 4 });
  const results = send.toRecipients(Array.from({ length: count }, (_item, id) => dispatch(id, changes)));
  await expect.poll(() => harness.receiver.received.length).toBe(4);
  await expect.poll(() => harness.ledger.rows.size).toBe(Math.min(count, 6));
  return { results, open: gate.resolve, atOnceMax: () => atOnceMax };
}

const arrived = () => harness.receiver.received.map(({ path }) => path).toSorted();

describe('attempts that wait for their turn', () => {
  test('are in the ledger, half as many as are sent concurrently, and each is sent once', async () => {
    const { results, open, atOnceMax } = await underWay(20);
    // No further attempt starts while all four slots are in use.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([harness.receiver.received.length, harness.ledger.rows.size]).toEqual([4, 6]);
    open();
    expect(new Set((await results).map(({ state }) => state))).toEqual(new Set(['Sent']));
    expect(atOnceMax()).toBe(4);
    expect(arrived()).toEqual(Array.from({ length: 20 }, (_item, id) => `/status/200/${id}`).toSorted());
    expect(harness.ledger.rows.size).toBe(20);
  });

  test('use the current recipient when their turn comes, and send nothing if it awaits approval or is deleted', async () => {
    const { results, open } = await underWay(7);
    harness.addRecipient(4, '/status/200/moved');
    harness.addRecipient(5, '/status/200/5', { approval: governed({ state: 'AwaitingApproval' }) });
    harness.recipients.rows.delete(6);
    open();
    expect((await results).slice(4)).toMatchObject([
      { state: 'Sent' },
      { state: 'Skipped', reason: 'AwaitingApproval' },
      { state: 'Skipped', reason: 'RecipientMissing' },
    ]);
    expect(arrived()).toEqual(['0', '1', '2', '3', 'moved'].map((name) => `/status/200/${name}`));
  });

  test('are withdrawn when the run is stopped: they send nothing, and can be made later', async () => {
    const stop = new AbortController();
    const { results, open } = await underWay(9, { signal: stop.signal });
    stop.abort();
    const ends = await results;
    open();
    expect(ends.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 4 }, () => 'Unknown'),
      ...Array.from({ length: 5 }, () => 'Failed'),
    ]);
    expect(ends.slice(4).every((end) => end.reason === 'Cancelled' && !end.mayHaveArrived)).toBe(true);
    expect([...harness.ledger.rows.keys()]).toEqual(['run-1-0-1', 'run-1-1-1', 'run-1-2-1', 'run-1-3-1']);
    expect(await harness.openSend().toRecipient(dispatch(4))).toMatchObject({ state: 'Sent' });
    expect(harness.receiver.received).toHaveLength(5);
  });
});

describe('an attempt that is stopped in its turn before it sends anything', () => {
  const stoppedWhileRead = async (changes: Partial<Ledger>) => {
    harness.addRecipient(1, '/status/200');
    const stop = new AbortController();
    const readCurrent = async (id: number) => {
      stop.abort();
      return harness.recipients.readCurrent(id);
    };
    const ledger = createMemoryLedger({ ...changes });
    const send = harness.openSend({ ledger, recipients: { readCurrent } });
    expect(await send.toRecipient(dispatch(1, { signal: stop.signal }))).toMatchObject({
      state: 'Failed',
      reason: 'Cancelled',
      mayHaveArrived: false,
    });
    expect(harness.receiver.received).toEqual([]);
    return ledger.rows;
  };

  test('is withdrawn, too', async () => {
    expect(await stoppedWhileRead({})).toEqual(new Map());
  });

  test('remains Sending if the ledger is unavailable', async () => {
    const rows = await stoppedWhileRead({
      withdraw: () => Promise.reject(new Error('the database is away')),
    });
    expect(rows.get('run-1-1-1')?.end).toBe('Sending');
  });
});
