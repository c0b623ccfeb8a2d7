import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import {
  edited,
  exported,
  planAndApply,
} from '../../../packages/server/src/domains/definitions/testing/records.ts';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['RT-4.3-11'],
  'only the admins of a project and a UserAdmin can manage its members',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'member-owner', ['Editor']));
    const userAdmin = await signIn(svc, await addUser(svc, 'member-user-admin', ['UserAdmin']));
    const editor = await signIn(svc, await addUser(svc, 'member-editor', ['Editor']));
    const securityAdmin = await signIn(svc, await addUser(svc, 'member-security', ['SecurityAdmin']));
    for (const userName of ['joins-1', 'joins-2', 'joins-3']) await addUser(svc, userName, ['Viewer']);
    const members = `${projects}/${await addProject(owner, 'Members')}/members`;
    for (const [index, manager] of [owner, userAdmin, root].entries()) {
      const added = await manager.post(members, { userName: `joins-${index + 1}`, role: 'Viewer' });
      expect(added.status, added.text).toBe(201);
      const { userId } = added.read<{ userId: number }>();
      expect((await manager.put(`${members}/${userId}`, { role: 'Editor' })).status).toBe(200);
      expect((await manager.get(members)).text).toContain(`joins-${index + 1}`);
      expect((await manager.delete(`${members}/${userId}`)).status).toBe(204);
    }
    for (const other of [editor, securityAdmin]) {
      expect((await other.get(members)).status).toBe(403);
      expect((await other.post(members, { userName: 'joins-1', role: 'Viewer' })).status).toBe(403);
    }
  },
);

scenario(
  ['RT-4.3-15'],
  'the token of a project’s repository can be set by a SecurityAdmin, and not by a writer of the project',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'code-owner', ['Editor']));
    const securityAdmin = await signIn(svc, await addUser(svc, 'code-security', ['SecurityAdmin']));
    const userAdmin = await signIn(svc, await addUser(svc, 'code-user-admin', ['UserAdmin']));
    const list = `${projects}/${await addProject(owner, 'Code')}/repositories`;
    const { body } = await owner.post(list, { url: 'https://git.example.org/shop.git' });
    const hasToken = async () => (await owner.get(list)).body.items[0].hasToken;
    const set = (as: typeof root, token: string | null) =>
      as.put(`${projects}/repositories/${body.id}/token`, { token });
    for (const other of [owner, userAdmin]) expect((await set(other, 'x')).status).toBe(403);
    expect(await hasToken()).toBe(false);
    for (const admin of [securityAdmin, root]) {
      expect((await set(admin, 'x')).status).toBe(204);
      expect(await hasToken()).toBe(true);
      expect((await set(admin, null)).status).toBe(204);
      expect(await hasToken()).toBe(false);
    }
  },
);

scenario(
  ['RT-4.3-12', 'RT-4.3-13'],
  'a UserAdmin can restrict a project; reopening it, manually or from its file, needs an Admin',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'mode-owner', ['Editor']));
    const userAdmin = await signIn(svc, await addUser(svc, 'mode-user-admin', ['UserAdmin']));
    const project = `${projects}/${await addProject(owner, 'Modes')}`;
    const mode = `${project}/access-mode`;
    expect((await owner.put(mode, { accessMode: 'Restricted' })).status).toBe(403);
    expect((await userAdmin.put(mode, { accessMode: 'Restricted' })).status).toBe(204);
    expect((await userAdmin.put(mode, { accessMode: 'Open' })).status).toBe(403);
    expect((await owner.put(mode, { accessMode: 'Open' })).status).toBe(403);
    const others = ['SecurityAdmin', 'DataSourceAdmin', 'Auditor', 'Approver', 'MigrationOperator'] as const;
    for (const role of others) {
      const other = await signIn(svc, await addUser(svc, `mode-${role.toLowerCase()}`, [role]));
      expect([role, (await other.put(mode, { accessMode: 'Open' })).status]).toEqual([role, 403]);
    }
    const admin = await signIn(svc, await addUser(svc, 'mode-admin', ['Admin']));
    for (const opener of [root, admin]) {
      expect((await root.get(project)).body).toMatchObject({ accessMode: 'Restricted' });
      expect((await opener.put(mode, { accessMode: 'Open' })).status).toBe(204);
      expect((await root.get(project)).body).toMatchObject({ accessMode: 'Open' });
      expect((await userAdmin.put(mode, { accessMode: 'Restricted' })).status).toBe(204);
    }

    const keeper = await signIn(svc, await addUser(svc, 'mode-keeper', ['Editor', 'UserAdmin']));
    const kept = await addProject(keeper, 'Kept modes');
    await restrict(keeper, kept);
    const restricted = await exported(keeper, { projects: ['kept-modes'], kinds: ['Project'] });
    const open = edited(restricted, 'projects/kept-modes/project.yaml', (content) =>
      content.replace('accessMode: Restricted', 'accessMode: Open'),
    );
    expect(await planAndApply(keeper, open)).toMatchObject([{ outcome: 'NotAllowed' }]);
    expect((await root.get(`${projects}/${kept}`)).body).toMatchObject({ accessMode: 'Restricted' });
    expect(await planAndApply(admin, open)).toMatchObject([{ outcome: 'Done' }]);
    expect((await root.get(`${projects}/${kept}`)).body).toMatchObject({ accessMode: 'Open' });
  },
);

scenario(
  ['RT-7-05'],
  'if two users add the same member simultaneously, one gets a 409 problem',
  async ({ svc, root }) => {
    await addUser(svc, 'raced', ['Viewer']);
    const members = `${projects}/${await addProject(root, 'Race')}/members`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => root.post(members, { userName: 'raced', role: 'Viewer' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(lost?.body).toMatchObject({ status: 409 });
  },
);

scenario(['RT-4.3-04'], 'an Admin has every functional permission', async ({ svc, root }) => {
  const admin = await signIn(svc, await addUser(svc, 'all-permissions', ['Admin']));
  const names = ['Approver', 'Auditor', 'DataSourceAdmin', 'MigrationOperator', 'SecurityAdmin', 'UserAdmin'];
  for (const browser of [admin, root])
    expect((await browser.get('/svc/api/auth/permissions')).body).toMatchObject({ permissions: names });
  expect((await admin.get('/svc/api/users')).status).toBe(200);
  expect((await admin.get('/svc/api/api-keys/admin')).status).toBe(200);
});

scenario(
  ['RT-1-01', 'RT-0-01'],
  'every described path except the discovery documents is below /svc',
  async ({ root }) => {
    const { paths } = (await root.get('/openapi/v1.json')).read<{ paths: Record<string, unknown> }>();
    expect(Object.keys(paths).filter((path) => !/^\/(svc|\.well-known)\//.test(path))).toEqual([]);
  },
);
