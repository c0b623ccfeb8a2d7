import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { postgresAddress } from '@svc/testkit/database/gate.ts';
import { hasPgBouncer, startPgBouncer } from '@svc/testkit/database/pooling-proxy.ts';
import { openSilentProxy } from '@svc/testkit/database/silent-proxy.ts';
import { encryptionKey } from '@svc/testkit/service/service.ts';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inWords } from '../commands/failure.ts';
import { runCommand } from '../program.ts';
import { startHost } from '../start.ts';

type Connection = TestDatabase['connection'];

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

async function onDatabase<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return work(client).finally(() => client.end());
}

const urlOf = ({ user, password, host, port, database }: Connection): string =>
  `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
const environment = (url: string) => ({
  Svc__Database__ConnectionString: url,
  Svc__EncryptionKey: encryptionKey,
  Svc__Host__Port: '0',
  Svc__Logging__Level: 'silent',
});

/** Starts the service. @returns its output, and the message of its refusal. */
async function start(url: string, onSay: (line: string) => void = () => undefined) {
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    onSay(line);
  };
  try {
    const host = await startHost({ env: environment(url), withDemo: false, say });
    await host.close();
    return { said, refusal: undefined };
  } catch (error) {
    return { said, refusal: (inWords(error) as Error).message };
  }
}

const schemasOf = (connection: Connection): Promise<number> =>
  onDatabase(connection, async (client) => {
    const { rowCount } = await client.query("select from pg_namespace where nspname like 'svc%'");
    return rowCount ?? 0;
  });

describe.runIf(hasPgBouncer())('a start behind a proxy that pools by transaction', () => {
  test.each([
    ['refuses settings of the service', [], 'Connections: ', 'ignore_startup_parameters = statement_timeout'],
    [
      'ignores them',
      ['statement_timeout', 'idle_in_transaction_session_timeout', 'extra_float_digits'],
      'Session: A proxy pools by transaction',
      'pool_mode = session',
    ],
  ])('is refused with the remedy and writes nothing if the proxy %s', async (_how, ignores, text, remedy) => {
    const database = await emptyDatabase();
    const proxy = await startPgBouncer(database, { poolMode: 'transaction', ignores });
    onTestFinished(proxy.stop);
    const { refusal } = await start(urlOf(proxy.connection));
    expect(refusal).toContain(text);
    expect(refusal).toContain(remedy);
    expect(await schemasOf(database.connection)).toBe(0);
  });
});

test('a start without the privilege CREATE on the database fails and names the missing privilege', async () => {
  const database = await emptyDatabase();
  const { database: name } = database.connection;
  await onDatabase(database.adminConnection, async (client) => {
    await client.query(`alter database ${name} owner to postgres`);
    await client.query(`revoke create on database ${name} from public, ${database.connection.user}`);
  });
  const { refusal } = await start(urlOf(database.connection));
  expect(refusal).toContain(`lacks the privilege CREATE on database ${name}.`);
  expect(refusal).toContain(`grant create on database ${name} to ${database.connection.user}`);
});

test('a start waits while PostgreSQL is unavailable, and reports each attempt', async () => {
  const database = await emptyDatabase();
  const proxy = await openSilentProxy(postgresAddress(database.connection));
  await proxy.stop();
  let opening: Promise<void> | undefined;
  const { said, refusal } = await start(
    urlOf({ ...database.connection, host: '127.0.0.1', port: proxy.port }),
    (line) => {
      if (!line.includes('(attempt 2)')) return;
      opening = openSilentProxy(postgresAddress(database.connection), proxy.port).then((opened) =>
        onTestFinished(opened.stop),
      );
    },
  );
  await opening;
  expect(refusal).toBeUndefined();
  expect(said).toContainEqual(
    expect.stringMatching(/^PostgreSQL is unavailable \(attempt 1\): .*ECONNREFUSED/),
  );
});

test.each<[what: string, change: Partial<Connection>, message: RegExp]>([
  ['a wrong password', { password: 'wrong' }, /password authentication failed/],
  ['a missing database', { database: 'nowhere' }, /database "nowhere" does not exist/],
])('a start does not wait for %s', async (_what, change, message) => {
  const { connection } = await emptyDatabase();
  const { said, refusal } = await start(urlOf({ ...connection, ...change }));
  expect(refusal).toMatch(message);
  expect(said.filter((line) => line.includes('unavailable'))).toEqual([]);
});

test('config check lists all faults of the settings in one message', async () => {
  const say = () => undefined;
  const env = { Svc__Nonsense: '1', Svc__Host__Port: 'many', Svc__Logging__Level: 'loud' };
  const context = { env, say, rewrite: undefined, answer: say };
  const failure = await runCommand(['config', 'check'], context, async () => undefined).catch(
    (error) => error,
  );
  for (const key of ['Svc:Nonsense', 'Svc:Host:Port', 'Svc:Logging:Level'])
    expect(failure.message).toContain(key);
});

test('config check lists settings that contradict each other and a failed database connection', async () => {
  const { connection } = await emptyDatabase();
  const say = () => undefined;
  const env = {
    ...environment(urlOf({ ...connection, password: 'wrong' })),
    Svc__EncryptionKey: 'short',
    Svc__Authentication__Jwt__EnableBearerAuthentication: 'true',
  };
  const context = { env, say, rewrite: undefined, answer: say };
  const failure = await runCommand(['config', 'check'], context, async () => undefined).catch(
    (error) => error,
  );
  expect(failure.message).toMatch(/Svc:EncryptionKey/);
  expect(failure.message).toMatch(/Svc:Authentication:Jwt/);
  expect(failure.message).toMatch(/PostgreSQL: No connection: password authentication failed/);
});

test.each([
  ['permission denied for schema svc', 'it needs USAGE and CREATE on schema svc.'],
  ['permission denied for table runs', 'it needs SELECT, INSERT, UPDATE, DELETE and TRUNCATE on table runs.'],
  ['must be owner of table runs', 'must own table runs.'],
  ['permission denied to create extension "x"', 'permission denied to create extension "x".'],
])('a command that fails with "%s" names the missing privilege', (message, named) => {
  const error = Object.assign(new Error(message), { code: '42501' });
  expect((inWords(error) as Error).message).toContain(named);
});
