import { randomUUID } from 'node:crypto';
import { fresh } from '../fresh.ts';
import type { Recipe } from '../recipe.ts';

const path = '/svc/api/definitions';

/** Requests about records as files. An empty list of files is valid for each permitted caller. */
export const definitionRecipes: Readonly<Record<string, Recipe>> = {
  // Exports one kind only, because the matrix creates thousands of records.
  [`POST ${path}/export`]: async () => ({ body: { kinds: ['Project'] } }),
  [`POST ${path}/plan`]: async () => ({ body: { files: [] } }),
  [`POST ${path}/apply`]: async ({ clients }, kind) => {
    const own = await clients[kind]?.post(`${path}/plan`, { files: [] });
    const planId = own?.status === 200 ? own.read<{ planId: string }>().planId : randomUUID();
    return { body: { planId } };
  },
  [`GET ${path}/objects/{kind}/{id}`]: async ({ query }) => ({ path: `${path}/objects/Query/${query}` }),
  [`POST ${path}/objects/{kind}/{id}/release`]: async ({ query }) => ({
    path: `${path}/objects/Query/${query}/release`,
  }),
  [`PATCH ${path}/objects/{kind}/{id}`]: async ({ query }) => ({
    path: `${path}/objects/Query/${query}`,
    body: {
      slug: fresh('slug')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-'),
    },
  }),
};
