import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { hasPgBouncer, startPgBouncer } from '@svc/testkit/database/pooling-proxy.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSvc, loadConfig } from './index.ts';

const { config } = loadConfig({
  values: { 'Svc:EncryptionKey': encryptionKey, 'Svc:Logging:Level': 'silent' },
});

describe.runIf(hasPgBouncer())('an embedding application behind a proxy that pools by transaction', () => {
  test.each([
    ['refuses settings of the service', [], 'ignore_startup_parameters = statement_timeout'],
    [
      'ignores them',
      ['statement_timeout', 'idle_in_transaction_session_timeout', 'extra_float_digits'],
      'pool_mode = session',
    ],
  ])(
    'receives the remedy from createSvc, which writes nothing, if the proxy %s',
    async (_how, ignores, remedy) => {
      const database = await createEmptyDatabase();
      onTestFinished(database.drop);
      const proxy = await startPgBouncer(database, { poolMode: 'transaction', ignores });
      onTestFinished(proxy.stop);
      await expect(createSvc({ config, database: proxy.connection })).rejects.toThrow(remedy);
      const client = new pg.Client(database.connection);
      await client.connect();
      const { rowCount } = await client.query("select from pg_namespace where nspname like 'svc%'");
      await client.end();
      expect(rowCount).toBe(0);
    },
  );
});

test('createSvc checks a usable database and creates the service', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const svc = await createSvc({ config, database: database.connection });
  expect(await svc.isReady()).toBe(true);
  await svc.close();
});
