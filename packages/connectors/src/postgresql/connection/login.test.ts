import { randomBytes } from 'node:crypto';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector, type PostgresqlOptions } from '../index.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { readerRoleScript } from './login.ts';

const limits = { maxRows: 1_000, maxBytes: 1_000_000, maxCellBytes: 100_000 };
/** Roles belong to the whole server, which other test files also use. */
const prefix = `login_${randomBytes(4).toString('hex')}`;
const password = 'a password of the tests';
let database: TestDatabase;
let admin: pg.Client;
const roles: string[] = [];
const closing: (() => void)[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
});
afterAll(async () => {
  for (const close of closing) close();
  for (const role of roles.toReversed()) await admin.query(`drop owned by ${role}; drop role ${role}`);
  await admin.end();
  await database.drop();
});

/** Creates a role with this name and runs further statements. `$role` means the role, `$name` means `prefix_name`. */
async function makeRole(name: string, sql = ''): Promise<PostgresqlConnection> {
  const role = `${prefix}_${name}`;
  await admin.query(`create role ${role} login password '${password}'`);
  roles.push(role);
  await admin.query(sql.replaceAll('$role', role).replaceAll('$', `${prefix}_`));
  return { ...database.connection, user: role, password, host: testHost, tlsMode: 'Disable' };
}

function start(options: PostgresqlOptions = {}) {
  const connector = createPostgresqlConnector({ keepConnections: { idleMs: 60_000 }, ...options });
  closing.push(connector.close);
  return connector;
}

const options = () => ({
  ...limits,
  dial: databaseDial(database.connection),
  signal: new AbortController().signal,
  timeoutMs: 60_000,
});
const refused = { code: 'privileged-login' };

/** Rights beyond a reader's, and the statements that grant them to a reader. */
const privileged: readonly (readonly [string, string])[] = [
  ['superuser', 'alter role $role superuser'],
  ['pg_read_server_files', 'grant pg_read_server_files to $role'],
  ['pg_write_server_files', 'grant pg_write_server_files to $role'],
  ['pg_execute_server_program', 'grant pg_execute_server_program to $role'],
  ['noinherit', 'alter role $role noinherit; grant pg_read_server_files to $role'],
  ['set_only', 'grant pg_write_server_files to $role with inherit false, set true'],
  ['by_another', 'grant pg_execute_server_program to $group; grant $group to $role'],
  ['may_become_superuser', 'grant $boss to $role with inherit false, set true'],
  ['set_at_sign_in', 'grant $group, $plain to $role; alter role $role set role = $plain'],
];

