import { createHash } from 'node:crypto';
import type { RoleName } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const own = '/svc/api/api-keys';
const admin = '/svc/api/api-keys/admin';

type Row = Record<string, unknown> & { id: number; status: string; canRevoke: boolean };
type Page = { items: Row[]; totalCount: number; pageCount: number };

scenario(
  ['ID-2.5-19', 'ID-3.2-01', 'ID-3.2-19'],
  'the list of a user’s own keys contains name, prefix, scopes, projects, times and status',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Lists');
    const editor = await signIn(svc, await addUser(svc, 'lister', ['Editor']));
    const key = await addKey(editor, { scopes: ['Read', 'Execute'], projects: [project], name: 'Shown' });
    const row = async () => (await editor.get(own)).read<Page>().items.find(({ id }) => id === key.id);
    expect(await row()).toMatchObject({
      name: 'Shown',
      prefix: key.text.slice(0, 16),
      scopes: expect.arrayContaining(['Read', 'Execute']),
      allowedProjectIds: [project],
      createdTime: expect.any(String),
      lastUsedAt: null,
      expiresAt: expect.any(String),
      isActive: true,
    });
    await svc.client(`Bearer ${key.text}`).get('/svc/api/projects');
    await expect.poll(async () => (await row())?.['lastUsedAt']).toEqual(expect.any(String));
    await svc.sql("update svc.api_keys set expires_at = now() - interval '1 day' where id = $1", [key.id]);
    expect(await row()).toMatchObject({ isActive: false });
    await svc.sql('update svc.api_keys set expires_at = null where id = $1', [key.id]);
    expect(await row()).toMatchObject({ isActive: true, expiresAt: null });
    await editor.delete(`${own}/${key.id}`);
    expect(await row()).toMatchObject({ isActive: false });
    for (const method of ['POST', 'PUT', 'PATCH'])
      for (const path of [`${own}/${key.id}`, `${own}/${key.id}/reactivate`])
        expect([404, 405]).toContain((await editor.send(method, path, {})).status);
  },
);

scenario(
  ['ID-3.2-01'],
  'a key is inactive while its owner is disabled, archived or inactive, and becomes active again with the owner',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Follows its owner');
    const person = await addUser(svc, 'followed', ['Editor']);
    const key = await addKey(await signIn(svc, person), { scopes: ['Read'], projects: [project] });
    const strict = await svc.replica({ 'Svc:ApiKeys:MaxOwnerInactivityDays': 30 });
    const there = await signIn(strict, superAdmin);
    const status = async (client: HttpClient) =>
      (await client.get(`${admin}?userId=${person.userId}`))
        .read<Page>()
        .items.find(({ id }) => id === key.id)?.status;
    const owner = (change: string) =>
      svc.sql(`update svc.users set ${change} where id = $1`, [person.userId]);
    const states: readonly (readonly [string, string, readonly [string, string]])[] = [
      ['is_enabled = false', 'is_enabled = true', ['Inactive', 'Inactive']],
      ['archived_at = now()', 'archived_at = null', ['Inactive', 'Inactive']],
      [`last_signed_in_at = now() - interval '31 days'`, 'last_signed_in_at = now()', ['Active', 'Inactive']],
    ];
    for (const [change, back, expected] of states) {
      await owner(change);
      expect([change, await status(root), await status(there)]).toEqual([change, ...expected]);
      await owner(back);
      expect([back, await status(root), await status(there)]).toEqual([back, 'Active', 'Active']);
    }
  },
);

scenario(
  [
    'ID-2.5-24',
    'ID-2.5-25',
    'ID-2.5-26',
    'ID-4-21',
    'ID-4-22',
    'ID-4-23',
    'RT-9-10',
    'RT-4.3-62',
    'RT-4.3-64',
  ],
  'administrators see every key with its owner, newest first, and can filter by user',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Admin list');
    const person = await addUser(svc, 'watched', ['Editor']);
    const editor = await signIn(svc, person);
    const first = await addKey(editor, { scopes: ['Read'], projects: [project] });
    const second = await addKey(editor, { scopes: ['Read'], projects: [project] });
    await editor.delete(`${own}/${first.id}`);
    const auditor = await signIn(svc, await addUser(svc, 'key-auditor', ['Auditor']));
    const userAdmin = await signIn(svc, await addUser(svc, 'key-user-admin', ['UserAdmin']));
    const [user] = await svc.sql<{ id: number }>('select id from svc.users where user_name = $1', [
      person.userName,
    ]);
    for (const browser of [root, auditor, userAdmin]) {
      const page = (await browser.get(`${admin}?userId=${user?.id}`)).read<Page>();
      expect(page.items.map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(page.totalCount).toBe(2);
      expect(page.items[0]).toMatchObject({ ownerUserName: person.userName, canRevoke: expect.any(Boolean) });
      expect(page.items[1]).toMatchObject({ status: 'Revoked' });
    }
    const mine = await addKey(root, { scopes: ['Read'], projects: [project] });
    expect((await root.get(admin)).read<Page>().items[0]?.id).toBe(mine.id);
    const securityAdmin = await signIn(svc, await addUser(svc, 'key-security-admin', ['SecurityAdmin']));
    for (const browser of [editor, securityAdmin]) expect((await browser.get(admin)).status).toBe(403);
  },
);

