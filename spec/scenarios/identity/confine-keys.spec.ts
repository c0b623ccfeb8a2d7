import { createHash } from 'node:crypto';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['ID-5.6-34', 'ID-7-13', 'RT-9-03', 'ID-5.6-16'],
  'a key can access only its listed projects, while its owner can access them',
  async ({ svc, root }) => {
    const person = await addUser(svc, 'confined', ['Editor']);
    const owner = await signIn(svc, person);
    const listed = await addProject(owner, 'Listed');
    const other = await addProject(owner, 'Not listed');
    const key = await addKey(owner, { scopes: ['Execute'], projects: [listed] });
    const program = svc.client(`Bearer ${key.text}`);
    expect((await program.get(`${projects}/${listed}`)).status).toBe(200);
    expect((await program.get(`${projects}/${other}`)).status).toBe(404);
    const list = (await program.get(`${projects}?pageSize=200`)).read<{
      items: { id: number }[];
      totalCount: number;
    }>();
    expect([list.items.map(({ id }) => id), list.totalCount]).toEqual([[listed], 1]);
    await restrict(root, listed);
    await svc.sql('delete from svc.project_members where project_id = $1', [listed]);
    expect((await program.get(`${projects}/${listed}`)).status).toBe(404);
  },
);

scenario(['ID-5.6-37'], 'a key of an Admin has no Admin bypass', async ({ svc, root }) => {
  const owner = await signIn(svc, await addUser(svc, 'bypass-owner', ['Editor']));
  const closed = await addProject(owner, 'Bypass');
  const key = await addKey(root, { scopes: ['Execute'], projects: [closed] });
  const program = svc.client(`Bearer ${key.text}`);
  expect((await program.get(`${projects}/${closed}`)).status).toBe(200);
  await restrict(root, closed);
  expect((await root.get(`${projects}/${closed}`)).status).toBe(200);
  expect((await program.get(`${projects}/${closed}`)).status).toBe(404);
});

scenario(
  ['ID-5.6-39', 'ID-2.5-20'],
  'a key without a project list, from an older version, has the project access of its owner',
  async ({ svc, root }) => {
    const owner = await signIn(svc, await addUser(svc, 'unlisted', ['Editor']));
    const own = await addProject(owner, 'Unlisted own');
    const foreign = await addProject(root, 'Unlisted foreign');
    await restrict(root, own);
    await restrict(root, foreign);
    const key = await addKey(owner, { scopes: ['Read'], projects: [own] });
    await svc.sql('update svc.api_keys set allowed_project_ids = null where id = $1', [key.id]);
    const program = svc.client(`Bearer ${key.text}`);
    expect((await program.get(`${projects}/${own}`)).status).toBe(200);
    expect((await program.get(`${projects}/${foreign}`)).status).toBe(404);
  },
);

scenario(
  ['ID-5.6-43', 'ID-5.6-44', 'ID-7-04', 'ID-5.6-38'],
  'a key of an Admin gets 403 from administrative routes, and the message names the permission',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Administrative');
    const key = await addKey(root, { scopes: ['Execute'], projects: [project] });
    const program = svc.client(`Bearer ${key.text}`);
    const answer = await program.put(`${projects}/${project}/access-mode`, { accessMode: 'Restricted' });
    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(/UserAdmin/)]);
    expect(answer.text).toMatch(/keys cannot use administrative routes/i);
    expect((await program.get(`${projects}/${project}/members`)).status).toBe(403);
    const added = await program.post(`${projects}/${project}/members`, { userId: 1, role: 'Viewer' });
    expect(added.status).toBe(403);
  },
);

scenario(
  ['ID-5.6-42'],
  'a key whose owner can neither read nor write has access to nothing',
  async ({ svc }) => {
    const person = await addUser(svc, 'powerless', ['Editor']);
    const owner = await signIn(svc, person);
    const project = await addProject(owner, 'Powerless');
    const key = await addKey(owner, { scopes: ['Execute'], projects: [project] });
    await setRoles(svc.database, person.userId, ['Auditor']);
    const program = svc.client(`Bearer ${key.text}`);
    for (const path of [projects, `${projects}/${project}`, '/svc/api/api-keys/admin'])
      expect([path, (await program.get(path)).status]).toEqual([path, 403]);
  },
);

scenario(['ID-5.6-35'], 'a key has no more rights in a project than its owner', async ({ svc, root }) => {
  const person = await addUser(svc, 'project-viewer', ['Editor']);
  const owner = await signIn(svc, person);
  const project = await addProject(root, 'Viewer here');
  await root.post(`${projects}/${project}/members`, { userName: person.userName, role: 'Viewer' });
  await restrict(root, project);
  const key = await addKey(owner, { scopes: ['Execute'], projects: [project] });
  const program = svc.client(`Bearer ${key.text}`);
  expect((await program.get(`${projects}/${project}`)).status).toBe(200);
  expect((await program.patch(`${projects}/${project}`, { description: 'x' })).status).toBe(403);
});

scenario(
  ['ID-5.6-36'],
  'a key whose stored restriction is malformed can access no project',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Malformed');
    for (const stored of ['{}', '{NULL}', '{-1}', '{0}']) {
      const key = await addKey(root, { scopes: ['Read'], projects: [project] });
      await svc.sql('update svc.api_keys set allowed_project_ids = $2::int[] where id = $1', [
        key.id,
        stored,
      ]);
      const program = svc.client(`Bearer ${key.text}`);
      expect([stored, (await program.get(`${projects}/${project}`)).status]).toEqual([stored, 404]);
      expect((await program.get(projects)).body).toMatchObject({ items: [], totalCount: 0 });
    }
  },
);

scenario(
  ['RT-9-12'],
  'a key without a generation counts as generation 0, and stops working once its owner has a later generation',
  async ({ svc, root }) => {
    const person = await addUser(svc, 'generation', ['Viewer']);
    const project = await addProject(root, 'Generations');
    const text = `sk-sem_${'g'.repeat(40)}`;
    const hash = createHash('sha256').update(text).digest();
    await svc.sql(
      `insert into svc.api_keys (name, key_hash, prefix, owner_user_id, scopes, allowed_project_ids)
       select 'Old', $2, left($3, 16), id, '{Read}', array[$4::int] from svc.users where user_name = $1`,
      [person.userName, hash, text, project],
    );
    const program = svc.client(`Bearer ${text}`);
    expect((await program.get(`${projects}/${project}`)).status).toBe(200);
    await svc.sql('update svc.users set api_key_generation = 1 where user_name = $1', [person.userName]);
    expect((await program.get(`${projects}/${project}`)).status).toBe(401);
  },
);
