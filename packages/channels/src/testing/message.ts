import type { Message } from '../message/message.ts';

/** Creates a message with every optional member. */
export function testMessage(changes: Partial<Message> = {}): Message {
  return {
    subscriptionName: 'Late orders',
    subscriptionId: 42,
    dataSourceName: 'Shop',
    queryText: 'select id, name, total from orders',
    totalRows: 120,
    columns: ['id', 'name', 'total'],
    rows: [
      [1, 'Ada', 10.5],
      [2, 'Bob', null],
    ],
    executionTimeMs: 1234.5,
    previousCount: 7,
    timedOut: false,
    anomaly: { isAnomaly: true, severity: 'High', explanation: 'Three times the usual count.' },
    notificationUrl: 'https://svc.example.com/svc/notifications/9',
    timestamp: new Date('2026-03-04T05:06:07.089Z'),
    ...changes,
  };
}

/** Creates the same message without optional members. */
export function bareMessage(changes: Partial<Message> = {}): Message {
  return {
    subscriptionName: 'Late orders',
    dataSourceName: 'Shop',
    totalRows: 0,
    columns: [],
    rows: [],
    timedOut: false,
    timestamp: new Date('2026-03-04T05:06:07.089Z'),
    ...changes,
  };
}
