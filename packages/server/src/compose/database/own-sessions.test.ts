import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openRetentionSessions, openWatchdogSessions } from './own-sessions.ts';

const log = pino({ level: 'silent' });

test.each([
  ['retention', openRetentionSessions, 3_600_000],
  ['watchdogs', openWatchdogSessions, 8_000],
])(
  'the database sessions of %s have their own statement timeout',
  async (_name, open, statementTimeoutMs) => {
    const testDatabase = await createEmptyDatabase();
    onTestFinished(() => testDatabase.drop());
    const sessions = open({ connection: testDatabase.connection, log });
    const { rows } = await sessions.database.query<{ ms: number }>(
      `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
    );
    await sessions.close();
    expect(rows).toEqual([{ ms: statementTimeoutMs }]);
  },
);

test('a running service opens these sessions in addition to its pools', async () => {
  const svc = await startService();
  onTestFinished(() => svc.close());
  const names = async () =>
    (
      await svc.sql<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity
          where datname = current_database() and application_name like 'svc %' order by name`,
      )
    ).map(({ name }) => name);
  await expect.poll(names).toEqual(expect.arrayContaining(['svc retention', 'svc watchdog']));
});
