import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import type { CallerKind } from '../caller.ts';
import { type Fixture, rolesOf } from '../fixture.ts';
import { fresh, made } from '../fresh.ts';
import type { Recipe } from '../recipe.ts';

const users = '/svc/api/users';
const ownSessions = '/svc/api/user-settings/sessions';

/** Creates a Viewer that no other cell uses. */
async function freshUser({ root }: Fixture, rest = '') {
  const id = await made(root, `${users}/internal`, { userName: fresh('user'), password, roles: ['Viewer'] });
  return { path: `${users}/${id}${rest}` };
}

const views = '/svc/api/saved-views';

/** Creates a view of the caller. Returns the path of view 1 if the caller may create none. */
async function freshView({ clients }: Fixture, kind: CallerKind) {
  const view = { list: 'queries', name: fresh('View'), search: '' };
  const answer = await clients[kind]?.post(views, view);
  return { path: `${views}/${answer?.status === 201 ? answer.read<{ id: number }>().id : 1}` };
}

/** Requests about users. */
export const userRecipes: Readonly<Record<string, Recipe>> = {
  [`GET ${users}/{id}`]: (fixture) => freshUser(fixture),
  [`POST ${users}/internal`]: async () => ({
    body: { userName: fresh('user'), password, roles: ['Viewer'] },
  }),
  [`POST ${users}/external`]: async () => ({
    body: { issuer: 'https://idp.example.com', subject: fresh('subject'), userName: fresh('user') },
  }),
  [`PUT ${users}/{id}`]: async (fixture) => ({
    ...(await freshUser(fixture)),
    body: { displayName: 'Other' },
  }),
  [`PUT ${users}/{id}/roles`]: async (fixture) => ({
    ...(await freshUser(fixture, '/roles')),
    body: { roles: ['Editor'] },
  }),
  [`POST ${users}/{id}/toggle-enabled`]: (fixture) => freshUser(fixture, '/toggle-enabled'),
  [`DELETE ${users}/{id}`]: (fixture) => freshUser(fixture),
  [`POST ${users}/{id}/sign-out-everywhere`]: (fixture) => freshUser(fixture, '/sign-out-everywhere'),
  [`GET ${users}/{id}/sessions`]: (fixture) => freshUser(fixture, '/sessions'),
  [`DELETE ${users}/{id}/sessions/{sessionId}`]: async ({ svc, root }) => {
    const client = await signIn(svc, await addUser(svc, fresh('session'), ['Viewer']));
    const { userId } = (await client.get('/svc/api/auth/me')).read<{ userId: number }>();
    const { items } = (await root.get(`${users}/${userId}/sessions`)).read<{ items: { id: number }[] }>();
    return { path: `${users}/${userId}/sessions/${items[0]?.id}` };
  },
  'POST /svc/api/user-settings/change-password': async ({ svc }, kind) => {
    // For kinds with a password, a new user sends the request. The other kinds send the same body.
    const body = { currentPassword: password, newPassword: 'Another-horse-8-battery' };
    const hasPassword = kind === 'superAdmin' || rolesOf[kind] !== undefined;
    return hasPassword
      ? { body, as: await signIn(svc, await addUser(svc, fresh(kind), rolesOf[kind] ?? [])) }
      : { body };
  },
  'PATCH /svc/api/user-settings': async () => ({ body: { unmailedNoticeKinds: [] } }),
  [`GET ${views}`]: async () => ({ path: `${views}?list=queries` }),
  [`POST ${views}`]: async () => ({ body: { list: 'queries', name: fresh('View'), search: 'sort=name' } }),
  [`PATCH ${views}/{id}`]: async (fixture, kind) => ({
    ...(await freshView(fixture, kind)),
    body: { search: 'sort=-name' },
  }),
  [`DELETE ${views}/{id}`]: freshView,
  [`DELETE ${ownSessions}/{id}`]: async (fixture, kind) => {
    const as = await fixture.anew(kind);
    const sessions = await as?.get(ownSessions);
    const id = sessions?.status === 200 ? sessions.read<{ items: { id: number }[] }>().items[0]?.id : 1;
    return { path: `${ownSessions}/${id}` };
  },
};
