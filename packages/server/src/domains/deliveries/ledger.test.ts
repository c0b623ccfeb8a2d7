import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptStart, Ledger } from '../../gateways/send/index.ts';
import { createDatabase } from '../../platform/db/index.ts';
import { createLedger } from './ledger.ts';

let fixture: RunFixture;
let ledger: Ledger;
let runId: number;
let dueAt: Date;
let recipientIds: number[];
beforeAll(async () => {
  fixture = await startRunFixture();
  ledger = createLedger(createDatabase(fixture.svc.database));
  recipientIds = [await fixture.addRecipient(), await fixture.addRecipient(), await fixture.addRecipient()];
  const queryId = await fixture.addQuery('select id from orders');
  const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
  const run = await fixture.runNow(id);
  runId = run.id;
  dueAt = new Date(String(run['dueAt']));
});
afterAll(() => fixture.close());

const startOf = (index: number, attempt: number): AttemptStart => {
  const recipientId = recipientIds[index] ?? 0;
  return {
    delivery: { run: { id: runId, dueAt }, messageNo: 0, recipientId, attempt },
    messageId: `run-${runId}-${recipientId}`,
  };
};

const statesOf = async (attempt: number) => {
  const { rows } = await fixture.svc.database.query<{ recipientId: number; state: string }>(
    'select recipient_id as "recipientId", state from svc.deliveries where run_id = $1 and attempt = $2',
    [runId, attempt],
  );
  const states = new Map(rows.map(({ recipientId, state }) => [recipientId, state]));
  return recipientIds.map((id) => states.get(id));
};

test('a withdrawn attempt has no row, or is queued again if it was ordered', async () => {
  await fixture.svc.database.query(
    `insert into svc.deliveries (run_id, run_due_at, recipient_id, attempt, state, origin, message_id, due_at)
     select id, due_at, $2, 5, 'Queued', 'Resend', 'm', now() from svc.runs where id = $1`,
    [runId, recipientIds[1]],
  );
  const starts = [0, 1, 2].map((index) => startOf(index, 5));
  expect(await Promise.all(starts.map(ledger.begin))).toEqual(['Started', 'Started', 'Started']);
  expect(await statesOf(5)).toEqual(['Sending', 'Sending', 'Sending']);
  await Promise.all(starts.slice(0, 2).map(ledger.withdraw));
  expect(await statesOf(5)).toEqual([undefined, 'Queued', 'Sending']);
  // The process that resumes the run makes both attempts.
  expect(await Promise.all(starts.map(ledger.begin))).toEqual(['Started', 'Started', 'AlreadyAttempted']);
});

test('an attempt that has ended or is Unknown is not withdrawn', async () => {
  const before = await statesOf(1);
  expect(before).toEqual(['Sent', 'Sent', 'Sent']);
  const start = startOf(0, 6);
  await ledger.begin(start);
  await fixture.svc.database.query(
    `update svc.deliveries set state = 'Unknown' where run_id = $1 and attempt = 6`,
    [runId],
  );
  await Promise.all([start, startOf(0, 1), startOf(1, 1)].map(ledger.withdraw));
  expect(await statesOf(1)).toEqual(before);
  expect(await statesOf(6)).toEqual(['Unknown', undefined, undefined]);
});

test('an attempt that several callers begin simultaneously is started once', async () => {
  const other = createLedger(createDatabase(fixture.svc.database));
  const starts = [0, 1, 2].map((index) => startOf(index, 7));
  const asked = [ledger, other, ledger, other].flatMap(({ begin }) => starts.map(begin));
  const answers = await Promise.all(asked);
  for (const place of starts.keys()) {
    const own = answers.filter((_, index) => index % starts.length === place);
    expect(own.toSorted()).toEqual(['AlreadyAttempted', 'AlreadyAttempted', 'AlreadyAttempted', 'Started']);
  }
});