scenario(
  ['ID-3.2-05', 'ID-4-24', 'ID-4-25', 'ID-3.2-06', 'ID-6-04'],
  'a UserAdmin can revoke keys of ordinary users; only an Admin can revoke keys of administrators',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Admin revoke');
    const userAdmin = await signIn(svc, await addUser(svc, 'revoker', ['UserAdmin']));
    const auditor = await signIn(svc, await addUser(svc, 'revoke-auditor', ['Auditor']));
    const keyOf = async (name: string, roles: RoleName[]) =>
      addKey(await signIn(svc, await addUser(svc, name, roles)), { scopes: ['Read'], projects: [project] });
    const plain = await keyOf('revoke-plain', ['Editor']);
    const protectedKeys = [
      await keyOf('revoke-admin', ['Admin']),
      await keyOf('revoke-functional', ['Editor', 'Approver']),
      await addKey(root, { scopes: ['Read'], projects: [project] }),
    ];
    const rows = (await userAdmin.get(`${admin}?pageSize=200`)).read<Page>().items;
    const canRevoke = (id: number) => rows.find((row) => row.id === id)?.canRevoke;
    expect(canRevoke(plain.id)).toBe(true);
    expect((await auditor.delete(`${admin}/${plain.id}`)).status).toBe(403);
    for (const key of protectedKeys) {
      expect(canRevoke(key.id)).toBe(false);
      expect((await userAdmin.delete(`${admin}/${key.id}`)).status).toBe(403);
    }
    expect((await userAdmin.delete(`${admin}/${plain.id}`)).status).toBe(204);
    expect((await svc.client(`Bearer ${plain.text}`).get('/svc/api/projects')).status).toBe(401);
    for (const key of protectedKeys) expect((await root.delete(`${admin}/${key.id}`)).status).toBe(204);
    const events = await svc.sql(
      "select subject_id::int as id from svc.audit_events where event = 'keys.api_key_revoked_by_administrator' order by id",
    );
    expect(events.map(({ id }) => id)).toEqual(
      expect.arrayContaining([plain.id, ...protectedKeys.map(({ id }) => id)]),
    );
  },
);

scenario(
  ['ID-4-20', 'ID-4-26', 'ID-7-05', 'RT-4.3-63'],
  'a key gets 403 from every route for keys',
  async ({ svc, root }) => {
    const project = await addProject(root, 'No keys by keys');
    const key = await addKey(root, { scopes: ['Read', 'Execute'], projects: [project] });
    const program = svc.client(`Bearer ${key.text}`);
    const answers = [
      await program.get(own),
      await program.post(own, { name: 'x', scopes: ['Read'], allowedProjectIds: [project] }),
      await program.delete(`${own}/${key.id}`),
      await program.get(admin),
      await program.delete(`${admin}/${key.id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await svc.client().post(own, {})).status).toBe(401);
  },
);

scenario(
  ['ID-7-12'],
  'a session whose user was demoted immediately gets 403 on the administrators’ key routes',
  async ({ svc }) => {
    const person = await addUser(svc, 'demoted-admin', ['UserAdmin']);
    const browser = await signIn(svc, person);
    expect((await browser.get(admin)).status).toBe(200);
    await setRoles(svc.database, person.userId, ['Viewer']);
    expect((await browser.get(admin)).status).toBe(403);
  },
);

scenario(
  ['ID-7-12'],
  'a session whose user was disabled immediately gets 403 on the administrators’ key routes',
  async ({ svc, root }) => {
    const person = await addUser(svc, 'disabled-admin', ['UserAdmin']);
    const browser = await signIn(svc, person);
    expect((await browser.get(admin)).status).toBe(200);
    expect((await root.put(`/svc/api/users/${person.userId}`, { isEnabled: false })).status).toBe(200);
    expect((await browser.get(admin)).status).toBe(403);
  },
);

scenario(
  ['ID-6-02', 'ID-6-03', 'ID-3.2-04'],
  'creating and revoking a key causes audit events that contain neither the key nor its hash',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Audited');
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    await root.delete(`${own}/${key.id}`);
    const events = await svc.sql(
      "select event, detail::text as detail from svc.audit_events where event like 'keys.%' and subject_id = $1 order by id",
      [key.id],
    );
    expect(events.map(({ event }) => event)).toEqual(['keys.api_key_created', 'keys.api_key_revoked']);
    const detail = String(events[0]?.['detail']);
    const { userId } = (await root.get('/svc/api/auth/me')).read<{ userId: number }>();
    const [stored] = await svc.sql<{ at: Date }>('select expires_at as at from svc.api_keys where id = $1', [
      key.id,
    ]);
    expect(JSON.parse(detail)).toEqual({
      ownerUserId: userId,
      scopes: ['Read'],
      projectIds: [project],
      expiresAt: stored?.at.toISOString(),
    });
    expect(detail).not.toContain(key.text.slice(7));
    expect(detail).not.toContain(createHash('sha256').update(key.text).digest('hex'));
  },
);

scenario(
  ['ID-6-06'],
  'audit events of requests with a key contain the key and its owner',
  async ({ svc, root }) => {
    const person = await addUser(svc, 'acting-owner', ['Editor']);
    const editor = await signIn(svc, person);
    const project = await addProject(editor, 'Acted on');
    const key = await addKey(editor, { scopes: ['Execute'], projects: [project] });
    const program = svc.client(`Bearer ${key.text}`);
    expect((await program.patch(`/svc/api/projects/${project}`, { description: 'By a key' })).status).toBe(
      200,
    );
    const events = await svc.sql(
      `select e.actor_kind, e.api_key_id, u.user_name from svc.audit_events e join svc.users u on u.id = e.actor_user_id
       where e.event = 'projects.project_changed' and e.project_id = $1`,
      [project],
    );
    expect(events).toEqual([{ actor_kind: 'api_key', api_key_id: key.id, user_name: person.userName }]);
    expect((await root.get(`/svc/api/projects/${project}`)).body).toMatchObject({ description: 'By a key' });
  },
);
