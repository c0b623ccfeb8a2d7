import type { RoleName } from '@svc/contract';
import { createHttpClient, type HttpClient } from '../client/http-client.ts';
import { type RunningService, setupToken } from '../service/service.ts';
import { createUser, password } from './users.ts';

/** User who can sign in. */
export type Person = { readonly userName: string; readonly password: string };

/** Super admin that `setUp` creates. */
export const superAdmin: Person = { userName: 'root', password };

/** Body of a valid setup request. */
export const setupRequest = {
  setupToken,
  userName: superAdmin.userName,
  displayName: 'The first administrator',
  email: 'root@example.org',
  password: superAdmin.password,
  confirmPassword: superAdmin.password,
};

/** Address of a service. */
type Reachable = Pick<RunningService, 'origin'>;

/** Signs a user in with a new client. A user name alone implies the tests' password. */
export async function signIn({ origin }: Reachable, person: Person | string): Promise<HttpClient> {
  const { userName, password: secret } = typeof person === 'string' ? { userName: person, password } : person;
  const client = createHttpClient(origin);
  const answer = await client.post('/svc/api/auth/login', {
    username: userName,
    password: secret,
    rememberMe: false,
  });
  if (answer.status !== 200)
    throw new Error(`${userName} could not sign in: ${answer.status} ${answer.text}`);
  return client;
}

/** Completes the setup and signs the super admin in. */
export async function setUp(service: Reachable): Promise<HttpClient> {
  const answer = await createHttpClient(service.origin).post('/svc/api/setup/superadmin', setupRequest);
  if (answer.status !== 201) throw new Error(`Setup failed: ${answer.status} ${answer.text}`);
  return signIn(service, superAdmin);
}

/** Inserts a user with the tests' password directly into the database. */
export async function addUser(
  { database }: Pick<RunningService, 'database'>,
  userName: string,
  roles: readonly RoleName[],
): Promise<Person & { readonly userId: number }> {
  return { userName, password, userId: await createUser(database, userName, roles) };
}

/** New API key with its plain text. */
export type NewKey = { readonly id: number; readonly text: string };

/** Creates an API key of the client's user through the route. */
export async function addKey(
  client: HttpClient,
  key: { scopes: readonly string[]; projects: readonly number[]; name?: string },
): Promise<NewKey> {
  const answer = await client.post('/svc/api/api-keys', {
    name: key.name ?? 'A key',
    scopes: key.scopes,
    allowedProjectIds: key.projects,
  });
  if (answer.status !== 201) throw new Error(`The key was not made: ${answer.status} ${answer.text}`);
  const { id, plainTextKey } = answer.read<{ id: number; plainTextKey: string }>();
  return { id, text: plainTextKey };
}
