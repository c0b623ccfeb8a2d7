import type { Page } from 'playwright-core';

/** The page's own heading; of a refused page, that it is refused. */
export async function headingAt(page: Page, path: string): Promise<string> {
  await page.goto(`/svc${path}`);
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  await heading.waitFor();
  return (await heading.textContent()) ?? '';
}

const between = ['/about', 'About'] as const;

/** Goes to each page as a link does, without loading anew, and waits for what stands over it. */
export async function walk(page: Page, stops: readonly (readonly [string, string])[]): Promise<void> {
  let present: string = between[1];
  await headingAt(page, between[0]);
  const step = async (path: string, heading: string) => {
    await page.evaluate(
      `history.pushState(null, '', '/svc${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    present = heading;
  };
  for (const [path, heading] of stops) {
    // Two pages under one heading: the second must not be taken for seen while the first still stands.
    if (heading === present) await step(...between);
    await step(path, heading);
  }
}
