import type { BrowserContext, Page } from 'playwright-core';
import type { HostProcess } from '../service/host-process.ts';

export const administrator = { userName: 'ana.kovac', displayName: 'Ana Kovač', password: 'Correct-horse-7' };

/** Sets the service up through its page. Ends on the home page, signed in. */
export async function setUp(page: Page, service: HostProcess): Promise<void> {
  await page.goto('/svc/');
  await page.waitForURL('**/svc/setup');
  await page.getByLabel('Setup token').fill(service.setupToken);
  await page.getByLabel('User name').fill(administrator.userName);
  await page.getByLabel('Display name (optional)').fill(administrator.displayName);
  await page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await page.getByLabel('Repeat the password', { exact: true }).fill(administrator.password);
  await page.getByRole('button', { name: 'Create administrator' }).click();
  await page.waitForURL('**/svc/home');
}

/** Sets the service up through its routes. Ends on the home page, signed in. */
export async function setUpByRoutes(page: Page, service: HostProcess): Promise<void> {
  const { request } = page.context();
  const { userName, displayName, password } = administrator;
  const { setupToken } = service;
  const setup = await request.post('/svc/api/setup/superadmin', {
    data: { setupToken, userName, displayName, password, confirmPassword: password },
  });
  if (!setup.ok()) throw new Error(`Setup failed: ${await setup.text()}`);
  await signInByRoute(page.context(), userName, password);
  await page.goto('/svc/home');
}

/** Signs a user in through the route, in the user's browser profile. */
async function signInByRoute({ request }: BrowserContext, userName: string, password: string): Promise<void> {
  const data = { username: userName, password, rememberMe: false };
  const login = await request.post('/svc/api/auth/login', { data });
  if (!login.ok()) throw new Error(`${userName} could not sign in: ${await login.text()}`);
}

export async function signIn(page: Page, userName: string, password: string): Promise<void> {
  await page.goto('/svc/login');
  await fillSignIn(page, userName, password);
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}

/** Fills in and submits the sign-in form on the current page. */
export async function fillSignIn(page: Page, userName: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

type Person = { readonly userName: string; readonly password: string; readonly roles: readonly string[] };

/** Sends a POST request as the user of a browser profile. @returns the JSON body; undefined for an empty body. */
export async function post(context: BrowserContext, path: string, body: unknown): Promise<unknown> {
  const { token } = (await (await context.request.get('/svc/api/csrf')).json()) as { token: string };
  const answer = await context.request.post(path, { data: body, headers: { 'x-xsrf-token': token } });
  const text = await answer.text();
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Adds a user through the routes. The user replaces the first password in their own browser profile. */
export async function addPerson(
  administrators: BrowserContext,
  own: BrowserContext,
  { userName, password, roles }: Person,
): Promise<void> {
  const first = `${password}-first`;
  await post(administrators, '/svc/api/users/internal', { userName, password: first, roles });
  await signInByRoute(own, userName, first);
  await post(own, '/svc/api/user-settings/change-password', {
    currentPassword: first,
    newPassword: password,
  });
  await post(own, '/svc/api/auth/logout', {});
}
