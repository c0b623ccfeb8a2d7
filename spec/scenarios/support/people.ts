import type { HttpClient } from './http-client.ts';
import { type RunningService, setupToken } from './service.ts';

/** A person of the scenarios. */
export type Person = { readonly userName: string; readonly password: string };

/** The super admin that `setUp` makes. */
export const superAdmin: Person = { userName: 'root', password: 'Correct-horse-7-battery' };

/** Body of a sound setup request. */
export const setupRequest = {
  setupToken,
  userName: superAdmin.userName,
  displayName: 'The first administrator',
  email: 'root@example.org',
  password: superAdmin.password,
  confirmPassword: superAdmin.password,
};

/** Signs a person in, in a browser of their own. */
export async function signIn(service: RunningService, person: Person): Promise<HttpClient> {
  const client = service.client();
  const answer = await client.post('/svc/api/auth/login', {
    username: person.userName,
    password: person.password,
    rememberMe: false,
  });
  if (answer.status !== 200)
    throw new Error(`${person.userName} could not sign in: ${answer.status} ${answer.text}`);
  return client;
}

/** Closes setup and signs the super admin in. */
export async function setUp(service: RunningService): Promise<HttpClient> {
  const answer = await service.client().post('/svc/api/setup/superadmin', setupRequest);
  if (answer.status >= 300) throw new Error(`Setup failed: ${answer.status} ${answer.text}`);
  return signIn(service, superAdmin);
}

/** Password of everybody in the scenarios. */
export const password = superAdmin.password;

/** Roles and functional permissions, by name. */
export type RoleName =
  | 'Viewer'
  | 'Editor'
  | 'Admin'
  | 'UserAdmin'
  | 'SecurityAdmin'
  | 'DataSourceAdmin'
  | 'Auditor'
  | 'Approver'
  | 'MigrationOperator';

/** Gives a person exactly these roles, as if an administrator had done so just now. */
export async function setRoles(
  service: RunningService,
  person: Person,
  roles: readonly RoleName[],
): Promise<void> {
  await service.sql(
    'delete from svc.user_roles where user_id = (select id from svc.users where user_name = $1)',
    [person.userName],
  );
  await service.sql(
    'insert into svc.user_roles (user_id, role) select id, unnest($2::text[]) from svc.users where user_name = $1',
    [person.userName, roles],
  );
}

/** Adds a person straight to the store, with the super admin's password; setup must be done. */
export async function addUser(
  service: RunningService,
  userName: string,
  roles: readonly RoleName[],
): Promise<Person> {
  await service.sql(
    `insert into svc.users (user_name, display_name, kind, password_hash)
     select $1, $1, 'Internal', password_hash from svc.users where is_super_admin`,
    [userName],
  );
  const person = { userName, password };
  await setRoles(service, person, roles);
  return person;
}

/** An API key as its maker got it. */
export type NewKey = { readonly id: number; readonly text: string };

/** Makes an API key of the client's own. */
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
