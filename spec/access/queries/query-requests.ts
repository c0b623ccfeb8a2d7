import { queryToolRequests } from '../ai/query-tool-requests.ts';
import { fresh, made } from '../fresh.ts';
import { definition, freshQuery, step } from '../fresh-records.ts';
import type { Recipe, Recipes } from '../recipe.ts';
import { queryFolderRequests } from './query-folder-requests.ts';
import { queryVersionRequests } from './query-version-requests.ts';

const queries = '/svc/api/queries';

/** Requests about queries, their versions and their folders. */
export const queryRecipes: Recipes = {
  [`POST ${queries}`]: async (fixture) => ({
    body: { projectId: fixture.project, ...definition(fixture) },
  }),
  [`PUT ${queries}/{id}`]: async (fixture) => ({ body: definition(fixture) }),
  [`POST ${queries}/{id}/preview`]: async () => ({ body: {} }),
  [`POST ${queries}/runs/{runKey}/stop`]: async () => ({
    path: `${queries}/runs/${fresh('run').replace(' ', '-')}-key/stop`,
  }),
  [`POST ${queries}/{id}/export`]: async () => ({ body: { format: 'Csv' } }),
  [`POST ${queries}/{id}/steps/{stepOrder}/preview`]: async ({ query }) => ({
    path: `${queries}/${query}/steps/1/preview`,
    body: {},
  }),
  [`POST ${queries}/preview`]: async (fixture) => ({
    body: { projectId: fixture.project, steps: [step(fixture)] },
  }),
  ...Object.fromEntries(
    ['preflight', 'explain'].map((action): [string, Recipe] => [
      `POST ${queries}/${action}`,
      async (fixture) => ({ body: { projectId: fixture.project, steps: [step(fixture)] } }),
    ]),
  ),
  [`POST ${queries}/{id}/lock`]: async (fixture) => ({
    path: `${queries}/${await freshQuery(fixture)}/lock`,
    body: { isLocked: true },
  }),
  ...queryVersionRequests({ freshQuery, definition }),
  ...queryToolRequests({ freshQuery }),
  ...queryFolderRequests({ made, fresh }),
};
