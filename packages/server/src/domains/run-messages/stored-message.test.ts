import { chatBlocksChannel, type Message } from '@svc/channels';
import { expect, test } from 'vitest';
import { createKeyRing, seal, systemRandomness } from '../../platform/crypto/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { createFrozenMessages } from './frozen-messages.ts';

const keys = createKeyRing({ encryptionKey: 'encryption-key-of-the-tests-0123456789' });
const frozen = createFrozenMessages({
  // Messages without a file are opened without the database.
  executor: {} as Executor,
  keys,
  random: systemRandomness,
  fileBytesMax: 1,
});
const key = { run: { id: 7, dueAt: new Date('2026-11-20T08:00:00Z') }, messageNo: 0 };
const place = { table: 'runs', column: 'message_sealed', rowId: 7 };

/** All members of a message. A new or renamed member does not compile without an entry here. */
const complete: Required<Omit<Message, 'attachment'>> = {
  subscriptionName: 'Orders',
  subscriptionId: 3,
  dataSourceName: 'Shop',
  queryText: 'select 1',

  totalRows: 2,
  columns: ['rule'],
  columnKinds: ['plain'],
  rows: [['Total'], ['Status']],
  timedOut: false,
  failedRules: { violationCount: 183 } satisfies Required<NonNullable<Message['failedRules']>>,
  executionTimeMs: 5,
  previousCount: 1,
  notificationUrl: 'https://svc.example/notifications/7',
  anomaly: { isAnomaly: true, severity: 'Critical', explanation: 'More rows than usual.' },
  alert: { state: 'Firing', since: '2026-11-20T08:00:00.000Z', news: 'Opened' },
  rowChanges: { new: 1, changed: 1, vanished: 0 },
  timestamp: new Date('2026-11-20T08:00:01Z'),
};

test('a stored message is opened with all its members', () => {
  expect(frozen.open(key, frozen.seal(key, complete))).toEqual(complete);
});

test('a message of a data contract that an earlier version stored keeps its count of violations', () => {
  const { alert: _alert, rowChanges: _changes, ...contract } = complete;
  const earlier = JSON.stringify({ ...contract, failedRules: { rowCount: 183 } });
  const message = frozen.open(key, seal(keys, earlier, place, systemRandomness));
  expect(message.failedRules).toEqual({ violationCount: 183 });
  expect(chatBlocksChannel.preview({ message }).body).toContain('2 rules did not pass, with 183 violations');
});

test('a message of a data contract whose rules count no violations is opened without a count', () => {
  const { failedRules } = frozen.open(key, frozen.seal(key, { ...complete, failedRules: {} }));
  expect(failedRules).toEqual({});
});
