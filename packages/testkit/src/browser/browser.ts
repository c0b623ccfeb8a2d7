import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { expect, vi } from 'vitest';
import { findProgram, hasPrograms } from '../../../../tools/test/programs.ts';

/** Chromium without a window: the same engine for a fifth less processor time than the whole browser. */
const program = 'chromium-headless-shell';

/** False without Debian's Chromium: the browser tests are skipped, with a line that says so. */
export const hasChromium: boolean = hasPrograms({
  tests: 'browser tests',
  programs: [program],
  debianPackage: program,
});

/** What tests do with a browser. Closing it closes the profiles that were opened in it. */
export type TestBrowser = Pick<Browser, 'newContext' | 'contexts' | 'close'>;

let chromiumOfThisProcess: Promise<Browser> | undefined;

/** Chromium stays for the test files that follow in this process: a start costs more than a page. It ends with the process. */
function startedChromium(): Promise<Browser> {
  chromiumOfThisProcess ??= startChromium();
  return chromiumOfThisProcess;
}

async function startChromium(): Promise<Browser> {
  const started = await chromium.launch({
    executablePath: findProgram(program) ?? program,
    // No graphics card is emulated. The sandbox needs rights that a container's root does not have.
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    // A signal ends this process, which ends Chromium.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // After a crash, the next file starts it anew.
  started.once('disconnected', () => {
    chromiumOfThisProcess = undefined;
  });
  return started;
}

export async function openBrowser(): Promise<TestBrowser> {
  const started = await startedChromium();
  const opened = new Set<BrowserContext>();
  return {
    newContext: async (options) => {
      const context = await started.newContext(options);
      opened.add(context);
      context.once('close', () => opened.delete(context));
      return context;
    },
    contexts: () => [...opened],
    close: async () => void (await Promise.all([...opened].map((context) => context.close()))),
  };
}

export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the console said, and requests to other origins: both must stay empty. */
  readonly complaints: string[];
  /** Requests that were sent and have not ended. */
  readonly underWay: ReadonlySet<Request>;
};

/** Longest that a busy machine takes for one act or one wait in a page, its first load included. */
export const actionMaxMs = 120_000;
const settleMax = { timeout: actionMaxMs, interval: 20 };

/** A browser profile of one person, which notes what must not happen. */
export async function visit(
  browser: TestBrowser,
  origin: string,
  options: { readonly theme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: options.width ?? 1440, height: 900 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // Says where a violation of the page's policy comes from, which the browser's own line does not.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective, event.sourceFile, event.lineNumber, event.columnNumber, event.target?.outerHTML?.slice(0, 300)))`,
  );
  page.setDefaultTimeout(actionMaxMs);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refusal that a test asks for is reported by the browser itself.
    const isRefusal = /Failed to load resource|^WebSocket .* HTTP Authentication failed/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^https?:$/.test(protocol) && target !== origin) complaints.push(`a request to ${target}`);
  });
  const underWay = new Set<Request>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return { context, page, complaints, underWay };
}

/** Waits until a page has all that it asked for, and has drawn it: two frames, with nothing asked in between. */
export async function settled({ page, underWay }: Visitor): Promise<void> {
  do {
    await vi.waitFor(() => expect([...underWay].map((request) => request.url())).toEqual([]), settleMax);
    await drawn(page);
  } while (underWay.size > 0);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeFinding = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
};

/**
 * Runs axe. Where content, visibility and width are those of a run that found nothing, only colours can differ, as in
 * another theme: then the rules of colours are run alone.
 */
const runAxe = `(async () => {
  const isShown = [...document.querySelectorAll('body *')].map((element) => Number(element.checkVisibility())).join('');
  const state = new TextEncoder().encode(innerWidth + isShown + document.documentElement.innerHTML);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', state)).toHex();
  const faultless = (globalThis.faultlessForAxe ??= new Set());
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const ofColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  // Violations are returned with all their elements.
  const options = { resultTypes: ['violations'], runOnly: faultless.has(digest) ? ofColours : tags };
  const { violations } = await axe.run(document, options);
  if (violations.length === 0) faultless.add(digest);
  return violations;
})()`;

/** What axe finds on the page, one line each. Runs apart from the scripts of the page, so that the page's policy is no obstacle. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(`${axeSource}; undefined`);
  const findings = (await page.evaluate(runAxe)) as readonly AxeFinding[];
  return findings.flatMap((finding) =>
    finding.nodes.map(
      (node) =>
        `${finding.id}: ${finding.help}: ${node.html.slice(0, 200)} ${node.failureSummary?.split('\n')[1] ?? ''}`,
    ),
  );
}

const screenshots = path.resolve(import.meta.dirname, '../../../web/screenshots');

/** Waits for two frames, after which a change of size or theme is drawn. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/**
 * Waits until the page is drawn, and saves a picture of it in `packages/web/screenshots` if `SVC_PICTURES=1` asks for
 * pictures.
 */
export async function picture(page: Page, name: string): Promise<void> {
  await drawn(page);
  if (process.env['SVC_PICTURES'] === '1') await savePicture(page, name);
}

/** Saves a picture of the page in a folder that is not committed. */
export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}
