import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const projects = '/svc/api/projects';
let count = 0;

const freshUrl = (): string => {
  count += 1;
  return `https://git.example.org/matrix/${count}.git`;
};

/** Inserts a repository into the fixture's project. Returns a request about it. */
async function freshRepository({ svc, project }: Fixture, rest = '', body?: unknown) {
  const [row] = await svc.sql<{ id: number }>(
    `insert into svc.repositories (project_id, url, branch) values ($1, $2, 'main') returning id`,
    [project, freshUrl()],
  );
  return { path: `${projects}/repositories/${row?.id}${rest}`, ...(body !== undefined && { body }) };
}

/** Requests about repositories. */
export const repositoryRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${projects}/{id}/repositories`]: async ({ project }) => ({
    path: `${projects}/${project}/repositories`,
  }),
  [`GET ${projects}/{id}/code-references`]: async ({ project }) => ({
    path: `${projects}/${project}/code-references`,
  }),
  [`POST ${projects}/{id}/repositories`]: async ({ project }) => ({
    path: `${projects}/${project}/repositories`,
    body: { url: freshUrl() },
  }),
  [`PATCH ${projects}/repositories/{id}`]: (fixture) => freshRepository(fixture, '', { branch: 'dev' }),
  [`DELETE ${projects}/repositories/{id}`]: (fixture) => freshRepository(fixture),
  [`PUT ${projects}/repositories/{id}/token`]: (fixture) =>
    freshRepository(fixture, '/token', { token: 'x' }),
  [`POST ${projects}/repositories/{id}/scan`]: (fixture) => freshRepository(fixture, '/scan'),
};
