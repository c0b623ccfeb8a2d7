import {
  openBrowser,
  savePicture,
  settled,
  type TestBrowser,
  type Visitor,
  visit,
} from '@svc/testkit/browser/browser.ts';
import { setUpByRoutes } from '@svc/testkit/browser/people.ts';
import { type HostOptions, type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Maximum start time of a service and a browser on a busy machine, in milliseconds. */
const startMaxMs = 900_000;

/** Maximum duration of a whole flow in the browser on a busy machine, in milliseconds. */
export const flowMaxMs = 900_000;

type Options = {
  /** Options of the service. Default: the demo, as `npm start` does. */
  readonly service?: HostOptions | (() => Promise<HostOptions>);
  /** Preferred colour scheme of the browser. Default: light. */
  readonly theme?: 'light' | 'dark';
  /**
   * False for a service whose setup the test performs. Default true: the administrator is signed in, on the home page.
   */
  readonly isSetUp?: boolean;
};

/** Service of one test file, a browser, the administrator's page, and common actions. */
export type BrowserFixture = {
  readonly service: HostProcess;
  readonly browser: TestBrowser;
  readonly visitor: Visitor;
  readonly page: Page;
  readonly main: Locator;
  /** Loads a page by its address and waits until all of its requests have ended. */
  readonly open: (path: string, heading: string | RegExp) => Promise<void>;
  /** Navigates to a page as a link does, without a reload, and waits until all of its requests have ended. */
  readonly walk: (path: string, heading: string | RegExp) => Promise<void>;
  /** Selects a choice of a field. */
  readonly choose: (name: string | RegExp, option: string) => Promise<void>;
  /** Opens the menu of a row or a page, and selects one of its actions. */
  readonly act: (on: string, name: string) => Promise<void>;
  /** Replaces the SQL of a step, with one input event. */
  readonly writeSql: (sql: string) => Promise<void>;
};

/**
 * Starts a service and a browser before the tests of a `describe`. Stores a picture of every page when a test fails.
 * Stops both after the last test.
 */
export function useBrowserFixture(options: Options = {}): BrowserFixture {
  let service: HostProcess;
  let browser: TestBrowser;
  let visitor: Visitor;

  beforeAll(async () => {
    const settings = typeof options.service === 'function' ? await options.service() : options.service;
    service = await startHost(settings);
    browser = await openBrowser();
    visitor = await visit(browser, service.origin, options.theme && { theme: options.theme });
    if (options.isSetUp ?? true) await setUpByRoutes(visitor.page, service);
  }, startMaxMs);
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const [index, page] of pages.entries())
      await savePicture(page, `failed-${task.name.slice(0, 40)}${index || ''}`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const main = () => visitor.page.getByRole('main');
  const heading = (name: string | RegExp) => main().getByRole('heading', { name, level: 1 });
  return {
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    get visitor() {
      return visitor;
    },
    get page() {
      return visitor.page;
    },
    get main() {
      return main();
    },
    open: async (path, name) => {
      await visitor.page.goto(`/svc${path}`);
      await heading(name).waitFor();
      await settled(visitor);
    },
    walk: async (path, name) => {
      await visitor.page.evaluate(
        `history.pushState(null, '', '/svc${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await heading(name).waitFor();
      await settled(visitor);
    },
    choose: async (name, option) => {
      await visitor.page.getByRole('combobox', { name }).click();
      await visitor.page.getByRole('option', { name: option, exact: true }).click();
    },
    act: async (on, name) => {
      await main().getByRole('button', { name: on, exact: true }).click();
      await visitor.page.getByRole('menuitem', { name, exact: true }).click();
    },
    writeSql: async (sql) => {
      await main().getByRole('textbox', { name: 'SQL of this step' }).click();
      await visitor.page.keyboard.press('ControlOrMeta+a');
      await visitor.page.keyboard.insertText(sql);
      await visitor.page.keyboard.press('Escape');
    },
  };
}
