import { randomUUID } from 'node:crypto';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const projects = '/svc/api/projects';

/** Requests about documentation. */
export const documentationRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${projects}/{id}/documentation`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation`,
  }),
  [`GET ${projects}/{id}/documentation/versions`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/versions`,
  }),
  [`GET ${projects}/{id}/documentation/versions/{number}`]: async ({ root, project }: Fixture) => {
    const documentation = `${projects}/${project}/documentation`;
    await root.put(`${documentation}/Notes`, { content: `Note ${randomUUID()}` });
    const { body } = await root.get(`${documentation}/versions?pageSize=1`);
    return { path: `${documentation}/versions/${body.items[0].number}` };
  },
  [`GET ${projects}/{id}/documentation/export`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/export`,
  }),
  [`POST ${projects}/{id}/generate-documentation`]: async ({ project }) => ({
    path: `${projects}/${project}/generate-documentation`,
  }),
  // The first permitted caller gets 204 if the request above left a running generation. Later callers get 409.
  [`POST ${projects}/{id}/documentation/cancel`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/cancel`,
  }),
  [`POST ${projects}/{id}/documentation/{kind}/instruct`]: async ({ project }) => ({
    path: `${projects}/${project}/documentation/DataModel/instruct`,
    body: { instruction: 'Shorter.', content: 'By hand.' },
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
