import { addKey, addUser, setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { password } from '@svc/testkit/people/users.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const login = '/svc/api/auth/login';
const off = { 'Svc:UserManagement:LocalLogin:Enabled': false };
const names = 'Svc:UserManagement:LocalLogin:BreakGlassUserNames';
const as = (username: string) => ({ username, password, rememberMe: false });

scenario(
  ['ID-2.6-04', 'ID-2.6-05', 'ID-5.3-03', 'ID-5.3-04'],
  'with local login off, only the break-glass users can sign in with a password, and names are case-sensitive',
  async ({ start }) => {
    const svc = await start();
    await setUp(svc);
    await addUser(svc, 'Glass', ['Viewer']);
    await addUser(svc, 'Pane', ['Viewer']);
    await addUser(svc, 'other', ['Admin']);
    for (const name of ['glass', 'pane'])
      expect([name, (await svc.client().post(login, as(name))).status]).toEqual([name, 200]);
    const shut = await svc.replica({ ...off, [names]: ['Glass', 'pane', 'nobody'] });
    expect((await shut.client().post(login, as('Glass'))).status).toBe(200);
    for (const name of ['glass', 'GLASS', 'Pane', 'pane', 'nobody', 'other', 'root'])
      expect([name, (await shut.client().post(login, as(name))).status]).toEqual([name, 401]);
  },
);

scenario(['ID-5.3-05'], 'a disabled or archived break-glass user cannot sign in', async ({ start }) => {
  const svc = await start();
  await setUp(svc);
  await addUser(svc, 'Off', ['Admin']);
  await addUser(svc, 'Gone', ['Admin']);
  await svc.sql("update svc.users set is_enabled = false where user_name = 'Off'");
  await svc.sql("update svc.users set archived_at = now() where user_name = 'Gone'");
  const shut = await svc.replica({ ...off, [names]: ['Off', 'Gone'] });
  for (const name of ['Off', 'Gone']) expect((await shut.client().post(login, as(name))).status).toBe(401);
});

scenario(['ID-5.3-07'], 'each break-glass sign-in logs a warning with event id 7119', async ({ start }) => {
  const svc = await start();
  await setUp(svc);
  await addUser(svc, 'Glass', ['Viewer']);
  const shut = await svc.replica({ ...off, [names]: ['Glass'] });
  await shut.client().post(login, as('Glass'));
  await shut.client().post(login, as('Glass'));
  const entries = shut.log.filter(({ eventId }) => eventId === 7119);
  expect(entries).toHaveLength(2);
  expect(entries[0]?.level).toBe(logLevel.warn);
  expect(JSON.stringify(entries[0])).toContain('BreakGlassSignIn');
});

scenario(
  ['ID-5.3-06', 'ID-8-05'],
  'a fourth break-glass name prevents the start, and the error contains the name of the setting',
  async ({ start }) => {
    await expect(start({ ...off, [names]: ['a', 'b', 'c', 'd'] })).rejects.toThrow(names);
    await start({ [names]: ['a', 'b', 'c'] });
  },
);

scenario(['ID-5.3-08'], 'the service does not start if no user could sign in', async ({ start }) => {
  await expect(start(off)).rejects.toThrow(/LocalLogin/);
});

scenario(['ID-6-07'], 'break-glass sign-ins and refused keys are logged as warnings', async ({ start }) => {
  const svc = await start();
  const root = await setUp(svc);
  const project = await addProject(root, 'Logged');
  await addUser(svc, 'Glass', ['Viewer']);
  const key = await addKey(root, { scopes: ['Read'], projects: [project] });
  await root.delete(`/svc/api/api-keys/${key.id}`);
  const shut = await svc.replica({ ...off, [names]: ['Glass'] });
  await shut.client().post(login, as('Glass'));
  await shut.client(`Bearer ${key.text}`).get('/svc/api/projects');
  const warnings = shut.log.filter(({ level }) => level === logLevel.warn);
  expect(warnings.map(({ eventId, reason }) => eventId ?? reason)).toEqual([7119, 'revoked']);
});

scenario(
  ['ID-4-07', 'ID-5.3-01', 'RT-4.2-05'],
  'with local login off and no break-glass name, the sign-in route does not exist',
  async ({ start }) => {
    const svc = await start();
    await setUp(svc);
    expect((await svc.client().post(login, as('root'))).status).toBe(200);
    const elsewhere = { 'Svc:Authentication:ExternalLogin:LoginUrl': 'https://app.example.com/login' };
    const shut = await svc.replica({ ...off, ...elsewhere });
    expect((await shut.client().post(login, as('root'))).status).toBe(404);
    const glass = await svc.replica({ ...off, ...elsewhere, [names]: ['Glass'] });
    expect((await glass.client().post(login, as('root'))).status).toBe(401);
  },
);
