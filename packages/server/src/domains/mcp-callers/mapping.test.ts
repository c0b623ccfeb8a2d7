import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig, type McpCallers } from '../../platform/config/index.ts';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { mapCaller } from './access.ts';
import { createMcpCallers } from './service.ts';

const key = 'Svc:Mcp:Callers';
const mapping: McpCallers = {
  AllowedTenants: ['t1'],
  Systems: [
    { Name: 'ci', ClientId: 'client-1', ProjectIds: [1], Scope: 'Read' },
    { Name: 'bot', ObjectId: 'object-1', ProjectIds: [2, 3] },
  ],
  Users: {
    Enabled: true,
    RequiredRoles: ['mcp'],
    ProjectIds: [4],
    GroupProjects: { g1: [5], other: [6] },
    DefaultRoleName: 'Viewer',
  },
};
const app = { tid: 't1', sub: 's', idtyp: 'app', azp: 'client-1' };
const person = { tid: 't1', sub: 'p', scp: 'access', azp: 'client-1', roles: ['mcp'] };

describe('the mapping', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['a system by its client', app, { kind: 'system', name: 'ci', scope: 'Read', projectIds: [1] }],
    [
      'a system by its object id, first',
      { ...app, oid: 'object-1' },
      { kind: 'system', name: 'bot', scope: 'Execute' },
    ],
    ['a person', person, { kind: 'user', scope: 'Execute', projectIds: [4] }],
    ['a person with a group', { ...person, groups: ['g1'] }, { kind: 'user', projectIds: [4, 5] }],
    ['another tenant', { ...app, tid: 't2' }, { kind: 'refused' }],
    ['no tenant', { ...app, tid: undefined }, { kind: 'refused' }],
    ['an app that also claims to act for a person', { ...app, scp: 'access' }, { kind: 'refused' }],
    ['an unknown app', { ...app, azp: 'client-2' }, { kind: 'refused' }],
    ['a person without the role', { ...person, roles: [] }, { kind: 'refused' }],
    ['a person at a system’s client is a person', { ...person, oid: 'object-1' }, { kind: 'user' }],
  ])('%s', (_name, claims, expected) => {
    expect(mapCaller(mapping, claims)).toMatchObject(expected);
  });

  test.each([
    { Systems: [{ Name: 'a', ProjectIds: [1] }] },
    { Systems: [{ Name: 'a', ClientId: 'x', ObjectId: 'y', ProjectIds: [1] }] },
    { Systems: [{ Name: 'a', ClientId: 'x', ProjectIds: [0] }] },
    { Systems: ['a', 'a'].map((Name) => ({ Name, ClientId: 'x', ProjectIds: [1] })) },
    { Users: { Enabled: true } },
    { Users: { Enabled: true, RequiredRoles: ['x'], DefaultRoleName: 'Admin' } },
    { Unknown: 1 },
    'not json',
  ])('the setting %o stops the start', (value) => {
    expect(() => loadConfig({ values: { [key]: value } })).toThrow(key);
  });
});

describe('users of the mapping', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let isSetupOpen = false;
  beforeAll(async () => {
    testDatabase = await createMigratedDatabase();
    database = createDatabase(openPool({ connection: testDatabase.connection, max: 4 }));
  });
  afterAll(async () => {
    await database.pool.end();
    await testDatabase.drop();
  });

  const callerOf = (claims: Record<string, unknown>) =>
    createMcpCallers({
      database,
      log: pino({ level: 'silent' }),
      mapping,
      isSetupOpen: () => isSetupOpen,
      tokens: {
        verify: async () => ({ issuer: 'https://idp', subject: String(claims['sub']), claims }),
        noteUse: async () => undefined,
      },
    }).callerOf('token');

  test('are not created before the setup is complete', async () => {
    isSetupOpen = true;
    await expect(callerOf(person)).rejects.toMatchObject({ status: 403 });
    isSetupOpen = false;
  });

  test('get the default role, and the scope Execute only while they have write access', async () => {
    const caller = await callerOf(person);
    expect(caller).toMatchObject({ kind: 'mcpCaller', role: 'Viewer', allowedProjectIds: [4] });
    expect([...(caller.scopes ?? [])]).toEqual(['Read']);
    await setRoles(database.pool, caller.userId ?? 0, ['Editor', 'Auditor']);
    const editor = await callerOf(person);
    expect(editor.userId).toBe(caller.userId);
    expect([...(editor.scopes ?? [])]).toEqual(['Read', 'Execute']);
    expect([...editor.permissions]).toEqual([]);
  });

  test('are refused while they are disabled', async () => {
    const { userId } = await callerOf({ ...person, sub: 'q' });
    await database.query('update svc.users set is_enabled = false where id = $1', [userId]);
    await expect(callerOf({ ...person, sub: 'q' })).rejects.toMatchObject({ status: 401 });
  });

  test('do not include systems', async () => {
    expect(await callerOf(app)).toMatchObject({
      kind: 'mcpCaller',
      userId: null,
      userName: 'ci',
      allowedProjectIds: [1],
    });
  });
});
