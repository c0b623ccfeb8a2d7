import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import type { Recipe } from './requests.ts';

const path = '/svc/api/eval/golden';
const exampleOf = async ({ dataSource }: Fixture) => ({
  dataSourceId: dataSource,
  question: `Question ${randomUUID()}`,
  expected: 'NoAnswer',
});
const added = async (fixture: Fixture): Promise<string> => {
  const { root, project } = fixture;
  const { body } = await root.post(path, { projectId: project, ...(await exampleOf(fixture)) });
  return `${path}/${body.id}`;
};

/** How the operations on golden examples and evaluation are asked for. */
export const evalRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${path}`]: async ({ project }) => ({ path: `${path}?projectId=${project}` }),
  [`POST ${path}`]: async (fixture) => ({
    path,
    body: { projectId: fixture.project, ...(await exampleOf(fixture)) },
  }),
  [`GET ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
  [`PUT ${path}/{id}`]: async (fixture) => ({ path: await added(fixture), body: await exampleOf(fixture) }),
  [`DELETE ${path}/{id}`]: async (fixture) => ({ path: await added(fixture) }),
  [`POST ${path}/recheck`]: async ({ project }) => ({
    path: `${path}/recheck`,
    body: { projectId: project },
  }),
};
