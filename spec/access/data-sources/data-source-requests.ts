import { addProject } from '@svc/testkit/people/projects.ts';
import { fresh } from '../fresh.ts';
import { freshSource, source } from '../fresh-records.ts';
import type { Recipes } from '../recipe.ts';
import { knowCheckable, knowRelationship, knowSchema, suggested } from './relationship-requests.ts';

const projects = '/svc/api/projects';
const sources = '/svc/api/data-sources';

/** Requests about data sources, their relationships and their links to projects. */
export const dataSourceRecipes: Recipes = {
  [`GET ${sources}/{id}/relationships`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/relationships`,
  }),
  [`GET ${sources}/{id}/schema-health`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/schema-health`,
  }),
  [`GET ${sources}/{id}/schema-changes`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/schema-changes`,
  }),
  [`POST ${sources}/{id}/relationships`]: async (fixture) => ({
    path: await knowSchema(fixture, await freshSource(fixture)),
    body: suggested,
  }),
  [`PATCH ${sources}/{id}/relationships/{relationshipId}`]: async (fixture) => ({
    path: await knowRelationship(fixture, await freshSource(fixture)),
    body: { label: 'buyer' },
  }),
  [`DELETE ${sources}/{id}/relationships/{relationshipId}`]: async (fixture) => ({
    path: await knowRelationship(fixture, await freshSource(fixture)),
  }),
  [`POST ${sources}/{id}/relationships/{relationshipId}/verify`]: async (fixture) => ({
    path: `${await knowRelationship(fixture, await freshSource(fixture))}/verify`,
    body: { isVerified: true },
  }),
  [`POST ${sources}/{id}/relationships/{relationshipId}/check`]: async (fixture) => ({
    path: `${await knowCheckable(fixture)}/check`,
  }),
  [`POST ${sources}/{id}/relationships/discover`]: async ({ dataSource }) => ({
    path: `${sources}/${dataSource}/relationships/discover`,
  }),
  [`POST ${sources}/{id}/relationships/discover/accept`]: async (fixture) => ({
    path: `${await knowSchema(fixture, await freshSource(fixture))}/discover/accept`,
    body: { proposals: [suggested] },
  }),
  [`POST ${projects}/{id}/data-sources`]: async (fixture) => {
    // Links the source to an open project, so that callers who may link it can also read it.
    const id = await freshSource(fixture);
    const open = await addProject(fixture.root, fresh('Open'));
    await fixture.root.post(`${projects}/${open}/data-sources`, { dataSourceId: id });
    return { body: { dataSourceId: id } };
  },
  [`DELETE ${projects}/{id}/data-sources/{dataSourceId}`]: async (fixture) => {
    const id = await freshSource(fixture);
    await fixture.root.post(`${projects}/${fixture.project}/data-sources`, { dataSourceId: id });
    return { path: `${projects}/${fixture.project}/data-sources/${id}` };
  },
  [`POST ${sources}`]: async (fixture) => ({ body: source(fixture) }),
  [`PATCH ${sources}/{id}`]: async () => ({ body: { description: fresh('Described') } }),
  [`DELETE ${sources}/{id}`]: async (fixture) => ({ path: `${sources}/${await freshSource(fixture)}` }),
  [`PUT ${sources}/{id}/migration-writes`]: async (fixture) => ({
    path: `${sources}/${await freshSource(fixture)}/migration-writes`,
    body: { isAllowed: true },
  }),
  [`POST ${sources}/{id}/refresh-metadata`]: async (fixture) => {
    // The service refreshes a source once in 30 seconds, so each request uses its own source.
    const id = await freshSource(fixture);
    await fixture.root.post(`${projects}/${fixture.project}/data-sources`, { dataSourceId: id });
    return { path: `${sources}/${id}/refresh-metadata` };
  },
  [`POST ${sources}/test-connection`]: async ({ connection }) => ({
    body: { engine: 'PostgreSQL', connection },
  }),
};
