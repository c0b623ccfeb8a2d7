import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import type { Fixture } from '../fixture.ts';
import { fresh } from '../fresh.ts';
import type { Recipes } from '../recipe.ts';

const projects = '/svc/api/projects';

/** Creates a project with the same members as the fixture's project. Returns its id. */
async function freshProject({ clients, root }: Fixture): Promise<number> {
  const { projectAdmin } = clients;
  if (!projectAdmin) throw new Error('The fixture has no project admin.');
  const id = await addProject(projectAdmin, fresh('Project'));
  for (const [userName, role] of [
    ['viewer', 'Viewer'],
    ['editor', 'Editor'],
    ['demotedOwner', 'Editor'],
    ['bearerToken', 'Editor'],
  ] as const)
    await root.post(`/svc/api/projects/${id}/members`, { userName, role });
  return id;
}

async function freshMember({ svc, root, project }: Fixture): Promise<{ userId: number; userName: string }> {
  const { userName } = await addUser(svc, fresh('member'), ['Viewer']);
  const answer = await root.post(`/svc/api/projects/${project}/members`, { userName, role: 'Viewer' });
  return { userName, userId: answer.read<{ userId: number }>().userId };
}

/** Returns a client with an Execute key of the editor for a project. */
async function executeKeyFor({ svc, clients }: Fixture, project: number): Promise<HttpClient> {
  const { editor } = clients;
  if (!editor) throw new Error('The fixture has no editor.');
  return svc.client(`Bearer ${(await addKey(editor, { scopes: ['Execute'], projects: [project] })).text}`);
}

/** Requests about projects and their members. */
export const projectRecipes: Recipes = {
  [`POST ${projects}`]: async () => ({ body: { name: fresh('Project'), description: 'd' } }),
  [`PATCH ${projects}/{id}`]: async () => ({ body: { description: fresh('Described') } }),
  [`DELETE ${projects}/{id}`]: async (fixture, kind) => {
    const id = await freshProject(fixture);
    const as = kind === 'executeKey' ? await executeKeyFor(fixture, id) : undefined;
    if (!fixture.isOpen) await restrict(fixture.root, id);
    return { path: `${projects}/${id}`, as };
  },
  [`POST ${projects}/{id}/members`]: async ({ svc }) => ({
    body: { userName: (await addUser(svc, fresh('joiner'), ['Viewer'])).userName, role: 'Viewer' },
  }),
  [`PUT ${projects}/{id}/members/{userId}`]: async (fixture) => ({
    path: `${projects}/${fixture.project}/members/${(await freshMember(fixture)).userId}`,
    body: { role: 'Editor' },
  }),
  [`DELETE ${projects}/{id}/members/{userId}`]: async (fixture) => ({
    path: `${projects}/${fixture.project}/members/${(await freshMember(fixture)).userId}`,
  }),
  [`PUT ${projects}/{id}/access-mode (restricting)`]: async () => ({ body: { accessMode: 'Restricted' } }),
  [`PUT ${projects}/{id}/access-mode (opening)`]: async (fixture) => {
    const id = await freshProject(fixture);
    await restrict(fixture.root, id);
    return { path: `${projects}/${id}/access-mode`, body: { accessMode: 'Open' } };
  },
};
