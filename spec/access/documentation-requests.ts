import type { Fixture } from './fixture.ts';
import type { Recipe } from './requests.ts';

const projects = '/svc/api/projects';

/** How the operations on documentation are asked for. */
export const documentationRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${projects}/{id}/documentation`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation`,
  }),
  [`GET ${projects}/{id}/documentation/export`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/export`,
  }),
  [`POST ${projects}/{id}/generate-documentation`]: async ({ project }) => ({
    path: `${projects}/${project}/generate-documentation`,
  }),
  [`PUT ${projects}/{id}/documentation/{kind}`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/DataModel`,
    body: { content: 'By hand.' },
  }),
  [`DELETE ${projects}/{id}/documentation/{kind}/proposal`]: async ({ root, project }: Fixture) => {
    await root.put(`${projects}/${project}/documentation/DataFlows`, { content: 'By hand.' });
    return { path: `${projects}/${project}/documentation/DataFlows/proposal` };
  },
};
