import { randomUUID } from 'node:crypto';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const path = '/svc/api/glossary';
const termOf = (): { term: string; definition: string } => ({
  term: `Term ${randomUUID()}`,
  definition: 'What it means.',
});
const added = async ({ root, project }: Fixture): Promise<string> =>
  `${path}/${(await root.post(path, { projectId: project, ...termOf() })).body.id}`;

/** Requests about the glossary. */
export const glossaryRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${path}`]: async ({ project }) => ({ path: `${path}?projectId=${project}` }),
  [`POST ${path}`]: async ({ project }) => ({ path, body: { projectId: project, ...termOf() } }),
  [`POST ${path}/recheck`]: async () => ({ path: `${path}/recheck`, body: {} }),
  [`GET ${path}/export`]: async ({ project }) => ({ path: `${path}/export?projectId=${project}` }),
  [`POST ${path}/import`]: async ({ project }) => ({
    path: `${path}/import`,
    body: { projectId: project, document: `term,definition\n${termOf().term},What it means.` },
  }),
  [`GET ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
  [`PUT ${path}/{id}`]: async (fixture) => ({ path: await added(fixture), body: termOf() }),
  [`DELETE ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
};
