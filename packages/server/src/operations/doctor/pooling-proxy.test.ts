import { hasPgBouncer, startPgBouncer } from '@svc/testkit/database/pooling-proxy.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { expect, onTestFinished, test } from 'vitest';
import { examineDatabase } from './examine.ts';

async function examineBehind(options: Parameters<typeof startPgBouncer>[1]) {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const proxy = await startPgBouncer(database, options);
  onTestFinished(() => proxy.stop());
  const { findings } = await examineDatabase({ connection: proxy.connection, keys: [] });
  const of = (subject: string) => findings.find((finding) => finding.subject === subject);
  return {
    server: of('PostgreSQL'),
    session: of('Session'),
    listen: of('LISTEN'),
    startup: of('Connections'),
  };
}

test.skipIf(!hasPgBouncer())(
  'a proxy that pools by session and lets settings through is reported as Well',
  async () => {
    const ignores = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    expect(await examineBehind({ poolMode: 'session', ignores })).toMatchObject({
      server: { state: 'Well' },
      session: { state: 'Well' },
      listen: { state: 'Well' },
      startup: { state: 'Well' },
    });
  },
);

test.skipIf(!hasPgBouncer())(
  'a proxy that refuses the startup parameters of the service is reported with the remedy',
  async () => {
    expect((await examineBehind({ poolMode: 'session' })).startup).toMatchObject({
      state: 'Fault',
      text: expect.stringContaining('unsupported startup parameter'),
      remedy: expect.stringContaining('ignore_startup_parameters = statement_timeout'),
    });
  },
);

test.skipIf(!hasPgBouncer()).each([
  ['many sessions', 10],
  ['one session', 1],
])('a proxy that pools by transaction is reported with the remedy: %s', async (_, sessionsMax) => {
  const { server, session } = await examineBehind({ poolMode: 'transaction', sessionsMax });
  expect(server).toMatchObject({ state: 'Well' });
  expect(session).toMatchObject({
    state: 'Fault',
    text: expect.stringContaining('A proxy pools by transaction'),
    remedy: expect.stringContaining('pool_mode = session'),
  });
});