describe('a privileged PostgreSQL login', () => {
  beforeAll(async () => {
    await makeRole('plain');
    await makeRole('boss', 'alter role $role superuser nologin');
    await makeRole('group', 'grant pg_execute_server_program to $role; alter role $role nologin');
  });

  it.each(privileged)('is refused by every call: %s', async (name, sql) => {
    const connection = await makeRole(name, sql);
    const connector = start();
    await expect(connector.execute(connection, { sql: 'select 1' }, options())).rejects.toMatchObject(
      refused,
    );
    const few = { ...options(), rowsWanted: 10 };
    await expect(connector.execute(connection, { sql: 'select 1' }, few)).rejects.toMatchObject(refused);
    await expect(connector.readMetadata(connection, options())).rejects.toMatchObject(refused);
    expect(await connector.testConnection(connection, options())).toMatchObject({
      isOk: false,
      error: refused,
    });
  });

  it.each(privileged)('is used with a warning if the settings accept it: %s', async (name) => {
    const role = `${prefix}_${name}`;
    const connection = {
      ...database.connection,
      user: role,
      password,
      host: testHost,
      tlsMode: 'Disable' as const,
      acceptPrivilegedLogin: true,
    };
    const connector = start();
    expect(await rowsOf(await connector.execute(connection, { sql: 'select 1' }, options()))).toEqual([[1]]);
    await connector.readMetadata(connection, options());
    const test = await connector.testConnection(connection, options());
    const code = name.includes('superuser') ? 'superuser' : 'reads-server-files';
    expect(test).toMatchObject({
      isOk: true,
      warnings: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  it('is refused if the settings explicitly do not accept it', async () => {
    const connection = {
      ...(await makeRole('said', 'alter role $role superuser')),
      acceptPrivilegedLogin: false,
    };
    await expect(start().execute(connection, { sql: 'select 1' }, options())).rejects.toMatchObject(refused);
  });
});

describe('an ordinary PostgreSQL login', () => {
  it('is accepted regardless of its rights to write or create', async () => {
    const connection = await makeRole('writer', 'alter role $role createdb createrole replication bypassrls');
    expect(await rowsOf(await start().execute(connection, { sql: 'select 1' }, options()))).toEqual([[1]]);
    expect(await start().testConnection(connection, options())).toMatchObject({ isOk: true });
  });
});

describe('the check of login rights', () => {
  const run = async (
    connector: ReturnType<typeof start>,
    connection: PostgresqlConnection,
    noteLogin?: (isPrivileged: boolean) => void,
  ) => rowsOf(await connector.execute(connection, { sql: 'select 1' }, { ...options(), noteLogin }));

  it('runs once per pool, not for each run or connection', async () => {
    const connection = await makeRole('asked_once');
    const connector = start({ keepConnections: { idleMs: 0 } });
    await run(connector, connection);
    await admin.query(`alter role ${connection.user} superuser`);
    expect(await run(connector, connection)).toEqual([[1]]);
    // A new process, or a save, queries the rights again.
    await expect(run(start(), connection)).rejects.toMatchObject(refused);
    expect(await connector.testConnection(connection, options())).toMatchObject({ error: refused });
    await expect(run(connector, connection)).rejects.toMatchObject(refused);
  });

  it('runs again after a refusal, so a corrected role works immediately', async () => {
    const connection = await makeRole('mended', 'alter role $role superuser');
    const connector = start();
    await expect(run(connector, connection)).rejects.toMatchObject(refused);
    await admin.query(`alter role ${connection.user} nosuperuser`);
    expect(await run(connector, connection)).toEqual([[1]]);
  });

  it('notifies a tolerant caller in each run, and refuses the login for other callers', async () => {
    const connection = await makeRole('tolerated', 'grant pg_read_server_files to $role');
    const connector = start();
    const notes: boolean[] = [];
    const note = (isPrivileged: boolean) => notes.push(isPrivileged);
    await run(connector, connection, note);
    await run(connector, connection, note);
    expect(notes).toEqual([true, true]);
    await expect(run(connector, connection)).rejects.toMatchObject(refused);
    await run(connector, await makeRole('harmless'), note);
    expect(notes).toEqual([true, true, false]);
    expect(await connector.testConnection(connection, { ...options(), noteLogin: note })).toMatchObject({
      isOk: true,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'reads-server-files' })]),
    });
  });

  it('refuses the login if the server does not return its rights', async () => {
    const connection = await makeRole('silent');
    await admin.query('revoke select on pg_catalog.pg_roles from public');
    try {
      await expect(run(start(), connection)).rejects.toMatchObject(refused);
    } finally {
      await admin.query('grant select on pg_catalog.pg_roles to public');
    }
  });
});

describe('the PostgreSQL role script', () => {
  it('creates a login that can read and is accepted, in a database with any name', async () => {
    const unusualName = `${prefix} "odd"; --`;
    const quotedName = `"${unusualName.replaceAll('"', '""')}"`;
    await admin.query(`create database ${quotedName} template template0`);
    const inside = new pg.Client({ ...database.adminConnection, database: unusualName });
    await inside.connect();
    const role = `${prefix}_reader`;
    try {
      await inside.query('create table public.customer as select 1 as id');
      await inside.query(readerRoleScript(unusualName).replaceAll('svc_reader', role));
      const connection: PostgresqlConnection = {
        ...database.connection,
        database: unusualName,
        user: role,
        password: 'choose a password',
        host: testHost,
        tlsMode: 'Disable',
      };
      const connector = start({ keepConnections: { idleMs: 0 } });
      const read = connector.execute(connection, { sql: 'select id from customer' }, options());
      expect(await rowsOf(await read)).toEqual([[1]]);
      const test = await connector.testConnection(connection, options());
      expect(test.isOk && test.warnings.map(({ code }) => code)).toEqual(['not-encrypted']);
    } finally {
      await inside.query(`drop owned by ${role}; drop role ${role}`);
      await inside.end();
      await admin.query(`drop database ${quotedName} with (force)`);
    }
  });
});
