import type { CallerKind } from '../caller.ts';
import type { Fixture } from '../fixture.ts';
import { fresh, made } from '../fresh.ts';
import type { Recipe, Recipes } from '../recipe.ts';

const keyFor =
  (scope: string): Recipe =>
  async ({ project }) => ({
    body: { name: fresh('Key'), scopes: [scope], allowedProjectIds: [project] },
  });

/** Creates a key of the caller, or of the editor if the caller may create none. Returns its id. */
async function ownKey({ clients, openProject }: Fixture, kind: CallerKind): Promise<number> {
  const body = { name: fresh('Key'), scopes: ['Read'], allowedProjectIds: [openProject] };
  const answer = await clients[kind]?.post('/svc/api/api-keys', body);
  if (answer?.status === 201) return answer.read<{ id: number }>().id;
  const { editor } = clients;
  if (!editor) throw new Error('The fixture has no editor.');
  return made(editor, '/svc/api/api-keys', body);
}

/** Requests about API keys. */
export const apiKeyRecipes: Recipes = {
  'POST /svc/api/api-keys (Read key for the restricted project)': keyFor('Read'),
  'POST /svc/api/api-keys (Execute key for the restricted project)': keyFor('Execute'),
  'DELETE /svc/api/api-keys/{id} (own key)': async (fixture, kind) => ({
    path: `/svc/api/api-keys/${await ownKey(fixture, kind)}`,
  }),
  'POST /svc/api/api-keys/{id}/replace (own key)': async (fixture, kind) => ({
    path: `/svc/api/api-keys/${await ownKey(fixture, kind)}/replace`,
    body: {},
  }),
  ...Object.fromEntries(
    ['uses', 'explanation'].flatMap((page): [string, Recipe][] => [
      [
        `GET /svc/api/api-keys/{id}/${page} (own key)`,
        async (fixture, kind) => ({ path: `/svc/api/api-keys/${await ownKey(fixture, kind)}/${page}` }),
      ],
      [
        `GET /svc/api/api-keys/admin/{id}/${page} (an editor's key)`,
        async (fixture) => ({ path: `/svc/api/api-keys/admin/${await ownKey(fixture, 'editor')}/${page}` }),
      ],
    ]),
  ),
  "DELETE /svc/api/api-keys/admin/{id} (an editor's key)": async (fixture) => ({
    path: `/svc/api/api-keys/admin/${await ownKey(fixture, 'editor')}`,
  }),
  "DELETE /svc/api/api-keys/admin/{id} (a functional-role holder's key)": async ({
    functionalOwner,
    project,
  }) => {
    const body = { name: fresh('Key'), scopes: ['Read'], allowedProjectIds: [project] };
    return { path: `/svc/api/api-keys/admin/${await made(functionalOwner, '/svc/api/api-keys', body)}` };
  },
};
