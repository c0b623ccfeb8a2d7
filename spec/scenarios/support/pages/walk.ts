import type { Page } from 'playwright-core';

/** Opens a page and returns its main heading. The heading of a refused page states the refusal. */
export async function headingAt(page: Page, path: string): Promise<string> {
  await page.goto(`/svc${path}`);
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  await heading.waitFor();
  return (await heading.textContent()) ?? '';
}

const between = ['/about', 'About'] as const;

/** Navigates to each page as a link does, without a reload, and waits for its heading. */
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
    // If two pages share a heading, another page between them proves that the second page has appeared.
    if (heading === present) await step(...between);
    await step(path, heading);
  }
}
