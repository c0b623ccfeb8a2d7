import type { Page } from 'playwright-core';
import type { TestService } from './service.ts';

export const administrator = { userName: 'ana.kovac', displayName: 'Ana Kovač', password: 'Correct-horse-7' };

/** Sets the service up through its page; ends at home, signed in. */
export async function setUp(page: Page, service: TestService): Promise<void> {
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

export async function signIn(page: Page, userName: string, password: string): Promise<void> {
  await page.goto('/svc/login');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}
