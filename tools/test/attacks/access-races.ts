import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { startService } from '@svc/testkit/service/service.ts';

/** Actions that revoke a credential's right while requests with it are in flight. */
export const raceActs = [
  'revoke the key',
  'expire the key',
  'disable the owner',
  'archive the owner',
  'demote the owner',
  'sign out',
  'sign out everywhere',
  'disable the user',
  'archive the user',
] as const;
export type RaceAct = (typeof raceActs)[number];

/** A success answer to a request that was sent after the right was revoked. */
export type LateAnswer = { readonly act: RaceAct; readonly replica: number; readonly status: number };

const inFlight = 4;
const project = '/svc/api/projects/1';
/** This route starts for the cached caller of a credential while the credential is being confirmed. */
const list = '/svc/api/projects';

/**
 * Runs races on two replicas of a new service. Requests with a credential are in flight on both replicas while an
 * action on the first one revokes the right. Every request that is sent after the action's answer must be refused.
 *
 * @param count  number of races; the actions take turns.
 * @param revalidateMinutes  time that a session may go unchecked. Above 0, the other replica may accept a revoked
 *   session for that time, so it is only tested with keys.
 * @returns late answers; empty when all requests were refused.
 */
export async function runAccessRaces(count: number, revalidateMinutes = 0): Promise<readonly LateAnswer[]> {
  const config = { 'Svc:Authentication:Session:RevalidateMinutes': revalidateMinutes };
  const first = await startService({ config });
  const second = await startService({ on: first, config });
  const late: LateAnswer[] = [];
  try {
    const root = await setUp(first);
    await root.post('/svc/api/projects', { name: 'Raced about', description: '' });
    for (let race = 0; race < count; race += 1) {
      const act = raceActs[race % raceActs.length] ?? 'sign out';
      const userName = `racer-${race}`;
      const userId = await createUser(first.database, userName, 'Editor');
      const byKey = !act.includes('sign out') && !act.includes('user');
      const key = await createKey(first.database, userId, { scopes: ['Execute'], projectIds: [1] });
      const session = byKey ? undefined : await signIn(first, userName);
      const ask = async (origin: string): Promise<number> => {
        const client = createHttpClient(origin, byKey ? key.authorization : undefined);
        for (const [name, value] of session?.cookies ?? []) client.cookies.set(name, value);
        // A demotion removes only the owner's right to execute. All other actions remove the right to read, too.
        const answer =
          act === 'demote the owner'
            ? await client.patch(project, { description: `By ${userName}` })
            : await client.get(race % 2 === 0 ? list : project);
        return answer.status;
      };
      const acts: Record<RaceAct, () => Promise<unknown>> = {
        'revoke the key': () => root.delete(`/svc/api/api-keys/admin/${key.id}`),
        'expire the key': () =>
          first.database.query('update svc.api_keys set expires_at = now() where id = $1', [key.id]),
        'disable the owner': () => root.post(`/svc/api/users/${userId}/toggle-enabled`),
        'archive the owner': () => root.delete(`/svc/api/users/${userId}`),
        'demote the owner': () => root.put(`/svc/api/users/${userId}/roles`, { roles: ['Viewer'] }),
        'sign out': async () => session?.post('/svc/api/auth/logout'),
        'sign out everywhere': async () => session?.post('/svc/api/auth/logout?everywhere=true'),
        'disable the user': () => root.post(`/svc/api/users/${userId}/toggle-enabled`),
        'archive the user': () => root.delete(`/svc/api/users/${userId}`),
      };
      const origins = [first.origin, second.origin];
      for (const status of await Promise.all(origins.map(ask)))
        if (status >= 400) throw new Error(`Before “${act}” a request was answered with ${status}.`);
      const early = origins.flatMap((origin) => Array.from({ length: inFlight }, () => ask(origin)));
      await acts[act]();
      const bound = byKey || revalidateMinutes === 0 ? origins : origins.slice(0, 1);
      for (const [replica, status] of (await Promise.all(bound.map(ask))).entries())
        if (status < 400) late.push({ act, replica, status });
      await Promise.all(early);
    }
  } finally {
    await second.close();
    await first.close();
  }
  return late;
}
